"""Takes pictures with picamera2, in a process of its own. The only file that imports picamera2.

Why its own process: libcamera can hang for good, and only a process can be killed; and picamera2 brings the
Pi's own Python with its own numpy, which must never meet the numpy of the box. So this file knows the
standard library and picamera2, nothing of Callbox, and is started by its path, with a Python that has them.

    grabber.py --list                       one line: {"cameras": [...]} or {"trouble": ..., "detail": ...}
    grabber.py --memory FD --notes FD ...   pictures, until standard input closes

How pictures travel: through shared memory with a few slots, each a header of HEADER_BYTES (the sequence
number, 0 while the slot is being written) and then the picture's rows, blue green red, `stride` bytes a row.
After each picture one JSON line goes to the notes pipe:

    {"ready": {"width": 1280, "height": 960, "stride": 3840, "slots": 3, "slot_bytes": 3686464}}    first
    {"frame": 1, "slot": 1, "taken_ns": 1234567890}     CLOCK_MONOTONIC, when the sensor began the picture
    {"trouble": "none", "detail": "..."}                missing, broken, none, busy, size or other: last

The writer never waits: who reads too late finds a newer picture in the slot, and no queue grows. When the
pipe is full, lines are left out, not pictures.
"""

import argparse
import json
import mmap
import os
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

SLOTS = 3
HEADER_BYTES = 64  # keeps the rows on a cache line's border
SEQUENCE = struct.Struct("<Q")
NEWEST_AGE_NS = 5_000_000_000  # a time stamp further back than this is on no clock we know
DETAIL_CHARS = 1000
LAST_CALL_S = 0.5  # a well camera closes in less


class Trouble(Exception):
    """Why there is no picture: a word for the program and a detail for people."""

    def __init__(self, word: str, detail: str) -> None:
        super().__init__(detail)
        self.word = word
        self.detail = detail


def load_picamera2() -> Any:
    """The picamera2 module, or `Trouble` missing or broken."""
    try:
        import picamera2  # noqa: PLC0415 - this file must also run, and say so, where there is none
    except ModuleNotFoundError as error:
        raise Trouble("missing", f"{sys.executable} has no module {error.name}") from error
    except Exception as error:  # a numpy of another age raises ValueError, a half library AttributeError
        raise Trouble("broken", f"{sys.executable}: {words(error)}") from error
    return picamera2


def words(error: BaseException) -> str:
    """An error and what caused it, on one line."""
    said: list[str] = []
    at: BaseException | None = error
    while at is not None:
        text = " ".join(str(at).split()) or type(at).__name__
        if text not in said:
            said.append(text)
        at = at.__cause__ or at.__context__
    return "; ".join(said)


def trouble_in(error: BaseException) -> Trouble:
    """What kind of trouble an error of picamera2 is. libcamera has no error classes, only sentences."""
    if isinstance(error, Trouble):
        return error
    text = words(error)
    low = text.lower()
    if "busy" in low or "in use by" in low or "failed to acquire" in low:
        return Trouble("busy", text)
    if "no camera number" in low or "not found" in low or "disconnected" in low:
        return Trouble("none", text)
    return Trouble("other", text)


def camera_list(picamera2: Any) -> list[dict[str, Any]]:
    """Cameras by number: model and libcamera's name for it."""
    try:
        found = picamera2.Picamera2.global_camera_info()
    except Exception as error:
        raise trouble_in(error) from error
    return [{"model": str(one.get("Model", "?")), "id": str(one.get("Id", "?"))} for one in found]


def widest_mode(modes: Sequence[Mapping[str, Any]], fps: float) -> dict[str, Any] | None:
    """The sensor setting that sees most of the table and is fast enough, with the fewest pixels to move.

    Left alone, picamera2 takes the mode nearest in size, and on some sensors that one sees only the middle.
    """
    fit = [mode for mode in modes if "crop_limits" in mode and float(mode.get("fps", 0)) >= fps]
    if not fit:
        return None

    def merit(mode: Mapping[str, Any]) -> tuple[int, int]:
        _, _, wide, high = mode["crop_limits"]
        return wide * high, -mode["size"][0] * mode["size"][1]

    best = max(fit, key=merit)
    return {"output_size": tuple(best["size"]), "bit_depth": best["bit_depth"]}


def open_camera(picamera2: Any, index: int, size: tuple[int, int], fps: float) -> tuple[Any, int]:
    """A running camera and its bytes a row. Sizes are checked: libcamera may silently choose another."""
    count = len(camera_list(picamera2))
    if index >= count:
        raise Trouble("none", f"camera {index} was asked for, {count} found")
    camera = picamera2.Picamera2(index)
    try:
        modes = camera.sensor_modes
    except Exception:  # noqa: BLE001 - only Pi sensors have modes; the others do without
        modes = []
    sensor = widest_mode(modes, fps)
    duration_us = round(1_000_000 / fps)
    paced = {"FrameDurationLimits": (duration_us, duration_us)}
    config = camera.create_video_configuration(
        main={"size": size, "format": "RGB888"},  # named from the top bits down: blue comes first in memory
        controls=paced if "FrameDurationLimits" in camera.camera_controls else {},
        buffer_count=4,
        **({"sensor": sensor} if sensor else {}),
    )
    camera.configure(config)
    main = camera.camera_configuration()["main"]
    if tuple(main["size"]) != size or main["format"] != "RGB888":
        given = "x".join(str(n) for n in main["size"])
        raise Trouble("size", f"{size[0]}x{size[1]} was asked for, the camera gives {given} {main['format']}")
    camera.start()
    return camera, int(main["stride"])


