"""Takes pictures with picamera2, in a process of its own. The only file that imports picamera2.

Why its own process: libcamera can hang for good, and only a process can be killed; and picamera2 brings the
Pi's own Python with its own numpy, which must never meet the numpy of the box. So this file knows the
standard library and picamera2, nothing of Callbox, and is started by its path, with a Python that has them.

    grabber.py --list                       one line: {"cameras": [...]} or {"trouble": ..., "detail": ...}
    grabber.py --memory FD --notes FD ...   pictures, until standard input closes

How pictures travel: through shared memory with a few slots, each a header of HEADER_BYTES (the sequence
number, 0 while the slot is being written) and then the picture's rows, `stride` bytes a row. `form` says what
they hold: "bgr" is blue green red, "yuv" all of Y and then U and V, each with half the rows and half the
columns, in full range (JPEG's). Each step and each picture puts a JSON line into the notes pipe:

    {"loaded": true}            picamera2 is there: opening the camera is quick from here
    {"ready": {"width": 1280, "height": 960, "stride": 1280, "form": "yuv", "begin": 0, "slots": 3,
               "slot_bytes": 1843264}, "sharp": {"width": 2024, ...}, "model": "imx477"}    "sharp": if it has
    {"frame": 1, "slot": 1, "taken_ns": 1234567890,     CLOCK_MONOTONIC, when the sensor began the picture
     "set": {"ExposureTime": 10000, "ColourGains": [1.9, 1.6], ...}}    to what, where the camera says so
    {"frame": 2, "slot": 2, "taken_ns": 1234567890, "sharp_slot": 0}    the same moment in more pixels, too
    {"trouble": "none", "detail": "..."}                missing, broken, none, busy, size or other: last

The writer never waits: who reads too late finds a newer picture in the slot, and no queue grows. When the
pipe is full, lines are left out, not pictures.

One mode for two pictures: the sensor runs in the widest mode that is fast enough, the camera's own hardware
makes a small picture of each and, from the same part of the sensor, a large one (picamera2's streams "lores"
and "main"). The large one is copied only after a byte "1" on standard input, until a "0". To switch to a mode
for stills and back would cost half a second. A camera that gives no two streams gives the small one alone.
"""

import argparse
import contextlib
import json
import math
import mmap
import os
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

SLOTS, SHARP_SLOTS, DETAIL_CHARS = 3, 2, 1000
MOST_PIXELS = 2028 * 1520  # more would take the memory of a small Pi, and D4 are read with this
HEADER_BYTES = 64  # keeps the rows on a cache line's border
SEQUENCE = struct.Struct("<Q")
NEWEST_AGE_NS = 5_000_000_000  # a time stamp further back than this is on no clock we know
LAST_CALL_S = 0.5  # a well camera closes in less
TOLD = ("ExposureTime", "AnalogueGain", "ColourGains", "LensPosition")  # of each picture


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


