"""`callbox calibrate lock`: exposure, gain, white balance and focus, set once and kept."""

import sys
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import NoReturn

import click
import msgspec

from calibration.arrays import Picture
from calibration.files import load_lock, save_lock
from calibration.fit import Brightness, light_of
from calibration.lock import CameraLock, differences, distance_words
from calibration.trouble import CalibrationError
from device.cameras import CameraLost, Frame
from device.cameras.locking import EXPOSURE, EXPOSURE_STEP_US, by_hand, usb_controls_of
from device.commands.opening import Shape, open_camera
from device.config import CameraConfig, ConfigError, load
from device.setup import DARK_GREY, MOST_BURNT
from engine.wording import phrase, phrase_later

# What the calibrating commands print: one JSON object a line, and why there is no calibration.


class FailedLine(msgspec.Struct, frozen=True):
    """Why there is no calibration."""

    error: str


def say(line: msgspec.Struct) -> None:
    """A line on standard output."""
    click.echo(msgspec.json.encode(line).decode())


def fail(error: str) -> NoReturn:
    """Say why, to programs and to people, and end."""
    say(FailedLine(error))
    click.echo(error, err=True)
    sys.exit(1)


RESTLESS = phrase_later(
    "The camera does not come to rest: {told}. Cause: somebody moves before it, or the light flickers. "
    "Fix: leave the table bare, or give --exposure-ms and --gain by hand."
)
RESTLESS_UNTOLD = phrase_later(
    "The camera does not come to rest. Cause: somebody moves before it, or the light flickers. Fix: "
    "leave the table bare, or give --exposure-ms and --gain by hand."
)

ALIKE = 15
"""A camera has settled when so many pictures in a row say the same."""
FIRST = 20
"""Pictures with which a camera begins, before it looks at any."""
MOST = 400
"""20 seconds at 20 pictures a second: longer, and something flickers."""
ALIKE_GREY = 1.2
"""Two pictures of one light differ by less than this factor."""
HALF_WAVE_US = {"50": 10_000.0, "60": 1_000_000 / 120, "none": 0.0}
"""Lamps on the mains flicker twice a wave; an exposure of whole flickers shows no bands."""
PATH = click.Path(path_type=Path)


class LockLine(msgspec.Struct, frozen=True):
    """What the camera is locked to, and the picture that this gives."""

    lock: str
    exposure_ms: float
    gain: float
    red_gain: float
    blue_gain: float
    focus_dioptre: float | None
    sensor: str
    controls: dict[str, int]
    """A USB camera's, in steps of its own; empty for a Pi's, and then the numbers above count."""
    elsewhere: str
    """The same for rpicam-still or v4l2-ctl, with which the calibration's pictures may be taken."""
    mean_grey: float
    burnt_share: float
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ByHand:
    """What people say of a lock; None where the camera is to find it."""

    exposure_ms: float | None
    gain: float | None
    white_balance: tuple[float, float] | None
    focus_cm: float | None
    controls: Mapping[str, int] = field(default_factory=dict)
    """A USB camera's, by name."""

    def whole(self) -> CameraLock | None:
        """A whole lock, where all but the focus was said; None where the camera has to find some of it."""
        if self.exposure_ms is None or self.gain is None or self.white_balance is None:
            return None
        red, blue = self.white_balance
        focus = None if self.focus_cm is None else 100 / self.focus_cm
        return CameraLock(
            exposure_us=1000 * self.exposure_ms,
            gain=self.gain,
            red_gain=red,
            blue_gain=blue,
            focus_dioptre=focus,
        )

    def instead_of(self, found: CameraLock) -> CameraLock:
        """What was said, and for the rest what was found. Raises `CalibrationError`."""
        if found.controls:
            return self._instead_of_usb(found)
        if self.controls:
            raise CalibrationError(phrase("--control is for USB cameras, and this is none."))
        if self.focus_cm is not None and found.focus_dioptre is None:
            raise CalibrationError(
                phrase("This camera's lens has no motor: focus it by hand, without --focus-cm.")
            )
        red, blue = self.white_balance or (found.red_gain, found.blue_gain)
        return replace(
            found,
            exposure_us=found.exposure_us if self.exposure_ms is None else 1000 * self.exposure_ms,
            gain=found.gain if self.gain is None else self.gain,
            red_gain=red,
            blue_gain=blue,
            focus_dioptre=found.focus_dioptre if self.focus_cm is None else 100 / self.focus_cm,
        )

    def _instead_of_usb(self, found: CameraLock) -> CameraLock:
        if (self.gain, self.white_balance, self.focus_cm) != (None, None, None):
            raise CalibrationError(
                phrase(
                    "A USB camera counts gain, white balance and focus in steps of its own: give them "
                    "with --control NAME=NUMBER. It has {controls}.",
                    controls=", ".join(dict(found.controls)),
                )
            )
        changes = dict(self.controls)
        if self.exposure_ms is not None:
            changes[EXPOSURE] = round(1000 * self.exposure_ms / EXPOSURE_STEP_US)
        try:
            return by_hand(found, changes)
        except KeyError as error:
            raise CalibrationError(
                phrase(
                    "This camera has no control {error}. It has {controls}.",
                    error=error,
                    controls=", ".join(dict(found.controls)),
                )
            ) from None


