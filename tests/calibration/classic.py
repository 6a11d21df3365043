"""The classic End Zone table of the contract, as plain objects: what the tests calibrate."""

from calibration.description import Dot, EndZone, Surface, TableDescription, Tape, Zone


def rectangle(x0: float, y0: float, x1: float, y1: float) -> tuple[tuple[float, float], ...]:
    """Counter-clockwise."""
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


CLASSIC = TableDescription(
    table=Surface(name="classic, 5 ft between End Zones", halfway_y_mm=1219.2, surface_width_mm=762.0),
    end_zone=EndZone(
        width_mm=304.8,
        depth_mm=457.2,
        dot=Dot(x_mm=0.0, y_mm=260.0, diameter_mm=9.0),
        zone=(
            Zone(value=2, color="#2f9e44", polygon_mm=rectangle(-152.4, 0, 152.4, 457.2)),
            Zone(value=10, color="#1c5fb8", polygon_mm=rectangle(-152.4, 0, 152.4, 88.9)),
            Zone(value=5, color="#e8b021", polygon_mm=rectangle(-88.9, 88.9, 88.9, 381.0)),
            Zone(value=20, color="#c92a2a", polygon_mm=rectangle(-44.45, 0, 44.45, 63.5)),
        ),
    ),
    tape=Tape(width_mm=19.05, side_lines_x_mm=(-152.4, 152.4)),
)
