"""Reads pip and Zoinx dice without a network: marks, patterns of marks, checks on the picture, a confidence.

What it cannot read it reports: a proposal that is not sure becomes an `UnsureDie` with the reason.
"""

import time
from collections.abc import Sequence

import cv2
import numpy as np

from calibration.arrays import Ints, Picture
from engine.wording import phrase, phrase_later
from vision.classic.check import (
    Proposal,
    check_lones,
    check_patterns,
    find_strays,
    is_cocked,
    is_stacked,
    reason,
)
from vision.classic.marks import Marks, Windows, find_marks, pyramid
from vision.classic.pips import NO_PATTERNS, Patterns, find_patterns
from vision.face_place import FacePlace, leave_unsure, vouch_for
from vision.reading import DiceChoice, Reading

SURE = 0.8
"""The confidence from which a face is read; below it is reported as unsure."""
LIKELY = 0.35
"""The confidence below which a face is not even reported: it is no die."""
UNREADABLE = ("bet", "d4")
"""Kinds whose faces only the networks read. Here their marks would pass for pips, so they are reported as
unsure."""
MOST_PATTERNS = 180
MOST_LONE = 90
AT_ONCE = 24
"""How many patterns are checked together. Patterns that an accepted face rules out are never checked, so
checking all at once would take longer."""
REACH = 1.2
"""How far from a place's middle marks are looked for, in half edges."""
OFF = 0.7
"""How far from a place's middle the middle of a face may be, in half edges: the networks place doubtful dice
only roughly."""
OFF_ALONE = 0.45
"""The same for a lone mark: further out are the pips of other faces."""


class ClassicReader:
    """The classical reader: needs no network and no calibration, and reads any picture."""

    def __init__(self, threads: int = 1) -> None:
        """`threads` is OpenCV's number of threads for the whole program."""
        if threads < 1:
            raise ValueError(f"a reader needs one thread or more; got {threads}")
        cv2.setNumThreads(threads)

    def read(
        self, picture: Picture, dice: DiceChoice = "auto", about: Sequence[FacePlace] | None = None
    ) -> Reading:
        """What lies in a picture (height x width x 3, blue green red), or only at those places in it.

        `about` are up-faces that the networks see. Only faces at their middles are read or reported as
        unsure.
        """
        begun = time.perf_counter()
        levels = pyramid(picture)
        places = None if about is None else windows(about)
        marks = find_marks(levels, places)
        faces = _tops(_proposals(levels, marks, dice, places))
        doubts = [_doubt(levels, face, faces, dice) for face in faces]
        sure = [face for face, doubt in zip(faces, doubts, strict=True) if not doubt]
        seen = sorted(
            (vouch_for(one.die, one.place, one.confidence, one.body) for one in sure),
            key=lambda die: die.center_px,
        )
        unsure = [
            leave_unsure(face.place.center, doubt) for face, doubt in zip(faces, doubts, strict=True) if doubt
        ]
        if places is None:  # at places where others see a face, stray marks tell nothing new
            unsure += [
                leave_unsure(place, phrase_later("leaning or half hidden"))
                for place in find_strays(marks, sure, faces)
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


def windows(about: Sequence[FacePlace]) -> Windows:
    """Windows round these up-faces: they hold the corners and some room, for places may be rough."""
    return Windows(
        np.array([place.center for place in about], np.float32).reshape(-1, 2),
        np.array([place.half_px for place in about], np.float32),
        REACH,
    )


def _doubt(levels: list[Picture], face: Proposal, faces: list[Proposal], dice: DiceChoice) -> str:
    """Why a face is not vouched for, as part of a sentence; empty when it is."""
    if dice in UNREADABLE:
        return phrase("{dice} dice are read by the networks only", dice=dice)
    if face.confidence < SURE:
        return reason(face.numbers)
    others = [other for other in faces if other is not face]
    if is_cocked(face, [other for other in others if other.confidence >= SURE]):
        return "cocked"
    return "stacked" if is_stacked(levels, face, others) else ""


def _proposals(
    levels: list[Picture], marks: Marks, dice: DiceChoice, places: Windows | None
) -> list[Proposal]:
    """All faces, sure or not; with `places` only those at their middles."""
    found = NO_PATTERNS if dice == "zoinx" else find_patterns(marks)
    alone = np.arange(min(len(marks), MOST_LONE))
    if places is not None:
        found = found.take(np.nonzero(places.near(found.center, OFF))[0])
        alone = np.nonzero(places.near(marks.xy, OFF_ALONE))[0][:MOST_LONE]
    faces = _patterned(levels, marks, found.take(slice(MOST_PATTERNS)))
    return faces + _lonely(levels, marks, alone, faces, dice)


def _patterned(levels: list[Picture], marks: Marks, found: Patterns) -> list[Proposal]:
    """Faces with two to six pips; each mark belongs to one at most."""
    faces: list[Proposal] = []
    open_ = np.ones(len(found), np.bool_)
    taken = np.zeros(len(marks), np.bool_)
    while open_.any():
        some = np.nonzero(open_)[0][:AT_ONCE]
        checked = check_patterns(levels, marks, found.take(some), LIKELY)
        for i, proposal in zip(some, checked, strict=True):
            if proposal is not None and open_[i] and not taken[list(proposal.members)].any():
                faces.append(proposal)
                taken[list(proposal.members)] = True
                open_ &= ~proposal.covers(found.center)
        open_[some] = False
        open_ &= ~taken[found.members].any(axis=1)
    return faces


def _lonely(
    levels: list[Picture], marks: Marks, alone: Ints, known: list[Proposal], dice: DiceChoice
) -> list[Proposal]:
    """Ones and Zoinx faces round single marks, where no face is known yet."""
    covered = np.zeros(len(marks), np.bool_)
    for face in known:
        covered |= face.covers(marks.xy, 1.1)
    found = check_lones(levels, marks, alone[~covered[alone]], LIKELY)
    asked = (dice,) if dice in ("pip", "zoinx") else ("pip", "zoinx")
    return [one for one in found if one is not None and one.die.kind in asked]


def _tops(faces: list[Proposal]) -> list[Proposal]:
    """The up-faces: of two faces too close to be two dice, the surer and larger one; the other is a side
    face."""
    kept: list[Proposal] = []
    for one in sorted(faces, key=lambda f: (f.confidence < SURE, -f.edge_px)):
        reach = [0.47 * (one.edge_px + other.edge_px) for other in kept]
        away = [float(np.hypot(*(other.place.center - one.place.center))) for other in kept]
        if not any(a < r for a, r in zip(away, reach, strict=True)):
            kept.append(one)
    return kept
