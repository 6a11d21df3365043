"""Two cameras, one over each End Zone: one look at the whole table, and every die in one table frame.

Each camera measures and calls in its own end's frame, against its own lines. Places then go into the table
frame, and pixels into the whole picture, where the far end stands below the near one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import degrees, dist
from typing import get_args

import numpy as np

from calibration.arrays import Picture
from calibration.ends import End, Ends
from device.cameras import Frame
from engine.wording import phrase, phrase_later
from vision.landing import CalledDie, Departure, MeasuredDie, Release, Sight, find_departure, find_release
from vision.landing.detector import LandingDetector
from vision.landing.shapes import LearntShapes
from vision.reading import UnsureDie
from vision.watch import FrameState, State, Stretch, Watch

# Watching one camera, or two that hang over the two End Zones: one look at the whole table.
#
# The table is still when both ends are, and a hand over either is a hand. Beside that it is kept at which
# ends something stirred before the dice came to rest: a die that lies at the end to which it was thrown has
# crossed the other.

ENDS: tuple[End, End] = get_args(End)
OTHER: Mapping[End, End] = {"near": "far", "far": "near"}
WORST: tuple[State, ...] = ("hand", "moving", "still")
FORGOTTEN_MS = 1000.0
"""What stirred before a rest of so long has nothing to do with the next throw."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndsLook(FrameState):
    """What both cameras say at one moment."""

    near: FrameState
    far: FrameState
    stirred: frozenset[End] = frozenset()
    """Where something moved, or a hand was, just before this arrangement came to rest."""
    reached: frozenset[End] = frozenset()
    """Where a hand was."""
    hands: frozenset[End] = frozenset()
    """Where a hand was since then, until now."""

    def of(self, end: End) -> FrameState:
        """One end's own look."""
        return self.near if end == "near" else self.far


class Watching:
    """Sees every frame, in order."""

    def __init__(self, near: Watch, far: Watch | None = None) -> None:
        self._near, self._far = near, far
        self._watches = (near, far) if far else (near,)
        self._scene = 0
        self._stirred: frozenset[End] = frozenset()
        self._reached: frozenset[End] = frozenset()
        self._before = self._stirred, self._reached
        """Both, as they were when the present arrangement came to rest."""

    def learn_anew(self) -> None:
        """The table may have changed: learn it again (`vision.watch.Watch.learn_anew`)."""
        for watch in self._watches:
            watch.learn_anew()

    def take_for_table(self) -> None:
        """What looks like a hand now is none (`vision.watch.Watch.take_for_table`)."""
        for watch in self._watches:
            watch.take_for_table()

    def watch(self, frame: Frame) -> FrameState:
        """The look at a frame: of both ends where it shows both."""
        look = self._near.see(frame.picture, frame.time_ms)
        if frame.far is None or self._far is None:
            return look
        return self._both(look, self._far.see(frame.far, frame.time_ms))

    def _both(self, near: FrameState, far: FrameState) -> EndsLook:
        looks = dict(zip(ENDS, (near, far), strict=True))
        self._stirred |= {end for end, look in looks.items() if look.state != "still"}
        self._reached |= {end for end, look in looks.items() if look.state == "hand"}
        settled, scene = near.settled and far.settled, near.scene + far.scene
        if settled and scene != self._scene:
            self._scene, self._before = scene, (self._stirred, self._reached)
            self._stirred = self._reached = frozenset()
        elif settled and near.time_ms - max(near.still_since_ms, far.still_since_ms) >= FORGOTTEN_MS:
            self._stirred = self._reached = frozenset()
        stirred, reached = self._before
        return EndsLook(
            time_ms=near.time_ms,
            state=min(near.state, far.state, key=WORST.index),
            still_since_ms=max(near.still_since_ms, far.still_since_ms),
            settled=settled,
            scene=scene,
            hand_before_scene=near.hand_before_scene or far.hand_before_scene,
            tumbled_ms=max(near.tumbled_ms, far.tumbled_ms),
            hand_since_scene=near.hand_since_scene or far.hand_since_scene,
            trouble=near.trouble or far.trouble,
            near=near,
            far=far,
            stirred=stirred,
            reached=reached,
            hands=self._reached,
        )


SAME_MM = 8.0
"""Two dice, seen by one camera each, that lie nearer to one another than this are the same die."""
UNSEEN = phrase_later("it lies beyond the halfway line, where the other camera does not see it")
AT_END: Mapping[End, str] = {
    "near": phrase_later("At the near end: {text}"),
    "far": phrase_later("At the far end: {text}"),
}


