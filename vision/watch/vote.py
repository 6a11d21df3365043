"""Makes one reading of several of one rest: each place on the table votes for itself.

A place is where a die or something unsure was seen, within half an edge, in the readings of one scene. It
counts when at least half of the readings saw it. Its face is decided by one confident reading, or by two that
agree, as long as no reading contradicts; against a contradiction it takes three times as many. What is not
decided stays unsure.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import dist

from engine.wording import phrase_later
from vision.reading import Point, Reading, SeenDie, UnsureDie
from vision.watch.change import find_edge

PLACE_EDGES = 0.5
CONTRADICTED = 3

DISAGREE = phrase_later("the pictures disagree")
UNCERTAIN = phrase_later("seen too uncertainly")


@dataclass(slots=True)
class _Place:
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


def _likely(place: _Place) -> SeenDie | None:
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


def _places(readings: Sequence[Reading]) -> list[_Place]:
    """Where something was seen, following it from reading to reading."""
    edge = find_edge(*readings)
    places: list[_Place] = []
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
                place = _Place(here)
                places.append(place)
            match seen:
                case SeenDie():
                    place.dice.append(seen)
                case UnsureDie():
                    place.unsure.append(seen)
    return places
