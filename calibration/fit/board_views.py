"""Which pictures of the held board a lens still needs, and how to say so to whoever holds it.

The lens is not known yet, so views are told apart by the board's outline in the picture alone: a side that
looks longer than the one opposite is nearer to the camera.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats
from calibration.board import Board
from calibration.fit.board_seen import BoardSeen
from engine.wording import phrase, phrase_later

TILTED = 0.05
"""A side is nearer than the other where it looks longer by this share: 10 to 20 degrees, by the distance."""
STRAIGHT = 0.03
STILL_PX = 1.5
"""A board that moved by less between two looks is held still."""
OTHERWISE = 0.03
"""Two boards that are tilted alike differ where their corners lie apart by this share of the picture's
width."""
REACHED = 0.18
"""A corner of the picture is reached by a corner of the board that lies so near, in shares of the picture."""
WISHES = {
    "straight": phrase_later("Hold the board straight before the camera, with all of it in the picture."),
    "left": phrase_later("Tilt it: its left side nearer to the camera."),
    "right": phrase_later("Tilt it: its right side nearer to the camera."),
    "top": phrase_later("Tilt it: its upper side nearer to the camera."),
    "bottom": phrase_later("Tilt it: its lower side nearer to the camera."),
    "top left": phrase_later("Hold it into the top left corner of the picture."),
    "top right": phrase_later("Hold it into the top right corner of the picture."),
    "bottom left": phrase_later("Hold it into the bottom left corner of the picture."),
    "bottom right": phrase_later("Hold it into the bottom right corner of the picture."),
}
"""The views that are wanted, and the words for each."""
MORE = phrase_later("Hold it otherwise: nearer, farther, turned.")


@dataclass(frozen=True, slots=True, eq=False)
class BoardView:
    """A board as one picture shows it, and what that view is good for."""

    seen: BoardSeen
    outline_px: Floats
    """The board's corners (4, 2): clockwise, from the one that is most to the top left."""
    good_for: frozenset[str]
    """Which of `WISHES` it grants."""


def view_of(seen: BoardSeen, board: Board) -> BoardView:
    """What a picture's board is good for."""
    wide, high = board.size_mm
    plan = board.corners_mm[seen.ids, :2]
    to_picture, _ = cv2.findHomography(plan, seen.corners_px, cv2.RANSAC, 3.0)
    corners = np.array([[(0.0, 0.0), (wide, 0.0), (wide, -high), (0.0, -high)]])
    outline = np.asarray(cv2.perspectiveTransform(corners, to_picture), np.float64)[0]
    outline = np.roll(outline, -int(outline.sum(axis=1).argmin()), axis=0)
    sides = np.linalg.norm(np.roll(outline, -1, axis=0) - outline, axis=1)
    top, right, bottom, left = sides
    return BoardView(seen, outline, frozenset(_tilts(top, right, bottom, left) | _reached(seen)))


def _tilts(top: float, right: float, bottom: float, left: float) -> set[str]:
    """By the lengths of the sides, pixels."""
    lean, tip = np.log(left / right), np.log(top / bottom)
    found = set()
    if abs(lean) > TILTED:
        found.add("left" if lean > 0 else "right")
    if abs(tip) > TILTED:
        found.add("top" if tip > 0 else "bottom")
    return {"straight"} if max(abs(lean), abs(tip)) < STRAIGHT else found


def _reached(seen: BoardSeen) -> set[str]:
    """The corners of the picture that the board reaches."""
    share = seen.corners_px / (seen.width_px, seen.height_px)
    found = set()
    for down, y in (("top", share[:, 1]), ("bottom", 1 - share[:, 1])):
        for across, x in (("left", share[:, 0]), ("right", 1 - share[:, 0])):
            if np.any((x < REACHED) & (y < REACHED)):
                found.add(f"{down} {across}")
    return found


def is_still(now: BoardView, before: BoardView | None) -> bool:
    """Whether the board is where it was one look before."""
    return before is not None and apart_px(now, before) < STILL_PX


def apart_px(one: BoardView, other: BoardView) -> float:
    """How far the board's corners lie apart in two pictures, on average, pixels."""
    return float(np.linalg.norm(one.outline_px - other.outline_px, axis=1).mean())


def is_another(view: BoardView, taken: Sequence[BoardView]) -> bool:
    """Whether no picture was taken yet of a board that was held much like that."""
    far_px = OTHERWISE * view.seen.width_px
    return all(view.good_for - each.good_for or apart_px(view, each) > far_px for each in taken)


def lies_elsewhere(view: BoardView, taken: Sequence[BoardView], by: float) -> bool:
    """Whether no picture was taken yet of a board in that place, give or take that share of the picture's
    width."""
    return all(apart_px(view, each) > by * view.seen.width_px for each in taken)


def next_wish(taken: Sequence[BoardView]) -> str:
    """How to hold the board next."""
    granted = frozenset[str]().union(*(each.good_for for each in taken))
    return phrase(next((words for name, words in WISHES.items() if name not in granted), MORE))
