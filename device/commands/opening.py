"""From the word after `--camera` to a camera, and from two words to the cameras over both ends."""

import importlib
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from calibration.lock import CameraLock
from device.cameras import Camera, CameraLost, folder
from device.cameras.both_ends import BothEnds
from device.config import CameraConfig
from engine.wording import phrase, phrase_later

NOWHERE = phrase_later("There is no camera, film or folder {spec!r}. Give {forms}.")

FORMS = phrase_later("a film file, a folder of pictures, table, picamera2:0, or usb")

FILM_SUFFIXES = (".mp4", ".m4v", ".mov", ".avi", ".mkv", ".webm", ".mjpeg", ".mpg", ".mpeg", ".wmv")
"""Endings taken for films. The decoder is not asked: it opens plain text too, as a film of letters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The pictures asked for, where the source does not have a size and speed of its own."""

    width_px: int = 1280
    height_px: int = 960
    fps: float = 20.0
    sharp: bool = True
    """Whether larger pictures are wanted at rest, where the source has them."""
    lock: CameraLock | None = None
    """What a live camera keeps to; None: it sets exposure and the rest by itself."""
    find_focus: bool = False
    """Without a lock: whether a lens that has a motor is focused."""
    no_picture_ms: float = 1500.0
    """A live camera counts as lost when no picture came for so long."""


def open_camera(
    spec: str,
    *,
    shape: Shape | None = None,
    python: str | None = None,
    seed: int | None = None,
    paced: bool = True,
    note: Callable[[str], object] | None = None,
    far_end: bool = False,
) -> Camera:
    """The camera that `spec` names: "table", "picamera2:N", "usb:N" or "usb:DEVICE", a film,
    a folder or a picture.

    Raises `CameraLost` with cause and fix for a wrong word. `python` is the interpreter that has picamera2
    (None: found by itself). `seed` serves the simulated table, `paced` film and folder; a film keeps its own
    size and speed. `note` hears what is wrong with a film or a folder's pictures.
    `far_end`: a simulated table has a second End Zone, under a second camera.
    """
    shape = shape or Shape()
    if spec == "table":
        # Only who plays on the simulated table pays for loading its painter.
        table = importlib.import_module("device.simulator.table")
        simulated: Camera = table.SimulatedTable(
            seed,
            fps=shape.fps,
            width=shape.width_px,
            height=shape.height_px,
            far_end=far_end,
            sharp=shape.sharp,
        )
        return simulated
    if spec.partition(":")[0] == "picamera2":
        return _open_picamera(spec, shape, python)
    if spec.partition(":")[0] == "usb":
        return _open_usb(spec, shape)
    path = Path(spec).expanduser()
    try:
        return _open_path(spec, path, shape.fps, paced=paced, note=note)
    except (OSError, ValueError):  # a name that no file system takes: too long, or with a zero byte
        raise CameraLost(phrase(NOWHERE, spec=spec[:60], forms=phrase(FORMS))) from None


def open_as_set(at: CameraConfig, spec: str, lock: CameraLock | None, *, find_focus: bool = False) -> Camera:
    """The camera that `spec` names, with the size and speed of the settings; raises `CameraLost`."""
    shape = Shape(
        width_px=at.width_px,
        height_px=at.height_px,
        fps=at.fps,
        sharp=False,
        lock=lock,
        find_focus=find_focus,
    )
    return open_camera(spec, shape=shape, python=at.python)


