"""What is printed on a cloth is printed many times over: which finds look like very many others."""

from collections.abc import Sequence

import numpy as np

from calibration.arrays import Bools
from vision.learned.faces import Face

ALIKE, LIKE_SIZE, MOST_ALIKE = 0.8, 0.2, 15
"""A face that looks like more than the last number of others (by the cosine of their embeddings) and is as
large (by the log of the ratio) looks like very many."""


def look_like_many(faces: Sequence[Face], others: Bools) -> Bools:
    """Which of N faces look like very many of those that `others` names."""
    looks = np.array([face.embedding for face in faces], np.float64)
    looks /= np.maximum(np.linalg.norm(looks, axis=1, keepdims=True), 1e-9)
    sizes = np.log([face.place.half_px for face in faces])
    alike = looks @ looks[others].T > ALIKE
    alike &= np.abs(sizes[:, None] - sizes[others]) < LIKE_SIZE
    return np.asarray(alike.sum(axis=1) > MOST_ALIKE)
