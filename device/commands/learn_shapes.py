"""`callbox learn --shape`: how large and how round the owner's dice are, from a few landings."""

from collections.abc import Iterator
from pathlib import Path

import click

from calibration.arrays import Picture
from calibration.files import load_table
from calibration.trouble import CalibrationError
from device.cameras.locks import NONE
from device.config import Config
from device.lessons.known_shapes import keep_shapes, known_shapes
from engine.wording import phrase, phrase_count, phrase_later
from vision.landing.detector import LandingDetector
from vision.landing.shapes import KeptShape, LearntShapes
from vision.place import told_color

WANTED = 5
"""How many landings of a die tell most of what landings can tell."""
UNMADE = phrase_later(
    "shapes are learnt under a calibrated camera. Name its file with --calibration "
    "table.json, or as landing.calibration in callbox.toml (callbox calibrate --help)."
)

BY_LANDINGS = phrase_later(
    "{color}: {edge:.2f} ± {edge_off:.2f} mm wide, rounded by {rounding:.1f} ± {rounding_off:.1f} mm, "
    "from {times}"
)
BY_CALLIPER = phrase_later(
    "{color}: {edge:.2f} ± {edge_off:.2f} mm wide, rounded by {rounding:.1f} ± {rounding_off:.1f} mm, "
    "from {times}, its edge by your calliper"
)


def table_of(config: Config) -> Path:
    """The calibration that the settings name; raises `CalibrationError`."""
    if config.landing.calibration == NONE:
        raise CalibrationError(phrase(UNMADE))
    return Path(config.landing.calibration).expanduser()


def learn_shapes(
    source: Iterator[tuple[str, Picture]], table: Path, folder: Path, edge_mm: float | None
) -> str:
    """Learn from the pictures (name, picture) and keep it, picture by picture; what is known then, in lines.

    Raises `CalibrationError`, and OSError where the folder cannot be written.
    """
    calibration = load_table(table)
    shapes = LearntShapes(
        calibration.dice,
        known_shapes(folder, click.echo),
        keep=lambda known: keep_shapes(known, folder),
        edge_mm=edge_mm,
    )
    eye = LandingDetector(calibration, shapes=shapes)
    try:
        for name, picture in source:
            click.echo(_seen(name, picture, eye))
    except EOFError:
        click.echo()
    return _told(shapes)


def _seen(name: str, picture: Picture, eye: LandingDetector) -> str:
    """What one picture taught, in a line."""
    if why := eye.why_not(picture.shape[1], picture.shape[0]):
        return f"{name}: {why}."
    sight = eye.look(picture)
    if sight.blind:
        return f"{name}: {sight.blind}."
    dice = [each.die for each in sight.dice if each.die.pose == "flat"]
    seen = ", ".join(f"{told_color(die.color)} {die.value or '?'}" for die in dice)
    left = len(sight.dice) - len(dice) + len(sight.unmeasured)
    nothing = phrase("no die that lies flat")
    passed = phrase("; {left} passed over that lean or were not measured", left=left) if left else ""
    return f"{name}: {seen or nothing}{passed}"


def _told(shapes: LearntShapes) -> str:
    """What is known of each die now."""
    lines = [_line(shapes, shape) for shape in shapes.kept]
    if not lines:
        return phrase("No die has taught its shape: it has to lie flat, by itself, with its number read.")
    if any(len(shape.taught) < WANTED for shape in shapes.kept):
        lines.append(
            phrase(
                "Throw each die {wanted} times or more, to places of all kinds: so far some lay fewer times.",
                wanted=WANTED,
            )
        )
    return "\n".join(
        (*lines, phrase("It is used from the next start of the box, and learnt further as you play."))
    )


def _line(shapes: LearntShapes, shape: KeptShape) -> str:
    (edge, rounding), covariance = shapes.told(shape)
    edge_off, rounding_off = (1.96 * float(covariance[at, at]) ** 0.5 for at in (0, 1))
    times = phrase_count("1 landing", "{count} landings", len(shape.taught))
    return phrase(
        BY_CALLIPER if shape.by_calliper else BY_LANDINGS,
        color=told_color(shape.color),
        edge=edge,
        edge_off=edge_off,
        rounding=max(rounding, 0.0),
        rounding_off=rounding_off,
        times=times,
    )
