"""What is wrong with dice that are not read for certain, and what to do about it, in a sentence each."""

from collections.abc import Mapping
from math import dist
from statistics import median

import numpy as np

from calibration.arrays import Picture
from calibration.fit import light_of
from device.setup.shown import HintShown, MarkShown, PointPx
from engine.dice import DieKind
from engine.wording import phrase, phrase_later
from engine.words import together
from vision.legible import EDGE_NEEDED, legible
from vision.reading import Reading, SeenDie, UnsureDie

GLARE_SHARE = 0.1
"""The share of burnt pixels from which a lamp hides what a die shows."""
UNKNOWN_EDGE = 0.04
"""A die's edge, as a share of the picture's width, where no die was read."""
SIGNS = {"dot": "●", "square": "■"}
"""Faces without a number, in the picture."""
LEANS = phrase_later("Die {number} leans: it has to lie flat. Throw it again.")
NO_FLAT_FACE = phrase_later(
    "Die {number} shows no face that lies flat. Throw it again; a camera that hangs straight above the dice "
    "sees them best."
)
NOT_CLEAR = phrase_later("Die {number} does not show its face clearly: more light, or a sharper picture.")
SMALL = phrase_later(
    "Die {number} is too small in the picture: hang the camera lower, or set larger pictures under [camera]."
)
PRINTED = phrase_later(
    "What is marked {number} may be printed on the table. Throw onto a plain cloth, or take it away."
)
OTHER = phrase_later("Die {number} is of another kind. Leave only those there that were asked for.")
ADVICE: Mapping[str, str] = {
    phrase_later("cocked"): LEANS,
    phrase_later("leaning or half hidden"): phrase_later(
        "Die {number} leans, or is half hidden. Throw it again."
    ),
    phrase_later("stacked"): phrase_later("Die {number} lies on another one, or touches it. Throw it again."),
    phrase_later("half hidden"): phrase_later("Die {number} is half hidden: take away what lies before it."),
    phrase_later("at the picture's edge"): phrase_later(
        "Die {number} lies at the picture's edge. Throw it into the middle."
    ),
    phrase_later("it may be printed on the table"): PRINTED,
    phrase_later("only its marks look like a die"): PRINTED,
    phrase_later("its marks make no face of a die"): PRINTED,
    phrase_later("of a die's size, but it shows no face"): phrase_later(
        "What is marked {number} is of a die's size and shows no face. If it is none, take it away; "
        "if it is one, the picture has to be sharper."
    ),
    phrase_later("a die of a kind that was not expected"): OTHER,
    phrase_later("unlike the other dice, and not clear"): OTHER,
    phrase_later("too small in the picture"): SMALL,
    phrase_later("its face does not show clearly"): NOT_CLEAR,
    phrase_later("its border does not show clearly"): NOT_CLEAR,
    phrase_later("two ways of reading it differ"): NOT_CLEAR,
    phrase_later("its marks hardly stand out"): phrase_later(
        "The marks of die {number} hardly stand out: more light, or dice whose marks have another colour."
    ),
    phrase_later("seen too much from the side"): phrase_later(
        "Die {number} is seen too much from the side: hang the camera straight above, or throw into the "
        "middle."
    ),
    phrase_later("not like a face lying flat"): NO_FLAT_FACE,
}
"""By the reason that vision gives (`vision.reading.UnsureDie.reason`)."""
UNKNOWN = phrase_later("Die {number} is not read ({reason}). Throw it again, or give it more light.")
GLARE = phrase_later("A lamp mirrors on die {number}: move the lamp to the side, or soften it.")