class Notes:
    """The pipe of JSON lines to the box. A line is shorter than PIPE_BUF: it goes whole or not at all."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        os.set_blocking(fd, False)

    def say(self, note: Mapping[str, Any]) -> None:
        """Write one line; leave it out when nobody has read the last thousand."""
        line = json.dumps(note).encode() + b"\n"
        try:
            os.write(self._fd, line)
        except BlockingIOError:
            return


class Slots:
    """The shared memory with its slots."""

    def __init__(self, fd: int, rows_bytes: int) -> None:
        self.rows_bytes = rows_bytes
        self.slot_bytes = HEADER_BYTES + rows_bytes + -rows_bytes % HEADER_BYTES
        os.ftruncate(fd, self.slot_bytes * SLOTS)
        self._map = mmap.mmap(fd, self.slot_bytes * SLOTS)
        self._view = memoryview(self._map)

    def put(self, sequence: int, rows: memoryview) -> int:
        """Copy one picture in, under a header that says 0 meanwhile; returns the slot."""
        slot = sequence % SLOTS
        start = slot * self.slot_bytes
        SEQUENCE.pack_into(self._view, start, 0)
        self._view[start + HEADER_BYTES : start + HEADER_BYTES + self.rows_bytes] = rows[: self.rows_bytes]
        SEQUENCE.pack_into(self._view, start, sequence)
        return slot


def steady_ns(sensor_ns: int | None, monotonic_ns: int, boottime_ns: int) -> int:
    """When the picture was taken, on CLOCK_MONOTONIC.

    libcamera promises CLOCK_BOOTTIME, most kernel drivers stamp CLOCK_MONOTONIC; they differ by the time the
    machine slept. Both are tried: the picture was taken a little while ago, never in the future.
    """
    ages = [now - sensor_ns for now in (monotonic_ns, boottime_ns)] if sensor_ns else []
    likely = [age for age in ages if 0 <= age < NEWEST_AGE_NS]
    return monotonic_ns - min(likely, default=0)


def due(taken_ns: int, last_ns: int | None, fps: float) -> bool:
    """Whether this picture is wanted: some cameras cannot be slowed down."""
    return last_ns is None or taken_ns - last_ns >= 0.75 * 1_000_000_000 / fps


def requests(camera: Any, ended: threading.Event) -> Iterator[Any]:
    """The camera's finished pictures, each given back to it after use."""
    while not ended.is_set():
        request = camera.capture_request()
        try:
            yield request
        finally:
            request.release()


def grab(args: argparse.Namespace, say: Callable[[Mapping[str, Any]], None], ended: threading.Event) -> None:
    """Deliver pictures until the box goes away."""
    picamera2 = load_picamera2()
    camera, stride = open_camera(picamera2, args.index, (args.width, args.height), args.fps)
    slots = Slots(args.memory, stride * args.height)
    shape = {"width": args.width, "height": args.height, "stride": stride}
    say({"ready": {**shape, "slots": SLOTS, "slot_bytes": slots.slot_bytes}})
    sequence, last_ns = 0, None
    for request in requests(camera, ended):
        stamp = request.get_metadata().get("SensorTimestamp")
        taken_ns = steady_ns(stamp, time.monotonic_ns(), time.clock_gettime_ns(time.CLOCK_BOOTTIME))
        if not due(taken_ns, last_ns, args.fps):
            continue
        sequence, last_ns = sequence + 1, taken_ns
        # MappedArray shows the camera's own buffer: this copy is the only one; capture_array adds another.
        with picamera2.MappedArray(request, "main", reshape=False, write=False) as mapped:
            slot = slots.put(sequence, memoryview(mapped.array))
        say({"frame": sequence, "slot": slot, "taken_ns": taken_ns})
    camera.close()


def watch_parent(ended: threading.Event) -> None:
    """Standard input closes when the box goes, however it goes. A camera that hangs is left behind."""
    while os.read(0, 4096):
        pass
    ended.set()
    time.sleep(LAST_CALL_S)
    os._exit(0)


def arguments(argv: Sequence[str]) -> argparse.Namespace:
    """The command line of this program."""
    parser = argparse.ArgumentParser(description="Takes pictures with picamera2 for Callbox.")
    parser.add_argument("--list", action="store_true", help="name the cameras and end")
    parser.add_argument("--memory", type=int, help="file descriptor of the shared memory")
    parser.add_argument("--notes", type=int, help="file descriptor of the notes pipe")
    parser.add_argument("--index", type=int, default=0)
    parser.add_argument("--width", type=int, default=1280)
    parser.add_argument("--height", type=int, default=960)
    parser.add_argument("--fps", type=float, default=15.0)
    args = parser.parse_args(argv)
    if not args.list and (args.memory is None or args.notes is None):
        parser.error(
            "give --list, or --memory and --notes; `callbox play --camera picamera2:0` starts this file"
        )
    return args


def main(argv: Sequence[str]) -> int:
    """0 when the box went away or the list was given, 1 with one trouble line otherwise."""
    args = arguments(argv)
    ended = threading.Event()
    say = (lambda note: print(json.dumps(note))) if args.list else Notes(args.notes).say
    try:
        if args.list:
            say({"cameras": camera_list(load_picamera2())})
        else:
            threading.Thread(target=watch_parent, args=(ended,), daemon=True).start()
            grab(args, say, ended)
    except Exception as error:  # noqa: BLE001 - whatever it is, the box must hear of it
        trouble = trouble_in(error)
        say({"trouble": trouble.word, "detail": trouble.detail[:DETAIL_CHARS]})
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
