"""A camera locked to what it was set to once: libcamera's words for it, and whether it keeps to it."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from calibration.files import load_lock, load_table
from calibration.lock import CameraLock, differences
from calibration.trouble import CalibrationError
from engine.wording import phrase, phrase_later

# What a USB camera is set to, and how it is kept so: the kernel's names for its controls.

BY_HAND = {
    "auto_exposure": 1,
    "exposure_dynamic_framerate": 0,
    "gain_automatic": 0,
    "brightness_automatic": 0,
    "white_balance_automatic": 0,
    "hue_automatic": 0,
    "focus_automatic_continuous": 0,
}
"""What a USB camera sets by itself, by the kernel's names, and the number with which it no longer does. These
are set before all others: what the camera sets cannot be set."""
BY_ITSELF = {
    "auto_exposure": 3,
    "gain_automatic": 1,
    "white_balance_automatic": 1,
    "focus_automatic_continuous": 1,
}
"""The same for a camera that is to find what suits it: 3 is by time alone, as few have an aperture."""
EXPOSURE, EXPOSURE_STEP_US = "exposure_time_absolute", 100.0
"""The only control whose steps the kernel lays down."""


def usb_lock(controls: Mapping[str, int], sensor: str) -> CameraLock:
    """What a USB camera is set to, as a lock."""
    return CameraLock(
        exposure_us=EXPOSURE_STEP_US * max(0, controls.get(EXPOSURE, 0)),
        gain=1.0,
        red_gain=1.0,
        blue_gain=1.0,
        controls=tuple(controls.items()),
        sensor=sensor,
    )


def by_hand(found: CameraLock, changes: Mapping[str, int]) -> CameraLock:
    """A USB camera's lock with nothing left to the camera, and with changes.

    Raises `KeyError` with the name of a control that the camera has not.
    """
    controls = dict(found.controls)
    for name in changes:
        controls[name]
    still = {name: value for name, value in BY_HAND.items() if name in controls}
    return usb_lock(controls | still | dict(changes), found.sensor)


def usb_controls_of(lock: CameraLock | None) -> dict[str, int]:
    """The controls of a USB camera that is to keep to `lock`, in the order in which they must be set; without
    one it finds all by itself."""
    if lock is None:
        return dict(BY_ITSELF)
    wanted = dict(lock.controls)
    return {name: wanted[name] for name in BY_HAND if name in wanted} | wanted


AF_MANUAL, AF_CONTINUOUS = 0, 2
"""libcamera's `controls::AfMode`."""
FIND_FOCUS: dict[str, Any] = {"AfMode": AF_CONTINUOUS}
"""Controls for a lens with a motor, until it is known where to lock it."""
SETTLED = 20
"""A camera takes over what it is told within a few pictures; so many that differ in a row are no settling."""
SILENT = phrase_later(
    "The camera does not say what it is set to, so nobody can see whether it keeps its "
    "lock. Cause: it is no Pi camera. Fix: for a USB camera use the word usb instead of "
    "picamera2, or set camera.lock to none."
)


class ToldSettings(msgspec.Struct, frozen=True):
    """What a picture's metadata says, in libcamera's words; a camera may leave any of it out."""

    controls: dict[str, int] | None = None
    """A USB camera's, by the kernel's names; then it says nothing else."""

    ExposureTime: float | None = None
    AnalogueGain: float | None = None
    ColourGains: tuple[float, float] | None = None
    LensPosition: float | None = None

    def lock(self, sensor: str) -> CameraLock | None:
        """The same in ours; None where too little is said."""
        if self.controls:
            return usb_lock(self.controls, sensor)
        if self.ExposureTime is None or self.AnalogueGain is None or self.ColourGains is None:
            return None
        red, blue = self.ColourGains
        return CameraLock(
            exposure_us=self.ExposureTime,
            gain=self.AnalogueGain,
            red_gain=red,
            blue_gain=blue,
            focus_dioptre=self.LensPosition,
            sensor=sensor,
        )


def controls_of(lock: CameraLock) -> Mapping[str, Any]:
    """libcamera's controls for a camera that is to keep to `lock`."""
    controls: dict[str, Any] = {
        "AeEnable": False,
        "ExposureTime": round(lock.exposure_us),
        "AnalogueGain": lock.gain,
        "AwbEnable": False,
        "ColourGains": (lock.red_gain, lock.blue_gain),
    }
    if lock.focus_dioptre is not None:
        controls |= {"AfMode": AF_MANUAL, "LensPosition": lock.focus_dioptre}
    return controls


class LockCheck:
    """Sees what each picture says of its settings, and tells when they are not those that were wanted."""

    def __init__(self, wanted: CameraLock | None) -> None:
        """`wanted` None: nothing is locked, and nothing is ever told."""
        self._wanted = wanted
        self._differ = 0

    def compare(self, found: CameraLock | None) -> str:
        """What is not as it was locked, with cause and fix; "" while all is well, or not yet known."""
        if self._wanted is None:
            return ""
        told = differences(self._wanted, found) if found else (phrase("nothing is said"),)
        self._differ = self._differ + 1 if told else 0
        if self._differ < SETTLED:
            return ""
        if found is None:
            return phrase(SILENT)
        return phrase(
            "The camera is not set as it was locked: {differences}. Cause: another camera or "
            "lens, or it cannot keep that at this speed. Fix: `callbox calibrate lock`, then "
            "calibrate the table again.",
            differences="; ".join(told),
        )


# Which lock a camera is opened with: its calibration's own, else the one that the settings name.

NONE = "none"
"""Where the settings name no file."""


def lock_for(named: str, calibration: Path | None, tell: Callable[[str], object]) -> CameraLock | None:
    """What to lock a camera to; None: it sets everything by itself.

    `named` is the settings' `camera.lock`, `calibration` the table.json that the camera is used with. What
    cannot be used is told, and the box plays without: pictures that change their grey are better than none.
    """
    own = _of_table(calibration)
    settled = _load_named(named, tell)
    if own is None:
        return settled
    if settled and (told := differences(own, settled)):
        tell(
            phrase(
                "Camera: camera.lock says otherwise than {calibration} ({differences}). The "
                "calibration's own settings are used; set camera.lock to none, or calibrate the "
                "table again with that lock.",
                calibration=calibration,
                differences="; ".join(told),
            )
        )
    return own


def _of_table(calibration: Path | None) -> CameraLock | None:
    """A calibration's lock; one that cannot be read is told of where it is needed."""
    try:
        return load_table(calibration).lock if calibration else None
    except CalibrationError:
        return None


def _load_named(named: str, tell: Callable[[str], object]) -> CameraLock | None:
    if named == NONE:
        return None
    try:
        return load_lock(Path(named).expanduser())
    except CalibrationError as error:
        tell(
            phrase("Camera: it is not locked, and sets exposure and the rest by itself: {error}", error=error)
        )
        return None
