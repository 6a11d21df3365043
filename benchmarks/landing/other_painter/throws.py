"""How dice come to rest on the second painter's tables, and what is true of each.

Flat anywhere, a hair from a line, flush against each other; leaning on a die, a rim, cards or a coin;
stacked; cut by the picture's border; with a hand near by.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from benchmarks.landing.cube import Cube
from benchmarks.landing.dice import Die, Skin
from benchmarks.landing.other_painter.shapes import Box, Coin, gap_between, march
from benchmarks.landing.other_painter.sheet import FLOOR, TOP
from benchmarks.landing.other_painter.studio import Studio, pixels_of
from benchmarks.landing.other_painter.things import (
    DICE,
    CardSkin,
    PlainSkin,
    Thing,
    ThrownDie,
    draw_coin,
    draw_die,
    draw_hand,
)
from benchmarks.landing.scenes import DieTruth, judge
from benchmarks.landing.table import Layout
from calibration.arrays import Floats

STYLES = ("plain", "near", "plain", "flush", "lean-die", "plain", "lean-object", "stack", "plain", "border",
          "near", "hand")  # fmt: skip
"""The styles of a table's throws in turn."""
FREE_MM = 36.0
FLAT = 0.9999
"""The least cosine of a die that lies flat."""


@dataclass(slots=True)
class Toss:
    """Things as they are put down, one after the other."""

    studio: Studio
    layout: Layout
    rng: np.random.Generator
    dice: list[ThrownDie] = field(default_factory=list)
    others: list[Thing] = field(default_factory=list)

    @property
    def things(self) -> list[Thing]:
        """All that lies there: the dice first."""
        return [Thing(die.box, die) for die in self.dice] + self.others

    def draw_box(self, at: tuple[float, float], edge_mm: float | None = None) -> Box:
        """A die's body lying flat at a place."""
        edge = edge_mm or self.studio.laid.plan.dice.edge_mm + float(self.rng.uniform(-0.25, 0.25))
        rounding = float(self.rng.uniform(0.5, min(4.0, 0.26 * edge)))
        return Box(
            middle_mm=np.array([*at, edge / 2]),
            axes=turn_about(np.array([0.0, 0.0, 1.0]), float(self.rng.uniform(0, 2 * np.pi))),
            half_mm=np.full(3, edge / 2),
            rounding_mm=rounding,
        )

    def add(self, box: Box, name: str | None = None) -> None:
        """Put a die there, of any colour unless named."""
        self.dice.append(draw_die(self.rng, box, name or str(self.rng.choice(list(DICE)))))

    def is_free(self, at: Floats) -> bool:
        """Whether a place (2,) is well in the picture and away from all that lies there."""
        if not self.in_picture(at, 30.0):
            return False
        return all(
            np.hypot(*(thing.solid.bound[0][:2] - at)) > FREE_MM - 14 + thing.solid.bound[1]
            for thing in self.things
        )

    def in_picture(self, at: Floats, margin_px: float) -> bool:
        """Whether the camera sees a place (2,)."""
        seen = self.studio.camera.project(np.array([[*at, 8.0]]))[0]
        return bool((seen > margin_px).all() and (seen < np.array(self.studio.size) - margin_px).all())

    def pick_place(self) -> tuple[float, float]:
        """A free place on the table: on each zone, tape and bare top as often as on any other."""
        plan = self.studio.laid.plan
        half, far = plan.table.surface_width_mm / 2 - 12, plan.table.halfway_y_mm + 30
        wanted = int(self.rng.integers(TOP, TOP + 3 + len(plan.end_zone.zone)))
        for attempt in range(400):
            at = self.rng.uniform([-half, 10], [half, far])
            code = self.studio.laid.code_at(at[None])[0]
            if code != FLOOR and (code == wanted or attempt > 300) and self.is_free(at):
                break
        return float(at[0]), float(at[1])


def toss(studio: Studio, layout: Layout, style: str, seed: int) -> Toss:
    """The throw of a seed."""
    made = Toss(studio, layout, np.random.default_rng([seed, 55]))
    makers: dict[str, Callable[[Toss], None]] = {
        "plain": _plain,
        "near": _near,
        "flush": _flush,
        "lean-die": _lean_on_die,
        "lean-object": _lean_on_object,
        "stack": _stack,
        "border": _border,
        "hand": _hand,
    }
    makers[style](made)
    return made