def hints_on(
    picture: Picture, reading: Reading, kind: DieKind, fine_scale: float, words: Mapping[str, str]
) -> tuple[HintShown, ...]:
    """What was read in a picture, how sure, and what is wrong with each die that is not.

    `fine_scale` is how many times more pixels a side the picture has that faces are read from; `words` are
    those for faces, by `str` of them.
    """
    if not reading.dice and not reading.unsure:
        text = phrase(
            "No dice are seen. They have to lie in the picture, on a cloth of another colour, and flat."
        )
        return (HintShown("read", "warn", text),)
    hints = [_read(reading.dice, words)] if reading.dice else []
    if reading.dice and (small := _size(reading.dice, kind, fine_scale)) is not None:
        hints.append(small)
    for number, die in enumerate(reading.unsure, 1):
        text = advice_for(picture, die, edge_of(reading), number)
        hints.append(HintShown(f"unsure{number}", "fail", text))
    return tuple(hints)


def advice_for(picture: Picture, die: UnsureDie, edge_px: float, number: int) -> str:
    """What is wrong with a die that is not read, and what to do, in a sentence."""
    x, y = die.center_px
    half = edge_px / 2
    rows, columns = (slice(max(0, round(at - half)), round(at + half) + 1) for at in (y, x))
    face = np.ascontiguousarray(picture[rows, columns])
    if face.size and light_of(face).burnt_share > GLARE_SHARE:
        return phrase(GLARE, number=number)
    return phrase(ADVICE.get(die.reason, UNKNOWN), number=number, reason=phrase(die.reason))


def edge_of(reading: Reading) -> float:
    """How wide dice are in the picture, pixels; a guess where none was read."""
    if not reading.dice:
        return UNKNOWN_EDGE * reading.width_px
    return median(map(_edge_px, reading.dice))


def marks_on(reading: Reading) -> tuple[MarkShown, ...]:
    """Each die in the picture: what it was read as and how sure, or its number where it was not."""
    read = [
        MarkShown("die", _rounded(die.corners_px), closed=True, label=_label(die)) for die in reading.dice
    ]
    half = 0.6 * edge_of(reading)
    unsure = [
        MarkShown("unsure", square_about(die.center_px, half), closed=True, label=f"{number}?")
        for number, die in enumerate(reading.unsure, 1)
    ]
    return (*read, *unsure)


def square_about(center_px: PointPx, half_px: float) -> tuple[PointPx, ...]:
    """A square in the picture, by its four corners."""
    x, y = center_px
    corners = ((-half_px, -half_px), (half_px, -half_px), (half_px, half_px), (-half_px, half_px))
    return _rounded(tuple((x + right, y + down) for right, down in corners))


def _read(dice: tuple[SeenDie, ...], words: Mapping[str, str]) -> HintShown:
    faces = together([words[str(die.value)] for die in dice])
    least = min(die.confidence for die in dice)
    text = phrase(
        "Read: {faces}. The least sure of them is right {share} times of 100.",
        faces=faces,
        share=int(100 * least),
    )
    return HintShown("read", "ok", text)


def _size(dice: tuple[SeenDie, ...], kind: DieKind, fine_scale: float) -> HintShown | None:
    edge_px = median(map(_edge_px, dice)) * (fine_scale if kind == "d4" else 1.0)
    if legible(kind, edge_px) == "well":
        return None
    text = phrase(
        "They are {edge} px wide in the picture; with {well} px they are read better. "
        "Hang the camera lower, or set larger pictures under [camera].",
        edge=round(edge_px),
        well=round(EDGE_NEEDED[kind].well_px),
    )
    return HintShown("size", "warn", text)


def _edge_px(die: SeenDie) -> float:
    corners = die.corners_px
    return sum(dist(a, b) for a, b in zip(corners, (*corners[1:], corners[0]), strict=True)) / len(corners)


def _label(die: SeenDie) -> str:
    face = SIGNS.get(str(die.value), str(die.value))
    return phrase("{face}: {share} %", face=face, share=int(100 * die.confidence))


def _rounded(points: tuple[PointPx, ...]) -> tuple[PointPx, ...]:
    return tuple((round(x, 1), round(y, 1)) for x, y in points)
