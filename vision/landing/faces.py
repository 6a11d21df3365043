"""Reads the up-face of a die whose pose is known, seen square from above that face.

How it works. The pose says where the four corners of the face are, so the picture of the face can be pulled
square and has a known size. On a face of known size pips can only lie in nine places, within what makers
vary; each pattern, at each pitch and pip size, is a small picture, and the one that the face agrees with best
(normalised correlation, dark on light or light on dark alike) is its value. How much better it is than the
best of any other value says how sure that is.

All six patterns look the same after half a turn, so the place where the best one lies, to a part of a pixel,
is the face's middle, whatever the pips' size: pips are printed marks with sharp rims, far from rounded edges
and shadows. The measurement uses them as evidence of the place beside the outline.
"""

from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Picture, Singles
from calibration.view import View
from vision.face_place import color_word
from vision.landing.cube import Cube, cross, up_axis

SIDE = 48
"""The side of a face that was pulled square, in pixels."""
STRIDE = 3
SEARCH_THIN = 2
"""While pips are searched for, only every so many-th pixel in each direction is used; the place found is then
read with all."""
SEARCH_RAD = 0.07
LOOKED_AT = 0.4
"""How far from its middle a face is read, in edges: further out it is round, and its neighbours' light mixes
in."""
PITCHES = (0.19, 0.215, 0.24, 0.265, 0.29)
"""The distances of pips from the middle that are tried, along each axis, in edges."""
RADII = (0.065, 0.085, 0.105, 0.13)
LARGE_ONES = (0.17, 0.22)
"""The radii of the large single pip of dice from East Asia, in edges."""
SHARP = SIDE / 0.7
"""The slope with which ink fades at a pip's rim, per edge: over 0.7 pixels of the squared face."""
LEAST_CONTRAST = 9.0
"""The contrast of pips and body, in grey levels, below which nothing is read."""
LEAST_LIKE = 0.6
"""The least likeness of pips whose place is told."""
REGISTER_ROUNDS = 3
REGISTERED = 2e-4
"""A step of the registration below this, in edges and in radians, ends it."""
PATTERNS: tuple[tuple[int, tuple[tuple[int, int], ...]], ...] = (
    (1, ((0, 0),)),
    (2, ((-1, -1), (1, 1))),
    (2, ((-1, 1), (1, -1))),
    (3, ((-1, -1), (0, 0), (1, 1))),
    (3, ((-1, 1), (0, 0), (1, -1))),
    (4, ((-1, -1), (-1, 1), (1, -1), (1, 1))),
    (5, ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1))),
    (6, ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1))),
    (6, ((-1, -1), (0, -1), (1, -1), (-1, 1), (0, 1), (1, 1))),
)


_SQUARE: Floats = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)


@dataclass(frozen=True, slots=True)
class FaceReading:
    """What an up-face shows."""

    value: int | None
    confidence: float
    likeness: float
    """Correlation with the best pattern, 0 to 1; below about a half there are no pips here."""
    color: str
    shift_mm: tuple[float, float] = (0.0, 0.0)
    """How far the pips' middle lies from where the pose puts the face's, along the face's own two axes."""
    turn_rad: float | None = None
    """How far the pips are turned against the pose; None for a single pip."""


@dataclass(frozen=True, slots=True)
class _Mark:
    """One pattern at one pitch and pip size, lengths in edges."""

    value: int
    spots: tuple[tuple[int, int], ...]
    pitch: float
    radius: float


@dataclass(frozen=True, eq=False)
class _FoundFace:
    """An up-face at the place where it is most like a pattern."""

    part: Singles
    """Its pixels (n, 3)."""
    likeness: Singles
    """How much each channel is like each of k patterns (k, 3)."""
    aside: tuple[float, float]
    """How far it is from where the pose puts it, right and down, in edges."""
    turn: float


def up_face(cube: Cube) -> Floats:
    """The corners (4, 3) of the face that is up, in order round it, counter-clockwise from above."""
    up = up_axis(cube)
    one = cube.turn[:, (int(np.argmax(np.abs(cube.turn[2]))) + 1) % 3]
    other = cross(up[None], one[None])[0]
    half = cube.edge_mm / 2
    found: Floats = cube.center_mm + half * (up + _SQUARE @ np.stack((one, other)))
    return found


def read_face(
    picture: Picture, view: View, cube: Cube, search_mm: float = 0.0, value: int | None = None
) -> FaceReading:
    """The value of a cube's up-face and its colour, from a picture (h, w, 3); where its `value` is known,
    where the pips of that lie.

    With `search_mm` the pips are searched for within that distance of the face's middle, and turned by a few
    degrees.
    """
    seen = _find_face(picture, view, cube, search_mm, value)
    return FaceReading(None, 0.0, 0.0, "") if seen is None else _read(seen, cube.edge_mm, value)


