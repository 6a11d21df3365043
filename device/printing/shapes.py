"""What is printed, before it is on paper: shapes in millimetres, the origin at the lower left, y up.

A drawing is a plain list, so that one list makes the PDF and can be looked at by a test.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import cos, pi, sin
from typing import Literal

PointMm = tuple[float, float]
Align = Literal["left", "middle", "right"]

INK = "#1b1b1f"
SOFT = "#6b6b75"
HAIR_MM = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """A filled or outlined polygon."""

    points_mm: tuple[PointMm, ...]
    fill: str = ""
    stroke: str = ""
    stroke_mm: float = HAIR_MM
    dash_mm: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Disc:
    """A filled or outlined circle."""

    center_mm: PointMm
    radius_mm: float
    fill: str = ""
    stroke: str = ""
    stroke_mm: float = HAIR_MM


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A straight line."""

    from_mm: PointMm
    to_mm: PointMm
    color: str = INK
    width_mm: float = HAIR_MM


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """One line of type; `at_mm` is on its base line."""

    text: str
    at_mm: PointMm
    size_mm: float = 3.5
    """The height of a capital letter, about."""
    color: str = INK
    align: Align = "left"
    bold: bool = False
    turn_deg: float = 0.0


Shape = Area | Disc | Rule | Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """Something to print; shapes may not leave 0..width, 0..height."""

    title: str
    width_mm: float
    height_mm: float
    shapes: tuple[Shape, ...]


def box(left: float, bottom: float, right: float, top: float) -> tuple[PointMm, ...]:
    """A rectangle's corners, counter-clockwise."""
    return ((left, bottom), (right, bottom), (right, top), (left, top))


def moved(shapes: Sequence[Shape], by_mm: PointMm) -> Iterator[Shape]:
    """The shapes somewhere else."""
    dx, dy = by_mm

    def to(at: PointMm) -> PointMm:
        return at[0] + dx, at[1] + dy

    for shape in shapes:
        match shape:
            case Area(points_mm=points):
                yield replace(shape, points_mm=tuple(to(at) for at in points))
            case Disc(center_mm=center):
                yield replace(shape, center_mm=to(center))
            case Rule(from_mm=start, to_mm=end):
                yield replace(shape, from_mm=to(start), to_mm=to(end))
            case Words(at_mm=at):
                yield replace(shape, at_mm=to(at))


def rounded(left: float, bottom: float, right: float, top: float, radius: float) -> tuple[PointMm, ...]:
    """A rectangle with round corners, as a polygon of short chords."""
    steps = 8
    middles = (
        (right - radius, bottom + radius, -pi / 2),
        (right - radius, top - radius, 0.0),
        (left + radius, top - radius, pi / 2),
        (left + radius, bottom + radius, pi),
    )
    return tuple(
        (x + radius * cos(start + pi / 2 * k / steps), y + radius * sin(start + pi / 2 * k / steps))
        for x, y, start in middles
        for k in range(steps + 1)
    )
