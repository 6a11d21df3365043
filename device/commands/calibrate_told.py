"""What `callbox calibrate` tells: JSON lines for programs, and sentences for people."""

from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from calibration.fit import (
    BoardSeen,
    Feature,
    LensFound,
    TableFound,
)
from device.commands.calibrate_lines import say
from device.commands.picture_lines import ErrorLine, image_name
from engine.wording import phrase

FIT_STEPS = 5
"""How often the fits of lens and table say that they are further on."""


class PictureLine(msgspec.Struct, frozen=True):
    """A picture that was used."""

    image: str
    used: bool
    corners: int
    blur_px: float


class CameraLine(msgspec.Struct, frozen=True):
    """The lens."""

    calibration: str
    rms_px: float
    used: int
    refused: int
    width: int
    height: int
    focal_px: tuple[float, float]
    centre_px: tuple[float, float]
    distortion: dict[str, float]
    notes: tuple[str, ...]


class FeatureLine(msgspec.Struct, frozen=True):
    """One line of the table, or the dot."""

    feature: str
    measured: bool
    residual_mm: float | None
    off_plan_mm: float | None
    bend_mm: float | None
    seen: float | None
    bridged_mm: tuple[tuple[float, float, float], ...]


class TableLine(msgspec.Struct, frozen=True):
    """The table."""

    calibration: str
    sigma_mm: float
    line_sigma_mm: float
    boards_mm: tuple[float, ...]
    sheet_scale: float
    landmarks: int
    notes: tuple[str, ...]


def tell_pictures(pictures: Sequence[Path], seen: Sequence[BoardSeen], refused: dict[str, str]) -> None:
    """A line for each picture of which anything can be said, in the order in which they were given."""
    used = {s.picture: s for s in seen}
    for name in map(image_name, pictures):
        if name in refused:
            say(ErrorLine(name, refused[name]))
        elif name in used:
            say(PictureLine(name, True, len(used[name].ids), round(used[name].blur_px, 2)))


def tell_lens(
    pictures: Sequence[Path],
    seen: Sequence[BoardSeen],
    refused: dict[str, str],
    found: LensFound,
    output: Path,
) -> None:
    """A line for each picture and for the lens, and how well it is known."""
    tell_pictures(pictures, seen, refused)
    lens = found.camera.lens
    terms = dict(zip(("k1", "k2", "p1", "p2", "k3"), lens.distortion, strict=True))
    say(
        CameraLine(
            calibration=str(output),
            rms_px=round(found.camera.rms_px, 4),
            used=found.camera.pictures_used,
            refused=len(refused),
            width=lens.width_px,
            height=lens.height_px,
            focal_px=lens.focal_px,
            centre_px=lens.centre_px,
            distortion={term: terms[term] for term in found.terms},
            notes=found.notes,
        )
    )
    click.echo(
        phrase(
            "{output}: corners fit to {rms_px:.3f} px (RMS), {pictures_used} pictures used, {count} refused.",
            output=output,
            rms_px=found.camera.rms_px,
            pictures_used=found.camera.pictures_used,
            count=len(refused),
        ),
        err=True,
    )
    for name, reason in refused.items():
        click.echo(f"  {name}: {reason}", err=True)
    for note in found.notes:
        click.echo(f"  {note}", err=True)


def tell_table(
    flats: Sequence[Path], seen: Sequence[BoardSeen], refused: dict[str, str], found: TableFound, output: Path
) -> None:
    """A line for each picture, for each line of the table and for the whole, and how sure places are."""
    tell_pictures(flats, seen, refused)
    for feature in found.features:
        say(_feature_line(feature))
    made = found.table
    say(
        TableLine(
            calibration=str(output),
            sigma_mm=round(made.sigma_mm, 4),
            line_sigma_mm=round(made.laid.sigma_mm, 4),
            boards_mm=tuple(round(each, 4) for each in found.boards_mm),
            sheet_scale=round(found.sheet_scale, 6),
            landmarks=len(made.landmarks),
            notes=found.notes,
        )
    )
    click.echo(
        phrase(
            "{output}: places are sure to {sigma_mm:.3f} mm, lines to {lines_mm:.3f} mm (one "
            "standard deviation); {count} landmarks.",
            output=output,
            sigma_mm=made.sigma_mm,
            lines_mm=made.laid.sigma_mm,
            count=len(made.landmarks),
        ),
        err=True,
    )
    for name, reason in refused.items():
        click.echo(f"  {name}: {reason}", err=True)
    for note in found.notes:
        click.echo(f"  {note}", err=True)


def _feature_line(feature: Feature) -> FeatureLine:
    def short(value: float | None, places: int = 4) -> float | None:
        return None if value is None else round(value, places)

    return FeatureLine(
        feature=feature.name,
        measured=feature.measured,
        residual_mm=short(feature.residual_mm),
        off_plan_mm=short(feature.off_plan_mm, 3),
        bend_mm=short(feature.bend_mm, 3),
        seen=short(feature.share, 3),
        bridged_mm=tuple((round(x, 1), round(y, 1), round(mm, 1)) for x, y, mm in feature.bridged_mm),
    )
