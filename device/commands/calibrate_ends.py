"""`callbox calibrate ends`: do the calibrations of two End Zones make one table?"""

from math import degrees
from pathlib import Path

import click
import msgspec

from calibration.ends import Ends, load_ends
from calibration.trouble import CalibrationError
from device.commands.calibrate_lines import fail, say
from engine.wording import phrase

PATH = click.Path(path_type=Path)


class EndsLine(msgspec.Struct, frozen=True):
    """How the two ends lie to one another."""

    near: str
    far: str
    apart_mm: float | None
    """How far the two cameras disagree at the halfway line; null where one of them does not see it."""
    length_mm: float
    """From edge to edge of the table, along its middle."""
    askew_deg: float
    """How far the far end is turned against the near one, beside the half circle."""
    aside_mm: float
    """How far the far end's middle lies to the right of the near one's, seen from the near end."""


@click.command("ends")
@click.argument("near", metavar="NEAR.json", type=PATH)
@click.argument("far", metavar="FAR.json", type=PATH)
def ends(near: Path, far: Path) -> None:
    """Look whether two End Zones, each calibrated under its own camera, are the two ends of one table.

    Prints one JSON object. Exit status: 0 they are, 1 they are not, 2 wrong use.
    """
    try:
        made = load_ends(near, far)
    except CalibrationError as error:
        fail(str(error))
    line = line_of(made, near, far)
    say(line)
    told = (
        phrase("the halfway line is not in both pictures, so the plan says how far they are apart")
        if line.apart_mm is None
        else phrase("at the halfway line the two cameras agree to {apart_mm:.2f} mm", apart_mm=line.apart_mm)
    )
    click.echo(
        phrase(
            "Two ends of one table, {length_mm:.1f} mm long; {told}.", length_mm=line.length_mm, told=told
        ),
        err=True,
    )


def line_of(made: Ends, near: Path, far: Path) -> EndsLine:
    """What is said of two ends that fit."""
    aside, length = made.turn.shift_mm
    askew = (degrees(made.turn.angle_rad) % 360) - 180
    return EndsLine(
        near=str(near),
        far=str(far),
        apart_mm=None if made.apart_mm is None else round(made.apart_mm, 3),
        length_mm=round(length, 2),
        askew_deg=round(askew, 3),
        aside_mm=round(aside, 2),
    )