def _find_face(
    picture: Picture, view: View, cube: Cube, search_mm: float, value: int | None = None
) -> _FoundFace | None:
    """The place round a face's middle that is most like a pattern, or like one of that value; None when the
    face is out of the picture."""
    around = int(np.ceil(search_mm / cube.edge_mm * SIDE / STRIDE)) * STRIDE
    places: list[tuple[int, int, float]] = []
    parts: list[Singles] = []
    for turn in (0.0, -SEARCH_RAD, SEARCH_RAD) if around else (0.0,):
        face = _squared(picture, view, cube, around, turn)
        if face is None:
            return None
        for top in range(0, 2 * around + 1, STRIDE):
            for left in range(0, 2 * around + 1, STRIDE):
                places.append((left - around, top - around, turn))
                parts.append(face[top : top + SIDE, left : left + SIDE])
    best = 0
    if len(parts) > 1:
        thin = np.stack([part[_thin()] for part in parts], axis=2)
        # The channel with most contrast is enough to tell where to look.
        channel = int(np.argmax(thin.std(axis=0).sum(axis=1)))
        patterns = _templates(thinned=True)
        if value is not None:
            patterns = patterns[_of_value()[value - 1]]
        like = _likeness(thin[:, channel], patterns, _plane(thinned=True))
        best = int(np.argmax(like.max(axis=0)))
    right, down, turned = places[best]
    part = parts[best][_looked_at()]
    like = _likeness(part, _templates(thinned=False), _plane(thinned=False))
    return _FoundFace(part, like, (right / SIDE, down / SIDE), turned)


def _likeness(parts: Singles, templates: Singles, plane: Singles) -> Singles:
    """How much faces are like patterns: correlations (k, m) of patterns (k, n) with columns of pixels (n, m),
    0 where a face has no contrast.

    Light that changes evenly across the face is no pip. The patterns are free of constant and slope, so their
    products do not see such light; the norm is freed of it here.
    """
    smooth = plane.T @ parts
    squared = np.einsum("nm,nm->m", parts, parts) - np.einsum("nm,nm->m", smooth, smooth)
    norm = np.sqrt(np.maximum(squared, 1e-6))
    like = np.abs(templates @ parts) / norm
    like[:, norm / np.sqrt(np.float32(len(parts))) < LEAST_CONTRAST * 0.18] = 0
    return np.asarray(like, np.float32)


