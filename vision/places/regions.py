"""Reads which dice and cards lie where on a mat, found by tags or calibration.

A die belongs to the place in which the middle of its foot lies. The camera sees its top, which is brought
down by the die's own height; that follows from its apparent size (a cube's edge looks larger by eye / (eye -
edge)).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import atan2, cos, degrees, radians, sin
from typing import Generic, Protocol, TypeVar

import cv2
import numpy as np

from calibration.arrays import Floats, Picture
from calibration.description import PointMm
from calibration.view import View
from engine.wording import phrase
from vision.places.layout import TAG_IDS, Kind, Layout, Region
from vision.reading import Reading, SeenDie, UnsureDie

# ZONK's cards by the small tags that are printed on them.
#
# The tags are ArUco, DICT_4X4_50; copies of a card share an id. The mat's corners have 40 to 43.

CARD_TAGS: dict[str, int] = {
    "aura": 0,
    "potion": 1,
    "stare": 2,
    "chance": 3,
    "hot": 4,
    "tonic": 5,
    "swap": 6,
    "fate": 7,
    "rift": 8,
    "money": 9,
}
"""Each card's tag, by the word that the rulebook has for the card."""
CARDS: dict[int, str] = {tag: card for card, tag in CARD_TAGS.items()}

CARD_MM = (63.0, 88.0)
"""A card's width and height: those that common sleeves fit."""
TAG_MM = 18.0
"""The edge of its tag's black square."""
TAG_CENTER_MM = (16.0, 72.0)
"""Where the tag's middle lies, from the card's lower left corner: at the upper left, visible when cards lie
fanned."""


# Finds the printed tags (ArUco, DICT_4X4_50) in a picture.


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


# From pixels to the mat's millimetres: by the mat's own tags, or by a calibrated camera.
#
# The tags give the plane of the paper. A point above it appears too far out, by the similar triangles of eye,
# point and foot: seen - below = (true - below) * eye / (eye - height), where "below" is the spot right below
# the eye and "eye" its height. Where only tags are known, the eye is taken to be `camera_height_mm` of the
# layout above the spot that the picture's middle shows.

LEAST_TAGS = 2
"""The fewest tags in sight: two tags are eight corners, four more than a plane needs."""
MOST_OFF_MM = 3.0
"""The most by which a corner may lie off its printed place; beyond that it is another mat, or the paper is
folded."""


class Ground(Protocol):
    """The way between one camera's pixels and the mat's millimetres."""

    @property
    def eye_height_mm(self) -> float:
        """How high the camera's eye is above the paper."""
        ...

    def on_mat(self, points_px: Floats, z_mm: float = 0.0) -> Floats:
        """The points (n, 2) of the mat's frame, at height `z_mm`, that pixels (n, 2) see."""
        ...

    def pixels(self, points_mm: Floats) -> Floats:
        """Where points (n, 2) of the paper appear, as pixels (n, 2)."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class TagGround:
    """The mat's plane as its tags give it."""

    to_mm: Floats
    """The homography (3, 3) from pixels to the paper."""
    below_eye_mm: Floats
    """The spot on the paper (2,) taken to be right below the eye: what the picture's middle shows."""
    eye_height_mm: float

    def on_mat(self, points_px: Floats, z_mm: float = 0.0) -> Floats:
        """The points (n, 2) of the mat's frame, at height `z_mm`, that pixels (n, 2) see."""
        seen = _through(self.to_mm, points_px)
        found: Floats = self.below_eye_mm + (seen - self.below_eye_mm) * (1 - z_mm / self.eye_height_mm)
        return found

    def pixels(self, points_mm: Floats) -> Floats:
        """Where points (n, 2) of the paper appear, as pixels (n, 2)."""
        return _through(np.asarray(np.linalg.inv(self.to_mm), np.float64), points_mm)


