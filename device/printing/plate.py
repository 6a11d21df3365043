"""The button plate as a drill template: where each hole goes and how wide it is, seen from the players."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import dist
from typing import Literal

from device.printing.paper import PaperError
from device.printing.shapes import INK, SOFT, Area, Disc, Drawing, PointMm, Rule, Shape, Words, box, moved
from device.wiring import PanelConfig, label
from engine.wording import phrase, told_number

Lamps = Literal["beside", "inside"]
"""Whether the lamps have holes of their own above the buttons, or are inside them."""

ROWS = (("bet1", "bet2", "bet3", "bet4"), ("stop", "cache", "roll_done", "undo"))
LED_MM = 5.0
OFF_MM = 16.0
"""A small button of metal: it is not to be taken for one of the others."""
SCREW_MM = 3.2
"""For M3."""
SMALLEST_MM, LARGEST_MM = 10.0, 32.0
BETWEEN_MM = 24.0
"""From rim to rim of two buttons: a finger's room, and that of a nut behind the plate."""
WALL_MM = 5.0
"""No two holes leave less of the plate between them, nor a hole to the plate's edge."""
MARGIN_MM = 26.0
SCREW_IN_MM = 9.0
"""From the plate's edges to the middle of a screw."""
LED_ABOVE_MM = 11.0
"""From a button's rim to the middle of its lamp."""
LABEL_MM = 9.0
"""From a button's rim down to the line of its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hole:
    """One hole to drill."""

    name: str
    center_mm: PointMm
    """From the plate's lower left corner."""
    diameter_mm: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Plate:
    """A plate and its holes; no two of them meet."""

    width_mm: float
    height_mm: float
    holes: tuple[Hole, ...]

    def __post_init__(self) -> None:
        """A plate that would break dies here."""
        for hole in self.holes:
            (x, y), room = hole.center_mm, hole.diameter_mm / 2 + WALL_MM
            if not (room <= x <= self.width_mm - room and room <= y <= self.height_mm - room):
                raise ValueError(f"the hole of {hole.name} is too near to the plate's edge")
        for one, other in combinations(self.holes, 2):
            wall = dist(one.center_mm, other.center_mm) - (one.diameter_mm + other.diameter_mm) / 2
            if wall < WALL_MM:
                raise ValueError(f"{wall:.1f} mm are left between the holes of {one.name} and {other.name}")


def button_plate(panel: PanelConfig, hole_mm: float = 24.0, lamps: Lamps = "beside") -> Plate:
    """The plate for the buttons and lamps that the settings say are fitted; `hole_mm` is a button's hole.

    Raises `PaperError` for a hole that no panel button has.
    """
    if not SMALLEST_MM <= hole_mm <= LARGEST_MM:
        raise PaperError(
            phrase(
                "A button's hole has {smallest_mm:g} to {largest_mm:g} mm; {hole_mm:g} were asked "
                "for. Its data sheet says it: 16, 24 and 30 mm are usual.",
                smallest_mm=SMALLEST_MM,
                largest_mm=LARGEST_MM,
                hole_mm=hole_mm,
            )
        )
    buttons, lit = panel.buttons.fitted(), panel.lamps.fitted()
    rows = [row for row in ([name for name in names if name in buttons] for names in ROWS) if row]
    across, up = hole_mm + BETWEEN_MM, hole_mm + LED_ABOVE_MM + LABEL_MM + 18.0
    first_y = MARGIN_MM + LABEL_MM + hole_mm / 2
    holes: list[Hole] = []
    for number, row in enumerate(reversed(rows)):
        for column, name in enumerate(row):
            at = (MARGIN_MM + hole_mm / 2 + column * across, first_y + number * up)
            holes.append(Hole(name=label(name), center_mm=at, diameter_mm=hole_mm))
            if lamps == "beside" and name in lit:
                above = (at[0], at[1] + hole_mm / 2 + LED_ABOVE_MM)
                holes.append(
                    Hole(name=phrase("{name}, lamp", name=label(name)), center_mm=above, diameter_mm=LED_MM)
                )
    right_x = MARGIN_MM + hole_mm + (max(map(len, rows), default=1) - 1) * across
    top_y = first_y + max(0, len(rows) - 1) * up + hole_mm / 2 + LED_ABOVE_MM
    holes += _signs(panel, right_x + BETWEEN_MM + OFF_MM / 2, first_y, top_y, lamps)
    width, height = right_x + BETWEEN_MM + OFF_MM + MARGIN_MM, top_y + MARGIN_MM
    return Plate(width_mm=width, height_mm=height, holes=(*holes, *_screws(width, height)))


