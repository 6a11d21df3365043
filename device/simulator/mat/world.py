"""The simulated world of a printed mat: dice thrown on its field and carried to its places, cards laid down.

The hand picks up for a throw what lies free, when that is just as many dice as are to be thrown; otherwise a
new turn begins, and it takes up everything. Which dice go where it is told, as hands are by their heads.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import atan2, cos, hypot, inf, sin
from random import Random

import cv2
import numpy as np

from calibration.arrays import Picture, Reals
from calibration.description import PointMm
from device.simulator.designs import COLORS
from device.simulator.dice import FACES_ON, Pose, RestingDie, SimulatedDie, support_mm, yawed
from device.simulator.ground import LitGround
from device.simulator.hand_acts import Item, Script, Setting, away, fill, opened, plan, taken
from device.simulator.lens import SimulatedLens
from device.simulator.motion import Carried, HandAt, HandWay, LyingStill
from device.simulator.throw import Throw, ThrowArea, flat_pose
from device.simulator.world import MOST_DICE, Paper, SeenWorld, World
from engine.dice import Die, DieKind
from engine.wording import phrase, phrase_later
from engine.words import face_word
from engine.zonk import ITEMS, NAMES, card_named
from vision.places import CARD_MM, CARD_TAGS, TAG_CENTER_MM, TAG_MM, Layout, Region, draw_tag

# Hands that carry dice to the places of a mat, and lay cards: where there is room, and how it is done.

SPOT_MM = 23.0
"""Carried dice are set down so far apart."""
EDGE_MM = 14.0
"""And so far inside a place's outline."""
TAKEN_MM = 21.0
SPEED_MM_PER_MS = 0.75
PATH_MS = 130.0
"""No way of the hand is shorter."""


