"""A table description as the text of a TOML file, with remarks on top."""

from collections.abc import Iterable, Sequence

from calibration.description import PointMm, TableDescription, Zone

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
