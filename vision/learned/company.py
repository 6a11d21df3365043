"""What a die's neighbours tell of it: dice that lie flat on one table are all foreshortened alike.

A far camera stretches every flat up-face by the same symmetric matrix (`models.faces`). A face that is
stretched otherwise than most of the others is tipped, or no up-face at all. The network also
finds a tipped die less flat than its neighbours, however flat it finds dice of their make.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from models.faces import told
from vision.learned.faces import Face
from vision.learned.trust import USUALLY_ASKEW, numbers

LEAST = 3
"""Fewer faces, the one in question among them, tell nothing of one another."""
LIKELY = 0.5
"""A face counts among the others from this chance of its first class on."""
LEANS = (-6.13, 3.95, 4.83)
"""Bias and weights of the chance to lean: of how much less flat than the others it is held (log odds), and of
how much otherwise it is stretched (by what is usual). Fitted on 77 leaning and 495 flat dice of the simulated
table, of all kinds of six-sided dice; what each half of the throws tells of the other half stands in
docs/reading.md."""


def in_company(faces: Sequence[Face]) -> list[Face]:
    """The faces with `askew` and `leaning` filled in, where there are others to compare them with."""
    stretches = np.array([told(face.place)[1:3] for face in faces], np.float64).reshape(-1, 2)
    flats = np.array([numbers(face)["flat"] for face in faces])
    counts = np.array([not face.is_none and float(face.chances.max()) > LIKELY for face in faces], np.bool_)
    out = []
    for i, face in enumerate(faces):
        others = counts.copy()
        others[i] = False
        if others.sum() < LEAST - 1:
            out.append(face)
            continue
        askew = float(np.hypot(*(stretches[i] - np.median(stretches[others], axis=0))))
        less_flat = max(0.0, float(np.median(flats[others]) - flats[i]))
        total = np.dot(LEANS, (1.0, less_flat, askew / USUALLY_ASKEW))
        out.append(replace(face, askew=askew, leaning=float(1 / (1 + np.exp(-np.clip(total, -30, 30))))))
    return out
