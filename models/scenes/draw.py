"""Draws whole scenes: chooses camera, table, light and dice, and writes down what is true."""

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from calibration.arrays import Picture, Singles
from models.painting.design import Design, Kind
from models.scenes.chance import Chance, between, maybe, scaled
from models.scenes.clutter import (
    LaidThing,
    hand,
    lay_down,
    lay_over,
    scatter_blockers,
    scatter_things,
)
from models.scenes.lamps import light_up, recolored
from models.scenes.layout import (
    KINDS,
    Camera,
    Habits,
    LaidDie,
    Pose,
    Scene,
    SceneDie,
    SceneThing,
    View,
    contrast,
    habits,
    hang,
    throw,
)
from models.scenes.makers import bet_design, d4_design, foreign_design, pip_design, zoinx_design
from models.scenes.render import Stage, Trace, render, trace, under
from models.scenes.sensor import COARSE_FROM_PX, expose, vignetted
from models.scenes.styles import USUAL, WIDE, Taste
from models.scenes.surfaces import Canvas, TableTop, painted, tray, turned
from models.scenes.things import things

LEAST_SEEN = 0.1
LEAST_CONTRAST: dict[Kind, float] = {"pip": 8.0, "zoinx": 8.0, "bet": 8.0, "d4": 14.0}
"""Marks that stand out by fewer grey levels cannot be told from the body; a D4's are seen at a slant."""
HIDDEN_FROM = 0.86
"""An up-face of which less than this is seen counts as hidden."""


def draw(  # noqa: PLR0913 - each may be left out but the first
    seed: int,
    width_px: int = 640,
    height_px: int = 480,
    *,
    kinds: tuple[str, ...] | None = None,
    leaning: float | None = None,
    view: View = "above",
    in_rows: bool = False,
    wide: bool = False,
) -> Scene:
    """A scene with 0 to 14 dice, the same for the same arguments.

    ``kinds``: which of pip, zoinx, bet, d4 and foreign may lie there; all where it is None. ``leaning``: how
    likely each die is to lean; left to chance where it is None. ``view``: from where the camera looks.
    ``in_rows``: whether dice are lined up, side against side. ``wide``: dice, things, table and light far
    beyond the usual, and `Scene.things` is told. ValueError for an unknown kind or a picture below 32 pixels.
    """
    _check_size(width_px, height_px)
    allowed = _kinds(kinds)
    chance, edge_px = _begun(seed, width_px, height_px, allowed, wide=wide)
    edge_mm = between(chance, 8, 22)
    camera = hang(chance, (width_px, height_px), edge_mm, edge_px, view)
    designs = _designs(chance, allowed, (edge_mm, edge_px), (width_px, height_px), wide=wide)
    lying = scatter_things(chance, camera, wide=wide)
    habit = _habits(chance, leaning, in_rows=in_rows)
    dice = throw(chance, camera, designs, (habit, edge_px), scatter_blockers(lying))
    surface = _table_top(chance, Canvas((height_px, width_px), edge_px, wide))
    lights = light_up(chance, edge_mm * max(width_px, height_px) / edge_px, (width_px, height_px))
    lights = recolored(chance, lights) if wide and maybe(chance, 0.6) else lights
    surface = replace(surface, color=lay_down(camera, lights, surface.color, lying))
    traces = trace(camera, dice, fine := 3 if edge_px < 24 else 2 if edge_px < COARSE_FROM_PX else 1)
    stage = Stage(camera, surface, lights, dice, edge_px)
    light = render(chance, stage, traces, fine)
    if dice and maybe(chance, 0.1):
        light, traces = _under_hand(chance, stage, (light, traces), fine)
    picture = _expose_wide(chance, light, edge_px) if wide else expose(chance, light, edge_px)
    truth = [_truth(camera, dice, number, one, fine) for number, one in enumerate(traces) if one is not None]
    told = [_mark_legible(picture, camera, *pair) for pair in truth if pair is not None]
    return Scene(picture, _dice_among(told), _things(camera, told, lying) if wide else ())