@dataclass(frozen=True, slots=True, eq=False)
class ViewGround:
    """A calibrated camera, and where the mat lies on its table."""

    view: View
    origin_mm: tuple[float, float]
    turn_deg: float

    @property
    def eye_height_mm(self) -> float:
        """How high the camera hangs."""
        return float(self.view.eye_mm[2])

    def on_mat(self, points_px: Floats, z_mm: float = 0.0) -> Floats:
        """The points (n, 2) of the mat's frame, at height `z_mm`, that pixels (n, 2) see."""
        found: Floats = (self.view.on_plane(points_px, z_mm) - np.array(self.origin_mm)) @ self._turn
        return found

    def pixels(self, points_mm: Floats) -> Floats:
        """Where points (n, 2) of the paper appear, as pixels (n, 2)."""
        there = np.asarray(points_mm, np.float64).reshape(-1, 2) @ self._turn.T + np.array(self.origin_mm)
        return self.view.project(np.hstack([there, np.zeros((len(there), 1))]))

    @property
    def _turn(self) -> Floats:
        """The turn from the mat's frame to the table's, 2 x 2."""
        c, s = cos(radians(self.turn_deg)), sin(radians(self.turn_deg))
        return np.array([[c, -s], [s, c]])


def ground_by_tags(
    layout: Layout, tags: Sequence[SeenTag], width_px: int, height_px: int
) -> tuple[TagGround | None, str]:
    """The mat's plane and an empty string, or None and a sentence that says why there is none."""
    seen = {tag.id: tag for tag in tags}
    known = [tag for tag in layout.tags.at if tag.id in seen]
    if len(known) < LEAST_TAGS:
        missing = [str(tag.id) for tag in layout.tags.at if tag.id not in seen]
        return None, phrase(
            "I do not see the mat's corner tags {tags}. Lay the {mat} so that the camera sees its corners, "
            "and uncover them.",
            tags=", ".join(missing),
            mat=layout.told_title,
        )
    pixels = np.concatenate([seen[tag.id].corners_px for tag in known])
    printed = np.concatenate([tag.corners_mm(layout.tags.edge_mm) for tag in known])
    matrix = np.array(cv2.findHomography(pixels, printed, 0)[0], np.float64)
    off = _through(matrix, pixels) - printed if matrix.shape == (3, 3) else np.array([[np.inf]])
    if float(np.linalg.norm(off, axis=1).max()) > MOST_OFF_MM:
        return None, phrase(
            "The corner tags do not fit the {mat}. Lay the mat flat, and see that it is the one of this "
            "game, printed at 100 per cent.",
            mat=layout.told_title,
        )
    middle = _through(matrix, np.array([[(width_px - 1) / 2, (height_px - 1) / 2]]))[0]
    return TagGround(matrix, middle, layout.mat.camera_height_mm), ""


def ground_by_view(layout: Layout, tags: Sequence[SeenTag], view: View) -> ViewGround | None:
    """The mat on a calibrated table: where its tags lie; without tags, where the layout says it does.

    The tags' corners are brought to the table's millimetres, and the mat is turned and shifted onto them by
    least squares (Kabsch's rotation in the plane). None when they do not fit: the camera is not where it was.
    """
    seen = {tag.id: tag for tag in tags}
    known = [tag for tag in layout.tags.at if tag.id in seen]
    if not known:
        return ViewGround(view, layout.mat.origin_mm, layout.mat.turn_deg)
    there = view.on_plane(np.concatenate([seen[tag.id].corners_px for tag in known]))
    printed = np.concatenate([tag.corners_mm(layout.tags.edge_mm) for tag in known])
    at, own = there - there.mean(axis=0), printed - printed.mean(axis=0)
    cross = float((own[:, 0] * at[:, 1] - own[:, 1] * at[:, 0]).sum())
    turn = atan2(cross, float((own * at).sum()))
    matrix = np.array([[cos(turn), -sin(turn)], [sin(turn), cos(turn)]])
    off = own @ matrix.T - at
    if float(np.linalg.norm(off, axis=1).max()) > MOST_OFF_MM:
        return None
    x, y = there.mean(axis=0) - matrix @ printed.mean(axis=0)
    return ViewGround(view, (float(x), float(y)), degrees(turn))


