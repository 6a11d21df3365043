"""Runs in the virtual machine: what the kernel's virtual camera gives, and how trouble with it is taken.

    python usb_job.py

Prints a line of JSON for each step. vivid paints bars, and sets its gain by itself if it may. Unbound from
its driver it is unplugged.
"""

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from calibration.files import load_lock
from device.cameras import CameraLost, Frame, grabbed
from device.cameras.grabbed import steady_ms
from device.cameras.usb import UsbCamera
from device.cameras.v4l2 import Device
from device.commands.calibrate import lock

NODE = "/dev/video0"
WIDTH, HEIGHT, FPS = 640, 480, 4
"""An emulated processor is slow; how fast a picture comes is not what is looked at here."""
PATIENCE_MS = 3_600_000.0
DRIVER = Path("/sys/bus/platform/drivers/vivid")
BARS = 8
LOCK = Path("lock.json")


def camera(size: tuple[int, int] = (WIDTH, HEIGHT), **given: Any) -> UsbCamera:
    """vivid as the box sees it."""
    return UsbCamera(NODE, *size, FPS, **{"stall_ms": PATIENCE_MS, **given})


def said(frames: Iterator[Frame]) -> str:
    """The sentence with which the camera is lost; empty when it is not."""
    try:
        next(frames)
    except CameraLost as lost:
        return str(lost)
    return ""


def describe(frame: Frame) -> dict[str, object]:
    """A frame in JSON: the colour in the middle of each bar, blue green red, and its age."""
    middles = [round((bar + 0.5) * WIDTH / BARS) for bar in range(BARS)]
    return {
        "shape": frame.picture.shape,
        "bars": [frame.picture[HEIGHT * 3 // 4, x].tolist() for x in middles],
        "time_ms": frame.time_ms,
        "age_ms": steady_ms() - frame.time_ms,
        "name": frame.name,
        "controls": dict(frame.settings.controls) if frame.settings else None,
    }


def modes() -> list[tuple[str, int, int]]:
    """The kinds of pictures that the kernel lists."""
    device = Device(NODE)
    found = [(mode.form, mode.width_px, mode.height_px) for mode in device.modes()]
    device.close()
    return found


def process_of(eye: UsbCamera) -> int:
    """The process that takes the pictures."""
    assert eye._link is not None
    return eye._link.process.pid


def stopped() -> dict[str, object]:
    """A grabber that is as still as a driver that hangs; then pictures again."""
    eye = camera(stall_ms=10_000.0)
    frames = eye.frames()
    next(frames)
    os.kill(process_of(eye), signal.SIGSTOP)
    answer: dict[str, object] = {"said": next(filter(None, (said(frames) for _ in range(100))))}
    eye.stall_ms = PATIENCE_MS
    frames = eye.frames()
    answer["again"] = next(frames).name
    frames.close()  # type: ignore[attr-defined]
    return answer


def unplugged() -> dict[str, object]:
    """vivid is gone in the middle of a picture, is looked for in vain, and comes back."""
    eye = camera()
    frames = eye.frames()
    next(frames)
    gone_ms = steady_ms()
    (DRIVER / "unbind").write_text("vivid.0")
    first = next(filter(None, (said(frames) for _ in range(100))))  # a picture or two may be on their way
    noticed_ms = steady_ms() - gone_ms
    in_vain = said(eye.frames())
    (DRIVER / "bind").write_text("vivid.0")
    frames = eye.frames()
    again = next(frames).name
    frames.close()  # type: ignore[attr-defined]
    return {"said": first, "noticed_ms": noticed_ms, "in_vain": in_vain, "again": again}


def busy() -> dict[str, object]:
    """Somebody else has the camera, and lets it go."""
    other, eye = camera(), camera()
    theirs = other.frames()
    next(theirs)
    told = said(eye.frames())
    theirs.close()  # type: ignore[attr-defined]
    frames = eye.frames()
    again = next(frames).name
    frames.close()  # type: ignore[attr-defined]
    return {"said": told, "again": again}


def locked() -> dict[str, object]:
    """`callbox calibrate lock`, then a camera that keeps to it, then one that somebody set otherwise."""
    Path("callbox.toml").write_text(f"[camera]\nwidth_px = {WIDTH}\nheight_px = {HEIGHT}\nfps = {FPS}\n")
    words = [
        "--camera",
        f"usb:{NODE}",
        "--config",
        "callbox.toml",
        "--control",
        "gain=90",
        "-o",
        str(LOCK),
    ]
    ran = CliRunner().invoke(lock, words)
    if ran.exit_code:
        return {"status": ran.exit_code, "err": ran.output}
    found = load_lock(LOCK)
    eye = camera(lock=found)
    frames = eye.frames()
    kept = [next(frames) for _ in range(25)]
    device = Device(NODE)
    device.set({"gain": 7})
    told = next(filter(None, (frame.remark for frame in frames)))
    device.close()
    frames.close()  # type: ignore[attr-defined]
    return {
        "status": ran.exit_code,
        "err": ran.stderr,
        "found": dict(found.controls),
        "sensor": found.sensor,
        "kept": all(frame.settings == found for frame in kept),
        "remarks": sorted({frame.remark for frame in kept}),
        "told": told,
    }


def tell(name: str, found: object) -> None:
    """One line for what was found."""
    print(json.dumps({name: found}), flush=True)


def main() -> None:
    """Look, ask for the impossible, share, lock, hang, unplug."""
    for name in ("START_MS", "OPEN_MS"):
        setattr(grabbed, name, PATIENCE_MS)
    eye = camera()
    frames = eye.frames()
    seen = [describe(next(frames)) for _ in range(5)]
    frames.close()  # type: ignore[attr-defined]
    tell("seen", seen)
    tell("modes", modes())
    tell("odd_size", said(camera((1280, 960)).frames()))
    tell("no_camera", said(UsbCamera("0", WIDTH, HEIGHT, FPS).frames()))
    for step in (busy, locked, stopped, unplugged):
        tell(step.__name__, step())


if __name__ == "__main__":
    main()
