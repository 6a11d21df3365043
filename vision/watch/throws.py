"""Turns frames and readings into throws, each once, by a vote of readings.

Theory of operation
- A picture is read only when the table has settled in a new scene: a still table costs nothing. A clean
  reading (no die unsure, every die confident) decides at once. Otherwise the next frames of the same rest are
  read too and put together (`vote`); after `votes` of them the result goes out as not sure.
- What a new scene means is found by comparing its dice with those of the last rest (`compare_readings`):
  - same: every die lies where it lay and shows what it showed (a lamp, a bumped table): nothing is reported.
  - nudged: the same dice, some pushed by less than an edge and hardly turned.
  - taken: some dice are gone, and none is new.
  - toppled: little moved, no hand was near and the last rest was short: a die that had seemed to lie went on
    by itself. This reading replaces the last.
  - thrown: anything else; at least one die shows what no die there showed before.
  - found: the first rest of all. A film that opens on dice opens on a throw; on a box just switched on they
    are left over from before. The caller knows which.
- The rule for a box that reads by itself: `thrown` is a roll (in a film `found` is one too, if dice lie
  there), `toppled` corrects the last roll, `nudged` and `taken` are none. With ROLL DONE, `lying` counts
  whatever its change. Whether that number of dice was due is for the rulebook to say.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import dist
from typing import Literal

from engine.wording import phrase_later
from vision.reading import Point, Reading, SeenDie, UnsureDie
from vision.watch.change import compare_readings, find_edge
from vision.watch.watch import FrameState

# Makes one reading of several of one rest: each place on the table votes for itself.
#
# A place is where a die or something unsure was seen, within half an edge, in the readings of one scene. It
# counts when at least half of the readings saw it. Its face is decided by one confident reading, or by two
# that agree, as long as no reading contradicts; against a contradiction it takes three times as many. What is
# not decided stays unsure.

PLACE_EDGES = 0.5
CONTRADICTED = 3

DISAGREE = phrase_later("the pictures disagree")
UNCERTAIN = phrase_later("seen too uncertainly")


@dataclass(slots=True)
class _PlaceVotes:
    """What the readings said of one place."""

    center_px: Point
    dice: list[SeenDie] = field(default_factory=list)
    unsure: list[UnsureDie] = field(default_factory=list)


def vote(readings: Sequence[Reading], sure: float) -> Reading:
    """One reading from those of one scene, oldest first; size and time are the newest one's."""
    if not readings:
        raise ValueError("nothing was read: a vote needs one reading or more")
    newest = readings[-1]
    dice: list[SeenDie] = []
    unsure: list[UnsureDie] = []
    for place in _places(readings):
        if 2 * (len(place.dice) + len(place.unsure)) < len(readings):
            continue
        decided = _decide(place.dice, sure)
        if decided is not None:
            dice.append(decided)
        else:
            reason = DISAGREE if len(_by_face(place.dice)) > 1 else UNCERTAIN
            if place.unsure and not place.dice:
                reason = place.unsure[-1].reason
            unsure.append(UnsureDie(center_px=place.center_px, reason=reason, likely=_likely(place)))
    return replace(
        newest,
        dice=tuple(sorted(dice, key=lambda die: die.center_px)),
        unsure=tuple(sorted(unsure, key=lambda one: one.center_px)),
    )


def _decide(votes: Sequence[SeenDie], sure: float) -> SeenDie | None:
    """The die on which the votes agree well enough, as its most confident reading has it; None where they do
    not."""
    parties = sorted(_by_face(votes).values(), key=len, reverse=True)
    if not parties:
        return None
    first = parties[0]
    best = max(first, key=lambda die: die.confidence)
    if len(parties) > 1:
        return best if len(first) >= CONTRADICTED * sum(map(len, parties[1:])) else None
    return best if len(first) >= 2 or best.confidence >= sure else None


