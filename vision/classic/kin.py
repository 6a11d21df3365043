"""What the dice of one picture tell of each other: one leans, one stands on another, one is half hidden.

- The marks of a leaning die are flatter than its neighbours' marks: one camera sees all flat dice alike.
- Beyond an up-face at most two adjacent sides of its own die can be seen. Something on two opposite sides is
  a second body, under it. Where the surface is not plain, this is not judged.
- A mark that is like those of the dice that were read, but lies on none of them, belongs to a die without a
  visible square face.
"""

from collections.abc import Sequence

import numpy as np

from calibration.arrays import Picture, Singles
from vision.classic.check import Proposal
from vision.classic.marks import Marks, middle, to_level
from vision.classic.square import levels_for, sample

LIKE_COLOR = 55.0
"""The most by which two inks, or two bodies, of one make of dice differ, in grey levels."""
LEAST_ASPECT = 0.6
OWN_REACH = 0.95
"""Marks nearer than this to a face's middle, in edges, may be on a side face of that die."""
FLATTER = 0.02
"""How much flatter, as aspect, a leaning die's marks must be at least; more where the marks are uneven."""
ALONE = 0.03
"""The scatter of aspects that is assumed where there is only one other die."""
BEYOND = 1.24
"""How far from the middle a second body is looked for, in half edges: clear of rounded edges and blur."""
FAR = 3.0
"""Dice farther apart than this, in the sum of their edges, cannot cover the places that are looked at round
each other's faces."""
SMALLEST_EDGE_PX = 32.0
SQUARELY = 0.95
"""The least aspect of the marks with which a second body is looked for: below it the camera looks too much
from the side."""
CLEAR_BORDER = 0.75
"""The least share of agreeing border rays with which a second body is looked for: of a face with a vaguer
border, its own body might show beyond."""
CORNERED = 0.65
TIGHTEST = -0.29
"""The least "half" number (half edge in steps between pips, less 2) for a second body to be looked for, as
`CORNERED` is the least "corner": with less, what was found is not the whole border of the face."""
OTHER_GREY = 16.0
"""The least difference in grey levels from the table's colour, lit or shaded, that makes a colour another
one."""
LEAST_RUN = 0.1
"""The share of places beyond a side that must differ from the table for something to be there."""
MOST_UNPLAIN = 0.05
"""The largest share of the surroundings that may have another colour than the table."""
_ALONG = np.linspace(-0.93, 0.93, 21).astype(np.float32)
_NORMALS = np.array(((1, 0), (0, 1), (-1, 0), (0, -1)), np.float32)
_ACROSS = np.array(((0, 1), (1, 0), (0, 1), (1, 0)), np.float32)
_SIDES = BEYOND * _NORMALS[:, None] + _ALONG[None, :, None] * _ACROSS[:, None]
"""4 sides x 21 places beyond a face, in half edges from its middle."""
_ROUND = np.concatenate(
    [d * _NORMALS[:, None] + 1.7 * _ALONG[None, ::2, None] * _ACROSS[:, None] for d in (1.8, 2.1, 2.4)]
).reshape(-1, 2)
"""Places further round a face, in half edges from its middle."""


def is_cocked(face: Proposal, others: Sequence[Proposal]) -> bool:
    """Whether a face's marks are clearly flatter than those of the other dice."""
    if not others:
        return False
    aspects = np.array([other.numbers["aspect"] for other in others], np.float32)
    usual = float(middle(aspects))
    scatter = 1.48 * float(middle(np.abs(aspects - usual))) if len(others) > 1 else ALONE
    # Marks that are often not round, drilled or worn ones, say less; so does a single mark.
    doubt = (1 - usual) + 2.5 * scatter
    allowed = 2.5 * FLATTER + 1.5 * doubt if len(face.members) == 1 else FLATTER + doubt
    return face.numbers["aspect"] < usual - allowed


def is_stacked(levels: list[Picture], face: Proposal, others: Sequence[Proposal]) -> bool:
    """Whether a second body is seen on two opposite sides of a face."""
    edge = face.edge_px
    numbers = face.numbers
    if edge < SMALLEST_EDGE_PX or numbers["aspect"] < SQUARELY or numbers["share"] < CLEAR_BORDER:
        return False
    if numbers["corner"] < CORNERED or numbers.get("half", 0.0) < TIGHTEST:
        return False
    level = int(levels_for(np.asarray(edge, np.float32), 40.0, len(levels)))
    most = np.array(levels[0].shape[1::-1], np.float32) - 1
    others = [
        other
        for other in others
        if np.hypot(*(other.place.center - face.place.center)) < FAR * (edge + other.edge_px)
    ]

    def colors(steps: Singles) -> tuple[Singles, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
        """Colours at places given in half edges, and which of the places are in the picture and on no other
        die."""
        places = np.asarray(face.place.center + steps.reshape(-1, 2) @ face.place.axes.T, np.float32)
        free = ((places >= 0) & (places <= most)).all(axis=1)
        for other in others:
            free &= ~other.covers(places, 1.75)
        return sample(levels[level], to_level(places, level)).astype(np.float32), np.asarray(free)

    round_it, free = colors(_ROUND)
    if np.count_nonzero(free) < 0.3 * len(free):
        return False
    table = middle(round_it[free])
    if float((_unlike(round_it[free], table) > OTHER_GREY).mean()) > MOST_UNPLAIN:
        return False
    beyond, free = colors(_SIDES)
    seen = ((_unlike(beyond, table) > OTHER_GREY) & free).reshape(4, -1).mean(axis=1) > LEAST_RUN
    return bool((seen[:2] & seen[2:]).any())


def _unlike(colors: Singles, table: Singles) -> Singles:
    """How far N colours are from the table's at its best fitting brightness, in grey levels (N)."""
    light = np.clip(colors @ table / max(float(table @ table), 1.0), 0.2, 1.3)
    return np.asarray(np.abs(colors - light[:, None] * table).max(axis=1), np.float32)


def find_strays(marks: Marks, read: Sequence[Proposal], known: Sequence[Proposal]) -> list[Singles]:
    """Where marks lie that are like those of the sure faces `read` but on none of the faces `known`: one
    place (2,) for each die."""
    if not len(marks) or not read:
        return []
    free = marks.aspect > LEAST_ASPECT
    for face in known:
        away = np.hypot(*(marks.xy - face.place.center).T)
        free &= away > OWN_REACH * face.edge_px
    found: list[Singles] = []
    for face in read:
        members = list(face.members)
        edge = face.edge_px
        for place in marks.xy[free & _like(marks, members)]:
            if not found or np.hypot(*(np.stack(found) - place).T).min() > 0.9 * edge:
                found.append(np.asarray(place, np.float32))
    return found


def _like(marks: Marks, members: list[int]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which marks have about the same size, ink and surround as the marks `members`."""
    ratio = marks.radius / float(middle(marks.radius[members]))
    ink = np.abs(marks.ink - middle(marks.ink[members])).max(axis=1)
    body = np.abs(marks.body - middle(marks.body[members])).max(axis=1)
    return np.asarray((ratio > 0.7) & (ratio < 1.35) & (ink < LIKE_COLOR) & (body < LIKE_COLOR))
