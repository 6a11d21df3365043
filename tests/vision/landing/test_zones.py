"""Which zone a footprint is in, by the rulebook's words and by a referee with a ruler."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from calibration.arrays import Floats
from calibration.table import Laid, LaidDot, LaidZone
from tests.vision.landing.lying import by_ruler, footprint
from tests.vision.landing.stage import calibrated, camera
from vision.landing.field import EVEN_MM, FieldError, cover, field_of, reach, stand

LAID = calibrated(camera()).laid
FIELD = field_of(LAID)
places = st.tuples(st.floats(-185, 185, width=32), st.floats(-20, 1250, width=32), st.floats(0, 90, width=32))


@pytest.mark.parametrize(
    ("words", "x", "y", "yaw", "zone", "line"),
    [
        ("in the middle of the 5", 0, 240, 0, 5, "2|5"),
        ("a hair over the line", -96.89, 200, 0, 5, "2|5"),
        ("even with the line but not over it", -96.9, 200, 0, 2, "2|5"),
        ("short of the line by a hair", -96.91, 200, 0, 2, "2|5"),
        ("one corner over the line", 0, 88.9 + 10.6, 45, 10, "5|10"),
        ("over the 10 and the 20", 0, 71.4, 0, 20, "10|20"),
        ("beside the 20, in the 10 round it", 53, 40, 0, 10, "10|20"),
        ("the corner where three zones meet", 92, 92, 45, 10, "2|10"),
        ("hanging over the table's edge", 100, -4, 0, 10, "table"),
        ("wholly past the table's edge", 0, -8.1, 0, 0, "table"),
        ("beside the sheet and touching it", 160.3, 300, 0, 2, "0|2"),
        ("beside the sheet", 160.5, 300, 0, 0, "0|2"),
        ("beside the 10", -160.5, 40, 0, 0, "0|10"),
        ("on the front line", 0, 465.1, 0, 2, "1|2"),
        ("before the front line", 0, 465.3, 0, 1, "1|2"),
        ("touching the side tape from outside", 160.3, 800, 0, 1, "0|1"),
        ("on the side tape", -150, 800, 30, 1, "0|1"),
        ("outside the side tape", 160.5, 800, 0, 0, "0|1"),
        ("just clear of the halfway tape", 0, 1201.6, 0, 1, "0|1"),
        ("touching the halfway tape", 0, 1201.8, 0, 0, "0|1"),
        ("on the halfway tape", 20, 1219.2, 10, 0, "0|1"),
        ("before the halfway tape", 20, 1260, 10, 0, "0|1"),
    ],
)
def test_the_rulebooks_cases(words: str, x: float, y: float, yaw: float, zone: int, line: str) -> None:
    found = stand(FIELD, footprint(x, y, yaw))
    assert (found.zone, found.near.name) == (zone, line), words


@given(places)
def test_a_referee_with_a_ruler_agrees(place: tuple[float, float, float]) -> None:
    outline = footprint(*place)
    found = stand(FIELD, outline)
    assume(abs(found.near.mm) > 1e-4)
    assert found.zone == by_ruler(outline)


@given(places)
def test_the_next_zone_is_as_far_as_it_says(place: tuple[float, float, float]) -> None:
    """Moved along the arrow by the gap and a hair, the die is in the better zone; a hair less, and not."""
    outline = footprint(*place)
    found = stand(FIELD, outline)
    assume(found.near.mm < -0.01)
    way = np.subtract(found.near.on_line_mm, found.near.on_die_mm)
    assert np.hypot(*way) == pytest.approx(-found.near.mm, abs=1e-6)
    way /= np.hypot(*way)
    # At the tape's corner, the last hair may need the die to be both clear of the tape and within the lines.
    assume(not (found.near.name == "0|1" and found.zone == 0 and abs(place[0]) > 150 and place[1] > 1150))
    assert stand(FIELD, outline + way * (-found.near.mm + 0.02)).zone >= found.near.level
    assert stand(FIELD, outline + way * (-found.near.mm - 0.005)).zone == found.zone


@given(places, st.floats(-0.3, 0.3), st.floats(-0.3, 0.3))
def test_no_reach_changes_faster_than_the_die_moves(
    place: tuple[float, float, float], right: float, up: float
) -> None:
    both = np.stack([footprint(*place), footprint(*place) + np.array([right, up])])
    for level in FIELD.levels:
        before, after = reach(FIELD, both, level).mm
        assert abs(after - before) <= np.hypot(right, up) + 1e-6


@given(places)
def test_the_lines_near_a_die_are_all_that_count(place: tuple[float, float, float]) -> None:
    outline = footprint(*place)
    here = FIELD.near(np.array(place[:2]), 30.0)
    for level in FIELD.levels:
        whole, close = (reach(field, outline[None], level).mm[0] for field in (FIELD, here))
        if abs(whole) < 15:
            assert close == pytest.approx(whole, abs=1e-9)
        else:
            assert np.sign(close) == np.sign(whole)


@given(places, st.floats(-180, 180), st.floats(-500, 500))
def test_a_table_that_lies_askew_calls_alike(
    place: tuple[float, float, float], degrees: float, shift: float
) -> None:
    """Zones, gaps and depths do not depend on where the sheet lies; only the halfway tape looks along y."""
    degrees = degrees / 60  # A sheet put down by hand: up to three degrees off.
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))

    def turned(points: object) -> Floats:
        return np.asarray(np.array(points) @ np.array([[cos, sin], [-sin, cos]]) + (shift, 0), np.float64)

    def line(points: object) -> tuple[tuple[float, float], ...]:
        return tuple((x, y) for x, y in turned(points).tolist())

    askew = replace(
        LAID,
        zones=tuple(replace(zone, polygon_mm=line(zone.polygon_mm)) for zone in LAID.zones),
        tapes=tuple(
            replace(tape, outer_mm=line(tape.outer_mm), inner_mm=line(tape.inner_mm)) for tape in LAID.tapes
        ),
        table_edge_mm=line(LAID.table_edge_mm),
    )
    outline = footprint(*place)
    straight, found = stand(FIELD, outline), stand(field_of(askew), turned(outline))
    assume(abs(straight.near.mm) > 0.01)
    assert (found.zone, found.near.mm) == (straight.zone, pytest.approx(straight.near.mm, abs=1e-6))
    # Deep in a zone two places may be all but equally deep, and the search settles on either.
    tolerance = 0.01 if straight.protrusion_mm < 8 else 0.3
    assert found.protrusion_mm == pytest.approx(straight.protrusion_mm, abs=tolerance)
    assert found.gap_mm == pytest.approx(straight.gap_mm, abs=1e-6)


def test_depth_and_gap_are_those_of_the_contract() -> None:
    found = stand(FIELD, footprint(-90, 105.0))
    assert found.zone == 5
    assert found.protrusion_mm == pytest.approx(6.9, abs=1e-3)  # From 88.9, the nearest line of the 5.
    assert found.gap_mm == pytest.approx(8.1, abs=1e-9)  # To the 10 at 88.9.
    assert found.near.mm == pytest.approx(6.9, abs=1e-9)


def test_the_gap_is_that_to_the_next_zone_and_the_nearest_line_may_be_anothers() -> None:
    found = stand(FIELD, footprint(-120, 100))
    assert (found.zone, found.near.name) == (2, "2|10")
    assert found.near.mm == pytest.approx(-3.1, abs=1e-9)
    assert found.gap_mm == pytest.approx(23.1, abs=1e-9)  # The next above 2 is 5, and it is further off.


def test_in_the_highest_zone_there_is_no_gap() -> None:
    assert stand(FIELD, footprint(0, 30)).gap_mm is None


def test_a_later_zone_covers_an_earlier_one() -> None:
    """A 2 painted into the 5 is a hole in it."""
    hole = LaidZone(value=2, polygon_mm=((-20, 200), (20, 200), (20, 240), (-20, 240)))
    field = field_of(replace(LAID, zones=(*LAID.zones, hole)))
    inside = stand(field, footprint(0, 220))
    assert (inside.zone, inside.near.name) == (2, "2|5")
    assert inside.near.mm == pytest.approx(-12.0, abs=1e-9)
    assert stand(field, footprint(0, 232.1)).zone == 5


def test_a_die_that_straddles_a_strip_touches_it() -> None:
    """No corner of the die lies in the strip, and no corner of the strip under the die."""
    strip = LaidZone(value=50, polygon_mm=((-152.4, 300), (152.4, 300), (152.4, 304), (-152.4, 304)))
    field = field_of(replace(LAID, zones=(*LAID.zones, strip)))
    assert stand(field, footprint(0, 302)).zone == 50
    assert stand(field, footprint(0, 302, 45)).zone == 50


def test_a_die_that_covers_a_whole_small_zone_touches_it() -> None:
    spot = LaidZone(value=50, polygon_mm=((0.3, 300.2), (1.0, 300.2), (1.0, 300.9), (0.3, 300.9)))
    field = field_of(replace(LAID, zones=(*LAID.zones, spot)))
    assert stand(field, footprint(0, 300)).zone == 50


def test_a_bent_line_is_followed() -> None:
    """The 5's left line bulges by 0.4 mm where the sheet was stretched."""
    bent = LaidZone(
        value=5, polygon_mm=((-88.9, 88.9), (88.9, 88.9), (88.9, 381.0), (-88.9, 381.0), (-89.3, 235.0))
    )
    field = field_of(replace(LAID, zones=(LAID.zones[0], LAID.zones[1], bent, LAID.zones[3])))
    outline = footprint(-97.1, 235)
    assert stand(FIELD, outline).zone == 2
    assert stand(field, outline).zone == 5
    assert stand(field, footprint(-97.1, 370)).zone == 2


