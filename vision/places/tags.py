"""Finds the printed tags (ArUco, DICT_4X4_50) in a picture."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from calibration.arrays import Floats, Picture


@dataclass(frozen=True, slots=True, eq=False)
class SeenTag:
    """One tag."""

    id: int
    corners_px: Floats
    """(4, 2), from the tag's own upper left corner, clockwise as the tag is read."""

    @property
    def center_px(self) -> Floats:
        """(2,) The middle."""
        found: Floats = self.corners_px.mean(axis=0)
        return found


@lru_cache(maxsize=1)
def _detector() -> cv2.aruco.ArucoDetector:
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    # Two threshold windows, for small and for large tags: each takes some 8 ms on a picture of 1280x960.
    settings.adaptiveThreshWinSizeMin, settings.adaptiveThreshWinSizeMax = 9, 21
    settings.adaptiveThreshWinSizeStep = 12
    settings.minMarkerPerimeterRate = 0.03
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), settings)


def find_tags(picture: Picture) -> tuple[SeenTag, ...]:
    """The tags in a picture (height x width x 3, blue green red), by id."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    corners, ids, _ = _detector().detectMarkers(grey)
    if not len(corners):
        return ()
    found = [
        SeenTag(int(number), np.asarray(outline, np.float64).reshape(4, 2))
        for number, outline in zip(np.asarray(ids).ravel(), corners, strict=True)
    ]
    return tuple(sorted(found, key=lambda tag: (tag.id, float(tag.corners_px[0, 0]))))


def draw_tag(number: int, edge_px: int) -> Picture:
    """The tag as it is printed: (edge_px, edge_px) grey, black on white, its black border included."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return np.asarray(cv2.aruco.generateImageMarker(dictionary, number, edge_px), np.uint8)
