"""Puts together what the networks and the classical reader say of one picture.

- A face in which both read the same stands, with the confidence that is left when both must be wrong
together.
- A face of which the networks are sure stands alone, unless the classical reader reads it otherwise or sees
it lean.
- A face that the networks can make nothing of stands when the classical reader is sure of it; one that they
do not see at all only where it is known which kind is due, for on patterned cloth it sees dice that are none.
- Everything else that looks like a die is unsure, with the reason; but nothing is said of each mark of a
cloth that bears very many.
"""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from msgspec.structs import replace

from engine.dice import Die
from engine.wording import phrase_later
from vision.classic import UNREADABLE
from vision.face_place import leave_unsure, vouch_for
from vision.learned.reader import BLOB_APART, JudgedFace
from vision.learned.reader import LYING as OTHERWISE
from vision.reading import Reading, SeenDie, UnsureDie

Placed = TypeVar("Placed", SeenDie, UnsureDie)

ONLY_MARKS = phrase_later("only its marks look like a die")
SURE = 0.9
"""The confidence from which a face counts as read; below it is unsure."""
GUESSED = 0.5
"""The confidence from which an unsure face keeps what it most likely shows: if the throw as a whole is sure,
it is read all the same (`vision.reading`)."""
SURE_OF_D4, SURE_OF_MARK = 0.95, 0.983
"""The least confidence of the networks in a D4, of which 3 of 580 drawn ones so sure were wrong; and in a
face with a single mark where any kind may lie and the classical reader did not read it. Many things that are
no dice have one spot, and strangers' dice have digits. Where the kind was named, single marks were right as
often as others of the same confidence."""
LIKELY, SEEN_BY_BOTH = 0.3, 0.7
"""The confidence below which the networks do not really hold a find for the die that they name; and below
which, where any kind may lie, that the classical reader sees it too says little: side faces bear pips."""
SURE_ALONE = 0.97
"""The least confidence of the classical reader in a die that the networks do not see or hold for unlikely,
where the kind is known. So sure, it is right about that often."""
ALONE_AT_MOST = 0.95
TOLD_AT_MOST = 0.989
"""The highest confidence that is told where any kind may lie: a die that leans or is half covered, and a
domino, look like a die at rest to both readers."""
SEEN_HEAT, SIDE_HEAT = 0.35, 0.5
"""The finder's heat below which a find is reported as unsure only if it looks like a face; and the same for
one that lies too near a likelier die for a die of its own."""
LOOKS_DUE = 0.5
"""The chance of its likeliest class from which a find that looks like a die that is due is mentioned, however
cold: what nobody mentions is missed in silence."""
SAME_PLACE = 0.7
"""How near two readings' middles must be to be of one die, in half edges."""
DEPENDENT = 0.35
"""The part of the networks' errors that the classical reader shares: when both agree and the classical reader
is quite sure, this part of the networks' doubt is left."""
LYING = {"cocked": 1.0, "stacked": 1.0, "leaning or half hidden": SURE}
"""The classical reader's reasons that tell how a die lies by its neighbours, each with the networks'
confidence from which they overrule it. A mark that it can place on no face overrules no sure network: of the
dice in three sources of photographs that the networks were sure of, having learnt from none, it doubted 239
that were read right and three that were not."""
LEANS = 1.2
"""The log odds of leaning (`Face.leaning`) from which a die is taken to lean, whoever reads it. With it, and
nobody naming the kind, 4 of 1,093 dice of `epanemu_dice3` are misread, with 2.0 it is 10, and none is read
less in five sources of photographs. Where the kind is named, two in 1,353 of `rune55_trays` are."""
LEANS_DOUBTED = 0.6
"""The same limit where the kind is known, for betting dice, which the classical reader does not know, and for
faces that the networks are not sure of: that both readers read the same face does not say that it lies
flat."""
SURE_OF_STRAYS = 0.99
"""The least confidence of the classical reader in a face that the networks hold for none, where any kind may
lie: what looks like a face to the classical reader alone is mostly printed."""


def decide(
    looked: Sequence[JudgedFace], second: Reading | None, *, any_kind: bool = False, named: bool = False
) -> tuple[tuple[SeenDie, ...], tuple[UnsureDie, ...]]:
    """The dice that are vouched for and those that are not, each left to right in the picture.

    `looked` is what the networks say, `second` what the classical reader says, None where it was not asked.
    With `any_kind` dice of more than one kind may lie there, so more is asked of the classical reader; and of
    a face that only the networks read, unless these kinds were `named`.
    """
    seen: list[SeenDie] = []
    unsure: list[UnsureDie] = []
    left = list(second.dice) if second else []
    lying = [one for one in second.unsure if one.reason in LYING] if second else []
    for one in (one for one in looked if not one.face.is_none):
        partner = _nearest(one, left)
        if partner is not None:
            left.remove(partner)
        leans = _lying(one, lying, any_kind)
        if any_kind and partner is not None and one.confidence < SEEN_BY_BOTH:
            partner = partner if partner.confidence >= SURE_OF_STRAYS else None
        said = leans or _report_face(one, partner, strict=any_kind and not named)
        if isinstance(said, SeenDie):
            seen.append(said)
        elif not one.patterned and (leans or _is_mentioned(one)):
            unsure.append(said)
    for die in left:
        if die.confidence >= SURE_ALONE and not any_kind:
            seen.append(replace(die, confidence=min(die.confidence, ALONE_AT_MOST)))
        else:
            unsure.append(UnsureDie(center_px=die.center_px, reason=ONLY_MARKS))
    if second and not any_kind:
        unsure += [one for one in second.unsure if not any(_nearest(face, [one], 1.0) for face in looked)]
    unsure += _shapeless(looked, seen, unsure)
    if any_kind:
        seen = [replace(die, confidence=min(die.confidence, TOLD_AT_MOST)) for die in seen]
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
        if one.face.is_none and not (_nearest(one, seen, BLOB_APART) or _nearest(one, unsure, BLOB_APART))
    ]


