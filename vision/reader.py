"""Reads the dice in a picture: networks do, and where they doubt some, the classical reader too.

How the two are put together is in `vision.decide`. What nobody can vouch for becomes an `UnsureDie`
with the reason.
"""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Protocol

import numpy as np

from calibration.arrays import Picture
from engine.wording import phrase_later
from vision.classic import UNREADABLE, ClassicReader
from vision.face_place import FacePlace, sharper_of
from vision.decide import aslant, for_networks_alone, decide
from vision.learned.camera_prior import CameraPoseMemory, CameraPrior
from vision.learned.networks import Networks
from vision.learned.reader import Adapts, JudgedFace, LearnedReader
from vision.learned.stance import Part
from vision.reading import DiceChoice, Reading, SeenDie, UnsureDie, Window, judge_throw_confidence


class Reader:
    """Reads pip dice, Zoinx dice, betting dice and D4 in any picture, better where it is calibrated."""

    def __init__(
        self,
        threads: int = 1,
        networks: Networks | None = None,
        known: Adapts | None = None,
        *,
        careful: bool = False,
        bearings: CameraPrior | None = None,
        earlier: CameraPoseMemory | None = None,
    ) -> None:
        """`threads` is the number for the networks, and for OpenCV in the whole program. `networks` are the
        project's own where none are given; `known` is what was learnt of the owner's dice. When `careful`,
        the classical reader always looks too, in a thread of its own: it reads flat dice that the networks
        doubt. `bearings` hold the camera's calibration, if there is one; `earlier`, for a fixed camera, how
        dice stood in its earlier pictures. Raises ValueError for fewer than one thread."""
        self._classic = ClassicReader(threads)
        self._learned = LearnedReader(networks or Networks(threads=threads), known, bearings, earlier)
        self._beside = ThreadPoolExecutor(1, "reader") if careful else None

    def read(self, picture: Picture, dice: DiceChoice = "auto", sharp: Picture | None = None) -> Reading:
        """What lies in a picture (height x width x 3, blue green red), as a throw; `sharp` is the whole view
        in more pixels."""
        return judge_throw_confidence(self.read_each(picture, dice, sharp))

    def read_each(
        self,
        picture: Picture,
        dice: DiceChoice = "auto",
        sharp: Picture | None = None,
        window: Window | None = None,
    ) -> Reading:
        """Read what lies in a picture, or in a window of it, each die for itself.

        `sharp` is the whole view in more pixels: dice are found in `picture` and read from that
        (`vision.face_place`), unless its shape differs. With a `window` all places are in pixels of
        that window.
        """
        begun = time.perf_counter()
        part, sharper = None, sharper_of(picture, sharp, window)
        if window is not None:
            left, top, right, bottom = window
            rows, columns = picture.shape[:2]
            part = Part(left_px=left, top_px=top, whole_width_px=columns, whole_height_px=rows)
            picture = np.ascontiguousarray(picture[top:bottom, left:right])
        if self._beside and dice not in UNREADABLE:
            second = self._beside.submit(self._classic.read, picture, dice)
            looked = self._learned.look(picture, dice, part, sharper)
            seen, unsure = decide(looked, second.result(), any_kind=is_mixed(dice), named=dice != "auto")
        else:
            looked = self._learned.look(picture, dice, part, sharper)
            seen, unsure = settled(looked, partial(self._classic.read, picture, dice), dice)
        height, width = picture.shape[:2]
        return Reading(
            width_px=width,
            height_px=height,
            dice=seen,
            unsure=unsure,
            elapsed_ms=(time.perf_counter() - begun) * 1000,
        )


def is_mixed(dice: DiceChoice) -> bool:
    """Whether dice of more than one kind may lie there."""
    return dice in ("auto", "zoinx-and-bet")


UNLIKE = phrase_later("unlike the other dice, and not clear")
"""The reason that is told for a doubtful face of another kind than the dice beside it."""


class Reads(Protocol):
    """Reads one picture, all of it or only about some places."""

    def __call__(self, *, about: Sequence[FacePlace] | None) -> Reading:
        """What lies in the picture, or about those places."""
        ...


def settled(
    looked: Sequence[JudgedFace], classical: Reads, dice: DiceChoice
) -> tuple[tuple[SeenDie, ...], tuple[UnsureDie, ...]]:
    """The dice that are vouched for and those that are not, from what the networks say.

    `classical` reads the same picture. It is asked only where the networks found nothing, or doubt a die that
    lies as it should and is neither a betting die nor a D4, which it does not know. Where any kind may lie it
    vouches for nothing that the networks do not see, so it looks only about the doubted dice. There, a
    doubted face of another kind than all the sure ones stays unsure: among Zoinx dice half a domino is
    likelier than a pip die.
    """
    any_kind, named = is_mixed(dice), dice != "auto"
    faces = [one for one in looked if not one.face.is_none]
    each = [(one, decide([one], None, any_kind=any_kind, named=named)) for one in faces]
    doubted = [one for one, (_, unsure) in each if unsure and not (for_networks_alone(one) or aslant(one))]
    if dice in UNREADABLE or (faces and not doubted):
        return decide(looked, None, any_kind=any_kind, named=named)
    if not any_kind or not faces:
        return decide(looked, classical(about=None), any_kind=any_kind, named=named)
    others = [one for one in looked if not any(one is doubt for doubt in doubted)]
    second = classical(about=[one.face.place for one in doubted])
    (sure, told), (doubtful, more) = (
        decide(others, None, any_kind=True, named=named),
        decide(doubted, second, any_kind=True, named=named),
    )
    kinds = {die.kind for die in sure}
    unlike = [die for die in doubtful if kinds and die.kind not in kinds]
    seen = [*sure, *(die for die in doubtful if die not in unlike)]
    unsure = [*told, *more, *(UnsureDie(center_px=die.center_px, reason=UNLIKE) for die in unlike)]
    return (
        tuple(sorted(seen, key=lambda die: die.center_px)),
        tuple(sorted(unsure, key=lambda one: one.center_px)),
    )
