"""What a camera was locked to: exposure, gain, white balance and focus, as it says of its pictures.

A camera that is left alone sets all of them anew whenever a hand or a white sheet comes into the picture:
then dice change their grey from one picture to the next, and a lens that focuses anew is another lens.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.wording import phrase


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraLock:
    """Set once, the same for every picture."""

    exposure_us: float
    gain: float
    """By how much the sensor amplifies before it counts: 1 is not at all."""
    red_gain: float
    blue_gain: float
    """White balance: how much stronger red and blue are made than green."""
    focus_dioptre: float | None = None
    """One over the distance in m that is sharp; None for a lens that is focused by hand."""
    controls: tuple[tuple[str, int], ...] = ()
    """A USB camera's own controls, each with its number, in steps that only the camera knows; they alone
    count there. Of the fields above it tells the exposure at most, and the rest is 1."""
    sensor: str = ""
    """The camera's model ("imx708"); "" where it does not say."""


SAME_EXPOSURE, SAME_GAIN, SAME_BALANCE = 0.03, 0.04, 0.03
"""Shares by which two settings may differ and be the same: a sensor counts its exposure in lines of 10 to 40
microseconds, and its gain in steps."""
SAME_EXPOSURE_US = 60.0
SAME_STEPS, FEW_STEPS = 0.03, 30
"""The same for a USB camera's controls; small numbers are mostly choices, each another one."""
SAME_FOCUS_DIOPTRE = 0.06
"""Two steps of the motor that moves a Camera Module 3's lens, and a little."""


def differences(wanted: CameraLock, found: CameraLock) -> tuple[str, ...]:
    """What of a camera is set otherwise than was wanted, each in words with both figures."""
    told: list[str] = []
    if wanted.sensor and found.sensor and wanted.sensor != found.sensor:
        told.append(
            phrase("the camera is a {sensor}, and was a {was}", sensor=found.sensor, was=wanted.sensor)
        )
    if wanted.controls or found.controls:
        return (*told, *_controls(dict(wanted.controls), dict(found.controls)))
    slack_us = max(SAME_EXPOSURE_US, SAME_EXPOSURE * wanted.exposure_us)
    if abs(found.exposure_us - wanted.exposure_us) > slack_us:
        told.append(
            phrase(
                "exposure is {is_now:.2f} ms, not {was:.2f} ms",
                is_now=found.exposure_us / 1000,
                was=wanted.exposure_us / 1000,
            )
        )
    for name, is_now, was, same in (
        ("gain", found.gain, wanted.gain, SAME_GAIN),
        (phrase("white balance in red"), found.red_gain, wanted.red_gain, SAME_BALANCE),
        (phrase("white balance in blue"), found.blue_gain, wanted.blue_gain, SAME_BALANCE),
    ):
        if abs(is_now - was) > same * was:
            told.append(phrase("{name} is {is_now:.2f}, not {was:.2f}", name=name, is_now=is_now, was=was))
    told += _focus(wanted.focus_dioptre, found.focus_dioptre)
    return tuple(told)


def _controls(wanted: Mapping[str, int], found: Mapping[str, int]) -> list[str]:
    told = []
    for name, was in wanted.items():
        is_now, few = found.get(name), abs(was) < FEW_STEPS
        if is_now is None:
            told.append(phrase("it has no {name}", name=name))
        elif abs(is_now - was) > (0 if few else SAME_STEPS * abs(was)):
            told.append(phrase("{name} is {is_now}, not {was}", name=name, is_now=is_now, was=was))
    return told or ([] if wanted else [phrase("it is a USB camera, and was a Pi's")])


def _focus(wanted: float | None, found: float | None) -> list[str]:
    if wanted is None:
        return []
    if found is None:
        return [phrase("the lens tells no focus")]
    if abs(found - wanted) > SAME_FOCUS_DIOPTRE:
        return [
            phrase(
                "focus is at {found}, not at {wanted}",
                found=distance_words(found),
                wanted=distance_words(wanted),
            )
        ]
    return []


def distance_words(dioptre: float) -> str:
    """How far away is sharp, in words."""
    return phrase("{far:.0f} cm", far=100 / dioptre) if dioptre > 0.1 else phrase("far away")
