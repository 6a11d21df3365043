"""What lies where: every die and card of a picture, with the place of the mat that holds it.

A die belongs to the place in which the middle of its foot lies. The camera sees its top, which is brought
down by the die's own height; that follows from its apparent size (a cube's edge looks larger by eye / (eye -
edge)).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import cv2
import numpy as np

from calibration.arrays import Floats, Picture
from calibration.description import PointMm
from calibration.view import View
from engine.wording import phrase
from vision.places.cards import CARDS
from vision.places.ground import Ground, ground_by_tags, ground_by_view
from vision.places.layout import TAG_IDS, Kind, Layout, Region
from vision.places.tags import SeenTag, find_tags
from vision.reading import Reading, SeenDie, UnsureDie

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

    def place(self, reading: Reading, tags: Sequence[SeenTag]) -> MatReading:
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