def _likely(place: _PlaceVotes) -> SeenDie | None:
    """What an undecided place most likely shows, as the middle one of its readings has it; None where they
    differ, or one says nothing."""
    nearly = [one.likely for one in place.unsure if one.likely is not None]
    votes = sorted((*place.dice, *nearly), key=lambda die: die.confidence)
    if len(nearly) < len(place.unsure) or len(_by_face(votes)) != 1:
        return None
    return votes[(len(votes) - 1) // 2]


def _by_face(votes: Sequence[SeenDie]) -> dict[tuple[str, int | str], list[SeenDie]]:
    """The votes for each kind and value."""
    parties: dict[tuple[str, int | str], list[SeenDie]] = {}
    for die in votes:
        parties.setdefault((die.kind, die.value), []).append(die)
    return parties


def _places(readings: Sequence[Reading]) -> list[_PlaceVotes]:
    """Where something was seen, following it from reading to reading."""
    edge = find_edge(*readings)
    places: list[_PlaceVotes] = []
    for reading in readings:
        free = list(places)
        found: tuple[SeenDie | UnsureDie, ...] = (*reading.dice, *reading.unsure)
        for seen in found:
            here = seen.center_px
            ways = [(dist(place.center_px, here), i) for i, place in enumerate(free)]
            away, i = min(ways, default=(float("inf"), -1))
            if away <= PLACE_EDGES * edge:
                place = free.pop(i)
                place.center_px = here
            else:
                place = _PlaceVotes(here)
                places.append(place)
            match seen:
                case SeenDie():
                    place.dice.append(seen)
                case UnsureDie():
                    place.unsure.append(seen)
    return places


Change = Literal["found", "thrown", "toppled", "nudged", "taken"]

TOPPLE_MS = 300.0
"""The longest motion by which a die topples."""
TOPPLE_REST_MS = 1000.0
OVERTAKEN_MS = 200.0
"""When something has moved for this long, the rest before it is over, read or not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowSettings:
    """How readings are voted on."""

    votes: int = 5
    """The most pictures of one scene that are read; 1 to 50."""
    sure: float = 0.97
    """A reading in which every die has at least this confidence decides alone; above 0, at most 1."""

    def __post_init__(self) -> None:
        """Raises ValueError for settings out of range."""
        if not 1 <= self.votes <= 50:
            raise ValueError(f"votes is 1 to 50 readings; got {self.votes}")
        if not 0 < self.sure <= 1:
            raise ValueError(f"sure is above 0 and at most 1; got {self.sure}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest:
    """Dice that came to rest, what they show, and how they came there."""

    scene: int
    change: Change
    reading: Reading
    sure: bool
    """False: the pictures disagree, or a die could not be read."""
    hand: bool
    """Whether a hand was in the picture since the rest before."""
    picture_ms: float
    """When the picture was taken that `reading` describes."""


class Throws:
    """Takes every look, asks for a reading when one is needed, and reports each rest once."""

    def __init__(self, settings: ThrowSettings | None = None) -> None:
        """Knows no dice yet."""
        self._settings = settings or ThrowSettings()
        self._ballot: list[tuple[FrameState, Reading]] = []
        self._last: Rest | None = None
        self._since_ms = 0.0
        self._lain_ms = 0.0
        self._here = False

    @property
    def lying(self) -> Rest | None:
        """The dice on the table now; None while something moves, a hand is there or nothing was decided."""
        return self._last if self._here else None

    def see(self, look: FrameState, read: Callable[[], Reading]) -> Rest | None:
        """Take a look in; the new rest, if this look decides one, else None. `read` reads the look's picture
        and is called only when needed."""
        self._here = look.settled and self._last is not None and look.scene == self._last.scene
        if self._here:
            self._lain_ms = look.time_ms - self._since_ms
        if self._here:
            return None
        if not look.settled:
            return self._overtaken(look)
        if self._ballot and self._ballot[0][0].scene != look.scene:
            self._ballot = []
        self._ballot.append((look, read()))
        decided = self._decide()
        return None if decided is None else self._tell(*decided)

    def _overtaken(self, look: FrameState) -> Rest | None:
        """The rest of dice that were taken up before they were read surely: what was seen of them, as not
        sure; None otherwise."""
        if not self._ballot or look.time_ms - self._ballot[-1][0].time_ms < OVERTAKEN_MS:
            return None
        together = vote([reading for _, reading in self._ballot], self._settings.sure)
        rest = self._tell(self._ballot[-1][0], together, False)
        self._here = False
        return rest

    def _decide(self) -> tuple[FrameState, Reading, bool] | None:
        """The look, what the readings of its scene say together, and whether that is sure; None while more
        must be read."""
        look, newest = self._ballot[-1]
        if (
            newest.dice
            and not newest.unsure
            and all(die.confidence >= self._settings.sure for die in newest.dice)
        ):
            return look, newest, True
        together = vote([reading for _, reading in self._ballot], self._settings.sure)
        if len(self._ballot) > 1 and not together.unsure:
            return look, together, True
        return (look, together, False) if len(self._ballot) >= self._settings.votes else None

    def _tell(self, look: FrameState, reading: Reading, sure: bool) -> Rest | None:
        """The decided rest, or None when it is the last one again."""
        change = _change(self._last, reading, look, self._lain_ms)
        self._ballot, self._here = [], True
        self._since_ms, self._lain_ms = look.still_since_ms, look.time_ms - look.still_since_ms
        if change is None and self._last is not None:
            self._last = replace(
                self._last, scene=look.scene, reading=reading, sure=sure, picture_ms=look.time_ms
            )
            return None
        self._last = Rest(
            scene=look.scene,
            change=change or "found",
            reading=reading,
            sure=sure,
            hand=look.hand_before_scene,
            picture_ms=look.time_ms,
        )
        return self._last


def _change(before: Rest | None, after: Reading, look: FrameState, lain_ms: float) -> Change | None:
    """How the last rest became this one; None when it is the same (see the head of this file)."""
    if before is None:
        return "found"
    was = compare_readings(before.reading, after)
    if was == "same":
        return None
    if was != "other":
        return was
    toppled = before.reading.dice and look.tumbled_ms < TOPPLE_MS and lain_ms < TOPPLE_REST_MS
    return "toppled" if toppled and not look.hand_before_scene else "thrown"
