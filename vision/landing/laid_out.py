"""Lays parts of a picture out as if they were seen from straight above."""

import cv2
import numpy as np

from calibration.arrays import Floats, Picture


def laid_out(
    picture: Picture, corners_px: Floats, size_px: tuple[int, int], how: int = cv2.INTER_LINEAR
) -> Picture:
    """Each of some four-sided parts of a picture (h, w, 3), given by corners (n, 4, 2), as a rectangle
    (n, height, width, 3) of a width and a height.

    The first corner becomes the middle of the first pixel, the second that of the first row's last, and so
    on round. A part is so small that the lens bends none of its sides. `how` is how OpenCV interpolates.
    """
    right, down = size_px[0] - 1, size_px[1] - 1
    rim = np.array([[0, 0], [right, 0], [right, down], [0, down]], np.float32)
    found = [
        cv2.warpPerspective(
            picture,
            cv2.getPerspectiveTransform(rim, corners.astype(np.float32)),
            size_px,
            flags=how | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        for corners in corners_px
    ]
    return np.asarray(found, np.uint8)
