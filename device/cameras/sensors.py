"""The cameras that a Pi takes: their sensors, modes and lenses, for planning where to hang one.

Sizes, pixels and fields of view are Raspberry Pi's own (documentation, "About the Camera Modules", hardware
specification: raspberrypi.com/documentation/accessories/camera.html); modes, rates and crops are what
`rpicam-hello --list-cameras` prints for each sensor. The built-in lenses are taken by the stated field of
view, not by the stated focal length: at a table's distance the first is what counts.
"""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SensorMode:
    """One way to read a sensor out."""

    width_px: int
    height_px: int
    fps: float
    """The most pictures a second."""
    crop_px: tuple[int, int]
    """Width and height of the part of the sensor that is seen, in the sensor's own pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorKind:
    """A camera with its sensor."""

    name: str
    sensor: str
    """The sensor's model as libcamera names it; "" where nobody knows it."""
    pixel_um: float
    modes: tuple[SensorMode, ...]
    lens_mm: float | None = None
    """The focal length of a lens that is built in; None where one is screwed on."""


def lens_of_view(width_mm: float, view_deg: float) -> float:
    """The focal length in mm with which a sensor of that width sees so many degrees across."""
    return width_mm / (2 * math.tan(math.radians(view_deg / 2)))


_IMX708 = (
    SensorMode(1536, 864, 120.13, (3072, 1728)),
    SensorMode(2304, 1296, 56.03, (4608, 2592)),
    SensorMode(4608, 2592, 14.35, (4608, 2592)),
)
SENSORS: dict[str, SensorKind] = {
    "hq": SensorKind(
        name="HQ camera",
        sensor="imx477",
        pixel_um=1.55,
        modes=(
            SensorMode(1332, 990, 120.05, (2664, 1980)),
            SensorMode(2028, 1080, 50.03, (4056, 2160)),
            SensorMode(2028, 1520, 40.01, (4056, 3040)),
            SensorMode(4056, 3040, 10.0, (4056, 3040)),
        ),
    ),
    "module3": SensorKind(
        name="Camera Module 3",
        sensor="imx708",
        pixel_um=1.4,
        modes=_IMX708,
        lens_mm=lens_of_view(6.45, 66.0),
    ),
    "module3-wide": SensorKind(
        name="Camera Module 3 Wide",
        sensor="imx708",
        pixel_um=1.4,
        modes=_IMX708,
        lens_mm=lens_of_view(6.45, 102.0),
    ),
    "gs": SensorKind(
        name="Global Shutter camera",
        sensor="imx296",
        pixel_um=3.45,
        modes=(SensorMode(1456, 1088, 60.38, (1456, 1088)),),
    ),
}
"""By the word after `callbox plan --camera`."""
