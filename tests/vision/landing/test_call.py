"""Calls are honest: as often right as they say, out to the certain ones."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from calibration.arrays import Floats
from tests.tiers import short_rows
from tests.vision.landing.lying import by_ruler, die_at, footprint, spread
from tests.vision.landing.stage import calibrated, camera
from vision.landing.call import Call, Poses, call_die, probability_positive
from vision.landing.field import cover, field_of, reach

TABLE = calibrated(camera())
FIELD = field_of(TABLE.laid)


def told(found: Call) -> dict[int, float]:
    """The chances that are neither none nor all."""
    return {zone: chance for zone, chance in found.by_zone if 1e-12 < chance < 1 - 1e-12}


def test_far_from_all_lines_a_call_is_certain() -> None:
    found = call_die(die_at(0, 240, 30), TABLE)
    assert (found.zone, found.score, found.call, found.probability) == (5, 20, "certain", 1.0)
    assert found.ways_out == ""
    assert found.dot is not None
    assert not found.dot.covered


def test_even_with_a_line_nobody_knows() -> None:
    found = call_die(die_at(-96.9, 200), TABLE)
    assert found.call == "too_close"
    assert told(found) == {2: pytest.approx(0.5, abs=0.15), 5: pytest.approx(0.5, abs=0.15)}
    assert "between 2 and 5" in found.ways_out
    assert "third person" in found.ways_out
    assert "odd" in found.ways_out


def test_the_plus_minus_is_that_of_die_and_line_together() -> None:
    """Turned by 20 degrees one corner decides, and how it moves with each part of the pose is plain."""
    die = die_at(-99, 200, 20, covariance=spread(0.04, 0.09, 0.003, 0.05))
    corner = np.array(die.footprint_mm)[np.argmax(np.array(die.footprint_mm)[:, 0])] - die.center_mm
    parts = (0.04, TABLE.laid.sigma_mm, 0.003 * corner[1], 0.05 * corner[0] / 16)
    assert call_die(die, TABLE).near_sigma_mm == pytest.approx(np.sqrt(np.square(parts).sum()), rel=1e-3)


@pytest.mark.parametrize(
    ("x", "y", "yaw"),
    short_rows(
        [
            (-97.0, 200, 0),  # A flat side along a line.
            (160.32, 464.1, 0),  # 0, 1 and 2 are all possible.
            (-96.95, 200, 3),
            (96.9, 389.05, 0),  # Corner against corner.
            (94.3, 386.4, 45),
            (160.3, 465.2, 0),
            (160.35, 1201.6, 0),  # The side tape and the halfway tape.
            (53.0, 63.6, 40),  # Past the corner of the 20.
            (55.4, 71.2, 20),
        ],
        2,
    ),
)
def test_chances_are_those_of_many_draws(x: float, y: float, yaw: float) -> None:
    die = die_at(x, y, yaw, covariance=spread(0.06, 0.05, 0.005, 0.06, tied=0.4))
    poses = Poses.of(die, TABLE.laid.sigma_mm)
    drawn = poses.outlines(np.random.default_rng(7).standard_normal((1000, 5)))
    found = call_die(die, TABLE)
    here = FIELD.near(poses.center_mm, 20.0)
    at_least = [np.mean(reach(here, drawn, level).mm > 0) for level in FIELD.levels]
    counted = -np.diff([1.0, *at_least, 0.0])
    for (zone, chance_), share in zip(found.by_zone, counted, strict=True):
        assert chance_ == pytest.approx(share, abs=0.05), zone


def test_the_tails_are_exact() -> None:
    """Along a straight line the chance is the normal distribution's own, out to one in a million."""
    poses = Poses.of(die_at(0, 300, 20, covariance=spread(0.1, 0.1, 1e-9, 1e-9)), 0.0)

    def over(outlines: Floats) -> Floats:
        return np.asarray(outlines[..., 0].max(axis=1) - edge, np.float64)

    reached = float(poses.outline_mm[:, 0].max())
    for sigmas, expected in ((1, 0.158655), (2.5758, 0.005), (3.0902, 0.001), (4.7534, 1e-6)):
        edge = reached + 0.1 * sigmas
        assert probability_positive(over, poses, reached - edge) == pytest.approx(expected, rel=2e-3)