class EndsEye:
    """The eyes of both cameras."""

    def __init__(self, ends: Ends, threads: int = 1, shapes: LearntShapes | None = None) -> None:
        """`threads` for the pixel work; `shapes` is what is known of the owner's dice."""
        self._ends = ends
        self._eyes: Mapping[End, LandingDetector] = {
            end: LandingDetector(ends.in_sight(end), threads, shapes=shapes) for end in ENDS
        }

    def look(self, picture: Picture, far: Picture | None, /) -> Sight:
        """Everything that lies at both ends; where nothing may be called, the sight says at which and why."""
        own = {end: self._eyes[end].look(each) for end, each in _pictures(picture, far).items()}
        moved = [phrase(AT_END[end], text=sight.moved) for end, sight in own.items() if sight.moved]
        blind = len(own) < len(ENDS) or any(sight.blind for sight in own.values())
        if len(own) < len(ENDS):
            moved.append(phrase("The camera over the far End Zone gives no picture. Plug it in again."))
        dice, unmeasured = self._joined(own)
        return Sight(
            calibration=own["near"].calibration,
            far=own["far"].calibration if "far" in own else None,
            dice=() if blind else dice,
            unmeasured=() if blind else unmeasured,
            moved=" ".join(moved),
            blind=" ".join(moved) if blind else "",
            elapsed_ms=sum(sight.elapsed_ms for sight in own.values()),
        )

    def shoved(self, picture: Picture, far: Picture | None, /) -> str:
        """Whether a camera may have been moved for good, in a sentence; "" when both hang as they did."""
        told = [(end, self._eyes[end].shoved(each)) for end, each in _pictures(picture, far).items()]
        return " ".join(phrase(AT_END[end], text=text) for end, text in told if text)

    def let_go(self, look: FrameState, since_ms: float, aim: End, /) -> Callable[[], Release | None]:
        """Finds where a die that was thrown to that end left the hand, by the camera over the other end."""
        thrower = OTHER[aim]
        reel = look.of(thrower).reel if isinstance(look, EndsLook) else None
        stretch = reel.find_stretch(since_ms, look.time_ms) if reel else None
        if stretch is None:
            return lambda: None
        return partial(find_release, stretch, self._ends.calibration(thrower))

    def went_off(self, look: FrameState, since_ms: float, /) -> Callable[[], Departure | None]:
        """Finds over which side a die has left the table; None where the cameras saw different things."""
        reels = {end: look.of(end).reel for end in ENDS} if isinstance(look, EndsLook) else {}
        seen = {end: reel.find_stretch(since_ms, look.time_ms) for end, reel in reels.items() if reel}
        return partial(self._departure, {end: stretch for end, stretch in seen.items() if stretch})

    def _departure(self, seen: Mapping[End, Stretch]) -> Departure | None:
        found = [
            replace(left, end=end)
            for end, stretch in seen.items()
            if (left := find_departure(stretch, self._ends.calibration(end)))
        ]
        return found[0] if len({one.over for one in found}) == 1 else None

    def evidence(
        self, sight: Sight, called: CalledDie, picture: Picture, far: Picture | None, /, *, number_alone: bool
    ) -> bytes:
        """A close-up as seen from straight above by the die's own camera, as JPEG."""
        beside = tuple(
            each.own for each in sight.dice if each.own and each.end == called.end and each is not called
        )
        eye, calibration, seen = self._eyes["near"], sight.calibration, picture
        if called.end == "far" and sight.far is not None and far is not None:
            eye, calibration, seen = self._eyes["far"], sight.far, far
        seen_there = Sight(calibration=calibration, dice=beside)
        return eye.evidence(seen_there, called.own or called, seen, number_alone=number_alone)

    def _joined(self, own: Mapping[End, Sight]) -> tuple[tuple[CalledDie, ...], tuple[UnsureDie, ...]]:
        """The dice of both ends in the table frame, each once; and what was not measured."""
        seen = {end: [self._on_table(end, lies) for lies in sight.dice] for end, sight in own.items()}
        dice: list[CalledDie] = []
        lost: list[UnsureDie] = []
        for end, all_there in seen.items():
            for lies in all_there:
                twice = _near_to(lies, seen.get(OTHER[end], ()))
                # Of a die that both see the near camera says on which half it lies: so it is there once.
                says = twice if end == "far" and twice else lies
                if self._ends.end_of(says.die.center_mm) == end:
                    dice.append(lies)
                elif twice is None:
                    die = lies.die
                    lost.append(UnsureDie(center_px=die.center_px, center_mm=die.center_mm, reason=UNSEEN))
        for end, sight in own.items():
            there = [self._unmeasured_on_table(end, each) for each in sight.unmeasured]
            lost += [
                each for each in there if each.center_mm is None or self._ends.end_of(each.center_mm) == end
            ]
        return tuple(dice), tuple(lost)

    def _on_table(self, end: End, lies: CalledDie) -> CalledDie:
        """A die of one end in the table frame and in the whole picture."""
        if end == "near":
            return replace(lies, end=end, own=lies)
        return CalledDie(die=self._far_die(lies.die), call=lies.call, end=end, own=lies)

    def _far_die(self, die: MeasuredDie) -> MeasuredDie:
        turn = self._ends.turn
        both = np.eye(4)
        both[:2, :2] = turn.matrix
        spread = both @ np.array(die.covariance) @ both.T
        x_mm, y_mm, yaw_rad, edge_mm = both @ np.array(die.rounding_with)
        (center,) = self._ends.to_table("far", [die.center_mm])
        return replace(
            die,
            center_mm=center,
            yaw_deg=(die.yaw_deg + degrees(turn.angle_rad)) % 90,
            footprint_mm=self._ends.to_table("far", die.footprint_mm),
            covariance=tuple((float(x), float(y), float(yaw), float(edge)) for x, y, yaw, edge in spread),
            rounding_with=(float(x_mm), float(y_mm), float(yaw_rad), float(edge_mm)),
            center_px=self._below(die.center_px),
            corners_px=tuple(self._below(corner) for corner in die.corners_px),
        )

    def _unmeasured_on_table(self, end: End, one: UnsureDie) -> UnsureDie:
        if end == "near":
            return one
        place = one.center_mm and self._ends.to_table(end, [one.center_mm])[0]
        return UnsureDie(center_px=self._below(one.center_px), reason=one.reason, center_mm=place)

    def _below(self, at_px: tuple[float, float]) -> tuple[float, float]:
        return at_px[0], at_px[1] + self._ends.near.view.lens.height_px


def _pictures(picture: Picture, far: Picture | None) -> dict[End, Picture]:
    """Each camera's own picture."""
    return {"near": picture} if far is None else {"near": picture, "far": far}


def _near_to(lies: CalledDie, others: Sequence[CalledDie]) -> CalledDie | None:
    """The same die, as the other camera sees it."""
    return next((one for one in others if dist(one.die.center_mm, lies.die.center_mm) < SAME_MM), None)