def plate_drawing(plate: Plate) -> Drawing:
    """The template: a circle and a cross for each hole, its name and its width."""
    shapes: list[Shape] = [Area(points_mm=box(0, 0, plate.width_mm, plate.height_mm), stroke=INK)]
    for hole in plate.holes:
        shapes += moved(tuple(_hole(hole)), hole.center_mm)
    size = phrase(
        "Callbox, button plate {width_mm:g} x {height_mm:g} mm, seen from the players' side",
        width_mm=plate.width_mm,
        height_mm=plate.height_mm,
    )
    shapes.append(Words(text=size, at_mm=(MARGIN_MM, 5.0), size_mm=2.2, color=SOFT))
    return Drawing(
        title=phrase("Callbox button plate"),
        width_mm=plate.width_mm,
        height_mm=plate.height_mm,
        shapes=tuple(shapes),
    )


def _signs(panel: PanelConfig, x: float, off_y: float, top_y: float, lamps: Lamps) -> Iterator[Hole]:
    """Off button and status lamp, in a column of their own."""
    if isinstance(panel.off.button, int):
        yield Hole(name=label("off"), center_mm=(x, off_y), diameter_mm=OFF_MM)
        if lamps == "beside" and isinstance(panel.off.lamp, int):
            above = (x, off_y + OFF_MM / 2 + LED_ABOVE_MM)
            yield Hole(name=phrase("OFF, lamp"), center_mm=above, diameter_mm=LED_MM)
    if panel.status.fitted():
        yield Hole(name="STATUS", center_mm=(x, top_y), diameter_mm=LED_MM)


def _screws(width: float, height: float) -> Iterator[Hole]:
    for x in (SCREW_IN_MM, width - SCREW_IN_MM):
        for y in (SCREW_IN_MM, height - SCREW_IN_MM):
            yield Hole(name="screw", center_mm=(x, y), diameter_mm=SCREW_MM)


def _hole(hole: Hole) -> Iterator[Shape]:
    """One hole about the origin: its rim, a cross that ends well outside, a dot for the punch, its name."""
    radius = hole.diameter_mm / 2
    reach = radius + 2.5
    yield Disc(center_mm=(0, 0), radius_mm=radius, stroke=INK, stroke_mm=0.25)
    yield Rule(from_mm=(-reach, 0), to_mm=(reach, 0), width_mm=0.12)
    yield Rule(from_mm=(0, -reach), to_mm=(0, reach), width_mm=0.12)
    yield Disc(center_mm=(0, 0), radius_mm=0.4, fill=INK)
    yield Words(
        text=f"Ø {told_number(hole.diameter_mm, 'g')}", at_mm=(radius + 1.2, 1.0), size_mm=1.6, color=SOFT
    )
    if radius > LED_MM:
        yield Words(text=hole.name, at_mm=(0, -radius - 6.5), size_mm=2.8, align="middle", bold=True)
    elif hole.name == "STATUS":
        yield Words(text=hole.name, at_mm=(0, -radius - 5.5), size_mm=2.2, align="middle", bold=True)


def legend(holes: Sequence[Hole]) -> str:
    """The drills that are needed, for whoever fetches them: "8 x 24 mm, 9 x 5 mm"."""
    widths = [hole.diameter_mm for hole in holes]
    return ", ".join(
        f"{widths.count(width)} x {told_number(width, 'g')} mm" for width in sorted(set(widths), reverse=True)
    )