def _squared(picture: Picture, view: View, cube: Cube, around: int, turn: float) -> Singles | None:
    """The up-face pulled square and turned by `turn` radians, with `around` pixels round it; None out of the
    picture."""
    spin, _ = cv2.Rodrigues(np.array([0.0, 0.0, turn]))
    turned = replace(cube, turn=np.asarray(spin, np.float64) @ cube.turn)
    corners = view.project(up_face(turned)).astype(np.float32)
    low, high = np.float32(around - 0.5), np.float32(around + SIDE - 0.5)
    square = np.array([(low, low), (high, low), (high, high), (low, high)], np.float32)
    size = float(np.hypot(*(corners[1] - corners[0])))
    wide = 2 + int(np.ceil(around / SIDE * size * 1.5))
    x0, y0 = (max(int(v), 0) for v in np.floor(corners.min(axis=0)) - wide)
    x1, y1 = (max(int(v), 0) for v in np.ceil(corners.max(axis=0)) + wide + 1)
    crop = picture[y0:y1, x0:x1]
    if min(crop.shape[:2]) < 6:
        return None
    if size > 1.5 * SIDE:
        crop = np.asarray(cv2.GaussianBlur(crop, (0, 0), 0.4 * size / SIDE), np.uint8)
    pull = cv2.getPerspectiveTransform(corners - np.array((x0, y0), np.float32), square)
    whole = (SIDE + 2 * around, SIDE + 2 * around)
    face = cv2.warpPerspective(crop, pull, whole, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(face, np.float32)


def _read(seen: _FoundFace, edge_mm: float, value: int | None) -> FaceReading:
    """What a face shows, from the pattern that it is most like; where its value is known, from one of
    that."""
    best = np.array([seen.likeness[which].max() for which in _of_value()])
    first, second = np.sort(best)[::-1][:2]
    confidence = _confidence(float(first), float(first - second))
    color = color_word(np.median(seen.part, axis=0).astype(np.float32))
    if value is not None:
        own = best[value - 1]
        confidence = _confidence(float(own), float(own - np.delete(best, value - 1).max()))
        seen = replace(seen, likeness=np.where(_of_value()[value - 1][:, None], seen.likeness, 0))
        first = own
    if confidence < (0.5 if value is None else 0) or first < LEAST_LIKE:
        return FaceReading(None, confidence, float(first), color)
    row, column = np.unravel_index(int(np.argmax(seen.likeness)), seen.likeness.shape)
    mark, slope = _marks()[int(row)], _plane(thinned=False)
    pixels = seen.part[:, column]
    right, down, turn = _registered(pixels - slope @ (slope.T @ pixels), mark)
    shift = ((seen.aside[0] + right) * edge_mm, (seen.aside[1] + down) * edge_mm)
    whole = None if turn is None else turn + seen.turn
    return FaceReading(mark.value, confidence, float(first), color, shift, whole)


def _registered(level: Singles, mark: _Mark) -> tuple[float, float, float | None]:
    """The place of a pattern on a levelled face: right and down in edges, and its turn in radians (None for
    one pip)."""
    place = np.zeros(3)
    count = 3 if mark.value == 1 else 4
    for _ in range(REGISTER_ROUNDS):
        columns = _drawn(mark, place)[:, :count]
        found = np.linalg.solve(columns.T @ columns, columns.T @ level)
        change = np.clip(found[1:] / (found[0] if abs(found[0]) > 1e-6 else 1e-6), -0.05, 0.05)
        place[: count - 1] += change
        if float(np.abs(change).max()) < REGISTERED:
            break
    return float(place[0]), float(place[1]), None if mark.value == 1 else float(place[2])


def _confidence(likeness: float, margin: float) -> float:
    """How often a reading with this likeness and margin over the next value is right."""
    said = 14.0 * (likeness - 0.62) + 60.0 * (margin - 0.035)
    return float(1 / (1 + np.exp(-np.clip(said, -30, 30))))


@cache
def _looked_at() -> NDArray[np.bool_]:
    at = (np.arange(SIDE) + 0.5) / SIDE - 0.5
    x, y = np.meshgrid(at, at)
    return np.asarray((np.abs(x) < LOOKED_AT) & (np.abs(y) < LOOKED_AT))


@cache
def _thin() -> NDArray[np.bool_]:
    """Which of the pixels are used while pips are searched for."""
    chosen = np.zeros_like(_looked_at())
    chosen[::SEARCH_THIN, ::SEARCH_THIN] = True
    return np.asarray(chosen & _looked_at())


@cache
def _plane(*, thinned: bool) -> Singles:
    """An orthonormal basis (n, 3) of constant and slopes over the pixels that are used."""
    rows, columns = np.nonzero(_thin() if thinned else _looked_at())
    found, _ = np.linalg.qr(np.stack((np.ones(len(rows)), rows, columns), axis=1))
    return found.astype(np.float32)


@cache
def _grid() -> Floats:
    """The places of these pixels (2, n), in edges right and down of the middle."""
    rows, columns = np.nonzero(_looked_at())
    found: Floats = (np.stack((columns, rows)) + 0.5) / SIDE - 0.5
    return found


def _drawn(mark: _Mark, place: Floats) -> Floats:
    """A pattern moved right and down in edges and turned: its ink at the pixels that are used and the
    derivative of that by each of the three (n, 4), freed of constant and slope."""
    c, s = np.cos(place[2]), np.sin(place[2])
    spots = mark.pitch * np.array([[c, -s], [s, c]]) @ np.array(mark.spots, np.float64).T
    # Each pixel takes the ink of the nearest spot.
    to = (_grid() - place[:2, None])[:, None] - spots[:, :, None]
    near = (to**2).sum(axis=0).argmin(axis=0)
    x, y = to[:, near, np.arange(to.shape[2])]
    away = np.maximum(np.hypot(x, y), 1e-9)
    ink = 1 / (1 + np.exp((away - mark.radius) * SHARP))
    steep = ink * (1 - ink) * SHARP / away
    turning = y * spots[0, near] - x * spots[1, near]
    found: Floats = np.stack((ink, steep * x, steep * y, steep * turning), axis=1)
    slope = _plane(thinned=False)
    found -= slope @ (slope.T @ found)
    return found


@cache
def _marks() -> tuple[_Mark, ...]:
    """All patterns at all pitches and pip sizes."""
    return tuple(
        _Mark(value, spots, pitch, radius)
        for value, spots in PATTERNS
        for pitch in (PITCHES if value > 1 else PITCHES[:1])
        for radius in (RADII + LARGE_ONES if value == 1 else RADII)
    )


@cache
def _of_value() -> tuple[NDArray[np.bool_], ...]:
    """For each value from one to six, which patterns show it."""
    return tuple(np.array([mark.value == value for mark in _marks()]) for value in range(1, 7))


@cache
def _templates(*, thinned: bool) -> Singles:
    """Normalised pictures (k, n) of all patterns, freed of constant and slope."""
    drawn = np.array([_drawn(mark, np.zeros(3))[:, 0] for mark in _marks()])
    if thinned:
        drawn = drawn[:, _thin()[_looked_at()]]
        slope = _plane(thinned=True).astype(np.float64)
        drawn -= (drawn @ slope) @ slope.T
    return np.asarray(drawn / np.linalg.norm(drawn, axis=1, keepdims=True), np.float32)
