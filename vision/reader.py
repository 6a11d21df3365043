"""Reads the dice in a picture: `vision.learned` finds and judges them, `vision.decide` says what is told."""

import time

import cv2
import numpy as np

from calibration.arrays import Picture
from vision.decide import decide
from vision.face_place import sharper_of
from vision.learned.camera_prior import CameraPoseMemory, CameraPrior
from vision.learned.networks import Networks
from vision.learned.reader import Adapts, LearnedReader
from vision.learned.stance import Part
from vision.reading import DiceChoice, Reading, Window, judge_throw_confidence


class Reader:
    """Reads pip dice, Zoinx dice, betting dice and D4 in any picture, better where it is calibrated."""

    def __init__(
        self,
        threads: int = 1,
        networks: Networks | None = None,
        known: Adapts | None = None,
        *,
        bearings: CameraPrior | None = None,
        earlier: CameraPoseMemory | None = None,
    ) -> None:
        """`threads` is the number for the networks, and for OpenCV in the whole program. `networks` are the
        project's own where none are given; `known` is what was learnt of the owner's dice. `bearings` hold
        the camera's calibration, if there is one; `earlier`, for a fixed camera, how dice stood in its
        earlier pictures. Raises ValueError for fewer than one thread."""
        if threads < 1:
            raise ValueError(f"a reader needs one thread or more; got {threads}")
        cv2.setNumThreads(threads)
        self._learned = LearnedReader(networks or Networks(threads=threads), known, bearings, earlier)

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
        seen, unsure = decide(self._learned.look(picture, dice, part, sharper))
        height, width = picture.shape[:2]
        return Reading(
            width_px=width,
            height_px=height,
            dice=seen,
            unsure=unsure,
            elapsed_ms=(time.perf_counter() - begun) * 1000,
        )
