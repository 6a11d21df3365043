"""Paints a printed mat on a wooden table, as the simulated camera sees it.

The mat is drawn flat from its layout, and then looked up for each pixel of the picture. The world's origin is
the mat's middle.
"""

from functools import lru_cache

import cv2
import msgspec
import numpy as np

from calibration.arrays import Picture, Reals
from device.simulator.cast import lamp
from device.simulator.ground import Backdrop, lit_from_both_sides, smooth
from device.simulator.lens import SimulatedLens, overhead
from vision.places import Layout, Region, draw_tag

EYE_MM = (5.0, 12.0, 1010.0)
"""Higher than over the tray: all of an A3 sheet is seen, with some of the table round it."""
SCALE = 6
"""Pixels to a millimetre in the drawn mat."""
_WOOD = (92, 124, 158)
_LINE, _WORDS = (150, 140, 128), (128, 118, 108)
_TINTS: dict[str, tuple[int, int, int]] = {
    "roll": (232, 240, 240),
    "pocket": (238, 226, 212),
    "aside": (238, 226, 212),
    "cards": (220, 234, 222),
    "bet": (238, 238, 238),
    "end_zone": (230, 226, 236),
}


def eye(width_px: int, height_px: int) -> SimulatedLens:
    """The camera over the mat."""
    return overhead(width_px, height_px, EYE_MM)


def stage(layout: Layout, width_px: int, height_px: int) -> Backdrop:
    """Eye, lamp and the empty mat; painted once for each layout and size of picture."""
    return _stage(msgspec.json.encode(layout), width_px, height_px)


@lru_cache(maxsize=3)
def _stage(layout: bytes, width_px: int, height_px: int) -> Backdrop:
    lens = eye(width_px, height_px)
    painted = _paint(msgspec.json.decode(layout, type=Layout), lens)
    return Backdrop(lens, lamp(), lit_from_both_sides(painted))


def _paint(layout: Layout, lens: SimulatedLens) -> Reals:
    """The empty mat in even light, as picture values (rows, columns, 3)."""
    y_px, x_px = np.mgrid[0 : lens.height_px, 0 : lens.width_px].astype(np.float32)
    place = lens.on_plane(x_px, y_px, 0)
    noise = np.random.default_rng(27)  # the same table in every game
    grain = 1 + 0.05 * smooth(lens, noise, 1.5, 90) + 0.04 * smooth(lens, noise, 6, 200)
    painted = np.array(_WOOD, np.float32) * grain[..., None]
    half = np.array([layout.mat.width_mm, layout.mat.height_mm], np.float32) / 2
    outside = (np.abs(place) - half).max(axis=-1)
    # Paper lies on the wood with the thinnest of shadows.
    painted *= (1 - 0.25 * np.exp(-np.maximum(outside, 0) / 1.5))[..., None]
    art = cv2.GaussianBlur(mat_picture(layout), (0, 0), 0.45 * SCALE / lens.scale_px_per_mm(0))
    at = (place + half) * SCALE - 0.5
    height = art.shape[0]
    paper = cv2.remap(
        art, at[..., 0], height - 1 - at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    fibres = 1 + 0.006 * smooth(lens, noise, 1.0, 1.0) + 0.008 * smooth(lens, noise, 40, 40)
    share = np.clip(0.5 - outside * lens.scale_px_per_mm(0), 0, 1)[..., None]
    laid = painted * (1 - share) + paper * fibres[..., None] * 0.97 * share
    found: Reals = cv2.GaussianBlur(laid, (3, 3), 0.6).astype(np.float32, copy=False)
    return found


def mat_picture(layout: Layout) -> Picture:
    """The mat as it is printed, SCALE pixels to a millimetre, blue green red, its upper edge first."""
    rows, columns = round(layout.mat.height_mm * SCALE), round(layout.mat.width_mm * SCALE)
    red, green, blue = (int(layout.mat.color[at : at + 2], 16) for at in (1, 3, 5))
    art = np.full((rows, columns, 3), (blue, green, red), np.uint8)
    for region in layout.region:
        _draw_region(art, region)
    for tag in layout.tags.at:
        half = layout.tags.edge_mm / 2
        x, y = tag.center_mm
        edge_px = round(layout.tags.edge_mm * SCALE)
        left, top = round((x - half) * SCALE), rows - round((y + half) * SCALE)
        art[top : top + edge_px, left : left + edge_px] = draw_tag(tag.id, edge_px)[..., None]
    return art


def _draw_region(art: Picture, region: Region) -> None:
    outline = np.round(region.outline_mm * SCALE).astype(np.int32)
    outline[:, 1] = art.shape[0] - outline[:, 1]
    cv2.fillPoly(art, [outline], _TINTS[region.kind])
    cv2.polylines(art, [outline], True, _LINE, SCALE // 2, cv2.LINE_AA)
    # The words stand at the lower edge, where they are read from the players' side and dice hide them least.
    left, bottom = int(outline[:, 0].min()), int(outline[:, 1].max())
    words = region.label.upper()
    place = (left + 2 * SCALE, bottom - 2 * SCALE)
    cv2.putText(art, words, place, cv2.FONT_HERSHEY_SIMPLEX, 0.14 * SCALE, _WORDS, 2, cv2.LINE_AA)
