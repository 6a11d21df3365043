"""`callbox plan`: what a camera would see from a height, before anything is bought or screwed on."""

import re
from pathlib import Path

import click

from device.cameras.hanging import SENSORS, CannotHang, HungCamera, SensorKind, SensorMode, hang, lens_of_view
from device.commands.common import config_option
from device.config import ConfigError, load
from engine.dice import DieKind
from engine.wording import phrase, phrase_later
from vision.legible import EDGE_NEEDED, LEAN_LEAST_PX_PER_MM, legible, outline_mm

LEGIBLE = {
    "well": phrase_later("well"),
    "often unsure": phrase_later("often unsure"),
    "no": phrase_later("no"),
}
"""How a die is read, in words."""
NAMES: dict[DieKind, str] = {
    "pip": phrase_later("dice with pips"),
    "zoinx": phrase_later("Zoinx dice"),
    "bet": phrase_later("betting dice"),
    "d4": "D4",
}


class LensParam(click.ParamType[float]):
    """What `--lens` takes: "6mm", "6 mm" or "6"."""

    name = "lens"

    def convert(self, value: str | float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The focal length in mm."""
        if isinstance(value, float):
            return value
        found = re.fullmatch(r"(\d{1,3}(?:\.\d{1,3})?) ?(?:mm)?", value.strip(), re.ASCII)
        if not found or not 1 <= float(found[1]) <= 200:
            self.fail(
                phrase("{value!r} is no focal length; write it as 6mm (1 to 200).", value=value), param, ctx
            )
        return float(found[1])


@click.command()
@click.option(
    "--camera",
    "kind",
    type=click.Choice([*SENSORS, "usb"]),
    required=True,
    help=phrase_later("Which camera."),
)
@click.option(
    "--lens",
    "lens_mm",
    type=LensParam(),
    metavar="MM",
    help=phrase_later("Focal length of a screwed-on lens."),
)
@click.option(
    "--view",
    "view_deg",
    type=click.FloatRange(10, 150),
    help=phrase_later("USB: degrees that it sees across."),
)
@click.option(
    "--height",
    "height_mm",
    type=click.FloatRange(50, 5000),
    required=True,
    help=phrase_later("From lens to table, in mm."),
)
@click.option(
    "--die",
    "die_mm",
    type=click.FloatRange(5, 60),
    default=16.0,
    show_default=True,
    help=phrase_later("Edge in mm."),
)
@click.option(
    "--d4",
    "d4_mm",
    type=click.FloatRange(5, 60),
    default=19.0,
    show_default=True,
    help=phrase_later("Edge in mm."),
)
@click.option(
    "--size",
    metavar="WxH",
    help=phrase_later("Size of the watched pictures; if left out, as in the settings."),
)
@click.option(
    "--fps",
    type=click.FloatRange(1, 120),
    help=phrase_later("Pictures a second; if left out, as in the settings."),
)
@config_option
def command(  # noqa: PLR0913, PLR0917 - one argument for each option
    kind: str,
    lens_mm: float | None,
    view_deg: float | None,
    height_mm: float,
    die_mm: float,
    d4_mm: float,
    size: str | None,
    fps: float | None,
    config_path: Path | None,
) -> None:
    """Say what a camera sees from a height, and what can be read and called from there."""
    try:
        at = load(config_path).camera
        size_px = _size(size) if size else (at.width_px, at.height_px)
        rate = fps or float(at.fps)
        seen = _usb(view_deg, size_px, rate) if kind == "usb" else SENSORS[kind]
        plan = hang(seen, lens_mm, height_mm, size_px, rate)
    except (ConfigError, CannotHang) as error:
        raise click.UsageError(str(error)) from None
    for line in (*field_lines(plan), *reading_lines(plan, die_mm, d4_mm), *landing_lines(plan)):
        click.echo(line)


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{3,5})[x×](\d{3,5})", text, re.ASCII)
    if not found or min(int(found[1]), int(found[2])) < 200:
        raise CannotHang(phrase("{size!r} is no size of a picture; write it as 1280x960.", size=text))
    return int(found[1]), int(found[2])


def _usb(view_deg: float | None, size_px: tuple[int, int], fps: float) -> SensorKind:
    """A USB camera: all that is known of it is how wide it sees. It gives one picture, as it was asked
    for."""
    if view_deg is None:
        raise CannotHang(
            phrase("For a USB camera, give its angle of view as its maker states it: --view 70.")
        )
    # Its sensor is taken to be as many thousandths of a mm wide as its picture has pixels.
    lens_mm = lens_of_view(size_px[0] / 1000, view_deg)
    mode = SensorMode(*size_px, fps, size_px)
    return SensorKind(name=phrase("USB camera"), sensor="", pixel_um=1.0, modes=(mode,), lens_mm=lens_mm)


def field_lines(plan: HungCamera) -> list[str]:
    """The field of view."""
    wide, high = plan.seen_mm
    mode = plan.mode
    large = _larger(plan)
    sensor = (
        phrase(" ({sensor}), {lens_mm:.2f} mm lens", sensor=plan.kind.sensor, lens_mm=plan.lens_mm)
        if plan.kind.sensor
        else ""
    )
    return [
        phrase(
            "{name}{sensor}, {height_mm:.0f} mm up:",
            name=plan.kind.name,
            sensor=sensor,
            height_mm=plan.height_mm,
        ),
        phrase("  sees      {wide:.0f} x {high:.0f} mm of the table", wide=wide, high=high),
        phrase(
            "  mode      {width_px} x {height_px}, up to {fps:g} pictures a second",
            width_px=mode.width_px,
            height_px=mode.height_px,
            fps=mode.fps,
        ),
        phrase(
            "  watched   {wide} x {high}, {mm_per_px:.3f} mm a pixel; {large}",
            wide=plan.size_px[0],
            high=plan.size_px[1],
            mm_per_px=plan.mm_per_px,
            large=large,
        ),
    ]


def _larger(plan: HungCamera) -> str:
    return (
        phrase(
            "beside it {wide} x {high}, {large_mm_per_px:.3f} mm a pixel",
            wide=plan.large_px[0],
            high=plan.large_px[1],
            large_mm_per_px=plan.large_mm_per_px,
        )
        if plan.large_px
        else phrase("no larger picture beside it")
    )


def reading_lines(plan: HungCamera, die_mm: float, d4_mm: float) -> list[str]:
    """What can be read: the edges of dice in pixels, beside what each kind needs."""
    lines = [phrase("What can be read there:")]
    for kind, needed in EDGE_NEEDED.items():
        edge_px = d4_mm / plan.large_mm_per_px if kind == "d4" else die_mm / plan.mm_per_px
        edge_mm = d4_mm if kind == "d4" else die_mm
        lines.append(
            phrase(
                "  {names:<16}{edge_mm:g} mm are {edge_px:.0f} px: {kind} (needs {least_px:.0f}, "
                "{well_px:.0f} to be sure)",
                names=phrase(NAMES[kind]),
                edge_mm=edge_mm,
                edge_px=edge_px,
                kind=phrase(LEGIBLE[legible(kind, edge_px)]),
                least_px=needed.least_px,
                well_px=needed.well_px,
            )
        )
    return lines


def landing_lines(plan: HungCamera) -> list[str]:
    """How finely landings would be measured: in the pictures that are watched."""
    off = outline_mm(plan.mm_per_px)
    lines = [phrase("Landings at the End Zone, if these pictures are calibrated:")]
    if off is None:
        return [
            *lines,
            phrase(
                "  {mm_per_px:.2f} mm a pixel is coarser than was ever measured: hang it lower",
                mm_per_px=plan.mm_per_px,
            ),
        ]
    lines.append(
        phrase(
            "  a flat die's outline is off by {off:.2f} mm on average, 95 in 100 by {most:.2f} at most",
            off=off[0],
            most=off[1],
        )
    )
    fine = 1 / plan.mm_per_px >= LEAN_LEAST_PX_PER_MM
    lines.append(
        phrase("  leaning dice are measured") if fine else phrase("  leaning dice are left to people")
    )
    return lines