def numbers_of(words: tuple[str, ...]) -> dict[str, int]:
    """Controls as they were given, NAME=NUMBER. Raises `CalibrationError`."""
    found = {}
    for word in words:
        name, _, number = word.partition("=")
        try:
            found[name.strip()] = int(number)
        except ValueError:
            raise CalibrationError(
                phrase("Give a control as NAME=NUMBER, and not {word!r}.", word=word)
            ) from None
    return found


@click.command("lock")
@click.option(
    "--camera",
    "spec",
    metavar="SPEC",
    help=phrase_later("Which camera; the settings' own if it is left out."),
)
@click.option("--config", "config_path", type=PATH, help=phrase_later("The settings file."))
@click.option(
    "--exposure-ms", type=click.FloatRange(0.1, 200), help=phrase_later("Instead of what the camera finds.")
)
@click.option("--gain", type=click.FloatRange(1, 64), help=phrase_later("Instead of what the camera finds."))
@click.option(
    "--white-balance",
    type=(click.FloatRange(0.1, 32), click.FloatRange(0.1, 32)),
    metavar="RED BLUE",
    help=phrase_later("Both gains, instead of what the camera finds."),
)
@click.option(
    "--focus-cm", type=click.FloatRange(5, 1000), help=phrase_later("What is sharp, for a lens with a motor.")
)
@click.option(
    "--control", "controls", multiple=True, metavar="NAME=NUMBER", help=phrase_later("Of a USB camera.")
)
@click.option(
    "--mains", type=click.Choice(list(HALF_WAVE_US)), default="50", help=phrase_later("Lamps' mains in Hz.")
)
@click.option(
    "-o", "--output", metavar="FILE", type=PATH, required=True, help=phrase_later("Where to write lock.json.")
)
def lock(  # noqa: PLR0913, PLR0917 - one argument for each option
    spec: str | None,
    config_path: Path | None,
    exposure_ms: float | None,
    gain: float | None,
    white_balance: tuple[float, float] | None,
    focus_cm: float | None,
    controls: tuple[str, ...],
    mains: str,
    output: Path,
) -> None:
    """Let the camera find exposure, gain, white balance and focus, and write them down to be kept.

    Do it in the light that is played in, with the bare table in the picture. Prints one JSON object. Exit
    status: 0 the camera keeps to it, 1 it does not, 2 wrong use.
    """
    try:
        at = load(config_path).camera
        given = ByHand(exposure_ms, gain, white_balance, focus_cm, numbers_of(controls))
        alone, wanted = None, given.whole()
        if wanted is None:
            alone = settled(_frames(at, spec or at.spec, None))
            assert alone.settings  # noqa: S101 - or it would not have settled
            wanted = given.instead_of(without_flicker(alone.settings, HALF_WAVE_US[mains]))
        shown = wait_for_lock(_frames(at, spec or at.spec, wanted), wanted)
        wanted = replace(wanted, sensor=shown.settings.sensor if shown.settings else "")
        save_lock(wanted, output)
    except ConfigError as error:
        raise click.UsageError(str(error)) from None
    except (CameraLost, CalibrationError) as error:
        fail(str(error))
    line = line_of(wanted, shown.picture, output, alone.picture if alone and wanted.controls else None)
    say(line)
    _tell(line)


