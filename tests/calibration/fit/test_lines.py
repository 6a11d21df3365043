"""A line of the sheet is found by its colour as well as by its brightness, and bridged where it is hidden."""

from dataclasses import dataclass, replace

import msgspec
import numpy as np
import pytest
from numpy.polynomial import Polynomial

from calibration.arrays import Floats, Picture, Singles
from calibration.description import Color, TableDescription
from calibration.fit.lines import MOST_BEND_MM, Measured, measure_line
from calibration.fit.plan_lines import PlanLine, sheet_lines
from calibration.fit.sheet import PlanPose
from tests.calibration.classic import CLASSIC
from tests.calibration.stage import Paint, Spread, lens, light_of, looking, painted

VIEW = looking(lens(960, 720), (10.0, 300.0, 800.0), (0.0, 290.0), 3.0)
PX_PER_MM = VIEW.scale_px_per_mm(0.0, 300.0)
STONE, LIKE_STONE = "#8f8f8d", "#5e93c4"
"""A grey, and a blue of the same brightness."""
SHIFT_MM = 0.7
"""How far the sheet lies to the right of its plan."""


def coloured(outer: Color) -> TableDescription:
    """The classic sheet, its outermost zone in another colour."""
    zones = (msgspec.structs.replace(CLASSIC.end_zone.zone[0], color=outer), *CLASSIC.end_zone.zone[1:])
    return msgspec.structs.replace(CLASSIC, end_zone=msgspec.structs.replace(CLASSIC.end_zone, zone=zones))


@dataclass(frozen=True)
class Specks:
    """Something painted with dark and bright specks on it wherever the sheet is not."""

    under: Paint
    strength: float

    def paint(self, x: Singles, y: Singles) -> Singles:
        """See `Paint`."""
        light = self.under(x, y)
        unrest = np.random.default_rng(4).normal(0.0, 1.0, (700, 700)).astype(np.float32)
        cell = np.floor(x / 1.5).astype(np.int32) % 700, np.floor(y / 1.5).astype(np.int32) % 700
        bare = (np.abs(x - SHIFT_MM) > CLASSIC.end_zone.width_mm / 2) | (y > CLASSIC.end_zone.depth_mm)
        light[bare] *= np.clip(1 + self.strength * unrest[cell], 0.2, 1.8)[bare][:, None]
        return light


def seen(picture: Picture, plan: TableDescription, name: str) -> tuple[PlanLine, Measured | None]:
    """The line of that name, looked for where the plan has it."""
    line = next(line for line in sheet_lines(plan) if line.name == name)
    return line, measure_line(picture, VIEW, line, PlanPose(0.0, 0.0, 0.0), 5.0)


def off_px(found: Measured, along: Floats) -> Floats:
    """How far the line was found beside its place, px."""
    return (found.at(along)[:, 0] - found.plan.at(along)[:, 0] - SHIFT_MM) * PX_PER_MM


def lit(light: Paint, at_mm: tuple[float, float], size_mm: float, strength: float) -> Paint:
    """The same with a lamp that mirrors in the bare table, and a tenth as much in the sheet."""

    def paint(x: Singles, y: Singles) -> Singles:
        made = light(x, y)
        glare = strength * np.exp(-0.5 * ((x - at_mm[0]) ** 2 + (y - at_mm[1]) ** 2) / size_mm**2)
        on = (np.abs(x - SHIFT_MM) < CLASSIC.end_zone.width_mm / 2) & (y < CLASSIC.end_zone.depth_mm)
        return np.asarray(np.minimum(made + (glare * np.where(on, 0.1, 1.0))[..., None], 1.0), np.float32)

    return paint


@pytest.mark.long
def test_a_line_that_shows_by_colour_alone_is_found_on_specks() -> None:
    """Sheet and stone are equally bright, and the stone's own specks are stronger than the step between
    them."""
    brightness = [light_of(color) @ (0.0722, 0.7152, 0.2126) for color in (STONE, LIKE_STONE)]
    assert brightness[0] == pytest.approx(brightness[1], rel=0.02)
    plan = coloured(LIKE_STONE)
    specked = Specks(Spread(plan, sheet_mm=(SHIFT_MM, 0.0), wood=STONE).paint, 0.9)
    picture = painted(VIEW, specked.paint, rays=8)
    for name in ("left side of the 2 zone", "right side of the 2 zone"):
        line, found = seen(picture, plan, name)
        assert found is not None
        assert found.share > 0.9
        assert not found.gaps_mm
        assert np.abs(off_px(found, line.seen_at_mm)).max() < 0.1