def _plain(to: Toss, count: int | None = None) -> None:
    for _ in range(count or int(to.rng.integers(2, 6))):
        to.add(to.draw_box(to.pick_place()))


def _near(to: Toss) -> None:
    """Dice that end within a millimetre of a line, on either side."""
    lines = [area.outline_mm for area in to.layout.areas] + [s.outer_mm for s in to.layout.strips[:2]]
    for _ in range(4):
        for _ in range(40):
            line = lines[int(to.rng.integers(len(lines)))]
            i = int(to.rng.integers(1, len(line) - 1))
            ahead = line[i + 1] - line[i - 1]
            across = np.array([ahead[1], -ahead[0]]) / np.linalg.norm(ahead) * to.rng.choice([-1, 1])
            box = to.draw_box((0.0, 0.0))
            reach = float((box.footprint() @ across).max())
            at = line[i] - across * (reach + to.rng.uniform(-1, 1))
            if at[1] > 2 and to.is_free(at):
                to.add(replace(box, middle_mm=np.array([*at, box.middle_mm[2]])))
                break


def _flush(to: Toss) -> None:
    """Pairs and threes face to face, or a corner against a face."""
    for _ in range(2):
        first = to.draw_box(to.pick_place())
        to.add(first)
        for side in to.rng.permutation(4)[: int(to.rng.integers(1, 3))]:
            other = to.draw_box((0.0, 0.0), first.half_mm[0] * 2 if to.rng.random() < 0.6 else None)
            if to.rng.random() < 0.7:
                other = replace(other, axes=first.axes)
            push = first.axes[:2, side % 2] * (1 if side < 2 else -1)
            aside = first.axes[:2, 1 - side % 2] * to.rng.uniform(-5, 5)
            to.add(slid(other, first, push, aside, float(to.rng.uniform(0, 0.12))))
    _plain(to, 1)


def _lean_on_die(to: Toss) -> None:
    """Dice with one side up against another die."""
    for _ in range(2):
        still = to.draw_box(to.pick_place())
        angle = float(to.rng.uniform(0, 2 * np.pi))
        push = np.array([np.cos(angle), np.sin(angle)])
        tilted = leaning(to.draw_box((0.0, 0.0)), -push, float(to.rng.uniform(5, 42)), to.rng)
        to.add(still)
        name = to.dice[-1].look.name if to.rng.random() < 0.5 else None
        to.add(slid(tilted, still, push, np.zeros(2), 0.0), name if name in DICE else None)
    _plain(to, 2)


def _lean_on_object(to: Toss) -> None:
    """Dice with one side up on a coin, on cards, on a rim."""
    for kind in to.rng.permutation(["coin", "cards", "rim"])[:2]:
        angle = float(to.rng.uniform(0, 2 * np.pi))
        up_side = np.array([np.cos(angle), np.sin(angle)])
        die = to.draw_box(to.pick_place())
        thing, thick = _draw_object(to.rng, str(kind), angle)
        reach = float(to.rng.uniform(0.5, 0.9)) * 2 * die.half_mm[0]
        die = leaning(die, up_side, float(np.degrees(np.arctan(thick / reach))), to.rng, exact=True)
        to.add(die)
        to.others.append(_slide_under(thing, die, up_side))
    _plain(to, 2)


def _draw_object(rng: np.random.Generator, kind: str, angle: float) -> tuple[Thing, float]:
    if kind == "coin":
        coin = draw_coin(rng, (0.0, 0.0))
        assert isinstance(coin.solid, Coin)
        return coin, 2 * coin.solid.half_height_mm
    axes = turn_about(np.array([0.0, 0.0, 1.0]), angle + rng.uniform(-0.15, 0.15))
    if kind == "cards":
        half = np.array([31.5, 44.0, float(rng.uniform(0.5, 2.0))])
        box = Box(middle_mm=np.array([0, 0, half[2]]), axes=axes, half_mm=half, rounding_mm=0.2)
        back = np.array([(0.35, 0.08, 0.03), (0.03, 0.03, 0.45), (0.06, 0.22, 0.04)])[rng.integers(3)]
        return Thing(box, CardSkin(box=box, tint=back)), 2 * half[2]
    half = np.array([float(rng.uniform(2.5, 5)), float(rng.uniform(50, 110)), float(rng.uniform(1.5, 4))])
    box = Box(middle_mm=np.array([0, 0, half[2]]), axes=axes, half_mm=half, rounding_mm=0.8)
    wood = np.array([(0.06, 0.14, 0.28), (0.03, 0.03, 0.03), (0.45, 0.47, 0.48)])[rng.integers(3)]
    return Thing(box, PlainSkin(tint=wood, grain=0.15, waves=rng.normal(0, 0.8, (3, 4)))), 2 * half[2]


