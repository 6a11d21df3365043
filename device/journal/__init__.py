"""The journal: every event of every game on the disk before it is shown, and the data folder it lies in."""

from device.journal.aside import open_or_put_aside
from device.journal.journal import Journal
from device.journal.records import GameId, GameRecord, Moment
from device.journal.storage import PictureNotKept, Storage, StorageBroken, data_folder, lessons_path
from device.journal.trouble import JournalError, RowBroken, RowNotUnderstood

__all__ = [
    "GameId",
    "GameRecord",
    "Journal",
    "JournalError",
    "Moment",
    "PictureNotKept",
    "RowBroken",
    "RowNotUnderstood",
    "Storage",
    "StorageBroken",
    "chain",
    "data_folder",
    "export",
    "lessons_path",
    "open_or_put_aside",
    "outbox",
    "reader",
    "records",
    "replay",
    "rows",
    "storage",
    "trouble",
    "verify",
    "words",
]