def _through(homography: Floats, points: Floats) -> Floats:
    there = np.asarray(points, np.float64).reshape(-1, 1, 2)
    if not len(there):
        return np.empty((0, 2))
    return np.asarray(cv2.perspectiveTransform(there, homography), np.float64).reshape(-1, 2)


Thing = TypeVar("Thing", SeenDie, UnsureDie, str)
"""What may lie on a mat: a die, something that may be one, a card by its name."""


BORDER_MM = 3.0
"""A die whose middle is nearer than this to a line counts as lying on it: tags, lens and height leave an
error of a millimetre or two."""
UNREAD_MM = 16.0
"""The edge that a die is taken to have where none was measured."""
QUIET = 1.5
"""The size of a tag with the white margin round it, by its black square; no die is looked for there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed(Generic[Thing]):
    """A die, something that may be one, or a card that lies face up, and the place that holds it."""

    thing: Thing
    at_mm: PointMm
    """The middle of its foot in the mat's frame; for a card, the middle of its tag."""
    region: Region | None
    """The place that holds it; None where no place does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatReading:
    """Everything in one picture, by place."""

    reading: Reading
    """All that was read, wherever it lies."""
    dice: tuple[Placed[SeenDie], ...] = ()
    unsure: tuple[Placed[UnsureDie], ...] = ()
    """What was not read, and dice that lie on a line."""
    cards: tuple[Placed[str], ...] = ()

    def lie_in(self, kind: Kind, number: int = 0) -> tuple[Placed[SeenDie], ...]:
        """The dice in the places of a kind, or in the one of a number."""
        return tuple(
            one
            for one in self.dice
            if one.region and one.region.kind == kind and (not number or one.region.number == number)
        )

    def unsure_in(self, kind: Kind) -> tuple[Placed[UnsureDie], ...]:
        """What was not read in the places of a kind."""
        return tuple(one for one in self.unsure if one.region and one.region.kind == kind)

    @property
    def roll(self) -> Reading:
        """The reading without what cannot be part of a roll: what lies in a place where dice are set
        aside."""
        return replace(
            self.reading,
            dice=tuple(one.thing for one in self.dice if not (one.region and one.region.sets_aside)),
            unsure=tuple(one.thing for one in self.unsure if not (one.region and one.region.sets_aside)),
        )

    @property
    def cards_lying(self) -> Counter[str]:
        """The cards that lie in card places or pockets, and how many of each."""
        return Counter(
            one.thing for one in self.cards if one.region and one.region.kind in {"cards", "pocket"}
        )


class Surveyor:
    """Finds the mat in pictures. It keeps the last ground that it was sure of, for when a hand covers a
    tag."""

    def __init__(self, layout: Layout, view: View | None = None) -> None:
        """With a calibrated camera's `view` no nominal camera height is needed, and no tag where the layout
        says where on the table the mat lies."""
        self.layout = layout
        self._view = view
        self._ground: Ground | None = None
        self.size_px = (0, 0)
        """Width and height of the pictures."""
        self.trouble = ""
        """Why no place is known, in a sentence; empty when all is well."""

    @property
    def ground(self) -> Ground | None:
        """Where the mat lies; None as long as it was never seen."""
        return self._ground

    def paint_over_tags(self, picture: Picture) -> tuple[Picture, tuple[SeenTag, ...]]:
        """The picture with its tags painted over (they look like dice), and the tags."""
        tags = find_tags(picture)
        self.locate(tags, picture.shape[1], picture.shape[0])
        if not tags:
            return picture, ()
        clean = picture.copy()
        for tag in tags:
            _paint_over(clean, tag)
        return clean, tags

    def locate(self, tags: Sequence[SeenTag], width_px: int, height_px: int) -> None:
        """Find out where the mat lies, by the tags in a picture of that size; where they do not tell, the
        last place stands."""
        self.size_px = width_px, height_px
        found: Ground | None = None
        why, view = "", self._view
        if view is not None and (view.lens.width_px, view.lens.height_px) == self.size_px:
            found = ground_by_view(self.layout, tags, view)
        if found is None:
            found, why = ground_by_tags(self.layout, tags, width_px, height_px)
        self._ground = found or self._ground
        self.trouble = "" if self._ground else why

    def assign_places(self, reading: Reading, tags: Sequence[SeenTag]) -> MatReading:
        """Say for each die and card where it lies; as long as the mat is not known, nothing has a place."""
        if self._ground is None:
            return MatReading(
                reading=reading,
                dice=tuple(_nowhere(die) for die in reading.dice),
                unsure=tuple(_nowhere(one) for one in reading.unsure),
            )
        dice, on_lines = [], []
        for die in reading.dice:
            at = _foot_mm(die, self._ground)
            line = next((one for one in self.layout.region if one.sets_aside and _on_line(one, at)), None)
            if line is None:
                dice.append(self._placed(die, at))
            else:
                doubt = UnsureDie(
                    center_px=die.center_px, reason=phrase("on the line of {place}", place=line.words)
                )
                on_lines.append(Placed(thing=doubt, at_mm=at, region=line))
        unread = [self._placed(one, _at_mm(one, self._ground)) for one in reading.unsure]
        cards = [
            self._placed(CARDS[tag.id], _middle_mm(tag, self._ground))
            for tag in tags
            if tag.id not in TAG_IDS and tag.id in CARDS
        ]
        return MatReading(reading=reading, dice=tuple(dice), unsure=(*on_lines, *unread), cards=tuple(cards))

    def _placed(self, thing: Thing, at_mm: PointMm) -> Placed[Thing]:
        return Placed(thing=thing, at_mm=at_mm, region=self.layout.at(*at_mm))


def _nowhere(thing: Thing) -> Placed[Thing]:
    return Placed(thing=thing, at_mm=(0.0, 0.0), region=None)


def edge_seen_mm(die: SeenDie, ground: Ground) -> float:
    """The edge of a die from how large it looks; its up-face is nearer to the eye by that very edge."""
    top = ground.on_mat(np.array(die.corners_px, np.float64))
    apparent = float(np.linalg.norm(top - np.roll(top, 1, axis=0), axis=1).mean())
    return apparent * ground.eye_height_mm / (ground.eye_height_mm + apparent)


def _foot_mm(die: SeenDie, ground: Ground) -> PointMm:
    return _point(ground.on_mat(np.array([die.center_px]), edge_seen_mm(die, ground)))


def _at_mm(unsure: UnsureDie, ground: Ground) -> PointMm:
    return _point(ground.on_mat(np.array([unsure.center_px]), UNREAD_MM))


def _middle_mm(tag: SeenTag, ground: Ground) -> PointMm:
    return _point(ground.on_mat(tag.center_px.reshape(1, 2)))


def _point(only_one: Floats) -> PointMm:
    ((x, y),) = only_one
    return float(x), float(y)


def _on_line(region: Region, at_mm: PointMm) -> bool:
    return abs(region.inside_mm(*at_mm)) < BORDER_MM


def _paint_over(picture: Picture, tag: SeenTag) -> None:
    """Fill a tag, with its white, in the colour of the paper round it."""
    middle = tag.center_px
    quiet = middle + (tag.corners_px - middle) * QUIET
    rim = np.clip(np.round(middle + (tag.corners_px - middle) * 1.25).astype(int), 0, None)
    height, width = picture.shape[:2]
    colours = [picture[min(y, height - 1), min(x, width - 1)] for x, y in rim]
    fill = np.median(np.array(colours), axis=0)
    cv2.fillConvexPoly(picture, np.round(quiet).astype(np.int32), [float(part) for part in fill])