def _is_mentioned(one: JudgedFace) -> bool:
    """Whether a find that cannot be vouched for is mentioned all the same."""
    return _is_warm(one) or one.confidence >= LIKELY or _may_be_due(one)


def _is_warm(one: JudgedFace) -> bool:
    """Whether the finder holds a find so much for a die that it is mentioned whatever it shows."""
    return one.face.heat >= (SIDE_HEAT if one.face.rivalled else SEEN_HEAT)


def _may_be_due(one: JudgedFace) -> bool:
    """Whether a find looks like a die that is due more than like anything else, or has the size of the dice
    beside it, however cold it is, and is no side of a likelier one."""
    due = one.die is not None and not one.face.printed and not one.face.rivalled
    return due and (one.sized or float(one.face.chances.max()) >= LOOKS_DUE)


def aslant(one: JudgedFace) -> str:
    """Why a die must not be read, whoever reads it: it is cut off or leans. Empty where neither is so."""
    if not one.whole:
        return OTHERWISE["cut"]
    return OTHERWISE["cocked"] if _leaning(one) >= LEANS else ""


def _leaning(one: JudgedFace) -> float:
    """The log odds of leaning that may forbid a reading. How a D4 stands is weighed in its confidence alone:
    the limits were found with six-sided dice."""
    return -np.inf if one.face.close else one.face.leaning


def _lying(one: JudgedFace, lying: Sequence[UnsureDie], any_kind: bool) -> UnsureDie | None:
    """The face as unsure, with how its die lies, where either reader says that it does not lie flat and
    free."""
    reason = aslant(one)
    doubted = for_networks_alone(one) or one.confidence < SURE
    if doubted and not any_kind and _leaning(one) >= LEANS_DOUBTED:
        reason = OTHERWISE["cocked"]
    if reason:
        return leave_unsure(one.face.place.center, reason)
    told = _nearest(one, lying, 1.0)  # a leaning die's marks lie to one side
    return None if told is not None and one.confidence >= LYING[told.reason] else told


def _report_face(one: JudgedFace, partner: SeenDie | None, strict: bool) -> SeenDie | UnsureDie:
    """What is said of one face that the networks found. `partner` is the classical reader's die there; where
    it is missing and `strict` is set, more is asked of the networks."""
    sure, unknown = one.confidence, for_networks_alone(one)
    if partner is not None and partner.die != one.die:
        if one.die is not None and unknown and sure >= (_alone(one.die) if strict else SURE):
            return vouch_for(one.die, one.face.place, sure, one.body)
        if sure < LIKELY and partner.confidence >= SURE_ALONE and not unknown:
            return replace(partner, confidence=min(partner.confidence, ALONE_AT_MOST))
        return leave_unsure(one.face.place.center, phrase_later("two ways of reading it differ"))
    if partner is not None:
        sure = 1 - (1 - sure) * (1 - (1 - DEPENDENT) * partner.confidence)
        if sure < SURE <= partner.confidence:
            return partner
    return _sure_or_not(one, sure, alone=strict and partner is None, strict=strict)


def _sure_or_not(one: JudgedFace, sure: float, *, alone: bool, strict: bool) -> SeenDie | UnsureDie:
    """A face as read, if its confidence is high enough. `strict`: nobody named the kind; `alone`: nor did the
    classical reader read it."""
    if one.die is None:
        return _unread(one)
    read = vouch_for(one.die, one.face.place, sure, one.body)
    if sure >= (_alone(one.die) if one.die.kind == "d4" or alone else SURE):
        return read
    guessed = sure >= GUESSED and one.die.kind != "d4" and not strict
    return _unread(one, read if guessed else None)


def _unread(one: JudgedFace, likely: SeenDie | None = None) -> UnsureDie:
    """A face that is not vouched for by what it shows; `likely` is what it most likely is."""
    unsure = leave_unsure(one.face.place.center, one.reason, likely)
    if one.short_px is None:
        return unsure
    edge_px, needed_px = one.short_px
    return replace(unsure, edge_px=round(edge_px, 1), needed_px=needed_px)


def for_networks_alone(one: JudgedFace) -> bool:
    """Whether it shows a die that the classical reader does not know."""
    return one.die is not None and one.die.kind in UNREADABLE


def _alone(die: Die) -> float:
    """The least confidence in a face that only the networks read."""
    if die.kind == "d4":
        return SURE_OF_D4
    return SURE if die.kind == "pip" and die.value != 1 else SURE_OF_MARK


def _nearest(one: JudgedFace, others: Sequence[Placed], reach: float = SAME_PLACE) -> Placed | None:
    """What the other reader says of the same die: the nearest of `others` within `reach` half edges, or
    None."""
    place = one.face.place
    ways = [(float(np.hypot(*(place.center - np.array(o.center_px)))), i) for i, o in enumerate(others)]
    away, i = min(ways, default=(np.inf, -1))
    return others[i] if away < reach * place.half_px else None
