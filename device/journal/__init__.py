"""The journal: every event of every game on the disk before it is shown, and the data folder it lies in."""

from device.journal.journal import GameId, Journal, Moment
from device.journal.storage import PictureNotKept, Storage, StorageBroken, data_folder, lessons_path
from device.journal.trouble import JournalError, RowNotUnderstood

__all__ = [
    "GameId",
    "Journal",
    "JournalError",
    "Moment",
    "PictureNotKept",
    "RowNotUnderstood",
    "Storage",
    "StorageBroken",
    "data_folder",
    "export",
    "lessons_path",
    "replay",
    "rows",
    "tools",
    "words",
]
