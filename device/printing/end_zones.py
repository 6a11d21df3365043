"""An End Zone sheet as a drawing, for people who make their own table."""

from collections.abc import Iterator, Sequence

from calibration.description import TableDescription
from device.printing.shapes import Area, Disc, Drawing, PointMm, Shape, Words


def end_zone_drawing(told: TableDescription) -> Drawing:
    """The sheet that a description plans: the table's edge at the bottom."""
    sheet = told.end_zone
    half = sheet.width_mm / 2

    def placed(points_mm: Sequence[PointMm]) -> tuple[PointMm, ...]:
        return tuple((x + half, y) for x, y in points_mm)

    shapes: list[Shape] = [Area(points_mm=placed(zone.polygon_mm), fill=zone.color) for zone in sheet.zone]
    if sheet.dot is not None:
        dot = sheet.dot
        shapes.append(
            Disc(center_mm=(dot.x_mm + half, dot.y_mm), radius_mm=dot.diameter_mm / 2, fill=dot.color)
        )
    shapes += _numbers(told)
    return Drawing(
        title=told.table.name, width_mm=sheet.width_mm, height_mm=sheet.depth_mm, shapes=tuple(shapes)
    )


def _numbers(told: TableDescription) -> Iterator[Shape]:
    """Each zone's multiplier, small, in the lower part of where its upright middle shows."""
    half = told.end_zone.width_mm / 2
    zones = told.end_zone.zone
    for n, zone in enumerate(zones):
        xs, ys = zip(*zone.polygon_mm, strict=True)
        middle = (min(xs) + max(xs)) / 2
        free = [(min(ys), max(ys))]
        for later in zones[n + 1 :]:
            free = [rest for part in free for rest in _uncovered(part, later.polygon_mm, middle)]
        bottom, top = max(free, key=lambda part: part[1] - part[0], default=(0.0, 0.0))
        size = min(9.0, (top - bottom) * 0.3)
        if size > 2.0:
            yield Words(
                text=str(zone.value),
                at_mm=(middle + half, bottom + min(12.0, (top - bottom - size) / 2)),
                size_mm=size,
                color="#ffffff",
                align="middle",
                bold=True,
            )


def _uncovered(part: PointMm, polygon: Sequence[PointMm], middle: float) -> Iterator[PointMm]:
    """What is left of a stretch of the upright line at x = `middle` beside a later zone's bounding box."""
    xs, ys = zip(*polygon, strict=True)
    low, high = (min(ys), max(ys)) if min(xs) < middle < max(xs) else (part[1], part[1])
    for bottom, top in ((part[0], min(part[1], low)), (max(part[0], high), part[1])):
        if top > bottom:
            yield bottom, top