def most_like(size: tuple[int, int], most: tuple[int, int]) -> tuple[int, int] | None:
    """The largest size of exactly the same shape within `most`, both sides even; None where none is larger.

    Two streams of another shape would not show the same part of the table.
    """
    common = math.gcd(*size)
    shape = size[0] // common, size[1] // common
    times = min(most[0] // shape[0], most[1] // shape[1])
    times -= times % 2 if shape[0] % 2 or shape[1] % 2 else 0
    return (shape[0] * times, shape[1] * times) if times > common else None


def widest_mode(modes: Sequence[Mapping[str, Any]], fps: float, size: Sequence[int]) -> dict[str, Any] | None:
    """The fast sensor setting that sees most of the table, with the fewest pixels that suffice for `size`.

    Left alone, picamera2 takes the mode nearest in size, and on some sensors that one sees only the middle.
    """
    fit = [mode for mode in modes if "crop_limits" in mode and float(mode.get("fps", 0)) >= fps]
    if not fit:
        return None

    def merit(mode: Mapping[str, Any]) -> tuple[int, bool, int]:
        _, _, wide, high = mode["crop_limits"]
        return wide * high, mode["size"][0] >= size[0], -mode["size"][0] * mode["size"][1]

    best = max(fit, key=merit)
    return {"output_size": tuple(best["size"]), "bit_depth": best["bit_depth"]}


def sharp_size(
    camera: Any, sensor: Mapping[str, Any] | None, size: tuple[int, int]
) -> tuple[int, int] | None:
    """The size of the sharpest picture that the sensor's mode gives for one of `size`; None where none is."""
    try:
        wide, high = (
            sensor["output_size"] if sensor else camera.camera_properties["PixelArrayActiveAreas"][0][2:]
        )
    except (AttributeError, LookupError, TypeError, ValueError):
        return None
    less = min(1.0, math.sqrt(MOST_PIXELS / max(1, wide * high)))
    return most_like(size, (int(wide * less), int(high * less)))


class Streams(NamedTuple):
    """What a running camera gives: each stream's configuration, and which form it has."""

    watched: str
    """The name of the stream with the pictures of the size asked for."""
    sharp: str
    """The name of the stream in more pixels; "" where there is none."""
    of: Mapping[str, Mapping[str, Any]]


def wanted_controls(camera: Any, args: argparse.Namespace) -> dict[str, Any]:
    """The controls to start with, as far as the camera has them."""
    duration_us = round(1_000_000 / args.fps)
    controls = {"FrameDurationLimits": (duration_us, duration_us), **json.loads(args.controls)}
    return {name: value for name, value in controls.items() if name in camera.camera_controls}


def open_camera(picamera2: Any, args: argparse.Namespace) -> tuple[Any, Streams]:
    """A running camera, with a sharper stream beside the one asked for if that is wanted and possible."""
    index, size, fps = args.index, (args.width, args.height), args.fps
    count = len(camera_list(picamera2))
    if index >= count:
        raise Trouble("none", f"camera {index} was asked for, {count} found")
    camera = picamera2.Picamera2(index)
    try:
        modes = camera.sensor_modes
    except Exception:  # noqa: BLE001 - only Pi sensors have modes; the others do without
        modes = []
    sensor = widest_mode(modes, fps, size)
    options = {
        "controls": wanted_controls(camera, args),
        "buffer_count": 4,
        **({"sensor": sensor} if sensor else {}),
    }
    if args.sharp and (large := sharp_size(camera, sensor, size)):
        # Whatever a camera lacks for two streams (memory, a second output), one it may give all the same.
        with contextlib.suppress(Exception):
            colours = picamera2.libcamera.ColorSpace.Sycc()  # full range, as the head of this file promises
            return camera, start_both(camera, size, large, {**options, "colour_space": colours})
    return camera, start_one(camera, size, options)


def start_both(
    camera: Any, size: tuple[int, int], large: tuple[int, int], options: Mapping[str, Any]
) -> Streams:
    """Have the camera give both sizes. Raises whatever picamera2 raises, and `Trouble` for other sizes."""
    lores = {"size": size, "format": "YUV420"}  # a Pi 4 has no other form for its second output
    of = configure(camera, large, {**options, "lores": lores})
    small, main = of["lores"], of["main"]
    if (tuple(small["size"]), small["format"]) != (size, "YUV420") or not is_bgr(main, large):
        raise Trouble("size", "the camera gives other pictures than two were asked for")
    camera.start()
    return Streams("lores", "main", of)


def start_one(camera: Any, size: tuple[int, int], options: Mapping[str, Any]) -> Streams:
    """Have the camera give that size alone."""
    of = configure(camera, size, options)
    main = of["main"]
    if not is_bgr(main, size):
        given = "x".join(str(n) for n in main["size"])
        raise Trouble("size", f"{size[0]}x{size[1]} was asked for, the camera gives {given} {main['format']}")
    camera.start()
    return Streams("main", "", of)


def configure(camera: Any, main: tuple[int, int], options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Set the camera up with a main stream of that size: what it really gives then."""
    # The format is named from the top bits down: blue comes first in memory.
    camera.configure(camera.create_video_configuration(main={"size": main, "format": "RGB888"}, **options))
    given: Mapping[str, Any] = camera.camera_configuration()
    return given


def is_bgr(stream: Mapping[str, Any], size: tuple[int, int]) -> bool:
    """Whether a stream has that size, blue green red. libcamera may silently choose another."""
    return tuple(stream["size"]) == size and stream["format"] == "RGB888"


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
    """One stream's slots in the shared memory."""

    def __init__(self, stream: Mapping[str, Any], count: int, begin: int) -> None:
        """`begin` is the first slot's first byte."""
        self.width, self.height = stream["size"]
        self.stride, self.count, self.begin = int(stream["stride"]), count, begin
        self.form = "bgr" if stream["format"] == "RGB888" else "yuv"
        rows = self.height if self.form == "bgr" else self.height * 3 // 2
        self.rows_bytes = self.stride * rows
        self.slot_bytes = HEADER_BYTES + self.rows_bytes + -self.rows_bytes % HEADER_BYTES
        self.end = begin + count * self.slot_bytes
        self._next = 0

    def ready(self) -> dict[str, Any]:
        """How the pictures lie in the memory."""
        return {
            "width": self.width,
            "height": self.height,
            "stride": self.stride,
            "form": self.form,
            "begin": self.begin,
            "slots": self.count,
            "slot_bytes": self.slot_bytes,
        }

    def put(self, memory: memoryview, sequence: int, rows: memoryview) -> int:
        """Copy one picture in, under a header that says 0 meanwhile; returns the slot."""
        slot, self._next = self._next, (self._next + 1) % self.count
        start = self.begin + slot * self.slot_bytes
        SEQUENCE.pack_into(memory, start, 0)
        memory[start + HEADER_BYTES : start + HEADER_BYTES + self.rows_bytes] = rows[: self.rows_bytes]
        SEQUENCE.pack_into(memory, start, sequence)
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


def grab(args: argparse.Namespace, say: Callable[[Mapping[str, Any]], None], parent: "Parent") -> None:
    """Deliver pictures until the box goes away."""
    picamera2 = load_picamera2()
    say({"loaded": True})
    camera, streams = open_camera(picamera2, args)
    watched = Slots(streams.of[streams.watched], SLOTS, 0)
    sharp = Slots(streams.of[streams.sharp], SHARP_SLOTS, watched.end) if streams.sharp else None
    memory = shared(args.memory, sharp.end if sharp else watched.end)
    model = str(camera.camera_properties.get("Model", ""))
    say({"ready": watched.ready(), "model": model, **({"sharp": sharp.ready()} if sharp else {})})
    sequence, last_ns = 0, None
    for request in requests(camera, parent.gone):
        metadata = request.get_metadata()
        stamp = metadata.get("SensorTimestamp")
        taken_ns = steady_ns(stamp, time.monotonic_ns(), time.clock_gettime_ns(time.CLOCK_BOOTTIME))
        if not due(taken_ns, last_ns, args.fps):
            continue
        sequence, last_ns = sequence + 1, taken_ns

        # MappedArray shows the camera's own buffer: this copy is the only one; capture_array adds another.
        with picamera2.MappedArray(request, streams.watched, reshape=False, write=False) as mapped:
            slot = watched.put(memory, sequence, memoryview(mapped.array))
        told = {name: metadata[name] for name in TOLD if name in metadata}
        note = {"frame": sequence, "slot": slot, "taken_ns": taken_ns, "set": told}
        if sharp and parent.wants_sharp:
            with picamera2.MappedArray(request, streams.sharp, reshape=False, write=False) as mapped:
                note["sharp_slot"] = sharp.put(memory, sequence, memoryview(mapped.array))
        say(note)
    camera.close()


def shared(fd: int, size_bytes: int) -> memoryview:
    """The shared memory, made so large."""
    os.ftruncate(fd, size_bytes)
    return memoryview(mmap.mmap(fd, size_bytes))


class Parent:
    """The box, as standard input tells of it."""

    def __init__(self) -> None:
        self.gone = threading.Event()
        self.wants_sharp = False

    def listen(self) -> None:
        """Standard input closes when the box goes, however it goes. A camera that hangs is left behind."""
        while said := os.read(0, 4096):
            self.wants_sharp = said[-1:] == b"1"
        self.gone.set()
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
    parser.add_argument("--sharp", action="store_true", help="have larger pictures ready, too")
    parser.add_argument("--controls", default="{}", help="libcamera's controls to start with, as JSON")
    args = parser.parse_args(argv)
    if not args.list and (args.memory is None or args.notes is None):
        parser.error(
            "give --list, or --memory and --notes; `callbox play --camera picamera2:0` starts this file"
        )
    return args


def main(argv: Sequence[str]) -> int:
    """0 when the box went away or the list was given, 1 with one trouble line otherwise."""
    args = arguments(argv)
    parent = Parent()
    say = (lambda note: print(json.dumps(note))) if args.list else Notes(args.notes).say
    try:
        if args.list:
            say({"cameras": camera_list(load_picamera2())})
        else:
            threading.Thread(target=parent.listen, daemon=True).start()
            grab(args, say, parent)
    except Exception as error:  # noqa: BLE001 - whatever it is, the box must hear of it
        trouble = trouble_in(error)
        say({"trouble": trouble.word, "detail": trouble.detail[:DETAIL_CHARS]})
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