def test_a_dot_that_is_just_covered_is_too_close() -> None:
    dot = TABLE.laid.dot
    assert dot is not None
    for x, covered, sure in ((0.0, True, "certain"), (3.45, True, "too_close"), (3.56, False, "too_close"),
                             (9.0, False, "certain")):  # fmt: skip
        found = call_die(die_at(x, 260), TABLE)
        assert found.dot is not None
        assert (found.dot.covered, found.dot.call) == (covered, sure)
        assert found.dot.margin_mm == pytest.approx(3.5 - x, abs=1e-6)
        assert (found.dot.probability > 0.5) == covered
        assert ("at the dot" in found.ways_out) == (sure == "too_close")
    drawn = Poses.of(die_at(3.45, 260), dot.sigma_mm).outlines(
        np.random.default_rng(3).standard_normal((1000, 5))
    )
    close = call_die(die_at(3.45, 260), TABLE).dot
    assert close is not None
    assert close.probability == pytest.approx(np.mean(cover(dot, drawn) >= 0), abs=0.04)


@pytest.mark.parametrize("off_mm", [0.0, 0.02, 1.4])
def test_a_dot_well_below_a_die_is_surely_covered_however_round_its_corners(off_mm: float) -> None:
    """On the ridge no slope says which way the cover shrinks, and no corner is sharper than sharp."""
    dot = TABLE.laid.dot
    assert dot is not None
    x_mm, y_mm = dot.center_mm
    measured = die_at(x_mm + off_mm, y_mm, 35, covariance=spread(0.04, 0.04, 0.003, 0.12))
    unlearnt = replace(
        measured, rounding_mm=1.6, rounding_sigma_mm=0.45, rounding_with=(0.0, 0.0, 0.0, 0.028)
    )
    found = call_die(unlearnt, TABLE).dot
    assert found is not None
    assert (found.covered, found.call) == (True, "certain")
    assert found.probability > 0.9999


def test_a_sheet_without_a_dot_has_no_word_on_it() -> None:
    bare = replace(TABLE, laid=replace(TABLE.laid, dot=None))
    assert call_die(die_at(0, 260), bare).dot is None


def test_an_unread_die_has_a_zone_and_no_score() -> None:
    found = call_die(die_at(0, 30, value=None), TABLE)
    assert (found.zone, found.score) == (20, None)


def test_a_leaning_die_is_called_by_its_projection_and_believed_less() -> None:
    """Its fit may have taken the wrong lean: it is certain only well away from all lines."""
    far, near = die_at(0, 240, pose="cocked"), die_at(0, 88.9 + 9.0, pose="cocked")
    assert (call_die(far, TABLE).zone, call_die(far, TABLE).call) == (5, "certain")
    leaning, standing = call_die(near, TABLE), call_die(replace(near, pose="flat"), TABLE)
    assert (leaning.zone, standing.zone) == (5, 5)
    assert leaning.near.mm == standing.near.mm == pytest.approx(-1.0)
    assert (leaning.call, standing.call) == ("too_close", "certain")
    assert leaning.near_sigma_mm == pytest.approx(6.0 * standing.near_sigma_mm, rel=1e-6)
    assert sum(part for _, part in leaning.by_zone) == pytest.approx(1.0)


def test_the_threshold_is_the_referees() -> None:
    die = die_at(-97.03, 200, 5)
    probability = call_die(die, TABLE).probability
    assert call_die(die, TABLE, threshold=probability - 1e-6).call == "certain"
    assert call_die(die, TABLE, threshold=probability + 1e-6).call == "too_close"


