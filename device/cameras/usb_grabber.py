"""Takes pictures from a USB camera with OpenCV, in a process of its own: a USB driver can hang for good, too.

    python -m device.cameras.usb_grabber --camera 0 --memory FD --notes FD ...

It says and delivers what `grabber.py` does (see there); pictures are "bgr". A camera without the size that is
asked for is not used. Where it has the size in several forms, the uncompressed one is taken if it is fast
enough, else the fastest: ten uncompressed pictures of 1280 x 960 a second are all that USB 2 carries.
"""

import argparse
import errno
import json
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import cv2

from device.cameras.grabber import (
    DETAIL_CHARS,
    SLOTS,
    Notes,
    Parent,
    Slots,
    Trouble,
    due,
    shared,
    steady_ns,
    words,
)
from device.cameras.v4l2 import Device, Mode, plugged_in

ALMOST = 0.95
"""29.97 pictures a second are 30."""
LOOK_EVERY_S = 0.2
"""How often the camera is asked what it is set to: with some that takes milliseconds."""
MOST_SIZES = 8


def found(camera: str) -> str:
    """The device of a camera: the number of a USB camera among those that are plugged in, or a path.

    Raises `Trouble`.
    """
    if not camera.isdigit():
        return camera
    nodes = plugged_in()
    if int(camera) >= len(nodes):
        raise Trouble("none", f"USB camera {camera} was asked for, {len(nodes)} found")
    return nodes[int(camera)].path


def trouble_in(error: Exception, camera: str) -> Trouble:
    """What kind of trouble an error is."""
    match error:
        case Trouble():
            return error
        case PermissionError():
            return Trouble("denied", f"{error.filename or camera}: {error.strerror}")
        case OSError(errno=errno.EBUSY):
            return Trouble("busy", f"{error.filename or camera}: {error.strerror}")
        case OSError(errno=errno.ENOENT | errno.ENODEV | errno.ENXIO | errno.ENOTTY):
            return Trouble("none", f"{error.filename or camera}: {error.strerror}")
        case _:
            return Trouble("other", words(error))


def chosen(modes: Iterable[Mode], size: tuple[int, int], fps: float) -> tuple[Mode, float]:
    """The mode for pictures of that size, and its rate: the lowest that is fast enough, or the highest.

    Raises `Trouble` where the camera has no such size; its sizes are named.
    """
    usable = [mode for mode in modes if mode.form in {"YUYV", "MJPG"}]
    fit = [mode for mode in usable if (mode.width_px, mode.height_px) == size]
    if not fit:
        sizes = sorted({(mode.width_px, mode.height_px) for mode in usable}, reverse=True)
        named = ", ".join(f"{wide}x{high}" for wide, high in sizes[:MOST_SIZES]) or "none that can be used"
        raise Trouble("size", f"{size[0]}x{size[1]} was asked for, the camera has {named}")
    rates = [(mode, rate_of(mode, fps)) for mode in fit]
    enough = [each for each in rates if each[1] >= ALMOST * fps]
    plain = [each for each in enough if each[0].form == "YUYV"]
    return (plain or enough or [max(rates, key=lambda each: each[1])])[0]


def rate_of(mode: Mode, fps: float) -> float:
    """The lowest of its rates that is fast enough, else its highest; `fps` where it does not say."""
    return min((rate for rate in mode.rates if rate >= ALMOST * fps), default=max(mode.rates, default=fps))


def opened(path: str, size: tuple[int, int], fps: float) -> tuple[cv2.VideoCapture, float]:
    """OpenCV's capture with the mode set, and its rate. Raises `Trouble`, OSError."""
    with closing(Device(path)) as device:
        if not device.card():
            raise Trouble("none", f"{path} gives no pictures")
        mode, rate = chosen(device.modes(), size, fps)
    capture = cv2.VideoCapture(path, cv2.CAP_V4L2)
    # Opening and setting say only whether it went well; what is not allowed was found before.
    if not capture.isOpened():
        raise Trouble("busy", f"{path} does not let itself be set up")
    for name, value in (
        (cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*mode.form)),
        (cv2.CAP_PROP_FRAME_WIDTH, mode.width_px),
        (cv2.CAP_PROP_FRAME_HEIGHT, mode.height_px),
        (cv2.CAP_PROP_FPS, rate),
    ):
        capture.set(name, value)
    given = tuple(int(capture.get(each)) for each in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT))
    if given != size:
        raise Trouble("busy", f"{path} keeps to {given[0]}x{given[1]}")
    return capture, rate


