"""What was done, when, and what came of it: `setup.json` in the data folder."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

import msgspec

from calibration.durable import sync_folder, write_whole

NAME = "setup.json"


class StepDone(msgspec.Struct, frozen=True):
    """A step that was done."""

    figure: str
    at: str
    """By ISO 8601, with its offset from UTC."""


def load_done(folder: Path) -> Mapping[str, StepDone]:
    """What was done, by the step's name; nothing where the file is missing or cannot be read."""
    try:
        return msgspec.json.decode((folder / NAME).read_bytes(), type=dict[str, StepDone])
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return {}  # it says only when something was done: the calibrations themselves are other files


def note_done(folder: Path, step: str, figure: str, at: datetime) -> None:
    """Note that a step was done. Raises OSError."""
    done = {**load_done(folder), step: StepDone(figure, at.isoformat(timespec="seconds"))}
    write_whole(folder / NAME, msgspec.json.encode(done))
    sync_folder(folder)


def put_beside(path: Path, at: datetime) -> Path | None:
    """Copy a file that is about to be replaced, under a name with the time; None where there is none.

    Raises OSError.
    """
    if not path.exists():
        return None
    copy = path.with_name(f"{path.stem}-before-{at:%Y-%m-%d-%H%M%S}{path.suffix}")
    write_whole(copy, path.read_bytes())
    sync_folder(path.parent)
    return copy
