"""A die in other light and under another camera lies where it lay."""

import cv2
import numpy as np

from models.training.corner_scenes import spoilt


def test_a_spoilt_picture_shows_the_same_in_the_same_place() -> None:
    picture = np.full((80, 80, 3), 60, np.uint8)
    cv2.circle(picture, (37, 43), 14, (190, 180, 170), -1, cv2.LINE_AA)
    chance = np.random.default_rng(4)
    for _ in range(30):
        shown = spoilt(picture, chance)
        assert shown.shape == picture.shape
        edges = [cv2.Canny(one[..., 1].copy(), 60, 120) for one in (picture, shown)]
        middles = [np.argwhere(one).mean(axis=0) for one in edges]
        assert np.hypot(*(middles[0] - middles[1])) < 1.0
