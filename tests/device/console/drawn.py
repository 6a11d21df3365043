"""A drawn picture of dice on felt, and where each of them lies on it."""

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np

from engine.dice import Face

WIDTH_PX, HEIGHT_PX = 1280, 960
PLACES_PX = (
    (330, 300, 12),
    (560, 560, 40),
    (800, 330, -25),
    (960, 620, 8),
    (420, 720, 65),
    (1100, 450, 15),
    (200, 560, -10),
)
HALF_PX = 27


def corners_px(place: tuple[int, int, int]) -> tuple[tuple[float, float], ...]:
    """The corners of a die's face that lies there."""
    x, y, turn_deg = place
    box = cv2.boxPoints(((float(x), float(y)), (2.0 * HALF_PX, 2.0 * HALF_PX), float(turn_deg)))
    return tuple((round(float(u), 1), round(float(v), 1)) for u, v in box)


def drawn_table(faces: Sequence[Face], unread: int = 0) -> bytes:
    """A drawn picture of dice on felt, as JPEG; drawn once for the same dice."""
    return _drawn_table(tuple(faces), unread)


@cache
def _drawn_table(faces: tuple[Face, ...], unread: int) -> bytes:
    rng = np.random.default_rng(7)
    felt = np.full((HEIGHT_PX, WIDTH_PX, 3), (64, 92, 38), np.float32)
    felt += rng.normal(0, 5, felt.shape[:2])[..., None].astype(np.float32)
    picture = np.clip(felt, 0, 255).astype(np.uint8)
    for place, value in zip(PLACES_PX, [*faces, *["?"] * unread], strict=False):
        corners = np.array(corners_px(place), np.int32)
        cv2.fillConvexPoly(picture, corners + np.array((7, 9), np.int32), (34, 52, 20), cv2.LINE_AA)
        cv2.fillConvexPoly(picture, corners, (214, 232, 238), cv2.LINE_AA)
        match value:
            case "dot":
                cv2.circle(picture, place[:2], 11, (30, 30, 34), -1, cv2.LINE_AA)
            case "square":
                inner = np.array(place[:2]) + (corners - np.array(place[:2])) * 0.45
                cv2.polylines(picture, [inner.astype(np.int32)], True, (30, 30, 34), 4, cv2.LINE_AA)
            case int():
                spot = (place[0] - 12, place[1] + 13)
                cv2.putText(
                    picture, str(value), spot, cv2.FONT_HERSHEY_SIMPLEX, 1.2, (30, 30, 34), 3, cv2.LINE_AA
                )
            case _:  # a die that cannot be read shows nothing
                pass
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 80])[1])
