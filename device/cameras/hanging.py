"""What a camera sees from a height, and what can be read and called from there. Pure: for `callbox plan`."""

import math
from dataclasses import dataclass

from device.cameras import grabber, most_like
from engine.wording import phrase

# The cameras that a Pi takes: their sensors, modes and lenses, for planning where to hang one.
#
# Sizes, pixels and fields of view are Raspberry Pi's own (documentation, "About the Camera Modules",
# hardware specification: raspberrypi.com/documentation/accessories/camera.html); modes, rates and crops are
# what `rpicam-hello --list-cameras` prints for each sensor. The built-in lenses are taken by the stated
# field of view, not by the stated focal length: at a table's distance the first is what counts.


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

MOST_PIXELS = grabber.MOST_PIXELS


class CannotHang(Exception):
    """Such a camera cannot be planned. `str(error)` names cause and fix."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HungCamera:
    """A camera at work over a table."""

    kind: SensorKind
    lens_mm: float
    height_mm: float
    size_px: tuple[int, int]
    """Width and height of the pictures that are watched."""
    mode: SensorMode
    seen_mm: tuple[float, float]
    """Width and height of the table that is in the picture."""
    large_px: tuple[int, int] | None
    """Width and height of the larger picture beside it; None where there is none."""

    @property
    def mm_per_px(self) -> float:
        """How much of the table a pixel of the watched picture sees."""
        return self.seen_mm[0] / self.size_px[0]

    @property
    def large_mm_per_px(self) -> float:
        """The same of the finest picture that there is."""
        return self.seen_mm[0] / (self.large_px or self.size_px)[0]


def hang(
    kind: SensorKind, lens_mm: float | None, height_mm: float, size_px: tuple[int, int], fps: float
) -> HungCamera:
    """A camera straight above a table, its lens `height_mm` away. Raises `CannotHang`.

    A pinhole: a part of the sensor of w mm sees w * height / focal length. The mode and the larger picture
    are chosen as the box chooses them (`device.cameras.grabber`). The picture is cut out of the middle.
    """
    focal_mm = _focal(kind, lens_mm)
    mode = _mode(kind, fps, size_px)
    if size_px[0] > mode.width_px or size_px[1] > mode.height_px:
        raise CannotHang(
            phrase(
                "At {fps:g} pictures a second the {camera} gives {mode_width} x {mode_height} at "
                "most, and {width} x {height} were asked for. Ask for fewer pictures a second, or "
                "smaller ones.",
                fps=fps,
                camera=kind.name,
                mode_width=mode.width_px,
                mode_height=mode.height_px,
                width=size_px[0],
                height=size_px[1],
            )
        )
    wide, high = mode.crop_px
    share = min(wide / size_px[0], high / size_px[1])
    scale = kind.pixel_um / 1000 * height_mm / focal_mm
    return HungCamera(
        kind=kind,
        lens_mm=focal_mm,
        height_mm=height_mm,
        size_px=size_px,
        mode=mode,
        seen_mm=(share * size_px[0] * scale, share * size_px[1] * scale),
        large_px=_large(mode, size_px),
    )


def _focal(kind: SensorKind, lens_mm: float | None) -> float:
    if kind.lens_mm is not None:
        if lens_mm is not None:
            raise CannotHang(phrase("The {camera}'s lens is built in: leave --lens away.", camera=kind.name))
        return kind.lens_mm
    if lens_mm is None:
        raise CannotHang(
            phrase("The {camera} takes lenses of its own: say which, such as --lens 6mm.", camera=kind.name)
        )
    return lens_mm


def _mode(kind: SensorKind, fps: float, size_px: tuple[int, int]) -> SensorMode:
    """The mode that the box takes."""
    described = [
        {"size": (m.width_px, m.height_px), "fps": m.fps, "bit_depth": 0, "crop_limits": (0, 0, *m.crop_px)}
        for m in kind.modes
    ]
    found = grabber.widest_mode(described, fps, size_px)
    if found is None:
        most = max(mode.fps for mode in kind.modes)
        raise CannotHang(
            phrase(
                "The {camera} gives {most:g} pictures a second at most; set fps below that.",
                camera=kind.name,
                most=most,
            )
        )
    return next(m for m in kind.modes if (m.width_px, m.height_px) == found["output_size"])


def _large(mode: SensorMode, size_px: tuple[int, int]) -> tuple[int, int] | None:
    less = min(1.0, (MOST_PIXELS / (mode.width_px * mode.height_px)) ** 0.5)
    return most_like(size_px, (int(mode.width_px * less), int(mode.height_px * less)))