def free_spots(place: Region, middle_mm: PointMm, lying: Sequence[RestingDie]) -> list[PointMm]:
    """Spots of a grid in a place, in the world's frame, that no lying die takes; from its upper left."""
    low, high = place.outline_mm.min(axis=0), place.outline_mm.max(axis=0)
    columns, rows = (max(1, int((side - 2 * EDGE_MM) // SPOT_MM) + 1) for side in high - low)
    spots = []
    for row in range(rows):
        for column in range(columns):
            x, y = float(low[0]) + EDGE_MM + column * SPOT_MM, float(high[1]) - EDGE_MM - row * SPOT_MM
            at = x - middle_mm[0], y - middle_mm[1]
            near = (hypot(at[0] - die.pose.center_mm[0], at[1] - die.pose.center_mm[1]) for die in lying)
            if place.inside_mm(x, y) > EDGE_MM - 3 and all(apart > TAKEN_MM for apart in near):
                spots.append(at)
    return spots


def carried(setting: Setting, dice: Sequence[RestingDie], spots: Sequence[PointMm]) -> Script:
    """Pick up dice one after the other, and set them down on as many spots."""
    moved = list(zip(dice, spots, strict=False))
    stay = [die for die in setting.lying if all(die is not one for one, _ in moved)]
    way = _HandPath(setting, moved[0][0].pose.center_mm[0] if moved else 0.0)
    lifted = [way.over(float(die.pose.center_mm[0]), float(die.pose.center_mm[1])) for die, _ in moved]
    items: list[Item] = [(die.body, LyingStill(die.pose)) for die in stay]
    outcome = list(stay)
    for (die, (x, y)), up_ms in zip(moved, lifted, strict=True):
        down_ms = way.over(x, y)
        end = _resting(setting, die, x, y)
        items.append((die.body, Carried(place=die.pose, until_ms=up_ms, end=end, from_ms=down_ms)))
        outcome.append(RestingDie(body=die.body, pose=end, how="flat"))
    last_ms = way.time_ms
    end_ms = way.out()
    return Script(
        end_ms=end_ms,
        items=tuple(items),
        hand=HandWay(tuple(way.points)),
        outcome=tuple(outcome),
        touched_ms=min(lifted, default=setting.start_ms),
        rest_ms=last_ms,
    )


def card_laid(setting: Setting, card: str, at_mm: tuple[float, float]) -> tuple[Script, Paper]:
    """Lay a card down with its middle at a place of the world."""
    way = _HandPath(setting, at_mm[0])
    down_ms = way.over(*at_mm)
    turn = setting.rng.uniform(-0.06, 0.06)
    items = tuple((die.body, LyingStill(die.pose)) for die in setting.lying)
    script = Script(end_ms=way.out(), items=items, hand=HandWay(tuple(way.points)), outcome=setting.lying)
    return script, Paper(word=card, at_mm=at_mm, turn_rad=turn, from_ms=down_ms)


def set_down(setting: Setting, stay: Sequence[RestingDie], shown: Sequence[RestingDie]) -> Script:
    """Take up all dice that do not stay, and set down those shown: turned dice, or others."""
    way = _HandPath(setting, 0.0)
    items: list[Item] = [(die.body, LyingStill(die.pose)) for die in stay]
    gone = [die for die in setting.lying if die not in stay]
    items += [(die.body, LyingStill(die.pose, setting.start_ms + PATH_MS)) for die in gone]
    for die in shown:
        down_ms = way.over(float(die.pose.center_mm[0]), float(die.pose.center_mm[1]))
        items.append((die.body, Carried(place=None, until_ms=0, end=die.pose, from_ms=down_ms)))
    last_ms = way.time_ms
    return Script(
        end_ms=way.out(),
        items=tuple(items),
        hand=HandWay(tuple(way.points)),
        outcome=(*stay, *shown),
        touched_ms=setting.start_ms,
        rest_ms=last_ms,
    )


class _HandPath:
    """The hand's way, point by point."""

    def __init__(self, setting: Setting, x_mm: float) -> None:
        self._x_mm = float(x_mm)
        self.time_ms = setting.start_ms
        self.points = [away(self.time_ms, self._x_mm)]

    def over(self, x_mm: float, y_mm: float) -> float:
        """Come over a place; returns when."""
        last = self.points[-1]
        way_mm = hypot(x_mm - last.x_mm, y_mm - last.y_mm)
        self.time_ms += max(PATH_MS, way_mm / SPEED_MM_PER_MS)
        turn = -atan2(x_mm - self._x_mm, 420) * 0.6
        self.points.append(HandAt(self.time_ms, x_mm, y_mm - 6, turn, "cupped"))
        return self.time_ms

    def out(self) -> float:
        """Leave the picture; returns when it has."""
        self.time_ms += max(260.0, (self.points[-1].y_mm + 280) / 0.95)
        self.points.append(away(self.time_ms, self.points[-1].x_mm))
        return self.time_ms


def _resting(setting: Setting, die: RestingDie, x_mm: float, y_mm: float) -> Pose:
    """The same face up, turned a little, as fingers do."""
    center = np.array([x_mm, y_mm, float(support_mm(die.body, die.pose.turn))], np.float32)
    center[:2] += np.array([setting.rng.uniform(-1.5, 1.5), setting.rng.uniform(-1.5, 1.5)], np.float32)
    return Pose(center, yawed(setting.rng.uniform(-0.5, 0.5)) @ die.pose.turn)


ACTS: Mapping[str, str] = {
    "throw": phrase_later("Throw the dice"),
    "throw_one_less": phrase_later("Throw, but keep one die in the hand"),
    "throw_one_more": phrase_later("Throw one die too many"),
    "stack": phrase_later("Throw so that two dice end stacked"),
    "floor": phrase_later("Throw so that one die falls off the table"),
    "slide": phrase_later("Slide the dice instead of rolling them"),
    "take_back": phrase_later("Put the dice set aside last back"),
    "set_any": phrase_later("Set one die aside, whatever it shows"),
    "hand": phrase_later("Rest a hand over the table"),
    "nudge": phrase_later("Push one die a little"),
    "turn_over": phrase_later("Turn one die to another face"),
    "clear": phrase_later("Take the dice and cards away"),
}
"""What the simulated hand can do on a mat, by name, and the words for a button."""

D4_COLOR = "blue"
TABLE_HALF_MM = (260.0, 200.0)
"""Half of the table under the mat: it ends just out of the picture."""
RELEASE_IN_MM = 39.0
"""How far inside the field's near edge the hand opens."""


class MatWorld(World):
    """Not safe to share between threads; `device.simulator.table` locks it."""

    acts = ACTS
    bounds_mm = (-TABLE_HALF_MM[0], -TABLE_HALF_MM[1], *TABLE_HALF_MM)

    def __init__(self, rng: Random, layout: Layout) -> None:
        """An empty mat. All chance comes from `rng`."""
        super().__init__(rng)
        self.layout = layout
        self._orders: dict[str, tuple[tuple[Die, ...], str]] = {}
        self._papers: tuple[Paper, ...] = ()
        self._last: tuple[int, ...] = ()
        self._bets: dict[int, int] = {}
        self._single: Die | None = None
        field = layout.of("roll")[0].outline_mm - self._middle_mm
        low, high = field.min(axis=0), field.max(axis=0)
        self._field = ThrowArea(
            centre_mm=(float(low[0] + high[0]) / 2, float(low[1] + high[1]) / 2),
            half_mm=(float(high[0] - low[0]) / 2, float(high[1] - low[1]) / 2),
            release_y_mm=float(low[1]) + RELEASE_IN_MM,
            walled=False,
        )

    @property
    def _middle_mm(self) -> tuple[float, float]:
        """The world's origin in the mat's frame."""
        return self.layout.mat.width_mm / 2, self.layout.mat.height_mm / 2

    def lay(self, kind: DieKind, count: int, colors: Sequence[str] = ("ivory",)) -> None:
        """Throw so many dice next time. What lies on the mat stays until the hand takes it."""
        if kind not in FACES_ON:
            raise ValueError(f"The simulated table has {' and '.join(FACES_ON)} dice; got {kind!r}.")
        if not 1 <= count <= MOST_DICE:
            raise ValueError(f"The simulated hand holds 1 to {MOST_DICE} dice; got {count}.")
        if not colors or any(color not in COLORS for color in colors):
            raise ValueError(f"Dice come in {', '.join(COLORS)}; got {', '.join(colors) or 'no colour'}.")
        self._dice = tuple((kind, colors[index % len(colors)]) for index in range(count))

    def lay_also(self, kind: DieKind, count: int) -> None:
        """Throw so many dice of another kind with them: ZONK's D4."""
        self._dice = tuple(die for die in self._dice if die[0] != kind) + ((kind, D4_COLOR),) * count

    def show_bets(self, bets: Mapping[int, int]) -> None:
        """Take all hands off the betting dice at once: by seat, counted from 1, what each shows."""
        places = {place.number: place for place in self.layout.of("bet")}
        if missing := [str(seat) for seat in bets if seat not in places]:
            raise ValueError(phrase("The mat has no bet place {missing}.", missing=", ".join(missing)))
        self._bets = dict(bets)
        self._waiting.append("bets")

    def carry(self, dice: Sequence[Die], label: str) -> None:
        """Carry free dice that show this to a place, as soon as the hand is free."""
        place = self.layout.named(label)
        if place is None:
            raise ValueError(
                phrase(
                    "The mat has no place {label!r}; it has {labels}.",
                    label=label,
                    labels=", ".join(map(phrase, self._labels())),
                )
            )
        lie = Counter(Die(die.body.kind, die.up) for die in self._free(self.outcome))
        if missing := Counter(dice) - lie:
            faces = ", ".join(face_word(die.value) for die in missing.elements())
            raise ValueError(phrase("No free die shows {faces}.", faces=faces))
        self._order("carry", tuple(dice), label)

    def turn(self, die: Die, value: int) -> None:
        """Turn a free die to another face, as soon as the hand is free."""
        self._order("turn", (die, Die(die.kind, value)), "")

    def bring(self, die: Die) -> None:
        """Set down one more die that shows this, beside the others."""
        self._order("bring", (die,), "")

    def take_up(self, die: Die) -> None:
        """The next throw is of this free die alone."""
        self._single = die

    def lay_card(self, card: str, label: str) -> None:
        """Lay a card face up in a place, as soon as the hand is free."""
        if self.layout.named(label) is None:
            raise ValueError(
                phrase(
                    "The mat has no place {label!r}; it has {labels}.",
                    label=label,
                    labels=", ".join(map(phrase, self._labels())),
                )
            )
        self._order(f"card {card}", (), label)

    def at(self, time_ms: float) -> SeenWorld:
        """Move on to a time (never back), and show what can be seen."""
        scene = super().at(time_ms)
        self._papers = tuple(paper for paper in self._papers if scene.time_ms < paper.until_ms)
        return replace(scene, papers=self._papers)

    def _order(self, what: str, dice: tuple[Die, ...], label: str) -> None:
        name = f"{what} {len(self._orders)}"
        self._orders[name] = dice, label
        self._waiting.append(name)

    def _labels(self) -> list[str]:
        return [region.label for region in self.layout.region]

    def _planned(self, name: str, setting: Setting) -> Script:
        match name:
            case "throw" | "throw_one_less" | "throw_one_more" | "stack" | "floor" | "slide":
                return self._thrown(name, setting)
            case "take_back":
                back = [die for die in setting.lying if die.body.number in self._last]
                return self._carried(setting, back, self.layout.of("roll")[0])
            case "set_any":
                free = self._free(setting.lying)
                chosen = [setting.rng.choice(free)] if free else []
                return self._carried(setting, chosen, self._next_place(setting.lying))
            case "bets":
                return self._bets_shown(setting)
            case "clear" | "hand" | "nudge" | "turn_over":
                self._papers = self._papers if name != "clear" else ()
                return plan(name, replace(setting, area=self._field))
            case _:
                return self._ordered(name, setting)

    def _ordered(self, name: str, setting: Setting) -> Script:
        """What the hand was told to carry, or to lay down."""
        dice, label = self._orders.pop(name)
        if name.startswith("turn"):
            return self._turned(setting, *dice)
        if name.startswith("bring"):
            return self._brought(setting, dice[0])
        place = self.layout.named(label)
        assert place is not None  # noqa: S101 - the order was checked when it came
        if name.startswith("card"):
            return self._card_laid(setting, name.split()[1], place)
        return self._carried(setting, self._showing(setting.lying, dice), place)

    def _thrown(self, name: str, setting: Setting) -> Script:
        bodies = setting.bodies({"throw_one_less": -1, "throw_one_more": 1}.get(name, 0))
        free = self._free(setting.lying)
        single = self._showing(setting.lying, (self._single,)) if self._single else []
        self._single = None
        free = single or free
        new_turn = len(free) != len(self._dice)
        # Betting dice are their players' own: they stay where they were shown.
        up = [die for die in setting.lying if die.body.kind != "bet"] if new_turn else free
        stay = [die for die in setting.lying if die not in up]
        points, items = taken(replace(setting, lying=tuple(up)))
        if new_turn:  # the cards go to their players
            gone_ms = points[-1].time_ms if points else setting.start_ms
            self._papers = tuple(replace(paper, until_ms=gone_ms) for paper in self._papers)
        start_ms = points[-1].time_ms + 220 if points else setting.start_ms
        open_ms = start_ms + 420
        hand_x = self._field.centre_mm[0] + setting.rng.uniform(-40, 40)
        throw = Throw(setting.rng, open_ms, hand_x, self._field, stay)
        fill(throw, name, bodies)
        points += opened(throw, start_ms, open_ms)
        return Script(
            end_ms=max(throw.end_ms, points[-1].time_ms),
            items=(
                *items,
                *((die.body, LyingStill(die.pose)) for die in stay),
                *((die.body, die.motion) for die in throw.thrown),
            ),
            hand=HandWay(tuple(points)),
            outcome=(*stay, *(die.lying for die in throw.thrown if die.lying)),
            touched_ms=setting.start_ms,
            rest_ms=throw.end_ms,
        )

    def _carried(self, setting: Setting, dice: Sequence[RestingDie], place: Region) -> Script:
        stay = [die for die in setting.lying if die not in dice]
        spots = free_spots(place, self._middle_mm, stay)
        self._last = tuple(die.body.number for die in dice)
        return carried(setting, dice, spots)

    def _card_laid(self, setting: Setting, card: str, place: Region) -> Script:
        x, y = (float(at - half) for at, half in zip(place.center_mm, self._middle_mm, strict=True))
        lying = sum(paper.until_ms == inf for paper in self._papers)
        # Cards lie fanned, each tag in sight; on a pocket the tag lies in it and the rest of the card below.
        y += -43.0 if place.kind == "pocket" else 22.0 - 26.0 * lying
        script, paper = card_laid(setting, card, (x + setting.rng.uniform(-4, 4), y))
        self._papers = (*self._papers, paper)
        return script

    def _turned(self, setting: Setting, die: Die, to: Die) -> Script:
        """A die that shows another face, where it lay."""
        found = self._showing(setting.lying, (die,))
        stay = [one for one in setting.lying if one not in found]
        shown = [self._placed(one.body, one.pose.center_mm.tolist(), to, setting) for one in found]
        return set_down(setting, stay, shown)

    def _brought(self, setting: Setting, die: Die) -> Script:
        """One die more on the field."""
        spots = free_spots(self.layout.of("roll")[0], self._middle_mm, setting.lying)
        self._numbers += 1
        body = SimulatedDie(
            number=self._numbers, kind=die.kind, color=self._dice[0][1], faces=FACES_ON[die.kind]
        )
        shown = [self._placed(body, spots[0], die, setting)] if spots else []
        return set_down(setting, setting.lying, shown)

    def _placed(self, body: SimulatedDie, at_mm: Sequence[float], die: Die, setting: Setting) -> RestingDie:
        yaw = setting.rng.uniform(-0.6, 0.6)
        pose = flat_pose(body, float(at_mm[0]), float(at_mm[1]), yaw, body.faces.index(die.value))
        return RestingDie(body=body, pose=pose, how="flat")

    def _bets_shown(self, setting: Setting) -> Script:
        """Each player's die, turned to the bet; those of the last turn are what they were turned from."""
        stay = [die for die in setting.lying if die.body.kind != "bet"]
        shown = []
        for place in self.layout.of("bet"):
            if place.number not in self._bets:
                continue
            self._numbers += 1
            color = place.color if place.color in COLORS else "ivory"
            body = SimulatedDie(number=self._numbers, kind="bet", color=color, faces=FACES_ON["bet"])
            x, y = (float(at - half) for at, half in zip(place.center_mm, self._middle_mm, strict=True))
            spot = x + setting.rng.uniform(-4, 4), y + setting.rng.uniform(-4, 4)
            shown.append(self._placed(body, spot, Die("bet", self._bets[place.number]), setting))
        return set_down(setting, stay, shown)

    def _place_of(self, die: RestingDie) -> Region | None:
        x, y = (float(at + half) for at, half in zip(die.pose.center_mm[:2], self._middle_mm, strict=True))
        return self.layout.at(x, y)

    def _free(self, lying: Sequence[RestingDie]) -> list[RestingDie]:
        """The dice that lie in no place where dice are set aside."""
        return [die for die in lying if (place := self._place_of(die)) is None or not place.sets_aside]

    def _showing(self, lying: Sequence[RestingDie], dice: Sequence[Die]) -> list[RestingDie]:
        """Free dice that show this, each once."""
        free, found = self._free(lying), []
        for die in dice:
            one = next((each for each in free if (each.body.kind, each.up) == (die.kind, die.value)), None)
            if one is not None:
                free.remove(one)
                found.append(one)
        return found

    def _next_place(self, lying: Sequence[RestingDie]) -> Region:
        """The first empty pocket after all that hold dice, or the place where dice are set aside."""
        places = (*self.layout.of("pocket"), *self.layout.of("aside"))
        if not places:
            return self.layout.of("roll")[0]
        full = [place for place in places if any(self._place_of(die) == place for die in lying)]
        last = places.index(full[-1]) + 1 if full and full[-1].kind == "pocket" else 0
        return places[min(last, len(places) - 1)]


# ZONK's cards as the simulated camera sees them: a printed face with its tag, laid flat on the mat.

SCALE = 8
"""Pixels to a millimetre in the drawn card."""
_PAPER, _INK = (236, 243, 246), (52, 44, 40)
_ITEM, _MODIFIER = (70, 120, 196), (150, 96, 84)
_CORNER_MM = 3.5


@lru_cache(maxsize=16)
def card_face(word: str) -> Picture:
    """The card's face, (CARD_MM[1] * SCALE, CARD_MM[0] * SCALE, 3), blue green red."""
    width, height = (round(side * SCALE) for side in CARD_MM)
    face = np.full((height, width, 3), _PAPER, np.uint8)
    card = card_named(word)
    name = NAMES[card] if card else word
    color = _ITEM if card in ITEMS else _MODIFIER
    edge = 3 * SCALE
    cv2.rectangle(face, (edge, edge), (width - edge, height - edge), color, SCALE)
    cv2.rectangle(face, (edge, 27 * SCALE), (width - edge, 36 * SCALE), color, -1)
    size = min(0.9, 52 / max(1, len(name)) * 0.05 * SCALE)
    (wide, _), _ = cv2.getTextSize(name, cv2.FONT_HERSHEY_SIMPLEX, size, 2)
    cv2.putText(
        face, name, ((width - wide) // 2, 33 * SCALE), cv2.FONT_HERSHEY_SIMPLEX, size, _PAPER, 2, cv2.LINE_AA
    )
    for line in range(4):
        y = (46 + 8 * line) * SCALE
        cv2.line(face, (9 * SCALE, y), (width - (9 + 7 * (line % 2)) * SCALE, y), _INK, SCALE // 2)
    half = round(TAG_MM * SCALE / 2)
    x, y = round(TAG_CENTER_MM[0] * SCALE), height - round(TAG_CENTER_MM[1] * SCALE)
    quiet = round(half * 4 / 3)
    face[y - quiet : y + quiet, x - quiet : x + quiet] = (255, 255, 255)
    tag = draw_tag(CARD_TAGS[word], 2 * half)
    face[y - half : y + half, x - half : x + half] = cv2.cvtColor(tag, cv2.COLOR_GRAY2BGR)
    return face


@lru_cache(maxsize=1)
def _cover() -> Picture:
    """Where the card is: 255 inside its rounded corners."""
    width, height = (round(side * SCALE) for side in CARD_MM)
    round_px = round(_CORNER_MM * SCALE)
    cover = np.zeros((height, width), np.uint8)
    cv2.rectangle(cover, (round_px, 0), (width - round_px, height), 255, -1)
    cv2.rectangle(cover, (0, round_px), (width, height - round_px), 255, -1)
    for x in (round_px, width - round_px - 1):
        for y in (round_px, height - round_px - 1):
            cv2.circle(cover, (x, y), round_px, 255, -1)
    return cover


def lay_paper(
    picture: Picture, lens: SimulatedLens, paper: Paper, ground: LitGround, weights: tuple[float, float]
) -> None:
    """Draw a card into `picture` (in place) under the light of its place."""
    c, s = cos(paper.turn_rad), sin(paper.turn_rad)
    half = np.array(CARD_MM) / 2
    own = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * half
    corners = np.zeros((4, 3), np.float32)
    corners[:, :2] = own @ np.array([[c, s], [-s, c]]) + np.array(paper.at_mm)
    there = lens.project(corners)
    rows, columns = (round(side * SCALE) for side in (CARD_MM[1], CARD_MM[0]))
    here = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32) - 0.5
    low = np.clip(np.floor(there.min(axis=0)).astype(int) - 2, 0, None)
    high = np.ceil(there.max(axis=0)).astype(int) + 3
    piece = picture[low[1] : high[1], low[0] : high[0]]
    if not piece.size:
        return
    placing = cv2.getPerspectiveTransform(here, (there - low).astype(np.float32))
    size = piece.shape[1], piece.shape[0]
    face, cover = _softened(paper.word, SCALE / max(1.0, lens.scale_px_per_mm(0)))
    drawn = cv2.warpPerspective(face, placing, size, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    share: Reals = (cv2.warpPerspective(cover, placing, size)[..., None] / np.float32(255)).astype(np.float32)
    middle = there.mean(axis=0)
    lit = drawn * ground.gain(weights, float(middle[0]), float(middle[1]))
    piece[:] = np.clip(piece * (1 - share) + lit * share + 0.5, 0, 255)


@lru_cache(maxsize=16)
def _softened(word: str, shrink: float) -> tuple[Picture, Picture]:
    """Face and cover, softened so that drawing them `shrink` times smaller leaves no steps."""
    sigma = 0.45 * shrink
    face, cover = (cv2.GaussianBlur(each, (0, 0), sigma) for each in (card_face(word), _cover()))
    return np.asarray(face, np.uint8), np.asarray(cover, np.uint8)
