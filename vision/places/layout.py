"""A mat as it is printed: the TOML file that names its places. Printer, camera and rulebook all read this
file.

The mat's frame: millimetres, the origin at its lower left corner as the players see it, +x to the right, +y
up the mat (away from whoever reads its words), z up from the paper.
"""

import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal, Self

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats
from calibration.description import PointMm
from engine.wording import phrase, phrase_later

Kind = Literal["roll", "pocket", "aside", "bet", "cards", "end_zone"]

PRINTED = (
    phrase_later("Ten Thousand mat"),
    phrase_later("Zoinx mat"),
    phrase_later("ZONK mat"),
    phrase_later("roll"),
    phrase_later("cast"),
    phrase_later("cards"),
    phrase_later("set aside"),
    phrase_later("bet 1"),
    phrase_later("bet 2"),
    phrase_later("bet 3"),
    phrase_later("bet 4"),
    phrase_later("pocket 1"),
    phrase_later("pocket 2"),
    phrase_later("pocket 3"),
    phrase_later("pocket 4"),
    phrase_later("pocket 5"),
    phrase_later("pocket 6"),
)
"""Titles and labels of the packaged mats. Whoever draws another mat writes them in the own language."""
A3_MM = (420.0, 297.0)
TAG_IDS = (40, 41, 42, 43)
"""The mat's tags (ArUco, DICT_4X4_50), counter-clockwise from the lower left corner."""
SET_ASIDE: tuple[Kind, ...] = ("pocket", "aside", "bet", "cards")
"""The kinds of places whose dice are not part of a roll."""
OVERLAP_MM2 = 25.0
"""How much two regions may overlap: drawn on a millimetre grid, two that only touch share about a corner."""

Length = Annotated[float, msgspec.Meta(gt=0, le=2000)]


class LayoutError(ValueError):
    """The layout cannot be used; the message names the file, what is wrong and what is allowed."""