def _stack(to: Toss) -> None:
    """One die upon another, and others that lie flat."""
    low = to.draw_box(to.pick_place())
    to.add(low)
    off = to.rng.uniform(-0.32, 0.32, 2) * 2 * low.half_mm[0]
    top = to.draw_box((float(low.middle_mm[0] + off[0]), float(low.middle_mm[1] + off[1])))
    to.add(moved(top, np.array([0.0, 0.0, 2 * low.half_mm[0]])))
    _plain(to, 3)


def _border(to: Toss) -> None:
    """Dice that the picture's border cuts, and others that it does not."""
    wide, high = to.studio.size
    for _ in range(60):
        side, share = int(to.rng.integers(4)), to.rng.uniform(0.02, 0.98)
        x, y = ((0, share * high), (wide, share * high), (share * wide, 0), (share * wide, high))[side]
        at = to.studio.camera.meet_table(np.array([[x, y]], np.float64))[0] + to.rng.uniform(-8, 8, 2)
        free = all(np.hypot(*(die.box.middle_mm[:2] - at)) > FREE_MM for die in to.dice)
        if to.studio.laid.code_at(at[None])[0] != FLOOR and free and not to.in_picture(at, 25.0):
            to.add(to.draw_box((float(at[0]), float(at[1]))))
        if len(to.dice) == 2:
            break
    _plain(to, 2)


def _hand(to: Toss) -> None:
    """A hand beside dice, none of which it hides."""
    _plain(to, 3)
    for _ in range(12):
        beside = to.dice[int(to.rng.integers(len(to.dice)))].box.middle_mm
        side = float(to.rng.choice([0.0, np.pi])) + float(to.rng.uniform(-0.6, 0.6))
        tip = beside + np.array([np.cos(side), np.sin(side), 0.0]) * to.rng.uniform(28, 60) * [1, 1, 0]
        tip[2] = 0.0
        to.others = draw_hand(to.rng, tip, side)
        if all(share > 0.97 for share in visible_shares(to)):
            return
    to.others = []


def turn_about(axis: Floats, angle: float) -> Floats:
    """The rotation (3, 3) about an axis (3,) of length 1 (Rodrigues)."""
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross)


def moved(box: Box, by: Floats) -> Box:
    """The box elsewhere."""
    return replace(box, middle_mm=box.middle_mm + by)


def leaning(
    box: Box, up_side: Floats, degrees: float, rng: np.random.Generator, *, exact: bool = False
) -> Box:
    """The box with its side towards `up_side` (2,) lifted; turned so that it stands on an edge, mostly or
    exactly."""
    off = rng.uniform(-0.06, 0.06) if exact or rng.random() < 0.7 else rng.uniform(-0.7, 0.7)
    flat = turn_about(np.array([0.0, 0.0, 1.0]), float(np.arctan2(up_side[1], up_side[0]) + off))
    # Turned about this axis what lies towards `up_side` rises.
    axis = np.array([up_side[1], -up_side[0], 0.0])
    tilted = replace(box, axes=turn_about(axis, np.radians(degrees)) @ flat)
    return moved(tilted, np.array([0.0, 0.0, -tilted.lowest_mm]))


def slid(box: Box, still: Box, push: Floats, aside: Floats, gap_mm: float) -> Box:
    """The box on the far side of another, pushed towards it along a direction (2,) until it is so near."""

    def at(far: float) -> Box:
        place = still.middle_mm[:2] + push * -far + aside
        return replace(box, middle_mm=np.array([*place, box.middle_mm[2]]))

    near, far = 4.0, 45.0
    for _ in range(26):
        middle = (near + far) / 2
        near, far = (middle, far) if gap_between(still, at(middle)) < gap_mm else (near, middle)
    return at(far)


