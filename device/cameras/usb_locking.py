"""What a USB camera is set to, and how it is kept so: the kernel's names for its controls."""

from collections.abc import Mapping

from calibration.lock import CameraLock

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