def _frames(at: CameraConfig, spec: str, wanted: CameraLock | None) -> Iterator[Frame]:
    """The camera's frames, locked or finding everything by itself; raises `CameraLost`."""
    shape = Shape(
        width_px=at.width_px,
        height_px=at.height_px,
        fps=at.fps,
        sharp=False,
        lock=wanted,
        find_focus=wanted is None,
    )
    camera = open_camera(spec, shape=shape, python=at.python)
    with closing(camera):
        frames = camera.frames()
        try:
            yield from frames
        finally:
            frames.close()  # type: ignore[attr-defined]


def settled(frames: Iterator[Frame]) -> Frame:
    """A frame of a camera that is left alone, once it is at rest. Raises `CalibrationError`, `CameraLost`."""
    last: deque[CameraLock] = deque(maxlen=ALIKE)
    for frame in islice(frames, FIRST, MOST):
        if frame.settings is None:
            raise CalibrationError(
                phrase(
                    "This camera does not say how it is set, so it cannot be locked. A Pi's camera does, "
                    "and most USB cameras, where they are named as usb and not as picamera2."
                )
            )
        last.append(frame.settings)
        if len(last) == ALIKE and not any(differences(frame.settings, each) for each in last):
            return frame
    told = next(filter(None, (differences(each, last[-1]) for each in last)), ())
    raise CalibrationError(phrase(RESTLESS, told="; ".join(told)) if told else phrase(RESTLESS_UNTOLD))


def without_flicker(found: CameraLock, half_wave_us: float) -> CameraLock:
    """The same brightness, with an exposure of whole flickers of a lamp on the mains, where it is long
    enough."""
    if not half_wave_us or found.exposure_us < half_wave_us:
        return found
    exposure_us = found.exposure_us // half_wave_us * half_wave_us
    if found.controls:  # nobody knows by how much a step of its gain would make up for it
        return by_hand(found, {EXPOSURE: round(exposure_us / EXPOSURE_STEP_US)})
    return replace(found, exposure_us=exposure_us, gain=found.gain * found.exposure_us / exposure_us)


def wait_for_lock(frames: Iterator[Frame], wanted: CameraLock) -> Frame:
    """A frame of the camera once it is set as wanted. Raises `CalibrationError` where it never is."""
    told: tuple[str, ...] = (phrase("it says nothing"),)
    alike = 0
    for frame in islice(frames, MOST):
        told = differences(wanted, frame.settings) if frame.settings else told
        alike = 0 if told else alike + 1
        if alike == ALIKE:
            return frame
    raise CalibrationError(
        phrase(
            "The camera does not keep to that: {told}. Fix: choose an exposure below the time "
            "between two pictures, and a gain that the sensor has.",
            told="; ".join(told),
        )
    )


def line_of(wanted: CameraLock, picture: Picture, output: Path, alone: Picture | None = None) -> LockLine:
    """What is said of the lock and of the picture that it gives; `alone` is the one that the camera gave by
    itself."""
    light = light_of(picture)
    return LockLine(
        lock=str(output),
        exposure_ms=round(wanted.exposure_us / 1000, 3),
        gain=round(wanted.gain, 3),
        red_gain=round(wanted.red_gain, 3),
        blue_gain=round(wanted.blue_gain, 3),
        focus_dioptre=wanted.focus_dioptre,
        sensor=wanted.sensor,
        controls=dict(wanted.controls),
        elsewhere=_elsewhere(wanted),
        mean_grey=round(light.mean_grey, 1),
        burnt_share=round(light.burnt_share, 4),
        notes=tuple(_notes(wanted, light, alone)),
    )