def _dice_among(told: list[SceneDie]) -> tuple[SceneDie, ...]:
    """Those of the bodies that are dice."""
    return tuple(die for die in told if die.kind != "thing")


def _table_top(chance: Chance, canvas: Canvas) -> TableTop:
    """What the dice lie on, a tray at times."""
    return turned(chance, (tray if maybe(chance, 0.16) else painted)(chance, canvas))


def _under_hand(
    chance: Chance, stage: Stage, before: tuple[Singles, list[Trace | None]], fine: int
) -> tuple[Singles, list[Trace | None]]:
    """The light and the rays with a hand over the dice."""
    light, traces = before
    goal = _goal(chance, stage.camera, stage.dice)
    over = hand(chance, stage.camera, stage.lights, goal, stage.edge_px)
    return lay_over(light, over), [under(one, over.cover, fine) for one in traces]


def _expose_wide(chance: Chance, light: Singles, edge_px: float) -> Picture:
    """The picture, in a quarter of the scenes by a lens with dark corners, and in as many in less light."""
    light = vignetted(chance, light) if maybe(chance, 0.25) else light
    dim = scaled(chance, 0.05, 1.0) if maybe(chance, 0.25) else 1.0
    return expose(chance, light, edge_px, dim)


def _things(camera: Camera, told: list[SceneDie], lying: list[LaidThing]) -> tuple[SceneThing, ...]:
    """What could be taken for a die and is none, as far as it is in the picture and nothing lies on it."""
    bodies = [(str(one.value), one.corners_px, one.visible) for one in told if one.kind == "thing"]
    out = [
        SceneThing(name, part, visible)
        for name, corners, visible in bodies
        for part in (_halves(corners) if name == "domino" else (corners,))
    ]
    for one in lying:
        for place in one.places_mm():
            corners = _clockwise(camera.project(place.T))
            covered = any(_inside_box(corners.mean(axis=0), die.box_px) for die in told)
            if not covered:
                out.append(SceneThing(one.made.name, corners, _share_inside(camera, corners)))
    return tuple(thing for thing in out if thing.visible > LEAST_THING)


LEAST_THING = 0.6
"""The share of a thing's place that must show for it to be told."""


def _halves(corners: Singles) -> tuple[Singles, Singles]:
    """The two squares of an oblong (4 x 2)."""
    first, second, third, fourth = corners
    if np.hypot(*(second - first)) < np.hypot(*(third - second)):
        first, second, third, fourth = second, third, fourth, first
    upper, lower = (first + second) / 2, (third + fourth) / 2
    return np.stack((first, upper, lower, fourth)), np.stack((upper, second, third, lower))


def _inside_box(point: Singles, box: tuple[float, float, float, float]) -> bool:
    left, top, width, height = box
    return bool(left < point[0] < left + width and top < point[1] < top + height)


def dice_edge_px(seed: int, width_px: int, height_px: int, kinds: tuple[Kind, ...]) -> float:
    """How long the edges of dice are in the scene that ``draw`` draws of that seed, size and kinds, pixels:
    known before anything is painted."""
    return _begun(seed, width_px, height_px, kinds)[1]


def _begun(
    seed: int, width_px: int, height_px: int, kinds: tuple[Kind, ...], *, wide: bool = False
) -> tuple[Chance, float]:
    """A scene's generator, and the first that is drawn from it: how long edges of dice are, pixels."""
    chance = np.random.default_rng((seed, width_px, height_px))
    short_px = min(width_px, height_px)
    return chance, _wide_edge_px(chance, short_px) if wide else _edge_px(chance, short_px, kinds)


def _wide_edge_px(chance: Chance, short_px: int) -> float:
    """From 12 to 220 pixels; every other one between 20 and 60."""
    edge = scaled(chance, 20, 60) if maybe(chance, 0.5) else scaled(chance, 12, 220)
    return min(edge, 0.42 * short_px)


