"""Finds the ChArUco board in a picture, and says which pictures are missing.

OpenCV finds and names markers and corners; each corner is then refined as a saddle point in a window that
keeps clear of the markers. A saddle is symmetric, so neither blur nor the camera's tone curve moves it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from cv2 import aruco
from numpy.typing import NDArray

from calibration.arrays import Floats, Picture
from calibration.board import DICTIONARIES, Board
from calibration.trouble import Doubt, NoBoard
from engine.wording import phrase, phrase_later

MIRRORED = phrase_later(
    "it is mirrored; turn mirroring off in the camera or in the program that saved the picture"
)
OTHER_MARKERS = phrase_later(
    "its markers are of {best}, not of {dictionary}; give --board with the right dictionary"
)
BLURRED = phrase_later(
    "it is blurred: its sharpest edges are {blur:.0f} px wide; focus, hold still, add light"
)
FEW_CORNERS = phrase_later(
    "only {corners} corners of the board are seen; show more of it, closer and without glare"
)
NO_BOARD = phrase_later(
    "no board is seen in it; show the whole board sharp, close, evenly lit and without glare"
)

Ids = NDArray[np.int64]

FEWEST_CORNERS = 12
"""Board corners that one picture must show; fewer fix neither the board's pose nor anything else."""
MOST_BLUR_PX = 3.0
MOST_BLUR_OF_MARGIN = 0.32
"""The most blur (one sigma), as a share of the white margin round a marker: with more, the marker runs into
the square's corner."""
ALWAYS_SHARP_PX = 1.3
RATIO_TOLERANCE = 0.06
"""By what share the ratio of marker to square may differ from what `--board` says. 1.5 px are allowed on top,
for blur makes markers look smaller."""
ENLARGED_PIXELS = 4_000_000
_LIMITS = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 60, 1e-3)
NOT_SO_SET = phrase_later(
    "its markers do not stand as on a {columns} x {rows} board; give --board with the right numbers of "
    "squares"
)
OTHERWISE_SET = phrase_later(
    "its markers do not stand as on a {columns} x {rows} board; they stand as on a board of {likely} "
    "columns; give --board with the right numbers of squares"
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BoardSeen:
    """A board as one picture shows it."""

    picture: str
    width_px: int
    height_px: int
    ids: Ids
    """Which corners of the board were found (n,), as indices into `Board.corners_mm`."""
    corners_px: Floats
    """Where they were found (n, 2); (0, 0) is the centre of the top left pixel."""
    blur_px: float
    """How soft the board's edges are: the standard deviation of a Gaussian blur."""


@dataclass(frozen=True, slots=True, eq=False)
class _Markers:
    ids: Ids
    corners_px: Floats
    """Shape (n, 4, 2)."""


def find_board(grey: Picture, board: Board, picture: str) -> BoardSeen:
    """The board in an 8-bit grey picture. Raises `Doubt` with the reason when it cannot be trusted there."""
    used, (ids, rough, markers) = _best_look(grey, board)
    _check_layout(markers, used)
    if len(ids) < FEWEST_CORNERS:
        raise _why_so_few(grey, board, len(ids), markers)
    _check_ratio(ids, rough, markers, used)
    ids, corners = _refined(grey, ids, rough, used)
    if len(ids) < FEWEST_CORNERS:
        raise Doubt(
            phrase(
                "only {count} of the board's corners are sharp enough; hold the board still and closer",
                count=len(ids),
            )
        )
    blur, square = _blur(grey, ids, corners, used)
    margin = (1 - board.marker_mm / board.square_mm) / 2 * square
    if blur > min(MOST_BLUR_PX, max(ALWAYS_SHARP_PX, MOST_BLUR_OF_MARGIN * margin)):
        raise Doubt(
            phrase(
                "it is blurred: edges are {blur:.0f} px wide; focus, hold still, add light", blur=2.5 * blur
            )
        )
    height, width = grey.shape
    return BoardSeen(
        picture=picture, width_px=width, height_px=height, ids=ids, corners_px=corners, blur_px=blur
    )


def _best_look(grey: Picture, board: Board) -> tuple[Board, tuple[Ids, Floats, _Markers]]:
    """The board as printed (it may begin with a black or a white square, `Board.legacy`), and what is seen of
    it.

    A small picture is also tried enlarged and sharpened, which reads markers of little more than two pixels a
    bit.
    """
    best = (board, _corners(grey, board))
    if len(best[1][0]) >= len(board.corners_mm) // 2:
        return best
    other = replace(board, legacy=not board.legacy)
    turned = _corners(grey, other)
    if len(turned[0]) > 1.5 * len(best[1][0]):
        best = (other, turned)
    if len(best[1][0]) < len(board.corners_mm) // 2 and grey.size <= ENLARGED_PIXELS:
        wide = cv2.resize(grey, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
        sharp = cv2.addWeighted(wide, 3, cv2.GaussianBlur(wide, (0, 0), 3.0), -2, 0)
        ids, corners, markers = _corners(np.asarray(sharp, np.uint8), best[0])
        if len(ids) > len(best[1][0]):
            halved = _Markers(markers.ids, markers.corners_px / 2 - 0.25)
            best = (best[0], (ids, corners / 2 - 0.25, halved))
    return best


def _corners(grey: Picture, board: Board) -> tuple[Ids, Floats, _Markers]:
    """Corners with their numbers as OpenCV finds them, and the markers."""
    how = aruco.CharucoParameters()
    how.tryRefineMarkers = True
    fine = aruco.DetectorParameters()
    fine.cornerRefinementMethod = aruco.CORNER_REFINE_SUBPIX
    corners, ids, marks, mark_ids = _untyped(aruco.CharucoDetector(board.drawn, how, fine).detectBoard(grey))
    named = np.empty(0, np.int64) if ids is None else np.asarray(ids, np.int64).ravel()
    places = np.empty((0, 2)) if corners is None else np.asarray(corners, np.float64).reshape(-1, 2)
    return named, places, _markers(marks, mark_ids)


def _markers(marks: Any, mark_ids: Any) -> _Markers:
    """Markers from OpenCV's lists, which are None or empty where nothing was found."""
    if mark_ids is None or not len(marks):
        return _Markers(np.empty(0, np.int64), np.empty((0, 4, 2)))
    return _Markers(np.asarray(mark_ids, np.int64).ravel(), np.asarray(marks, np.float64).reshape(-1, 4, 2))


def _untyped(found: Any) -> Any:
    """The same object, typed as Any: OpenCV's type hints leave out that it answers None where nothing is
    found."""
    return found


def _seen_markers(grey: Picture, dictionary: aruco.Dictionary) -> _Markers:
    marks, ids, _ = aruco.ArucoDetector(dictionary).detectMarkers(grey)
    return _markers(marks, ids)


def _check_layout(markers: _Markers, board: Board) -> None:
    """Check that the markers stand in the order of this board. Raises `Doubt` when they do not."""
    if len(markers.ids) < 6:
        return
    most = int(markers.ids.max())
    if most >= len(board.markers_mm):
        raise Doubt(
            phrase(
                "it shows marker {most}, and a {columns} x {rows} board ends with {count}; give "
                "--board with the right numbers of squares",
                most=most,
                columns=board.columns,
                rows=board.rows,
                count=len(board.markers_mm) - 1,
            )
        )
    if (share := _in_order(markers, board)) >= 0.6:
        return
    others = [(_in_order(markers, other), other) for other in _other_counts(board, most)]
    best, likely = max(others, key=lambda pair: pair[0], default=(0.0, board))
    raise Doubt(
        phrase(
            OTHERWISE_SET if best > max(0.8, share) else NOT_SO_SET,
            columns=board.columns,
            rows=board.rows,
            likely=likely.columns,
        )
    )


def _other_counts(board: Board, most: int) -> list[Board]:
    """Boards with other numbers of columns that have room for marker `most`."""
    made = []
    for columns in range(3, 31):
        rows = max(3, -(-2 * (most + 1) // columns))
        if columns != board.columns and rows <= 60 and columns * rows // 2 <= len(board.codes.bytesList):
            made.append(replace(board, columns=columns, rows=rows))
    return [other for other in made if most < len(other.markers_mm)]


def _in_order(markers: _Markers, board: Board) -> float:
    """The share of the markers that one homography puts within a third of a square of where they are seen."""
    plan = board.markers_mm[markers.ids].mean(axis=1)
    seen = markers.corners_px.mean(axis=1)
    size = float(np.sqrt(np.median([abs(cv2.contourArea(m.astype(np.float32))) for m in markers.corners_px])))
    size *= board.square_mm / board.marker_mm
    try:
        matrix, inside = _untyped(cv2.findHomography(plan, seen, cv2.RANSAC, size / 3, maxIters=500))
    except cv2.error:
        return 0.0
    return 0.0 if matrix is None else float(np.count_nonzero(inside)) / len(plan)


def _why_so_few(grey: Picture, board: Board, corners: int, markers: _Markers) -> Doubt:
    """Why few or no corners of the board were found."""
    if len(_seen_markers(np.ascontiguousarray(grey[:, ::-1]), board.codes).ids) > max(
        3, 2 * len(markers.ids)
    ):
        return Doubt(phrase(MIRRORED))
    small = (
        grey
        if grey.shape[1] <= 2048
        else cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    )
    best, count = "", max(3, 2 * len(markers.ids))
    for name in DICTIONARIES:
        # The smaller dictionaries of a bit size are the beginnings of the larger ones, and boards count their
        # markers from 0.
        if name.endswith("_250") or name == "DICT_ARUCO_ORIGINAL":
            seen = _seen_markers(
                np.asarray(small, np.uint8), aruco.getPredefinedDictionary(getattr(aruco, name))
            )
            if len(seen.ids) > count:
                best, count = name.removesuffix("_250"), len(seen.ids)
    if best and not board.dictionary.startswith(best):
        return Doubt(phrase(OTHER_MARKERS, best=best, dictionary=board.dictionary))
    if (blur := blur_anywhere(grey)) > 2.0:
        return Doubt(phrase(BLURRED, blur=2.5 * blur))
    if corners or len(markers.ids):
        return Doubt(phrase(FEW_CORNERS, corners=corners))
    return NoBoard(phrase(NO_BOARD))


def blur_anywhere(grey: Picture) -> float:
    """How soft the sharpest strong edges of a picture are, px, without knowing what it shows."""
    small = cv2.GaussianBlur(grey, (0, 0), 0.7).astype(np.float32)
    slope = (
        np.hypot(cv2.Sobel(small, cv2.CV_32F, 1, 0, ksize=3), cv2.Sobel(small, cv2.CV_32F, 0, 1, ksize=3)) / 8
    )
    window = np.ones((31, 31), np.uint8)
    contrast = cv2.dilate(small, window) - cv2.erode(small, window)
    strong = contrast > max(40.0, 0.5 * float(contrast.max()))
    if not strong.any():
        return 0.0
    widths = contrast[strong] / np.maximum(cv2.dilate(slope, window)[strong], 1e-3)
    return float(np.quantile(widths, 0.1) / np.sqrt(2 * np.pi))


def _check_ratio(ids: Ids, corners: Floats, markers: _Markers, board: Board) -> None:
    """Check that markers and squares are as large to each other as `--board` says. Raises `Doubt` when they
    are not."""
    to_board, _ = _untyped(
        cv2.findHomography(corners, board.corners_mm[ids, :2], cv2.RANSAC, 0.1 * board.square_mm)
    )
    if to_board is None or not len(markers.ids):
        return
    flat = cv2.perspectiveTransform(markers.corners_px.reshape(-1, 1, 2), to_board).reshape(-1, 4, 2)
    sides = np.linalg.norm(flat - np.roll(flat, 1, axis=1), axis=2)
    share = float(np.median(sides)) / board.square_mm
    told = board.marker_mm / board.square_mm
    if abs(share - told) > RATIO_TOLERANCE * told + 1.5 / _square_px(ids, corners, board):
        raise Doubt(
            phrase(
                "its markers are {share:.2f} of a square wide, and --board says {told:.2f}; measure "
                "square and marker with a ruler",
                share=share,
                told=told,
            )
        )


def _refined(grey: Picture, ids: Ids, rough: Floats, board: Board) -> tuple[Ids, Floats]:
    """The corners as saddle points; those that run away or lie at the picture's edge are left out."""
    margin = (board.square_mm - board.marker_mm) / 2 / board.square_mm * _square_px(ids, rough, board)
    reach = int(np.clip(0.95 * margin, 2, 12))
    height, width = grey.shape
    room = np.minimum(rough, np.array([width, height]) - 1 - rough).min(axis=1) > reach + 2
    ids, rough = ids[room], rough[room]
    if not len(ids):
        return ids, rough
    start = rough.astype(np.float32).reshape(-1, 1, 2)
    found = cv2.cornerSubPix(grey, start, (reach, reach), (-1, -1), _LIMITS)
    corners = np.asarray(found, np.float64).reshape(-1, 2)
    near = np.linalg.norm(corners - rough, axis=1) < max(1.5, 0.5 * reach)
    return ids[near], corners[near]


def _steps(ids: Ids, corners: Floats, board: Board) -> tuple[Floats, Floats]:
    """The steps between neighbouring corners, to the right and down: where each starts (m, 2) and its vector
    (m, 2), pixels."""
    across = board.columns - 1
    at = {int(i): place for i, place in zip(ids, corners, strict=True)}
    starts, ways = [], []
    for i, place in at.items():
        for there in ((i + 1) if (i + 1) % across else -1, i + across):
            if there in at:
                starts.append(place)
                ways.append(at[there] - place)
    return np.array(starts).reshape(-1, 2), np.array(ways).reshape(-1, 2)


def _square_px(ids: Ids, corners: Floats, board: Board) -> float:
    """The side of one of the smallest squares in the picture, pixels; 1 when no two neighbouring corners were
    found."""
    _, ways = _steps(ids, corners, board)
    return float(np.quantile(np.linalg.norm(ways, axis=1), 0.05)) if len(ways) else 1.0


def _blur(grey: Picture, ids: Ids, corners: Floats, board: Board) -> tuple[float, float]:
    """How soft the edges between squares are (one sigma, in the softer of the two directions), and a square's
    side; both in pixels."""
    starts, ways = _steps(ids, corners, board)
    if len(ways) < 4:
        return 0.0, 0.0
    lengths = np.linalg.norm(ways, axis=1, keepdims=True)
    normals = np.stack([-ways[:, 1], ways[:, 0]], axis=1) / lengths
    margin = (board.square_mm - board.marker_mm) / 2 / board.square_mm * float(np.median(lengths))
    reach = np.linspace(-max(margin, 2.0), max(margin, 2.0), 33)
    at = (starts + 0.5 * ways)[:, None, :] + normals[:, None, :] * reach[None, :, None]
    spots = at.astype(np.float32)
    lines = cv2.remap(grey.astype(np.float32), spots[..., 0], spots[..., 1], cv2.INTER_LINEAR)
    contrast = float(np.quantile(lines, 0.95) - np.quantile(lines, 0.05))
    slopes = np.abs(np.diff(lines, axis=1)).max(axis=1) / (reach[1] - reach[0])
    widths = contrast / np.maximum(slopes, 1e-3) / np.sqrt(2 * np.pi)
    level = np.abs(ways[:, 0]) > np.abs(ways[:, 1])
    softest = max(float(np.median(widths[side])) for side in (level, ~level) if side.any())
    return softest, float(np.median(lengths))


# Which pictures of the held board a lens still needs, and how to say so to whoever holds it.
#
# The lens is not known yet, so views are told apart by the board's outline in the picture alone: a side that
# looks longer than the one opposite is nearer to the camera.

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
