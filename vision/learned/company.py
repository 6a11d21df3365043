"""What a die's neighbours tell of it: dice that lie flat on one table are all foreshortened alike.

A far camera stretches every flat up-face by the same symmetric matrix (`models.faces`). A face that is
stretched otherwise than most of the others is tipped, or no up-face at all.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from models.faces import told
from vision.learned.faces import Face

LEAST = 3
"""Fewer faces, the one in question among them, tell nothing of one another."""
LIKELY = 0.5
"""A face counts among the others from this chance of its first class on."""


def in_company(faces: Sequence[Face]) -> list[Face]:
    """The faces with `askew` filled in: how far each one's stretch is from the median of the others."""
    stretches = np.array([told(face.place)[1:3] for face in faces], np.float64).reshape(-1, 2)
    counts = np.array([not face.is_none and float(face.chances.max()) > LIKELY for face in faces], np.bool_)
    out = []
    for i, face in enumerate(faces):
        others = counts.copy()
        others[i] = False
        if others.sum() < LEAST - 1:
            out.append(face)
            continue
        usual = np.median(stretches[others], axis=0)
        out.append(replace(face, askew=float(np.hypot(*(stretches[i] - usual)))))
    return out