def _habits(chance: Chance, leaning: float | None, *, in_rows: bool) -> Habits:
    habit = habits(chance)
    habit = habit if leaning is None else replace(habit, leaning=leaning)
    return replace(habit, in_row=between(chance, 0.3, 1.0)) if in_rows else habit


def _check_size(width_px: int, height_px: int) -> None:
    if min(width_px, height_px) < 32:
        raise ValueError(f"A scene of {width_px} x {height_px} pixels is too small; ask for 32 x 32 or more.")


def _kinds(kinds: tuple[str, ...] | None) -> tuple[Kind, ...]:
    if kinds is None:
        return KINDS
    unknown = sorted(set(kinds) - set(KINDS))
    if unknown or not kinds:
        raise ValueError(
            f"No dice are of the kind {', '.join(unknown) or '(none)'}; choose among {', '.join(KINDS)}."
        )
    return tuple(kind for kind in KINDS if kind in kinds)


def _edge_px(chance: Chance, short_px: int, kinds: tuple[Kind, ...]) -> float:
    """Mostly 20 to 60 pixels; D4 among themselves are larger, as their numbers are seen at a slant."""
    most = min(120.0, 0.32 * short_px)
    lot = chance.random()
    if kinds == ("d4",):
        edge = scaled(chance, 28, 115)
    elif lot < 0.14:
        edge = between(chance, 14, 20)
    elif lot < 0.84:
        edge = scaled(chance, 20, 60)
    else:
        edge = scaled(chance, 60, 120)
    return min(edge, most)


def _designs(chance: Chance, kinds: tuple[Kind, ...], edge: tuple[float, float], size_px: tuple[int, int],
             *, wide: bool) -> list[Design]:  # fmt: skip
    """One entry for each die to throw, and in wide scenes for each thing; dice of a set share theirs."""
    edge_mm, edge_px = edge
    room = int(0.3 * size_px[0] * size_px[1] / (edge_px * edge_px * 2.2))
    count = 0 if maybe(chance, 0.04) else min(int(chance.choice(14, p=COUNTS)) + 1, max(room, 1))
    looks = min(count, int(chance.choice((1, 2, 3, 14), p=(0.35, 0.2, 0.15, 0.3))))
    mixed = maybe(chance, 0.4)
    shares = np.array([SHARES[kind] for kind in kinds])
    made = []
    for _ in range(looks):
        by = between(chance, 0.7, 1.35) if mixed else 1.0
        maker = MAKERS[str(chance.choice(kinds, p=shares / shares.sum()))]
        made.append(
            maker(
                chance,
                float(np.clip(edge_mm * by, 7.5, 23)),
                int(np.clip(round(1.6 * edge_px * by), 32, MOST_TEXELS)),
                WIDE if wide else USUAL,
            )
        )
    dice = [made[number % looks] for number in range(count)]
    return _among_things(chance, dice, edge) if wide else dice


MOST_TEXELS = 176
"""The most texels along a face's edge."""


def _among_things(chance: Chance, dice: list[Design], edge: tuple[float, float]) -> list[Design]:
    """The dice of a wide scene with things among them, or things alone, or none."""
    lot = chance.random()
    if lot < 0.5:
        return dice
    edge_mm, edge_px = edge
    size = int(np.clip(round(2.4 * edge_px), 48, MOST_TEXELS))
    others = [one for _ in range(int(chance.integers(1, 3))) for one in things(chance, edge_mm, size)]
    if lot > 0.86:
        return others
    every = [*dice, *others]
    chance.shuffle(every)
    return every


MAKERS: dict[str, Callable[[Chance, float, int, Taste], Design]] = {
    "pip": pip_design, "zoinx": zoinx_design, "bet": bet_design, "d4": d4_design, "foreign": foreign_design,
}  # fmt: skip
SHARES: dict[str, float] = {"pip": 0.6, "zoinx": 0.11, "bet": 0.11, "d4": 0.08, "foreign": 0.1}
COUNTS = np.array((8, 9, 10, 11, 13, 14, 8, 8, 5, 5, 3, 3, 2, 1)) / 100


