"""Tables that nobody described: other sheets than the classic one, painted, with the truth about them."""

from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from calibration.arrays import Picture
from calibration.board import EXAMPLE, Board
from calibration.description import Dot, EndZone, PointMm, Surface, TableDescription, Tape, Zone
from calibration.fit import BoardSeen, find_board
from calibration.view import CameraCalibration, View
from tests.calibration.classic import rectangle
from tests.calibration.conftest import calibrated, grey
from tests.calibration.stage import Lying, Spread, lens, looking, painted

BOARD = Board.parse(EXAMPLE)
PLACES = ((-320.0, 330.0, 4.0), (40.0, 310.0, -5.0), (-325.0, 760.0, -3.0), (50.0, 770.0, 6.0))
BACK_MM = 0.9
"""How far the sheet is laid from the table's edge."""


def sheet(
    *,
    width: float,
    depth: float,
    band: float,
    inner: tuple[float, float, float],
    box: PointMm,
    dot: Dot | None,
) -> EndZone:
    """A sheet cut like the classic one: a band at the back with a box in it, and an inner field.

    `inner`: half the field's width, from where and to where; `box`: half its width and its depth.
    """
    half, (aside, near, far), (box_half, box_deep) = width / 2, inner, box
    return EndZone(
        width_mm=width,
        depth_mm=depth,
        dot=dot,
        zone=(
            Zone(value=2, color="#2f9e44", polygon_mm=rectangle(-half, 0, half, depth)),
            Zone(value=10, color="#1c5fb8", polygon_mm=rectangle(-half, 0, half, band)),
            Zone(value=5, color="#e8b021", polygon_mm=rectangle(-aside, near, aside, far)),
            Zone(value=20, color="#c92a2a", polygon_mm=rectangle(-box_half, 0, box_half, box_deep)),
        ),
    )


NARROW = TableDescription(
    table=Surface(halfway_y_mm=900.0, surface_width_mm=700.0),
    end_zone=sheet(
        width=280.0,
        depth=420.0,
        band=76.2,
        inner=(80.0, 76.2, 350.0),
        box=(38.1, 50.8),
        dot=Dot(x_mm=10.0, y_mm=230.0, diameter_mm=12.0),
    ),
    tape=Tape(width_mm=25.4, side_lines_x_mm=(-140.0, 140.0)),
)
WIDE = TableDescription(
    table=Surface(halfway_y_mm=1219.2, surface_width_mm=762.0),
    end_zone=sheet(
        width=350.0,
        depth=380.0,
        band=110.0,
        inner=(120.0, 130.0, 300.0),
        box=(60.0, 80.0),
        dot=Dot(x_mm=0.0, y_mm=200.0, diameter_mm=18.0),
    ),
    tape=Tape(width_mm=12.0, side_lines_x_mm=(-175.0, 175.0)),
)
STRIPED = TableDescription(
    table=Surface(halfway_y_mm=1219.2, surface_width_mm=762.0),
    end_zone=EndZone(
        width_mm=300.0,
        depth_mm=450.0,
        zone=tuple(
            Zone(value=value, color=color, polygon_mm=rectangle(-150, low, 150, high))
            for value, color, low, high in (
                (3, "#2f9e44", 240, 450),
                (6, "#e8b021", 90, 240),
                (30, "#c92a2a", 0, 90),
            )
        ),
    ),
    tape=Tape(width_mm=19.05, side_lines_x_mm=(-150.0, 150.0)),
)
"""Three stripes without a dot: nothing of it lies as on the classic sheet."""


@dataclass(frozen=True, eq=False)
class OwnScene:
    """A camera over such a table, and what it saw."""

    plan: TableDescription
    view: View
    camera: CameraCalibration
    flats: tuple[Picture, ...]
    empty: Picture

    @property
    def seen(self) -> list[tuple[BoardSeen, Picture]]:
        """The boards found in the flat pictures."""
        return [(find_board(grey(p), BOARD, f"flat{i}"), p) for i, p in enumerate(self.flats)]


@cache
def laid(plan: TableDescription, seed: int) -> tuple[View, Spread, tuple[Picture, ...]]:
    """The camera, the table as people laid it, and its pictures with flat boards, painted once."""
    rng = np.random.default_rng(seed)
    view = looking(lens(960, 720), (25.0, 470.0, 960.0), (5.0, 455.0), 88.0)
    spread = Spread(
        plan,
        sheet_mm=(float(rng.uniform(-1, 1)), BACK_MM),
        sheet_deg=float(rng.uniform(-0.3, 0.3)),
        tape_bow_mm=0.4,
    )
    flats = tuple(
        painted(view, Lying(BOARD, x, y, turn).over(spread.paint), rays=4, seed=i)
        for i, (x, y, turn) in enumerate(PLACES)
    )
    return view, spread, flats


@lru_cache(maxsize=4)
def own_scene(plan: TableDescription, seed: int = 0, *, covered: tuple[float, ...] = ()) -> OwnScene:
    """The table as people laid it; `covered`: a rectangle x0 y0 x1 y1 of it under something dark at last."""
    view, spread, flats = laid(plan, seed)
    x0, y0, x1, y1 = covered or (0.0, 0.0, 0.0, 0.0)
    hidden = Spread(
        plan,
        sheet_mm=spread.sheet_mm,
        sheet_deg=spread.sheet_deg,
        tape_bow_mm=spread.tape_bow_mm,
        covered=((x0, y0, x1, y1),) if covered else (),
    )
    return OwnScene(plan, view, calibrated(view), flats, painted(view, hidden.paint, rays=8, seed=9))
