"""Reads and writes the TOML description of a table as it was planned.

The frame, for this file and for every millimetre in the house: the origin is the middle of the table's outer
edge at this end, +y runs along the table towards the halfway line, +x to the right of it, z up, the
playing surface z = 0.
"""

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec

from engine.wording import phrase

CLASSIC = Path(__file__).with_name("classic.toml")
"""The classic sheet on a table with 5 ft between End Zones: to begin with, and to change."""
PointMm = tuple[float, float]
"""x, y in millimetres of the table, of a mat or of a sheet."""
Positive = Annotated[float, msgspec.Meta(gt=0, le=20_000)]
Color = Annotated[str, msgspec.Meta(pattern="^#[0-9a-fA-F]{6}$")]
Multiplier = Annotated[int, msgspec.Meta(ge=2, le=1000)]


class DescriptionError(ValueError):
    """The table description cannot be used; the message says what to change in it."""


class Surface(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table itself."""

    halfway_y_mm: Positive
    """Where the middle of the halfway tape lies."""
    surface_width_mm: Positive
    name: str = "End Zone table"


class Dot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The instant-win dot."""

    x_mm: float
    y_mm: float
    diameter_mm: Positive
    color: Color = "#111111"


class Zone(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One painted area of the sheet; a later one covers an earlier one."""

    value: Multiplier
    polygon_mm: Annotated[tuple[PointMm, ...], msgspec.Meta(min_length=3, max_length=200)]
    color: Color


class EndZone(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The sheet, centred on x = 0, its back edge on the table's edge."""

    width_mm: Positive
    depth_mm: Positive
    zone: Annotated[tuple[Zone, ...], msgspec.Meta(min_length=1, max_length=50)]
    dot: Dot | None = None


class Tape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Side-line tapes from the sheet's front edge to the halfway tape, and the halfway tape itself."""

    width_mm: Positive
    side_lines_x_mm: tuple[float, float]
    """The tapes' outer edges: left, right."""
    color: Color = "#f4f4f0"


class Dice(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The dice that are thrown, as planned; a real die's edge may be 0.3 mm off."""

    edge_mm: Annotated[float, msgspec.Meta(ge=5, le=50)] = 16.0
    corner_radius_mm: Annotated[float, msgspec.Meta(ge=0, le=10)] = 1.6
    of_one_set: bool = False
    """Whether all dice of one colour are alike in edge and rounding, as those of one set are."""


class TableDescription(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One End Zone table as planned; lengths in mm in the table frame."""

    table: Surface
    end_zone: EndZone
    tape: Tape
    dice: Dice = Dice()


@dataclass(frozen=True, slots=True)
class _Rule:
    """A condition on the numbers of a description, and what to say where it does not hold."""

    holds: bool
    otherwise: str


def load_description(path: Path) -> TableDescription:
    """The description in a TOML file. Raises `DescriptionError` with the cause and the line or key to
    mend."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DescriptionError(
            phrase("{path} cannot be read as a table description: {error}.", path=path, error=error)
        ) from error
    try:
        told = msgspec.convert(tomllib.loads(text), TableDescription)
    except tomllib.TOMLDecodeError as error:
        raise DescriptionError(phrase("{path} is not TOML: {error}.", path=path, error=error)) from error
    except msgspec.ValidationError as error:
        raise DescriptionError(
            phrase("{path} is no table description: {error}.", path=path, error=error)
        ) from error
    for rule in _rules(told):
        if not rule.holds:
            raise DescriptionError(f"{path}: {rule.otherwise}")
    return told


def _rules(told: TableDescription) -> tuple[_Rule, ...]:
    sheet, tape = told.end_zone, told.tape
    half = sheet.width_mm / 2 + 0.01
    inside = all(
        abs(x) <= half and -0.01 <= y <= sheet.depth_mm + 0.01 for z in sheet.zone for x, y in z.polygon_mm
    )
    left, right = tape.side_lines_x_mm
    dot = sheet.dot
    return (
        _Rule(inside, phrase("a zone's polygon_mm leaves the sheet (width_mm, depth_mm).")),
        _Rule(
            told.table.halfway_y_mm > sheet.depth_mm + tape.width_mm,
            phrase("halfway_y_mm lies on the sheet."),
        ),
        _Rule(left < right, phrase("side_lines_x_mm must name the left line first.")),
        _Rule(
            dot is None or (abs(dot.x_mm) < half and 0 < dot.y_mm < sheet.depth_mm),
            phrase("the dot lies outside the sheet."),
        ),
        _Rule(
            2 * told.dice.corner_radius_mm < told.dice.edge_mm,
            phrase("corner_radius_mm is more than half an edge."),
        ),
    )


# A table description as the text of a TOML file, with remarks on top.

LONGEST_LINE = 118


def text_of(told: TableDescription, remarks: Sequence[str]) -> str:
    """What `calibration.description.load_description` reads as the same description.

    Each remark is a line of its own, or several, at the head of the file.
    """
    lines = [*_remarks(remarks), "", "[table]", f"name = {_quoted(told.table.name)}"]
    lines += _numbers(halfway_y_mm=told.table.halfway_y_mm, surface_width_mm=told.table.surface_width_mm)
    sheet = told.end_zone
    lines += ["", "[end_zone]", *_numbers(width_mm=sheet.width_mm, depth_mm=sheet.depth_mm)]
    if (dot := sheet.dot) is not None:
        inside = ", ".join(_numbers(x_mm=dot.x_mm, y_mm=dot.y_mm, diameter_mm=dot.diameter_mm))
        lines.append(f'dot = {{ {inside}, color = "{dot.color}" }}')
    for zone in sheet.zone:
        lines += ["", *_zone(zone)]
    left, right = told.tape.side_lines_x_mm
    lines += ["", "[tape]", *_numbers(width_mm=told.tape.width_mm), f'color = "{told.tape.color}"']
    lines.append(f"side_lines_x_mm = [{_number(left)}, {_number(right)}]")
    lines += ["", "[dice]"]
    lines += _numbers(edge_mm=told.dice.edge_mm, corner_radius_mm=told.dice.corner_radius_mm)
    lines.append(f"of_one_set = {str(told.dice.of_one_set).lower()}")
    return "\n".join(lines) + "\n"


def _remarks(remarks: Sequence[str]) -> Iterable[str]:
    """Remarks as comments, none longer than a line; what is no character to be shown is left out."""
    for remark in remarks:
        line = "#"
        for word in "".join(each if each.isprintable() else " " for each in remark).split():
            if len(line) + len(word) + 1 > LONGEST_LINE:
                yield line
                line = "#"
            line += f" {word}"
        yield line


def _zone(zone: Zone) -> list[str]:
    return [
        "[[end_zone.zone]]",
        f"value = {zone.value}",
        f'color = "{zone.color}"',
        f"polygon_mm = [{', '.join(map(_point, zone.polygon_mm))}]",
    ]


def _point(point: PointMm) -> str:
    return f"[{_number(point[0])}, {_number(point[1])}]"


def _numbers(**numbers: float) -> list[str]:
    return [f"{name} = {_number(value)}" for name, value in numbers.items()]


def _number(value: float) -> str:
    """With a point, as TOML wants a number that may have one; minus nought is nought."""
    return repr(float(value) + 0.0)


def _quoted(text: str) -> str:
    shown = "".join(each if each.isprintable() else " " for each in text)
    return '"' + shown.replace("\\", "\\\\").replace('"', '\\"') + '"'