def _goal(chance: Chance, camera: Camera, dice: list[LaidDie]) -> tuple[float, float]:
    """A place on or beside one of the dice, pixels."""
    die = dice[int(chance.integers(len(dice)))]
    beside = chance.normal(0, 0.8, 3).astype(np.float32) * np.float32(die.design.frames.edge_mm)
    at = camera.project(die.place_mm + beside)
    return float(at[0]), float(at[1])


def _truth(camera: Camera, dice: list[LaidDie], number: int, one: Trace, fine: int
           ) -> tuple[LaidDie, SceneDie] | None:  # fmt: skip
    die = dice[number]
    rests = die.design.rests
    up = np.isin(one.hit.face, rests.up[die.rest])
    shown = float((one.seen & up).sum()) / max(int(up.sum()), 1)
    corners = camera.project(die.to_world(rests.corners_mm[die.rest]).T)
    inside = _share_inside(camera, corners)
    visible = shown * inside
    wide = (one.box[2] - one.box[0]) * fine
    x, y = one.box[0] + one.hit.index % wide / fine, one.box[1] + one.hit.index // wide / fine
    left, top = float(x.min()) - 0.5, float(y.min()) - 0.5
    box = (left, top, float(x.max()) + 1 / fine - 0.5 - left, float(y.max()) + 1 / fine - 0.5 - top)
    if visible < LEAST_SEEN and float(one.seen.mean()) * inside < LEAST_SEEN:
        return None
    foot, (x_px, y_px) = _stance(camera, die)
    pose = _pose(die, dice, shown, inside)
    value, word = die.design.values[die.rest], die.design.made.word
    return die, SceneDie(die.design.kind, value, _clockwise(corners), (x_px, y_px), box, word, pose, visible,
                         (x_px - foot[0], y_px - foot[1]))  # fmt: skip


def _stance(camera: Camera, die: LaidDie) -> tuple[tuple[float, float], tuple[float, float]]:
    """Where the up-face's middle and the point right below it, on the die's other side, are pictured."""
    rests = die.design.rests
    top_mm, up = rests.tops_mm[die.rest], rests.turns[die.rest][2]
    deep_mm = up @ top_mm - (up @ die.design.body.hull_mm).min()
    ends = camera.project(die.to_world(np.stack((top_mm - up * deep_mm, top_mm), axis=1)).T)
    return (float(ends[0, 0]), float(ends[0, 1])), (float(ends[1, 0]), float(ends[1, 1]))


def _mark_legible(picture: Picture, camera: Camera, die: LaidDie, told: SceneDie) -> SceneDie:
    """The same with its marks' contrast; a die that nobody could read counts as hidden."""
    clear = contrast(picture, camera, die)
    lost = told.pose in ("flat", "cut") and told.kind in LEAST_CONTRAST and clear < LEAST_CONTRAST[told.kind]
    return replace(told, contrast=clear, pose="hidden" if lost else told.pose)


def _pose(die: LaidDie, dice: list[LaidDie], shown: float, inside: float) -> Pose:
    if die.pose != "flat":
        return die.pose
    if shown < HIDDEN_FROM:
        return "hidden"
    above = [other.place_mm - die.place_mm for other in dice if other.pose == "stacked"]
    if any(np.hypot(*aside[:2]) < die.design.frames.edge_mm for aside in above):
        return "stacked"
    return "flat" if inside > 0.995 else "cut"


def _share_inside(camera: Camera, polygon: Singles) -> float:
    """How much of a polygon (m x 2) lies in the picture."""
    frame = np.array(((0, 0), (1, 0), (1, 1), (0, 1)), np.float32) * (camera.width_px, camera.height_px) - 0.5
    whole = float(cv2.contourArea(polygon))
    part, _ = cv2.intersectConvexConvex(cv2.convexHull(polygon), frame.astype(np.float32))
    return min(float(part) / max(whole, 1e-6), 1.0)


def _clockwise(corners: Singles) -> Singles:
    """The same corners, clockwise as pictured (y down)."""
    middle = corners.mean(axis=0)
    return corners[np.argsort(np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0]))]
