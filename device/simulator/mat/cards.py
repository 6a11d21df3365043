"""ZONK's cards as the simulated camera sees them: a printed face with its tag, laid flat on the mat."""

from functools import lru_cache
from math import cos, sin

import cv2
import numpy as np

from calibration.arrays import Picture, Reals
from device.simulator.ground import LitGround
from device.simulator.lens import SimulatedLens
from device.simulator.world import Paper
from engine.zonk import ITEMS, NAMES, card_named
from vision.places import CARD_MM, CARD_TAGS, TAG_CENTER_MM, TAG_MM, draw_tag

SCALE = 8
"""Pixels to a millimetre in the drawn card."""
_PAPER, _INK = (236, 243, 246), (52, 44, 40)
_ITEM, _MODIFIER = (70, 120, 196), (150, 96, 84)
_CORNER_MM = 3.5


@lru_cache(maxsize=16)
def card_face(word: str) -> Picture:
    """The card's face, (CARD_MM[1] * SCALE, CARD_MM[0] * SCALE, 3), blue green red."""
    width, height = (round(side * SCALE) for side in CARD_MM)
    face = np.full((height, width, 3), _PAPER, np.uint8)
    card = card_named(word)
    name = NAMES[card] if card else word
    color = _ITEM if card in ITEMS else _MODIFIER
    edge = 3 * SCALE
    cv2.rectangle(face, (edge, edge), (width - edge, height - edge), color, SCALE)
    cv2.rectangle(face, (edge, 27 * SCALE), (width - edge, 36 * SCALE), color, -1)
    size = min(0.9, 52 / max(1, len(name)) * 0.05 * SCALE)
    (wide, _), _ = cv2.getTextSize(name, cv2.FONT_HERSHEY_SIMPLEX, size, 2)
    cv2.putText(
        face, name, ((width - wide) // 2, 33 * SCALE), cv2.FONT_HERSHEY_SIMPLEX, size, _PAPER, 2, cv2.LINE_AA
    )
    for line in range(4):
        y = (46 + 8 * line) * SCALE
        cv2.line(face, (9 * SCALE, y), (width - (9 + 7 * (line % 2)) * SCALE, y), _INK, SCALE // 2)
    half = round(TAG_MM * SCALE / 2)
    x, y = round(TAG_CENTER_MM[0] * SCALE), height - round(TAG_CENTER_MM[1] * SCALE)
    quiet = round(half * 4 / 3)
    face[y - quiet : y + quiet, x - quiet : x + quiet] = (255, 255, 255)
    tag = draw_tag(CARD_TAGS[word], 2 * half)
    face[y - half : y + half, x - half : x + half] = cv2.cvtColor(tag, cv2.COLOR_GRAY2BGR)
    return face


@lru_cache(maxsize=1)
def _cover() -> Picture:
    """Where the card is: 255 inside its rounded corners."""
    width, height = (round(side * SCALE) for side in CARD_MM)
    round_px = round(_CORNER_MM * SCALE)
    cover = np.zeros((height, width), np.uint8)
    cv2.rectangle(cover, (round_px, 0), (width - round_px, height), 255, -1)
    cv2.rectangle(cover, (0, round_px), (width, height - round_px), 255, -1)
    for x in (round_px, width - round_px - 1):
        for y in (round_px, height - round_px - 1):
            cv2.circle(cover, (x, y), round_px, 255, -1)
    return cover


def lay_paper(
    picture: Picture, lens: SimulatedLens, paper: Paper, ground: LitGround, weights: tuple[float, float]
) -> None:
    """Draw a card into `picture` (in place) under the light of its place."""
    c, s = cos(paper.turn_rad), sin(paper.turn_rad)
    half = np.array(CARD_MM) / 2
    own = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * half
    corners = np.zeros((4, 3), np.float32)
    corners[:, :2] = own @ np.array([[c, s], [-s, c]]) + np.array(paper.at_mm)
    there = lens.project(corners)
    rows, columns = (round(side * SCALE) for side in (CARD_MM[1], CARD_MM[0]))
    here = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32) - 0.5
    low = np.clip(np.floor(there.min(axis=0)).astype(int) - 2, 0, None)
    high = np.ceil(there.max(axis=0)).astype(int) + 3
    piece = picture[low[1] : high[1], low[0] : high[0]]
    if not piece.size:
        return
    placing = cv2.getPerspectiveTransform(here, (there - low).astype(np.float32))
    size = piece.shape[1], piece.shape[0]
    face, cover = _softened(paper.word, SCALE / max(1.0, lens.scale_px_per_mm(0)))
    drawn = cv2.warpPerspective(face, placing, size, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    share: Reals = (cv2.warpPerspective(cover, placing, size)[..., None] / np.float32(255)).astype(np.float32)
    middle = there.mean(axis=0)
    lit = drawn * ground.gain(weights, float(middle[0]), float(middle[1]))
    piece[:] = np.clip(piece * (1 - share) + lit * share + 0.5, 0, 255)


@lru_cache(maxsize=16)
def _softened(word: str, shrink: float) -> tuple[Picture, Picture]:
    """Face and cover, softened so that drawing them `shrink` times smaller leaves no steps."""
    sigma = 0.45 * shrink
    face, cover = (cv2.GaussianBlur(each, (0, 0), sigma) for each in (card_face(word), _cover()))
    return np.asarray(face, np.uint8), np.asarray(cover, np.uint8)
