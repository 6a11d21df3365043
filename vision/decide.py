"""Decides what is told of each find: a die as read, one that is unsure with its reason, or nothing.

- A face of which the reader is sure stands, unless its die leans or is cut off.
- Everything else that looks like a die is unsure, with the reason; but nothing is said of each mark of a
cloth that bears very many.
"""

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from vision.face_place import leave_unsure, vouch_for
from vision.learned.reader import BLOB_APART, LYING, SURE, JudgedFace, least_confidence
from vision.reading import DiceChoice, SeenDie, UnsureDie

MIXED: tuple[DiceChoice, ...] = ("auto", "zoinx-and-bet")
"""What is said where dice of more than one kind may lie."""
GUESSED = 0.5
"""The confidence from which an unsure face keeps what it most likely shows: if the throw as a whole is sure,
it is read all the same (`vision.reading`)."""
MENTIONED = 0.3
"""The confidence from which a find is mentioned, however cold."""
SEEN_HEAT, SIDE_HEAT = 0.35, 0.5
"""The finder's heat below which a find is reported as unsure only if it looks like a face; and the same for
one that lies too near a likelier die for a die of its own."""
LOOKS_DUE = 0.5
"""The chance of its likeliest class from which a find that looks like a die that is due is mentioned, however
cold: what nobody mentions is missed in silence."""
LEANS = 1.2
"""The log odds of leaning (`Face.leaning`) from which a die is taken to lean. With it none of 1,093 dice of
`epanemu_dice3` is misread and two of 1,353 of `rune55_trays`, named or not; when it was chosen, 2.0 misread
two to three times as many."""
LEANS_DOUBTED = 0.6
"""The same limit where the kind is known, for betting dice and D4 and for faces that are not sure."""


def decide(looked: Sequence[JudgedFace]) -> tuple[tuple[SeenDie, ...], tuple[UnsureDie, ...]]:
    """The dice that are vouched for and those that are not, each left to right in the picture.

    `looked` is what the networks say of each find.
    """
    seen: list[SeenDie] = []
    unsure: list[UnsureDie] = []
    for one in (one for one in looked if not one.face.is_none):
        leans = _lying(one)
        said = leans or _read_or_unsure(one)
        if isinstance(said, SeenDie):
            seen.append(said)
        elif not one.patterned and (leans or _is_mentioned(one)):
            unsure.append(said)
    unsure += _shapeless(looked, seen, unsure)
    return (
        tuple(sorted(seen, key=lambda die: die.center_px)),
        tuple(sorted(unsure, key=lambda one: one.center_px)),
    )


def _shapeless(
    looked: Sequence[JudgedFace], seen: Sequence[SeenDie], unsure: Sequence[UnsureDie]
) -> list[UnsureDie]:
    """What shows no face but is of a die's size, where nothing that is told lies."""
    return [
        _unread(one)
        for one in looked
        if one.face.is_none and not (_is_near(one, seen, BLOB_APART) or _is_near(one, unsure, BLOB_APART))
    ]


def _is_mentioned(one: JudgedFace) -> bool:
    """Whether a find that cannot be vouched for is mentioned all the same."""
    return _is_warm(one) or one.confidence >= MENTIONED or _may_be_due(one)


def _is_warm(one: JudgedFace) -> bool:
    """Whether the finder holds a find so much for a die that it is mentioned whatever it shows."""
    return one.face.heat >= (SIDE_HEAT if one.face.rivalled else SEEN_HEAT)


def _may_be_due(one: JudgedFace) -> bool:
    """Whether a find looks like a die that is due more than like anything else, or has the size of the dice
    beside it, however cold it is, and is no side of a likelier one."""
    due = one.die is not None and not one.face.printed and not one.face.rivalled
    return due and (one.sized or float(one.face.chances.max()) >= LOOKS_DUE)


def aslant(one: JudgedFace) -> str:
    """Why a die must not be read: it is cut off or leans. Empty where neither is so."""
    if not one.whole:
        return LYING["cut"]
    return LYING["cocked"] if _leaning(one) >= LEANS else ""


def _leaning(one: JudgedFace) -> float:
    """The log odds of leaning that may forbid a reading. How a D4 stands is weighed in its confidence alone:
    the limits were found with six-sided dice."""
    return -np.inf if one.face.close else one.face.leaning


def _lying(one: JudgedFace) -> UnsureDie | None:
    """The face as unsure, with how its die lies, where it does not lie flat and free."""
    reason = aslant(one)
    doubted = one.confidence < SURE or (one.die is not None and one.die.kind in ("bet", "d4"))
    if doubted and one.named not in MIXED and _leaning(one) >= LEANS_DOUBTED:
        reason = LYING["cocked"]
    return leave_unsure(one.face.place.center, reason) if reason else None


def _read_or_unsure(one: JudgedFace) -> SeenDie | UnsureDie:
    """A face as read, if its confidence is high enough."""
    if one.die is None:
        return _unread(one)
    read = vouch_for(one.die, one.face.place, one.confidence, one.body)
    if one.confidence >= least_confidence(one.die, one.named):
        return read
    guessed = one.confidence >= GUESSED and one.die.kind != "d4" and one.named != "auto"
    return _unread(one, read if guessed else None)


def _unread(one: JudgedFace, likely: SeenDie | None = None) -> UnsureDie:
    """A face that is not vouched for by what it shows; `likely` is what it most likely is."""
    unsure = leave_unsure(one.face.place.center, one.reason, likely)
    if one.short_px is None:
        return unsure
    edge_px, needed_px = one.short_px
    return replace(unsure, edge_px=round(edge_px, 1), needed_px=needed_px)


def _is_near(one: JudgedFace, others: Sequence[SeenDie | UnsureDie], reach: float) -> bool:
    """Whether any of `others` lies within so many half edges."""
    place = one.face.place
    away = [float(np.hypot(*(place.center - np.array(other.center_px)))) for other in others]
    return min(away, default=np.inf) < reach * place.half_px
