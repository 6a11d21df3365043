"""`camera.json`, `table.json` and `lock.json` on the disk: written whole or not at all, and
checked when loaded."""

from pathlib import Path
from typing import TypeVar

import cv2
import msgspec
import numpy as np

from calibration.durable import write_whole
from calibration.lock import CameraLock
from calibration.table import PLACE_TERMS, Landmark, TableCalibration
from calibration.trouble import CalibrationError
from calibration.view import INTRINSICS, CameraCalibration, Lens
from engine.wording import phrase, phrase_later

TOO_LARGE = phrase_later("{path} is too large to be a {word} calibration; name the right file.")
UNREADABLE = phrase_later("{path} cannot be read: {why}. `callbox calibrate {word}` makes such a file.")
NO_CALIBRATION = phrase_later("{path} is no calibration: {error}. `callbox calibrate {word}` makes one.")
OTHER_KIND = phrase_later(
    "{path} is a {other} calibration, and a {word} calibration is needed here. `callbox calibrate "
    "{word}` makes one."
)
OTHER_FORM = phrase_later(
    "{path} was written in form {version}, and this Callbox reads form {schema}. Run `callbox "
    "calibrate {word}` again."
)

SCHEMA = 1
"""The version of these files' format. It grows when older files could no longer be read rightly."""
MOST_BYTES = 20_000_000
MOST = 1e6
"""No length in mm or px, no angle and no count comes near this."""
MOST_PATCH_PX = 511


class _CameraFile(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="callbox camera"):
    """The whole of `camera.json`."""

    version: int
    camera: CameraCalibration


class _TableFile(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="callbox table"):
    """The whole of `table.json`."""

    version: int
    table: TableCalibration


class _LockFile(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="callbox lock"):
    """The whole of `lock.json`."""

    version: int
    lock: CameraLock


class _Head(msgspec.Struct, frozen=True):
    """What every version of these files begins with."""

    kind: str
    version: int


_File = TypeVar("_File", _CameraFile, _TableFile, _LockFile)


def save_camera(camera: CameraCalibration, path: Path) -> None:
    """Write `camera.json`. Raises `CalibrationError` when the disk does not take it."""
    _save(_CameraFile(version=SCHEMA, camera=camera), path)


def load_camera(path: Path) -> CameraCalibration:
    """Read `camera.json`. Raises `CalibrationError` with the cause and what to do."""
    camera = _load(path, _CameraFile, "camera").camera
    _check_lens(camera.lens, path)
    _check_numbers(msgspec.to_builtins(camera), path)
    size = len(INTRINSICS)
    if len(camera.covariance) != size or any(len(row) != size for row in camera.covariance):
        raise _damaged(path, phrase("its covariance is not {size} by {size}", size=size))
    matrix = camera.covariance_matrix
    scale = np.sqrt(np.maximum(np.diag(matrix), 1e-30))
    if np.any(np.diag(matrix) < 0) or np.linalg.eigvalsh(matrix / np.outer(scale, scale))[0] < -1e-6:
        raise _damaged(path, phrase("its covariance is that of no measurement"))
    if camera.rms_px < 0:
        raise _damaged(path, phrase("its reprojection error is below zero"))
    _check_lock(camera.lock, path)
    return camera


def save_table(table: TableCalibration, path: Path) -> None:
    """Write `table.json`. Raises `CalibrationError` when the disk does not take it."""
    _save(_TableFile(version=SCHEMA, table=table), path)


def load_table(path: Path) -> TableCalibration:
    """Read `table.json`. Raises `CalibrationError` with the cause and what to do."""
    table = _load(path, _TableFile, "table").table
    _check_lens(table.view.lens, path)
    _check_numbers(msgspec.to_builtins(table), path)
    if table.view.eye_mm[2] <= 0:
        raise _damaged(path, phrase("its camera hangs below the table"))
    if not (table.sigma_mm > 0 and table.laid.sigma_mm > 0):
        raise _damaged(path, phrase("it claims to be without any error"))
    if table.by_place and (table.by_place.least_mm <= 0 or len(table.by_place.curve) != PLACE_TERMS):
        raise _damaged(path, phrase("how sure places are is no curve over the table"))
    if not table.laid.zones or any(len(zone.polygon_mm) < 3 for zone in table.laid.zones):
        raise _damaged(path, phrase("a zone of its sheet has no outline"))
    for mark in table.landmarks:
        _check_landmark(mark, table.view.lens, path)
    _check_lock(table.lock, path)
    return table


def save_lock(lock: CameraLock, path: Path) -> None:
    """Write `lock.json`. Raises `CalibrationError` when the disk does not take it."""
    _save(_LockFile(version=SCHEMA, lock=lock), path)


def load_lock(path: Path) -> CameraLock:
    """Read `lock.json`. Raises `CalibrationError` with the cause and what to do."""
    lock = _load(path, _LockFile, "lock").lock
    _check_numbers(msgspec.to_builtins(lock), path)
    _check_lock(lock, path)
    return lock