class Mat(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The printed rectangle, its tags included."""

    width_mm: Length
    height_mm: Length
    color: Annotated[str, msgspec.Meta(pattern="^#[0-9a-fA-F]{6}$")] = "#fbfaf6"
    camera_height_mm: Annotated[float, msgspec.Meta(ge=200, le=5000)] = 900.0
    """How high the camera hangs above the mat, roughly: a die's top is seen a little further out than its
    foot. Not needed with a calibrated camera."""
    origin_mm: PointMm = (0.0, 0.0)
    """Where the mat's lower left corner lies on a calibrated table."""
    turn_deg: float = 0.0
    """How far the mat is turned there, counter-clockwise."""


class Tag(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One corner tag, upright on the mat."""

    id: int
    center_mm: PointMm

    def corners_mm(self, edge_mm: float) -> Floats:
        """Its corners (4, 2) in the order in which ArUco gives them: from the tag's upper left, clockwise."""
        half = edge_mm / 2
        (x, y) = self.center_mm
        return np.array(
            [[x - half, y + half], [x + half, y + half], [x + half, y - half], [x - half, y - half]]
        )


class Tags(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The four tags."""

    edge_mm: Annotated[float, msgspec.Meta(ge=8, le=60)]
    """The edge of the black square; round it the paper stays white for a sixth of that."""
    at: Annotated[tuple[Tag, ...], msgspec.Meta(min_length=4, max_length=4)]


class Region(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One place. Its outline is either a rectangle or a polygon."""

    kind: Kind
    label: str
    """What is printed on the place, and what the box calls it, in English: "pocket 2"."""
    rect_mm: tuple[float, float, float, float] | None = None
    """Left, bottom, right, top."""
    polygon_mm: Annotated[tuple[PointMm, ...], msgspec.Meta(max_length=100)] = ()
    number: Annotated[int, msgspec.Meta(ge=0, le=12)] = 0
    """The cast whose pocket it is, or the seat whose bet place it is, counted from 1; 0 for other places."""
    color: Annotated[str, msgspec.Meta(max_length=20)] = ""
    """The colour of the betting die that belongs here: red, blue, green, yellow ...; empty where any will
    do."""

    @property
    def words(self) -> str:
        """The label in the language of the house, where the place is one of the packaged mats'."""
        return phrase(self.label)

    @property
    def outline_mm(self) -> Floats:
        """The outline (n, 2)."""
        if self.rect_mm is None:
            return np.array(self.polygon_mm, np.float64).reshape(-1, 2)
        left, bottom, right, top = self.rect_mm
        return np.array([[left, bottom], [right, bottom], [right, top], [left, top]], np.float64)

    @property
    def center_mm(self) -> PointMm:
        """The middle of its bounding box."""
        low, high = self.outline_mm.min(axis=0), self.outline_mm.max(axis=0)
        return float(low[0] + high[0]) / 2, float(low[1] + high[1]) / 2

    def inside_mm(self, x_mm: float, y_mm: float) -> float:
        """How far inside the outline a point lies; negative outside."""
        outline = self.outline_mm.astype(np.float32).reshape(-1, 1, 2)
        return float(cv2.pointPolygonTest(outline, (float(x_mm), float(y_mm)), True))

    @property
    def sets_aside(self) -> bool:
        """Whether dice in this place are out of the roll."""
        return self.kind in SET_ASIDE


class Layout(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One mat with all its places."""

    name: str
    title: str
    mat: Mat
    tags: Tags
    region: Annotated[tuple[Region, ...], msgspec.Meta(min_length=1, max_length=40)]

    @property
    def told_title(self) -> str:
        """The title in the language of the house, where the mat is a packaged one."""
        return phrase(self.title)

    def of(self, kind: Kind) -> tuple[Region, ...]:
        """The places of a kind, by their numbers."""
        return tuple(sorted((one for one in self.region if one.kind == kind), key=lambda one: one.number))

    def named(self, label: str) -> Region | None:
        """The place with this label."""
        return next((one for one in self.region if one.label == label), None)

    def at(self, x_mm: float, y_mm: float) -> Region | None:
        """The place that holds this point; None where there is none."""
        return next((one for one in self.region if one.inside_mm(x_mm, y_mm) >= 0), None)

    @classmethod
    def parse(cls, text: str, name: str) -> Self:
        """A layout from its text; `name` stands in errors. Raises `LayoutError`."""
        try:
            told = msgspec.convert(tomllib.loads(text), cls)
        except tomllib.TOMLDecodeError as error:
            raise LayoutError(phrase("{name} is not TOML: {error}.", name=name, error=error)) from error
        except msgspec.ValidationError as error:
            raise LayoutError(phrase("{name} is no layout: {error}.", name=name, error=error)) from error
        for trouble in _troubles(told):
            raise LayoutError(f"{name}: {trouble}")
        return told


def load_layout(path: Path) -> Layout:
    """The layout in a TOML file; raises `LayoutError` with cause and fix."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise LayoutError(phrase("{path} is not UTF-8 text. A layout is a TOML file.", path=path)) from None
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise LayoutError(
            phrase("The layout {path} cannot be read: {why}. Check its path.", path=path, why=why)
        ) from None
    return Layout.parse(text, str(path))


def list_packaged() -> tuple[str, ...]:
    """The names of the mats that come with Callbox, by game."""
    found = (Path(each.name) for each in files("vision.places").iterdir() if each.name.endswith(".toml"))
    return tuple(sorted(path.stem for path in found))


def load_packaged(name: str) -> Layout:
    """The mat of that name that comes with Callbox; raises `LayoutError` where there is none."""
    if name not in list_packaged():
        raise LayoutError(
            phrase(
                "There is no mat called {name!r}. There are {names}, or your own file.",
                name=name,
                names=", ".join(list_packaged()),
            )
        )
    return Layout.parse((files("vision.places") / f"{name}.toml").read_text(encoding="utf-8"), f"{name}.toml")


def _troubles(told: Layout) -> Iterator[str]:
    """What cannot be in this layout, in sentences."""
    mat, largest = told.mat, f"{A3_MM[0]:g} x {A3_MM[1]:g} mm (A3)"
    if not (mat.width_mm <= A3_MM[0] and mat.height_mm <= A3_MM[1]):
        yield phrase(
            "the mat is {width_mm:g} x {height_mm:g} mm; allowed is up to {largest}.",
            width_mm=mat.width_mm,
            height_mm=mat.height_mm,
            largest=largest,
        )
    ids = tuple(sorted(tag.id for tag in told.tags.at))
    if ids != TAG_IDS:
        yield phrase(
            "the tags have the ids {ids}; allowed is each of {tag_ids} once.",
            ids=_listed(ids),
            tag_ids=_listed(TAG_IDS),
        )
    for tag in told.tags.at:
        # The quiet white margin round a tag belongs to it: without it the camera does not find its border.
        if not _inside(mat, tag.corners_mm(told.tags.edge_mm * 4 / 3)):
            yield phrase("tag {id} and the white round it leave the mat; move center_mm inwards.", id=tag.id)
    labels = [one.label for one in told.region]
    for label in labels:
        if not label.strip() or labels.count(label) > 1:
            yield phrase("label {label!r} must not be empty and names one place only.", label=label)
    for kind, what in (("pocket", phrase_later("cast")), ("bet", phrase_later("seat"))):
        numbers = [one.number for one in told.region if one.kind == kind]
        if sorted(numbers) != list(range(1, len(numbers) + 1)):
            yield phrase(
                "the {kind} places are numbered {numbers}; number counts each {what} from 1.",
                kind=kind,
                numbers=_listed(numbers),
                what=phrase(what),
            )
    if not told.of("roll"):
        yield phrase("there is no place of kind roll: where are the dice thrown?")
    yield from _outlines(told)


def _outlines(told: Layout) -> Iterator[str]:
    """What is wrong with where the places lie, in sentences."""
    drawn = np.zeros((int(A3_MM[1]) + 1, int(A3_MM[0]) + 1), np.uint8)
    for tag in told.tags.at:
        _draw(drawn, tag.corners_mm(told.tags.edge_mm))
    for one in told.region:
        if (one.rect_mm is None) == (not one.polygon_mm) or (one.polygon_mm and len(one.polygon_mm) < 3):
            yield phrase(
                "{label} needs either rect_mm or a polygon_mm of three points or more.", label=one.label
            )
            return
        if not _inside(told.mat, one.outline_mm):
            yield phrase(
                "{label} leaves the mat of {width_mm:g} x {height_mm:g} mm.",
                label=one.label,
                width_mm=told.mat.width_mm,
                height_mm=told.mat.height_mm,
            )
            return
        if one.rect_mm and not (one.rect_mm[0] < one.rect_mm[2] and one.rect_mm[1] < one.rect_mm[3]):
            yield phrase(
                "{label}: rect_mm is left, bottom, right, top; left is below right, bottom below top.",
                label=one.label,
            )
            return
        own = np.zeros_like(drawn)
        _draw(own, one.outline_mm)
        if int((own & drawn).sum()) > OVERLAP_MM2:
            yield phrase(
                "{label} lies on a tag or on another place; places must not overlap.", label=one.label
            )
        drawn |= own


def _draw(drawn: NDArray[np.uint8], outline_mm: Floats) -> None:
    # A pixel is a millimetre; half a pixel is taken off so that neighbours that share a line do not overlap.
    middle = outline_mm.mean(axis=0)
    shrunk = outline_mm - np.sign(outline_mm - middle) * 0.5
    cv2.fillPoly(drawn, [np.round(shrunk).astype(np.int32)], (1,))


def _inside(mat: Mat, points_mm: Floats) -> bool:
    return bool(
        (points_mm >= -0.01).all() and (points_mm <= np.array([mat.width_mm, mat.height_mm]) + 0.01).all()
    )


def _listed(numbers: tuple[int, ...] | list[int]) -> str:
    return ", ".join(map(str, numbers))
