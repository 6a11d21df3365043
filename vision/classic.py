"""Reads pip and Zoinx dice without a network: marks, patterns of marks, a check on the picture, a confidence.

What it cannot read it says it cannot: a proposal that is not sure becomes an `UnsureDie` with the reason.
"""

import time
from dataclasses import dataclass

import cv2
import numpy as np

from vision.check import Proposal, check_lone, check_pattern
from vision.colors import color_word
from vision.find import Floats, Marks, Picture, find_marks, pyramid
from vision.kin import cocked, stacked, strays
from vision.pips import patterns
from vision.reading import DiceChoice, Point, Reading, SeenDie, UnsureDie
from vision.trust import confidence, reason

SURE = 0.8
"""Below this a face is not read but reported as unsure."""
LIKELY = 0.35
"""Below this it is not even reported: it is no die."""
UNREADABLE = ("bet", "d4")
"""Kinds whose faces only the networks read: such dice are seen, and reported as unsure."""
MOST_PATTERNS = 180
MOST_LONE = 90


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """A proposal that was judged."""

    proposal: Proposal
    confidence: float


class ClassicReader:
    """The classical reader: no network, no calibration, any picture."""

    def __init__(self, threads: int = 1) -> None:
        """`threads` is OpenCV's number of threads for the whole program."""
        if threads < 1:
            raise ValueError(f"a reader needs one thread or more; got {threads}")
        cv2.setNumThreads(threads)

    def read(self, picture: Picture, dice: DiceChoice = "auto") -> Reading:
        """What lies in a picture (height x width x 3, blue green red)."""
        begun = time.perf_counter()
        levels = pyramid(picture)
        marks, faces = _marks_and_faces(levels, dice)
        doubts = [_doubt(levels, face, faces, dice) for face in faces]
        sure = [face for face, doubt in zip(faces, doubts, strict=True) if not doubt]
        seen = sorted((_seen(face) for face in sure), key=lambda die: die.center_px)
        unsure = [
            UnsureDie(center_px=_point(face.proposal.center), reason=doubt)
            for face, doubt in zip(faces, doubts, strict=True)
            if doubt
        ]
        unsure += [
            UnsureDie(center_px=_point(place), reason="leaning or half hidden")
            for place in strays(marks, [face.proposal for face in sure], [face.proposal for face in faces])
        ]
        unsure.sort(key=lambda place: place.center_px)
        height, width = picture.shape[:2]
        return Reading(
            width_px=width,
            height_px=height,
            dice=tuple(seen),
            unsure=tuple(unsure),
            elapsed_ms=(time.perf_counter() - begun) * 1000,
        )


def _point(xy: Floats) -> Point:
    return (round(float(xy[0]), 2), round(float(xy[1]), 2))


def _seen(face: Face) -> SeenDie:
    one = face.proposal
    u, v = one.axes
    corners = tuple(_point(one.center + a * u + b * v) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)))
    return SeenDie(
        kind=one.kind,
        value=one.value,
        confidence=round(face.confidence, 4),
        color=color_word(one.body),
        center_px=_point(one.center),
        corners_px=(corners[0], corners[1], corners[2], corners[3]),
    )


def _doubt(levels: list[Picture], face: Face, faces: list[Face], dice: DiceChoice) -> str:
    """Why a face is not vouched for; empty when it is."""
    if dice in UNREADABLE:
        return f"{dice} dice are read by the networks only"
    if face.confidence < SURE:
        return reason(face.proposal.numbers)
    if cocked(face.proposal, [f.proposal for f in faces if f is not face and f.confidence >= SURE]):
        return "cocked"
    others = [f.proposal for f in faces if f is not face]
    return "stacked" if stacked(levels, face.proposal, others) else ""


def _marks_and_faces(levels: list[Picture], dice: DiceChoice) -> tuple[Marks, list[Face]]:
    """All faces, sure or not, side faces left out."""
    marks = find_marks(levels)
    faces: list[Face] = []
    if dice != "zoinx":
        faces = _patterned(levels, marks)
    faces += _lonely(levels, marks, faces, dice)
    return marks, _tops(faces)


def _judged(proposal: Proposal) -> Face:
    return Face(proposal, confidence(proposal.value, proposal.numbers))


def _patterned(levels: list[Picture], marks: Marks) -> list[Face]:
    """Faces with two to six pips; each mark belongs to one."""
    faces: list[Face] = []
    found = patterns(marks)[:MOST_PATTERNS]
    centers = np.array([pattern.center for pattern in found], np.float32).reshape(-1, 2)
    open_ = np.ones(len(found), np.bool_)
    taken: set[int] = set()
    for i, pattern in enumerate(found):
        if not open_[i] or not taken.isdisjoint(pattern.members):
            continue
        proposal = check_pattern(levels, marks, pattern, LIKELY)
        if proposal is None:
            continue
        face = _judged(proposal)
        if face.confidence > LIKELY:
            faces.append(face)
            taken.update(pattern.members)
            open_ &= ~proposal.covers(centers)
    return faces


def _lonely(levels: list[Picture], marks: Marks, known: list[Face], dice: DiceChoice) -> list[Face]:
    """Ones and Zoinx faces, where no face is known yet."""
    faces: list[Face] = []
    covered = np.zeros(len(marks), np.bool_)
    for face in known:
        covered |= face.proposal.covers(marks.xy, 1.1)
    for member in np.nonzero(~covered[:MOST_LONE])[0]:
        proposal = check_lone(levels, marks, int(member), LIKELY)
        if proposal is None or (dice in ("pip", "zoinx") and dice != proposal.kind):
            continue
        face = _judged(proposal)
        if face.confidence > LIKELY:
            faces.append(face)
    return faces


def _tops(faces: list[Face]) -> list[Face]:
    """Without the side faces: of two faces too close to be two dice, the surer and larger one."""
    kept: list[Face] = []
    for face in sorted(faces, key=lambda f: (f.confidence < SURE, -f.proposal.area)):
        one = face.proposal
        reach = [0.47 * (one.area**0.5 + other.proposal.area**0.5) for other in kept]
        away = [float(np.hypot(*(other.proposal.center - one.center))) for other in kept]
        if not any(a < r for a, r in zip(away, reach, strict=True)):
            kept.append(face)
    return kept