def _save(whole: _CameraFile | _TableFile | _LockFile, path: Path) -> None:
    text = msgspec.json.format(msgspec.json.encode(whole), indent=1) + b"\n"
    try:
        write_whole(path, text)
    except OSError as error:
        raise CalibrationError(
            phrase(
                "{path} cannot be written: {why}. Name another file with -o.",
                path=path,
                why=error.strerror,
            )
        ) from error


def _load(path: Path, form: type[_File], word: str) -> _File:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise CalibrationError(phrase(TOO_LARGE, path=path, word=word))
        data = path.read_bytes()
    except OSError as error:
        raise CalibrationError(phrase(UNREADABLE, path=path, why=error.strerror, word=word)) from error
    try:
        head = msgspec.json.decode(data, type=_Head)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CalibrationError(phrase(NO_CALIBRATION, path=path, error=error, word=word)) from error
    if head.kind != f"callbox {word}":
        raise CalibrationError(
            phrase(OTHER_KIND, path=path, other=head.kind.removeprefix("callbox ")[:40], word=word)
        )
    if head.version != SCHEMA:
        raise CalibrationError(phrase(OTHER_FORM, path=path, version=head.version, schema=SCHEMA, word=word))
    try:
        return msgspec.json.decode(data, type=form)
    except msgspec.DecodeError as error:
        raise _damaged(path, str(error)) from error


def _check_lens(lens: Lens, path: Path) -> None:
    """A lens that could be real: its picture has a size, its focal length and centre fit that size."""
    if not (1 <= lens.width_px <= 65_536 and 1 <= lens.height_px <= 65_536):
        raise _damaged(
            path,
            phrase(
                "its picture is {width_px} x {height_px}", width_px=lens.width_px, height_px=lens.height_px
            ),
        )
    longest = max(lens.width_px, lens.height_px)
    if not all(0.05 * longest < focal < 100 * longest for focal in lens.focal_px):
        raise _damaged(
            path,
            phrase(
                "its focal length is {focal_px:g} x {focal_px_2:g} px",
                focal_px=lens.focal_px[0],
                focal_px_2=lens.focal_px[1],
            ),
        )
    if not all(abs(place) < 3 * longest for place in lens.centre_px):
        raise _damaged(path, phrase("its optical centre is far outside the picture"))
    if not _is_one_to_one(lens):
        raise _damaged(path, phrase("its lens distorts as no lens does"))


def _is_one_to_one(lens: Lens) -> bool:
    """Whether the picture's middle half comes back where it was: no lens shows a place there twice."""
    size = np.array([lens.width_px, lens.height_px], np.float64)
    points = np.array([[0.25, 0.25], [0.75, 0.25], [0.25, 0.75], [0.75, 0.75]]) * size
    with np.errstate(all="ignore"):
        ways = lens.directions(points)
        still, terms = np.zeros(3), np.array(lens.distortion, np.float64)
        back = cv2.projectPoints(ways, still, still, lens.matrix, terms)[0].reshape(-1, 2)
        return bool(np.all(np.abs(back - points) < 1.0))


def _check_lock(lock: CameraLock | None, path: Path) -> None:
    """Settings that a camera could have."""
    if lock is None or (lock.controls and lock.exposure_us >= 0):
        return
    if min(lock.exposure_us, lock.gain, lock.red_gain, lock.blue_gain) <= 0 or (lock.focus_dioptre or 0) < 0:
        raise _damaged(path, phrase("it locks the camera to what no camera has"))


def _check_landmark(mark: Landmark, lens: Lens, path: Path) -> None:
    """A landmark that was seen in the picture, with a patch that is as large as it says."""
    if not 0 <= mark.patch_side <= MOST_PATCH_PX or len(mark.patch) != mark.patch_side**2:
        raise _damaged(
            path,
            phrase("the patch of its landmark {name!r} is of another size than it says", name=mark.name[:40]),
        )
    x, y = mark.at_px
    if not (0 <= x <= lens.width_px and 0 <= y <= lens.height_px and mark.sigma_px >= 0):
        raise _damaged(
            path, phrase("its landmark {name!r} was seen outside the picture", name=mark.name[:40])
        )


def _check_numbers(value: object, path: Path) -> None:
    """No number in it is larger than anything that is measured at a table."""
    match value:
        case dict():
            for each in value.values():
                _check_numbers(each, path)
        case list() | tuple():
            for each in value:
                _check_numbers(each, path)
        case int() | float() if not abs(value) <= MOST:
            raise _damaged(path, phrase("it holds the number {value:.3g}", value=value))
        case _:
            pass


def _damaged(path: Path, why: str) -> CalibrationError:
    return CalibrationError(phrase("{path} is damaged: {why}. Calibrate again.", path=path, why=why))