def test_chances_of_all_zones_add_up() -> None:
    for x, y, yaw in ((160.3, 464.9, 0), (-97, 89.0, 12), (44.6, 71.4, 30)):
        found = call_die(die_at(x, y, yaw), TABLE)
        assert sum(chance for _, chance in found.by_zone) == pytest.approx(1.0, abs=1e-12)
        assert min(chance for _, chance in found.by_zone) >= 0.0
        assert dict(found.by_zone)[found.zone] == found.probability


def _throws(count: int) -> list[tuple[float, bool]]:
    """Dice thrown close to lines, measured as badly as their covariance says: each call's probability, and
    whether it was right. The lines lie off their measured places, too."""
    rng = np.random.default_rng(20)
    lines = ((-88.9, 0), (88.9, 0), (88.9, 1), (381.0, 1), (-152.4, 0), (457.2, 1), (1209.7, 1), (63.5, 1))
    found = []
    for _ in range(count):
        line, axis = lines[rng.integers(len(lines))]
        yaw, edge = rng.uniform(0, 90), rng.uniform(15.8, 16.2)
        x_mm, y_mm = rng.uniform(0.02, 0.15, 2)
        covariance = spread(x_mm, y_mm, 0.004, 0.05, tied=rng.uniform(-0.7, 0.7))
        side = rng.choice([-1.0, 1.0])
        outline = footprint(0, 0, yaw, edge)
        reached = side * (side * outline[:, axis]).max()
        place = np.array([rng.uniform(-150, 150), rng.uniform(60, 1150)])
        place[axis] = line - reached + rng.uniform(-0.5, 0.5)  # Evenly: a line draws no dice.
        true = footprint(place[0], place[1], yaw, edge) + rng.normal(0, TABLE.laid.sigma_mm, 2)
        x, y, turn, size = rng.multivariate_normal(np.zeros(4), np.array(covariance))
        die = die_at(place[0] + x, place[1] + y, yaw + np.degrees(turn), edge + size, covariance=covariance)
        said = call_die(die, TABLE)
        found.append((said.probability, said.zone == by_ruler(true)))
    return found


@pytest.mark.long
def test_calls_are_right_as_often_as_they_say() -> None:
    """Nine in ten of the calls given 0.9 are right; the certain ones are hardly ever wrong."""
    said, right = (np.array(column) for column in zip(*_throws(220), strict=True))
    edges = [0.0, 0.6, 0.8, 0.9, 0.95, 0.995, 1.01]
    for low, high in pairwise(edges):
        bin_ = (said >= low) & (said < high)
        assert bin_.sum() >= 3, (low, high)
        expected = said[bin_].sum()
        doubt = np.sqrt((said[bin_] * (1 - said[bin_])).sum())
        assert abs(right[bin_].sum() - expected) <= 3 * doubt + 1, (low, high, bin_.sum())
    certain = said >= 0.995
    assert (~right[certain]).sum() <= 1 + 3 * np.sqrt((1 - said[certain]).sum())


def test_a_die_that_may_lean_is_certain_only_well_away_from_lines() -> None:
    far, near = die_at(0, 240), die_at(0, 88.9 + 9.0)
    assert call_die(replace(far, may_lean=True), TABLE).call == "certain"
    assert (call_die(near, TABLE).call, call_die(replace(near, may_lean=True), TABLE).call) == (
        "certain",
        "too_close",
    )


def test_unknown_rounding_moves_corners_and_no_side() -> None:
    """Across a side nothing changes; across a corner the outline moves by 0.414 of it."""
    for yaw, share in ((0.0, 0.0), (45.0, math.sqrt(2) - 1)):
        poses = Poses.of(replace(die_at(0, 300, yaw), rounding_sigma_mm=0.1), 0.0)
        moved = poses.outlines(np.eye(5)[4:])[0, :, 0].max() - poses.outline_mm[:, 0].max()
        assert moved == pytest.approx(-0.1 * share, abs=0.002)
