"""Finds what a camera is locked to: exposure, gain, white balance and focus, set once and kept."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from calibration.arrays import Picture
from calibration.files import load_lock
from calibration.lock import CameraLock, differences
from calibration.trouble import CalibrationError
from device.cameras import Frame
from device.cameras.locking import EXPOSURE, EXPOSURE_STEP_US, by_hand
from engine.wording import phrase, phrase_later

RESTLESS = phrase_later(
    "The camera does not settle: {told}. Cause: someone moves in front of it, or the light flickers. "
    "Fix: leave the table bare, or give --exposure-ms and --gain by hand."
)
RESTLESS_UNTOLD = phrase_later(
    "The camera does not settle. Cause: someone moves in front of it, or the light flickers. Fix: "
    "leave the table bare, or give --exposure-ms and --gain by hand."
)

ALIKE = 15
"""A camera has wait_until_settled when so many pictures in a row say the same."""
FIRST = 20
"""Pictures with which a camera begins, before it looks at any."""
MOST = 400
"""20 seconds at 20 pictures a second: longer, and something flickers."""
ALIKE_GREY = 1.2
"""Two pictures of one light differ by less than this factor."""
HALF_WAVE_US = {"50": 10_000.0, "60": 1_000_000 / 120, "none": 0.0}
"""Lamps on the mains flicker twice a wave; an exposure of whole flickers shows no bands."""


@dataclass(frozen=True, slots=True)
class LockOverrides:
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


def parse_controls(words: tuple[str, ...]) -> dict[str, int]:
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


@dataclass(frozen=True, slots=True)
class FoundLock:
    """A lock that the camera keeps to, and a picture taken with it."""

    lock: CameraLock
    picture: Picture
    alone: Picture | None
    """The picture of a USB camera that set itself; None where it need not be compared."""


def find_lock(
    open_frames: Callable[[CameraLock | None], Iterator[Frame]], given: LockOverrides, half_wave_us: float
) -> FoundLock:
    """Let the camera find what was not given, lock it to that, and see that it keeps to it.

    `open_frames` opens the camera with a lock, or left alone with None; `half_wave_us` is that of lamps on
    the mains. Raises `CalibrationError` and `CameraLost`.
    """
    wanted, alone = given.whole(), None
    if wanted is None:
        frame = wait_until_settled(open_frames(None))
        assert frame.settings  # noqa: S101 - or it would not have settled
        wanted = given.instead_of(without_flicker(frame.settings, half_wave_us))
        alone = frame.picture if wanted.controls else None
    locked = wait_for_lock(open_frames(wanted), wanted)
    sensor = locked.settings.sensor if locked.settings else ""
    return FoundLock(replace(wanted, sensor=sensor), locked.picture, alone)


def wait_until_settled(frames: Iterator[Frame]) -> Frame:
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
    moving = next(filter(None, (differences(each, last[-1]) for each in last)), ())
    raise CalibrationError(phrase(RESTLESS, told="; ".join(moving)) if moving else phrase(RESTLESS_UNTOLD))


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
    off: tuple[str, ...] = (phrase("it says nothing"),)
    alike = 0
    for frame in islice(frames, MOST):
        off = differences(wanted, frame.settings) if frame.settings else off
        alike = 0 if off else alike + 1
        if alike == ALIKE:
            return frame
    raise CalibrationError(
        phrase(
            "The camera does not keep to that: {told}. Fix: choose an exposure below the time "
            "between two pictures, and a gain that the sensor has.",
            told="; ".join(off),
        )
    )


def load_lock_for(path: Path | None, of_lens: CameraLock | None = None) -> CameraLock | None:
    """The lock to store with a calibration: the file's, else that of the lens; raises `CalibrationError`."""
    if path is None:
        return of_lens
    given = load_lock(path)
    wanted = replace(given, focus_dioptre=of_lens.focus_dioptre, sensor=of_lens.sensor) if of_lens else given
    if told := differences(wanted, given):
        raise CalibrationError(
            phrase(
                "The lens was calibrated otherwise than {path} says: {told}. A refocused lens is "
                "another lens: calibrate the camera again with this lock.",
                path=path,
                told="; ".join(told),
            )
        )
    return given