def grab(args: argparse.Namespace, say: Callable[[Mapping[str, Any]], None], parent: Parent) -> None:
    """Deliver pictures until the box goes away. Raises `Trouble`, OSError."""
    say({"loaded": True})
    size = args.width, args.height
    path = found(args.camera)
    capture, rate = opened(path, size, args.fps)
    with closing(Device(path)) as device:
        wanted = json.loads(args.controls)
        # A camera without an aperture of its own refuses the other kind of automatic exposure, or the first.
        device.set({"auto_exposure": 0} if wanted.get("auto_exposure") == 3 else {})
        device.set(wanted)
        slots = Slots({"size": size, "stride": 3 * size[0], "format": "RGB888"}, SLOTS, 0)
        memory = shared(args.memory, slots.end)
        say({"ready": slots.ready(), "model": device.card(), "fps": rate})
        sequence, last_ns, looked_s, controls = 0, None, float("-inf"), {}
        while not parent.gone.is_set():
            taken_ns = next_ns(capture, path)
            if not due(taken_ns, last_ns, args.fps):
                continue
            whole, picture = capture.retrieve()
            if not whole or picture.shape != (size[1], size[0], 3):
                continue  # a compressed picture of which a part was lost
            sequence, last_ns = sequence + 1, taken_ns
            if time.monotonic() - looked_s >= LOOK_EVERY_S:
                controls, looked_s = device.controls(), time.monotonic()
            slot = slots.put(memory, sequence, picture.reshape(-1).data)
            say({"frame": sequence, "slot": slot, "taken_ns": taken_ns, "set": {"controls": controls}})
    capture.release()


def next_ns(capture: cv2.VideoCapture, path: str) -> int:
    """Wait for the next picture: when it was taken, on CLOCK_MONOTONIC. Raises `Trouble`."""
    if not capture.grab():
        if not Path(path).exists():
            raise Trouble("none", f"{path} is gone")
        raise Trouble("lost", f"{path} gives no picture")
    stamp = round(1e6 * capture.get(cv2.CAP_PROP_POS_MSEC))
    return steady_ns(stamp, time.monotonic_ns(), time.clock_gettime_ns(time.CLOCK_BOOTTIME))


def arguments(argv: Sequence[str]) -> argparse.Namespace:
    """The command line of this program."""
    parser = argparse.ArgumentParser(description="Takes pictures from a USB camera for Callbox.")
    parser.add_argument("--camera", default="0", help="its number among the USB cameras, or its device")
    parser.add_argument("--memory", type=int, required=True, help="file descriptor of the shared memory")
    parser.add_argument("--notes", type=int, required=True, help="file descriptor of the notes pipe")
    parser.add_argument("--width", type=int, required=True)
    parser.add_argument("--height", type=int, required=True)
    parser.add_argument("--fps", type=float, required=True)
    parser.add_argument("--controls", default="{}", help="V4L2's controls to start with, as JSON")
    return parser.parse_args(argv)


def main(argv: Sequence[str]) -> int:
    """0 when the box went away, 1 with one trouble line otherwise."""
    args, parent = arguments(argv), Parent()
    cv2.setNumThreads(1)
    say = Notes(args.notes).say
    threading.Thread(target=parent.listen, daemon=True).start()
    try:
        grab(args, say, parent)
    except Exception as error:  # noqa: BLE001 - whatever it is, the box must hear of it
        trouble = trouble_in(error, args.camera)
        say({"trouble": trouble.word, "detail": trouble.detail[:DETAIL_CHARS]})
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