@pytest.mark.long
def test_a_line_may_turn_from_darker_to_brighter_on_its_way() -> None:
    """A lamp mirrors in the stone beside the sheet's middle: there the stone is brighter than the sheet, at
    the ends it is darker, and somewhere between both are equally bright."""
    plan = coloured("#7fa8d0")
    bare = Spread(plan, sheet_mm=(SHIFT_MM, 0.0), wood="#6f6f6d")
    picture = painted(VIEW, lit(bare.paint, (SHIFT_MM + 152.4, 240.0), 60.0, 0.35), rays=8)
    line, found = seen(picture, plan, "right side of the 2 zone")
    assert found is not None
    assert found.share > 0.98
    assert not found.gaps_mm
    assert np.abs(off_px(found, line.seen_at_mm)).max() < 0.1


@pytest.mark.long
def test_where_a_lamp_burns_out_one_side_the_rest_says_where_a_line_runs() -> None:
    plan = coloured("#7fa8d0")
    bare = Spread(plan, sheet_mm=(SHIFT_MM, 0.0), wood=STONE)
    picture = painted(VIEW, lit(bare.paint, (SHIFT_MM + 152.4, 240.0), 45.0, 3.0), rays=8)
    line, found = seen(picture, plan, "right side of the 2 zone")
    assert found is not None
    ((start, end),) = found.burnt_mm
    assert 60 < end - start < 200
    middle = line.at(np.array([(start + end) / 2]))[0]
    assert middle[1] == pytest.approx(240.0, abs=10.0)
    assert np.abs(off_px(found, line.seen_at_mm)).max() < 0.1


CRUMB = (140.0, 280.0, 165.0, 300.0)


@pytest.mark.long
@pytest.mark.parametrize(
    ("covered", "bridged"),
    [
        (CRUMB, True),
        ((130.0, 200.0, 170.0, 330.0), False),
        ((130.0, 440.0, 170.0, 480.0), True),
        ((130.0, 390.0, 170.0, 480.0), False),
    ],
)
def test_a_short_gap_is_bridged_and_a_long_one_is_not(
    covered: tuple[float, float, float, float], bridged: bool
) -> None:
    """Shorter still at the end of a line, where only one side says how it runs on."""
    picture = painted(VIEW, Spread(CLASSIC, sheet_mm=(SHIFT_MM, 0.0), covered=(covered,)).paint, rays=6)
    line, found = seen(picture, CLASSIC, "right side of the 2 zone")
    assert found is not None
    (gap,) = found.gaps_mm
    assert line.at(np.array(gap))[:, 1] == pytest.approx((covered[1], min(covered[3], 457.2)), abs=6.0)
    assert found.bridges(gap) == bridged
    if bridged:
        assert np.abs(off_px(found, np.linspace(*gap, 9))).max() < 0.2


@pytest.mark.long
def test_a_line_that_bends_too_much_bridges_nothing() -> None:
    picture = painted(VIEW, Spread(CLASSIC, sheet_mm=(SHIFT_MM, 0.0), covered=(CRUMB,)).paint, rays=6)
    _, found = seen(picture, CLASSIC, "right side of the 2 zone")
    assert found is not None
    (gap,) = found.gaps_mm
    low, high = found.span_mm
    bent = Polynomial.fit([low, (low + high) / 2, high], [0.0, 2 * MOST_BEND_MM, 0.0], 2)
    assert not replace(found, curve=bent).bridges(gap)


@pytest.mark.long
def test_a_line_says_how_sure_it_is() -> None:
    """Over many pictures, the errors are as large as told: those of noise, and not those of the camera."""
    plan = coloured("#b99a6b")
    spread = Spread(plan, sheet_mm=(SHIFT_MM, 0.0))
    pulls = []
    for seed in range(6):
        picture = painted(VIEW, spread.paint, rays=6, noise=6.0, seed=seed)
        for name in ("left side of the 2 zone", "right side of the 2 zone"):
            line, found = seen(picture, plan, name)
            assert found is not None
            middle = line.seen_at_mm[len(line.seen_at_mm) // 2 :][:1]
            pulls.append(off_px(found, middle)[0] / PX_PER_MM / found.sigma_mm)
    assert 0.3 < float(np.std(pulls)) < 2.0