def _slide_under(thing: Thing, die: Box, up_side: Floats) -> Thing:
    """The thing pushed under a die's lifted side until they touch."""

    def at(far: float) -> Thing:
        place = die.middle_mm + np.array([*(up_side * far), 0.0])
        solid = thing.solid
        assert isinstance(solid, Box | Coin)
        there = replace(solid, middle_mm=np.array([place[0], place[1], solid.middle_mm[2]]))
        if isinstance(thing.skin, CardSkin) and isinstance(there, Box):
            return Thing(there, replace(thing.skin, box=there))
        return Thing(there, thing.skin)

    near, far = 0.0, 80.0
    for _ in range(26):
        middle = (near + far) / 2
        near, far = (middle, far) if _overlaps(at(middle), die) else (near, middle)
    return at(far)


def _overlaps(thing: Thing, die: Box) -> bool:
    solid = thing.solid
    if isinstance(solid, Box):
        return gap_between(solid, die) < 0.0
    middle, _ = solid.bound
    assert isinstance(solid, Coin)
    angles = np.linspace(0, 2 * np.pi, 180)
    rim = np.stack((np.cos(angles), np.sin(angles), np.zeros(180)), axis=1) * solid.radius_mm + middle
    rim[:, 2] += solid.half_height_mm
    touched = float(solid.distance(die.skeleton_mm).min()) < die.rounding_mm
    return touched or float(die.distance(rim).min()) < 0.0


def visible_shares(of: Toss) -> list[float]:
    """For each die the share of it that the picture shows."""
    camera, (wide, high) = of.studio.camera, of.studio.size
    shares = []
    for i, die in enumerate(of.dice):
        middle, radius = die.box.bound
        around = middle + np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * radius
        seen = camera.project(around)
        low, top = np.floor(seen.min(axis=0)).astype(int), np.ceil(seen.max(axis=0)).astype(int)
        pixels = pixels_of((int(low[0]), int(low[1]), int(top[0]), int(top[1])))
        towards = camera.look_along(pixels)
        met = march(die.box, camera.eye_mm[None], towards)
        shown = np.isfinite(met) & (pixels >= 0).all(axis=1) & (pixels < [wide, high]).all(axis=1)
        for j, thing in enumerate(of.things):
            if j != i:
                shown &= ~(march(thing.solid, camera.eye_mm[None], towards) < met)
        shares.append(float(shown.sum() / max(1, np.isfinite(met).sum())))
    return shares


def truths_of(of: Toss) -> tuple[DieTruth, ...]:
    """What is true of each die."""
    made = []
    for i, (die, visible) in enumerate(zip(of.dice, visible_shares(of), strict=True)):
        near = [
            gap_between(die.box, other.box)
            for j, other in enumerate(of.dice)
            if j != i and _close(die, other)
        ]
        footprint = die.box.footprint()
        flat = float(np.abs(die.box.axes[2]).max()) > FLAT and die.box.lowest_mm < 0.01
        made.append(
            DieTruth(
                die=_record(die),
                footprint=footprint,
                cocked=not flat,
                touching=bool(near) and min(near) < 0.3,
                landing=judge(of.layout, footprint),
                visible=visible,
            )
        )
    return tuple(made)


def _close(one: ThrownDie, other: ThrownDie) -> bool:
    return float(np.linalg.norm(one.box.middle_mm - other.box.middle_mm)) < FREE_MM


def _record(die: ThrownDie) -> Die:
    """The die as the measuring side reads it."""
    x, y, z = (float(v) for v in die.box.middle_mm)
    rows = tuple((float(a), float(b), float(c)) for a, b, c in die.box.axes.T)
    nothing = (0.0, 0.0, 0.0)
    return Die(
        cube=Cube(
            center_mm=(x, y, z),
            edge_mm=2 * float(die.box.half_mm[0]),
            radius_mm=die.box.rounding_mm,
            turn=(rows[0], rows[1], rows[2]),
        ),
        skin=Skin(kind=die.look.name, body=nothing, pip=nothing, gloss=0.0, clear=die.look.clear, sunk=0.0,
                  pip_radius=die.look.pip, pip_step=die.look.spread, grain=0.0),
        value=die.value,
        faces=(1, 2, 3, 4, 5, 6),
        turned=(False,) * 6,
    )  # fmt: skip