def test_tapes_that_end_early_are_lengthened() -> None:
    """A measured tape may be known only where it was seen."""
    tapes = tuple(
        replace(tape, outer_mm=((tape.outer_mm[0][0], 480.0), (tape.outer_mm[0][0], 900.0)))
        if tape.name != "halfway"
        else tape
        for tape in LAID.tapes
    )
    field = field_of(replace(LAID, tapes=tapes))
    for y in (466, 700, 1190):
        assert stand(field, footprint(159, y)).zone == 1
        assert stand(field, footprint(161, y)).zone == 0


@pytest.mark.parametrize("name", ["left", "right", "halfway"])
def test_a_missing_tape_is_said(name: str) -> None:
    laid: Laid = replace(LAID, tapes=tuple(tape for tape in LAID.tapes if tape.name != name))
    with pytest.raises(FieldError, match=f"no {name} tape"):
        field_of(laid)


@given(st.floats(-14, 14), st.floats(-14, 14), st.floats(0, 90))
def test_the_dot_is_covered_when_no_part_of_it_is_to_be_seen(x: float, y: float, yaw: float) -> None:
    """Against a thousand points of the dot: the smallest cover, or the largest depth that is to be seen."""
    dot = LaidDot(center_mm=(0.0, 260.0), diameter_mm=9.0, sigma_mm=0.03)
    outline = footprint(x, 260 + y, yaw)
    angles = np.linspace(0, 2 * np.pi, 1000, endpoint=False)
    rim = np.array(dot.center_mm) + 4.5 * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    steps = np.roll(outline, -1, axis=0) - outline
    normals = np.stack([-steps[:, 1], steps[:, 0]], axis=-1) / np.linalg.norm(steps, axis=-1)[:, None]
    inside = np.einsum("mnd,nd->mn", rim[:, None] - outline, normals).min(axis=1)
    margin = float(cover(dot, outline[None])[0])
    assert (margin >= 0) == (inside.min() >= 0) or abs(margin) < 1e-3
    if margin >= 0:
        assert margin == pytest.approx(inside.min(), abs=1e-3)
    else:
        assert (
            -margin >= -inside.min() - 1e-6
        )  # Straight distances from sides; round corners are further off.
        assert -margin <= -inside.min() + 0.7


def test_even_is_a_millionth_of_a_millimetre() -> None:
    assert stand(FIELD, footprint(-96.9 + 2 * EVEN_MM, 200)).zone == 5
    assert stand(FIELD, footprint(-96.9 + EVEN_MM / 2, 200)).zone == 2