def open_both(
    spec: str,
    far_spec: str,
    *,
    shape: Shape,
    python: str | None = None,
    seed: int | None = None,
    note: Callable[[str], object] | None = None,
    far_lock: CameraLock | None = None,
) -> Camera:
    """The cameras over both End Zones. Raises `CameraLost` with cause and fix for a wrong word.

    "table" for both is one simulated table that has two ends; else see `open_camera`. The far camera has a
    lock of its own.
    """
    if "table" in (spec, far_spec):
        if spec != far_spec:
            raise CameraLost(
                phrase(
                    "The simulated table has its own cameras. Say table for the far camera as well, or "
                    "name none."
                )
            )
        return open_camera(spec, shape=shape, seed=seed, far_end=True)
    if spec == far_spec:
        raise CameraLost(
            phrase(
                "{spec} is named for both ends. Each has its own camera, such as picamera2:0 and "
                "picamera2:1.",
                spec=spec,
            )
        )
    near = open_camera(spec, shape=shape, python=python, note=note)
    far = open_camera(far_spec, shape=replace(shape, sharp=False, lock=far_lock), python=python, note=note)
    return BothEnds(near, far)


def check_cameras(spec: str, far_spec: str | None) -> None:
    """Raise `CameraLost` for words that `open_camera` or `open_both` refuse.

    Whether a camera is there shows only when pictures are asked for.
    """
    if spec == "table" and far_spec in (None, "table"):
        return
    if far_spec is None:
        open_camera(spec)
    else:
        open_both(spec, far_spec, shape=Shape())


def _open_picamera(spec: str, shape: Shape, python: str | None) -> Camera:
    if not (match := re.fullmatch(r"picamera2(?::(\d{1,3}))?", spec, re.ASCII)):
        raise CameraLost(
            phrase(
                "{spec!r} names no camera. The first of a Pi's cameras is picamera2:0, the second :1.",
                spec=spec,
            )
        )
    picamera = importlib.import_module("device.cameras.picamera")
    camera: Camera = picamera.PiCamera(
        int(match[1] or 0),
        shape.width_px,
        shape.height_px,
        shape.fps,
        python=python,
        stall_ms=shape.no_picture_ms,
        sharp=shape.sharp,
        lock=shape.lock,
        find_focus=shape.find_focus,
    )
    return camera


def _open_usb(spec: str, shape: Shape) -> Camera:
    if not (match := re.fullmatch(r"usb(?::(\d{1,3}|/.+))?", spec, re.ASCII)):
        raise CameraLost(
            phrase(
                "{spec!r} names no camera. The first USB camera is usb:0, the second :1; by its own "
                "name, usb:/dev/v4l/by-id/..., it is always the same one.",
                spec=spec,
            )
        )
    usb = importlib.import_module("device.cameras.usb")
    camera: Camera = usb.UsbCamera(
        match[1] or "0",
        shape.width_px,
        shape.height_px,
        shape.fps,
        stall_ms=shape.no_picture_ms,
        lock=shape.lock,
    )
    return camera


def _open_path(
    spec: str, path: Path, fps: float, *, paced: bool, note: Callable[[str], object] | None
) -> Camera:
    suffix = path.suffix.lower()
    if spec and path.is_dir():
        if not any(child.suffix.lower() in folder.SUFFIXES for child in path.iterdir()):
            raise CameraLost(
                phrase(
                    "There is no picture in {path}. Put {suffixes} files there.",
                    path=path,
                    suffixes=", ".join(folder.SUFFIXES[:3]),
                )
            )
        return folder.Folder(path, fps=fps, paced=paced, note=note)
    if not (spec and path.exists()):
        raise CameraLost(phrase(NOWHERE, spec=spec, forms=phrase(FORMS)))
    if suffix in folder.SUFFIXES:
        return folder.Folder(path, fps=fps, paced=paced, note=note)
    if suffix in FILM_SUFFIXES:
        # Only who shows a film pays for loading its decoder.
        film = importlib.import_module("device.cameras.film")
        playing: Camera = film.Film(path, paced=paced, note=note)
        return playing
    raise CameraLost(
        phrase(
            "{name} is neither a film ({films}, ...) nor a picture ({pictures}, ...). Give {forms}.",
            name=path.name,
            films=", ".join(FILM_SUFFIXES[:4]),
            pictures=", ".join(folder.SUFFIXES[:3]),
            forms=phrase(FORMS),
        )
    )