def _notes(wanted: CameraLock, light: Brightness, alone: Picture | None) -> list[str]:
    mean, burnt = light.mean_grey, light.burnt_share
    notes = []
    if burnt > MOST_BURNT:
        notes.append(
            phrase(
                "{burnt:.0f} % of the picture is burnt out: dim the light, or a shorter --exposure-ms",
                burnt=100 * burnt,
            )
        )
    if mean < DARK_GREY:
        notes.append(
            phrase(
                "the picture is dark (mean grey {mean:.0f} of 255): more light, or a larger --gain", mean=mean
            )
        )
    if alone is not None and not 1 / ALIKE_GREY < (1 + mean) / (1 + float(alone.mean())) < ALIKE_GREY:
        notes.append(
            phrase(
                "the picture's mean grey is {mean:.0f}, and was {alone:.0f} when the camera set "
                "itself: choose with --exposure-ms, and --control for its gain",
                mean=mean,
                alone=alone.mean(),
            )
        )
    if wanted.gain > 8:
        notes.append(phrase("a gain of {gain:.1f} makes noise: more light is better", gain=wanted.gain))
    return notes


def _elsewhere(wanted: CameraLock) -> str:
    """A lock for other programs: v4l2-ctl, or the rpicam ones (raspberrypi.com, rpicam_options_common)."""
    if wanted.controls:
        pairs = ",".join(f"{name}={value}" for name, value in usb_controls_of(wanted).items())
        return f"v4l2-ctl --set-ctrl {pairs}"
    focus = wanted.focus_dioptre
    lens = "" if focus is None else f" --autofocus-mode manual --lens-position {focus:.3f}"
    return (
        f"rpicam-still --shutter {wanted.exposure_us:.0f} --gain {wanted.gain:.3f} "
        f"--awbgains {wanted.red_gain:.3f},{wanted.blue_gain:.3f}{lens}"
    )


def _tell(line: LockLine) -> None:
    focus = (
        ""
        if line.focus_dioptre is None
        else phrase(", sharp at {focus_dioptre}", focus_dioptre=distance_words(line.focus_dioptre))
    )
    set_to = phrase(
        "{exposure_ms:g} ms, gain {gain:g}, white balance {red_gain:g} and {blue_gain:g}{focus}",
        exposure_ms=line.exposure_ms,
        gain=line.gain,
        red_gain=line.red_gain,
        blue_gain=line.blue_gain,
        focus=focus,
    )
    if line.controls:
        set_to = ", ".join(f"{name} {value}" for name, value in line.controls.items())
    click.echo(phrase("{lock}: {set_to}. The camera keeps to it.", lock=line.lock, set_to=set_to), err=True)
    click.echo(phrase("  For pictures taken otherwise: {elsewhere}", elsewhere=line.elsewhere), err=True)
    for note in line.notes:
        click.echo(f"  {note}", err=True)


def lock_of(path: Path | None, of_lens: CameraLock | None = None) -> CameraLock | None:
    """The lock to store with a calibration: the file's, else that of the lens; raises `CalibrationError`."""
    if path is None:
        return of_lens
    given = load_lock(path)
    wanted = replace(given, focus_dioptre=of_lens.focus_dioptre, sensor=of_lens.sensor) if of_lens else given
    if told := differences(wanted, given):
        raise CalibrationError(
            phrase(
                "The lens was calibrated otherwise than {path} says: {told}. A lens that is focused "
                "anew is another lens: calibrate the camera again with this lock.",
                path=path,
                told="; ".join(told),
            )
        )
    return given
