"""What became of each die from one rest to the next: thrown, lay there, pushed by another, moved by a hand.

Theory of operation
- Each die is followed back from where it lies (`vision.watch.trace`). One that has not moved lay there. One
  that comes out of a hand, or into the picture, and then moves freely was thrown; one that a hand uncovers
  about where a die had lain was turned or pushed by it.
- One whose way begins where a die had lain was moved: by the die that was beside it when it began to move, or
  by a hand that was. Where all dice begin to move together, and neither is there, the tray was shaken: that
  is a throw.
- What is not certain is called unknown: a way that is lost, a push with both a hand and a die near it, two
  dice that may have changed places on their way and did not come from the same.
- A die that fingers hid until it lay was thrown if it left the hand together with others that were seen to go
  on without it, and no die had lain where it began.
- A die whose way begins nowhere was thrown if it moved freely and every die that lay there before is
  accounted for.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot
from typing import Literal

import numpy as np

from calibration.arrays import Reals
from vision.reading import Point, Reading, SeenDie, UnsureDie
from vision.watch.change import find_cover, find_edge
from vision.watch.motion_blobs import Spotter
from vision.watch.thumbnail import Hole, Stretch
from vision.watch.trace import DiePath, Tracer

Origin = Literal["thrown", "lay", "pushed", "by_hand", "unknown"]
Border = Literal["left", "right", "top", "bottom"]
"""A side of the picture."""

FREE_EDGES = 0.3
"""A die that moved so far without a hand was thrown."""
NUDGED_EDGES = 1.5
"""The same where a die had lain nearby, which a hand may have pushed."""
FREE_STEPS = 2
"""In so many pictures it was seen to."""
ALONE_EDGES, CLEAR_EDGES = 0.5, 1.3
"""One picture is enough where a die is so far from its rest, and a hand so far from its middle."""
ALONE_MS = 75.0
"""Where one had lain before, the next picture must come so soon: else a hand can have laid it back."""
LAIN_EDGES = 0.35
"""A die that lies so near to where one lay before, and did not move, is that one."""
BESIDE_EDGES = 2.2
"""Two dice whose middles are so near may have touched since the picture before."""
HAND_EDGES = 1.0
"""The same for a hand and the middle of a die."""
TOGETHER_MS = 200.0
"""Dice that begin to move, or leave a hand, within this time did so at once."""
LAST_MS, MOST_GAP_MS = 2000.0, 150.0
"""In that time before a rest, how far apart pictures may come, at the median, for anything to be told."""
LEFT_EDGES = 1.5
"""A die that would be so near to the border in the next picture, or beyond it, left over it."""
CAME_EDGES = 3.5
"""If it came from so far away: fingertips leave, too."""
LEFT_STEPS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class PathPoint:
    """Where a die was in one picture."""

    time_ms: float
    at_px: Point
    """The middle of what was seen of it, in pixels of the picture that was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowedDie:
    """How one die came to lie where it lies."""

    die: SeenDie | UnsureDie
    origin: Origin
    by: int | None = None
    """For a pushed one the die that pushed it, as an index in the history; None where that is not sure."""
    was: int | None = None
    """Which of the dice it was that lay there before, as an index in that reading: first those that were
    read, then the others; None for one that came from elsewhere."""
    path: tuple[PathPoint, ...] = ()
    """Its way, in order; it ends where it lies, and begins where no other die can be taken for it any more.
    Empty for one that has not moved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftDie:
    """A die that was seen to move and left the picture."""

    border: Border
    """Over which side of the picture."""
    path: tuple[PathPoint, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowHistory:
    """What became of the dice from one rest to the next."""

    dice: tuple[FollowedDie, ...]
    """Those of the reading in its order: the ones that were read, then the others."""
    left: tuple[LeftDie, ...] = ()
    hole: Hole = ""
    """Why not all of it was seen."""


def tell_history(stretch: Stretch, before: Reading | None, after: Reading) -> ThrowHistory:
    """The history of the dice of `after`, read at the end of a stretch; `before` was read at its beginning.

    Both are readings of one camera, in pixels. Without `before` no die is known that lay there.
    """
    things: tuple[SeenDie | UnsureDie, ...] = (*after.dice, *after.unsure)
    lain: tuple[SeenDie | UnsureDie, ...] = ()
    if before and stretch.before:
        lain = (*before.dice, *before.unsure)
    scale = stretch.after.small.shape[1] / after.width_px
    edge_px = find_edge(*([before] if before else []), after) * scale
    places = [_small(one.center_px, scale) for one in things]
    old = [_small(one.center_px, scale) for one in lain]
    spotter = Spotter(stretch, edge_px, places, old, find_cover(*([before] if before else []), after))
    tracer = Tracer(spotter, [one.time_ms for one in stretch.pictures], edge_px, places, old)
    known = before is not None and stretch.before is not None
    story = _Story(tracer, spotter, tracer.trace(), len(things), edge_px, known=known)
    path = _Paths(scale, stretch.after.time_ms)
    dice, unseen = [], bool(stretch.hole) or _too_few(stretch)
    for number, thing in enumerate(things):
        origin, by = ("unknown", None) if unseen else story.origin(number)
        way = story.ways[number]
        was = way.old if way.old >= 0 else None
        if origin == "lay":
            was = _nearest(way.rest, old, edge_px)
            if was is not None and not _alike(lain[was], thing):
                origin = "unknown"
        dice.append(FollowedDie(die=thing, origin=origin, by=by, was=was, path=path.of(way)))
    left = [] if unseen else [LeftDie(border=at, path=path.of(way)) for at, way in story.left()]
    return ThrowHistory(dice=tuple(dice), left=tuple(left), hole=stretch.hole)


def _too_few(stretch: Stretch) -> bool:
    """Whether the last pictures before the rest came so slowly that a throw looks like dice put down."""
    begun_ms = stretch.after.time_ms - LAST_MS
    gaps_ms = np.diff([one.time_ms for one in stretch.pictures if one.time_ms >= begun_ms])
    return len(gaps_ms) > 0 and float(np.median(gaps_ms)) > MOST_GAP_MS


def _small(center: Point, scale: float) -> Reals:
    """A place of the picture that was read, in small pixels."""
    # Pixel centres have whole coordinates.
    return np.array([(each + 0.5) * scale - 0.5 for each in center], np.float32)


def _alike(old: SeenDie | UnsureDie, new: SeenDie | UnsureDie) -> bool:
    """Whether they may be one die that was not touched."""
    return not (isinstance(old, SeenDie) and isinstance(new, SeenDie)) or old.die == new.die


def _nearest(place: Reals, old: Sequence[Reals], edge_px: float) -> int | None:
    """Which of the old dice lay there."""
    away_px, number = min(
        ((float(hypot(*(place - one))), at) for at, one in enumerate(old)), default=(edge_px, 0)
    )
    return number if away_px < LAIN_EDGES * edge_px else None


@dataclass(frozen=True, slots=True)
class _Paths:
    """From small pixels to those of the picture that was read."""

    scale: float
    end_ms: float

    def of(self, way: DiePath) -> tuple[PathPoint, ...]:
        """The way in order; for a die that lies there in the end with its place of rest."""
        if not way.steps:
            return ()
        steps = way.steps if way.stray else way.steps[: way.sure]
        points = [PathPoint(time_ms=step.time_ms, at_px=self._at(step.x, step.y)) for step in reversed(steps)]
        if not way.stray:
            rested_ms = way.rested_ms if way.rested_ms is not None else self.end_ms
            points.append(PathPoint(time_ms=rested_ms, at_px=self._at(*map(float, way.rest))))
        return tuple(points)

    def _at(self, x: float, y: float) -> Point:
        return round((x + 0.5) / self.scale - 0.5, 1), round((y + 0.5) / self.scale - 0.5, 1)


class _Story:
    """What the ways of one stretch say together."""

    def __init__(
        self,
        tracer: Tracer,
        spotter: Spotter,
        ways: Sequence[DiePath],
        dice: int,
        edge_px: float,
        *,
        known: bool,
    ) -> None:
        """`dice`: how many of the ways are of dice that lie there in the end; `known`: whether what lay
        there before is known."""
        self.ways = ways
        self._known = known
        self._tracer = tracer
        self._spotter = spotter
        self._dice = dice
        self._edge_px = edge_px
        self._alone = [self._of(way) for way in ways]

    def origin(self, number: int) -> tuple[Origin, int | None]:
        """What became of that die, and which one pushed it, if one did and that is sure."""
        origin, by = self._alone[number]
        for other in self.ways[number].doubts:
            if self._alone[other][0] != origin and not self._is_nothing(other):
                return "unknown", None
        return origin, by if by is not None and by < self._dice else None

    def left(self) -> list[tuple[Border, DiePath]]:
        """Dice that left the picture, and over which side of it."""
        found: list[tuple[Border, DiePath]] = []
        for way in sorted(self.ways[self._dice :], key=lambda way: -len(way.steps)):
            border = self._border(way)
            if border is not None and not any(self._same(way, other) for _, other in found):
                found.append((border, way))
        return found

    def _border(self, way: DiePath) -> Border | None:
        """The side of the picture to which it came from far away, if it left there."""
        if len(way.steps) < LEFT_STEPS:
            return None
        wide, high = self._spotter.size
        last, first = way.steps[0], way.steps[-1]
        ahead: tuple[tuple[float, float, Border], ...] = (
            (last.x, first.x - last.x, "left"),
            (wide - 1 - last.x, last.x - first.x, "right"),
            (last.y, first.y - last.y, "top"),
            (high - 1 - last.y, last.y - first.y, "bottom"),
        )
        near_px, came_px, border = min(ahead)
        a_step_px = came_px / (len(way.steps) - 1)
        left = near_px - a_step_px < LEFT_EDGES * self._edge_px
        return border if left and came_px >= CAME_EDGES * self._edge_px else None

    def _same(self, way: DiePath, other: DiePath) -> bool:
        """Whether two ways are of one die, that was seen in two parts."""
        near_px = 2 * BESIDE_EDGES * self._edge_px
        times = {step.time_ms: step for step in other.steps}
        return any(
            hypot(step.x - times[step.time_ms].x, step.y - times[step.time_ms].y) < near_px
            for step in way.steps
            if step.time_ms in times
        )

    def _is_nothing(self, number: int) -> bool:
        """Whether it is no die at all: something that hardly moved."""
        way = self.ways[number]
        return way.stray and self._free(way) < LEFT_STEPS

    def _free(self, way: DiePath, edges: float = FREE_EDGES) -> int:
        """In how many pictures a die moved freely; 0 where it came from less far."""
        far_px = max((hypot(step.x - way.rest[0], step.y - way.rest[1]) for step in way.steps), default=0.0)
        return len(way.steps) if far_px >= edges * self._edge_px else 0

    def _of(self, way: DiePath) -> tuple[Origin, int | None]:
        free = self._free(way) >= FREE_STEPS
        match way.start:
            case "still":
                return ("lay" if self._lain(way) else "unknown"), None
            case "hand":
                return self._out_of_hand(way), None
            case "border" if free:
                return "thrown", None
            case "lay":
                return self._moved(way)
            case "lost" if free and self._accounted():
                return "thrown", None
            case _:
                return "unknown", None

    def _lain(self, way: DiePath) -> bool:
        """Whether a die lay there before; where nobody knows what did, whatever has not moved did."""
        return not self._known or any(
            hypot(*(place - way.rest)) < LAIN_EDGES * self._edge_px for place in self._tracer.old
        )

    def _out_of_hand(self, way: DiePath) -> Origin:
        """A die that a hand let go, or uncovered."""
        if self._let_go(way):
            if self._is_late(way) and self._may_have_lain(way, way.rest, LAIN_EDGES):
                return "unknown"
            far = self._free(way, NUDGED_EDGES) >= FREE_STEPS
            return "thrown" if far or not self._may_have_lain(way, way.at) else "unknown"
        others = [other for other in self.ways[: self._dice] if other is not way and other.start == "hand"]
        at_once = [
            other for other in others if abs(self._begun_ms(other) - self._begun_ms(way)) <= TOGETHER_MS
        ]
        if any(map(self._let_go, at_once)) and not self._may_have_lain(way, way.at):
            return "thrown"
        # Who turns a die, or pushes one, does it to one at a time; a new one may be thrown under the hand.
        one_by_one = not at_once and not any(map(self._let_go, others))
        return "by_hand" if one_by_one and self._may_have_lain(way, way.at) else "unknown"

    def _is_late(self, way: DiePath) -> bool:
        """Whether the picture after the first one of it came so late that a hand can have laid it down."""
        seen_ms, next_ms = self._tracer.around_ms(way.begun + 1, 0)
        return next_ms - seen_ms > ALONE_MS

    def _may_have_lain(self, way: DiePath, there: Reals, edges: float = NUDGED_EDGES) -> bool:
        """Whether a hand was over a die there, before the way begins, that is not seen any more since."""
        return any(
            hypot(*(place - there)) < edges * self._edge_px
            and not self._is_accounted(number)
            and self._tracer.covered(number, way.begun)
            for number, place in enumerate(self._tracer.old)
        )

    def _let_go(self, way: DiePath) -> bool:
        """Whether a die that came out of a hand moved on without it: rolled, or slid."""
        if self._free(way) >= FREE_STEPS:
            return True
        clear = self._tracer.hand_px(way.begun, way.at) >= CLEAR_EDGES * self._edge_px
        if self._is_late(way) and self._may_have_lain(way, way.rest):
            return False
        return clear and self._free(way, ALONE_EDGES) > 0

    def _begun_ms(self, way: DiePath) -> float:
        """When it was seen last before the way begins."""
        return self._tracer.around_ms(way.begun)[0]

    def _moved(self, way: DiePath) -> tuple[Origin, int | None]:
        """Who moved a die that had lain there."""
        place = self._tracer.old[way.old]
        times_ms = self._tracer.around_ms(way.begun)
        beside = [
            (hypot(step.x - place[0], step.y - place[1]), number)
            for number, other in enumerate(self.ways)
            if other is not way
            for step in other.steps
            if times_ms[0] <= step.time_ms <= times_ms[1]
            and not (other.start == "lay" and step is other.steps[-1])
        ]
        beside += [
            (hypot(*(other.rest - place)), number)
            for number, other in enumerate(self.ways[: self._dice])
            if other is not way and other.steps and (other.rested_ms or times_ms[1] + 1) <= times_ms[1]
        ]
        near_px, by = min(beside, default=(1e6, -1))
        die = near_px <= BESIDE_EDGES * self._edge_px
        hand = self._tracer.hand_px(way.begun, place) <= HAND_EDGES * self._edge_px
        if die != hand:
            return ("pushed", by) if die else ("by_hand", None)
        return ("thrown", None) if not die and self._shaken() else ("unknown", None)

    def _shaken(self) -> bool:
        """Whether all dice that lay there began to move together."""
        left_ms = [each for each in self._tracer.left_ms if each is not None]
        return len(left_ms) == len(self._tracer.old) > 1 and max(left_ms) - min(left_ms) <= TOGETHER_MS

    def _accounted(self) -> bool:
        """Whether it is known of every die that lay there what became of it."""
        return all(self._is_accounted(number) for number in range(len(self._tracer.old)))

    def _is_accounted(self, number: int) -> bool:
        """Whether an old die lies still, or is one of those that were followed."""
        place = self._tracer.old[number]
        return any(
            way.old == number or (way.start == "still" and hypot(*(place - way.rest)) < self._edge_px / 2)
            for way in self.ways
        )
