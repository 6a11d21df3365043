"""What was found, drawn over the picture: the view says where in it places of the table are."""

from typing import Literal

import numpy as np

from calibration.arrays import Floats
from calibration.fit import TableFound
from device.setup.shown import MarkShown


def found_marks(found: TableFound) -> tuple[MarkShown, ...]:
    """Zones, tapes and edge as they were found, in the picture."""
    laid, view = found.table.laid, found.table.view

    def drawn(kind: Literal["zone", "tape", "edge"], points_mm: object, label: str = "") -> MarkShown:
        flat = np.asarray(points_mm, np.float64)
        places = np.column_stack([flat, np.zeros(len(flat))])
        return outline(kind, view.project(places), closed=kind != "edge", label=label)

    zones = [drawn("zone", zone.polygon_mm, str(zone.value)) for zone in laid.zones]
    tapes = [drawn("tape", (*tape.outer_mm, *tape.inner_mm[::-1])) for tape in laid.tapes]
    return (*zones, *tapes, drawn("edge", laid.table_edge_mm))


def outline(
    kind: Literal["board", "taken", "zone", "tape", "edge"],
    points_px: Floats,
    *,
    closed: bool = True,
    label: str = "",
) -> MarkShown:
    """A line through pixels (n, 2)."""
    points = tuple((round(float(x), 1), round(float(y), 1)) for x, y in points_px)
    return MarkShown(kind, points, closed, label)
