"""Runs under the virtual camera: what PiCamera delivers, how it takes a hang, and how it heals, as JSON.

python tests/rigs/eye.py PYTHON_WITH_PICAMERA2
"""

import json
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

from click.testing import CliRunner

from calibration.files import load_lock
from calibration.lock import CameraLock
from device.cameras import CameraLost, Frame
from device.cameras.grabbed import steady_ms
from device.cameras.picamera import PiCamera, cameras
from device.commands.calibrate import lock

WIDTH, HEIGHT, FPS = 1280, 960, 15


def said(frames: Iterator[Frame]) -> str:
    """The sentence with which the camera is lost; empty when it is not."""
    try:
        next(frames)
    except CameraLost as lost:
        return str(lost)
    return ""


def describe(frame: Frame) -> dict[str, object]:
    """What can be said of a frame in JSON: its corners' colours, blue green red, and its age."""
    rows, columns = (HEIGHT // 4, 3 * HEIGHT // 4), (WIDTH // 4, 3 * WIDTH // 4)
    return {
        "shape": frame.picture.shape,
        "corners": [frame.picture[y, x].tolist() for y in rows for x in columns],
        "time_ms": frame.time_ms,
        "age_ms": steady_ms() - frame.time_ms,
        "name": frame.name,
    }


def sharpened(eye: PiCamera, frames: Iterator[Frame]) -> dict[str, object]:
    """The first frame with a sharp picture: its middles, and those of the watched one at the same moment."""
    eye.sharpen(True)
    for frame in frames:
        if frame.sharp is not None:
            eye.sharpen(False)
            middles = [
                each[y, x].tolist()
                for each in (frame.picture, frame.sharp)
                for y in (each.shape[0] // 4, 3 * each.shape[0] // 4)
                for x in (each.shape[1] // 4, 3 * each.shape[1] // 4)
            ]
            return {"shape": frame.sharp.shape, "watched": middles[:4], "sharp": middles[4:]}
    raise SystemExit("the camera ended without a sharp picture")


LOCK = CameraLock(exposure_us=10_000, gain=2.5, red_gain=1.8, blue_gain=2.1, focus_dioptre=1.5)


def locked(python: str, lock: CameraLock) -> dict[str, object]:
    """What thirty pictures of a camera that is locked say of their settings, and what is said of them."""
    eye = PiCamera(0, WIDTH, HEIGHT, FPS, python=python, lock=lock)
    frames = eye.frames()
    seen = [next(frames) for _ in range(30)]
    frames.close()  # type: ignore[attr-defined]
    eye.close()
    return {"settings": [asdict(s) for s in (f.settings for f in seen) if s], "remark": seen[-1].remark}


def lock_command(python: str) -> dict[str, object]:
    """`callbox calibrate lock` with all given by hand: left alone, the virtual camera says nothing."""
    with tempfile.TemporaryDirectory() as folder:
        settings, output = Path(folder, "callbox.toml"), Path(folder, "lock.json")
        settings.write_text(f'[camera]\npython = "{python}"\n')
        by_hand = ["--exposure-ms", "8", "--gain", "2", "--white-balance", "1.5", "2.5", "--focus-cm", "80"]
        ran = CliRunner().invoke(lock, ["--config", str(settings), *by_hand, "-o", str(output)])
        found = asdict(load_lock(output)) if output.exists() else None
    return {"status": ran.exit_code, "out": ran.stdout, "err": ran.stderr, "found": found}


def main(python: str) -> None:
    """Watch, hang, heal, sharpen, ask for the impossible."""
    eye = PiCamera(0, WIDTH, HEIGHT, FPS, python=python)
    frames = eye.frames()
    seen = [describe(next(frames)) for _ in range(30)]
    link = eye._link
    assert link is not None
    os.kill(link.process.pid, signal.SIGSTOP)  # as still as libcamera when it hangs
    stopped_ms = steady_ms()
    stalled = said(frames)
    noticed_ms = steady_ms()
    healed = eye.frames()
    again = describe(next(healed))
    healed_ms = steady_ms()
    sharp = sharpened(eye, healed)
    healed.close()  # type: ignore[attr-defined]
    eye.close()
    answer = {
        "cameras": cameras(python, lambda command: os.popen(" ".join(command)).read()),  # noqa: S605
        "seen": seen,
        "sharp": sharp,
        "stalled": stalled,
        "buried": link.process.returncode,
        "noticed_ms": noticed_ms - stopped_ms,
        "healed_ms": healed_ms - noticed_ms,
        "again": again,
        "lock_command": lock_command(python),
        "locked": locked(python, LOCK),
        "other_camera": locked(python, replace(LOCK, sensor="imx477")),
        "second": said(PiCamera(1, WIDTH, HEIGHT, FPS, python=python).frames()),
        "odd_size": said(PiCamera(0, 1000, 750, FPS, python=python).frames()),
    }
    sys.stdout.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
