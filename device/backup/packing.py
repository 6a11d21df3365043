"""Makes a backup, and looks into one: a ZIP file with the SHA-256 of each file in it."""

import hashlib
import os
import re
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import IO

import apsw
import msgspec

from calibration.durable import sync_folder
from device.journal.reader import opening, read_only
from device.journal.storage import journal_path
from engine.wording import phrase, phrase_later

NOT_WHOLE = phrase_later("{path} is no whole backup: {error}. Copy it again from where it was made.")
NOT_UNDERSTOOD = phrase_later("{path} says of itself what this Callbox does not understand: {error}.")
OTHER_FORM = phrase_later(
    "{path} has form {form}, and this Callbox reads form {reads}. Update Callbox first."
)
HOLDS_OTHERS = phrase_later("{path} holds {strange!r}, which no backup has. It is left alone.")
NO_BACKUP = phrase_later("{path} is no backup of Callbox: it does not say what is in it.")

MANIFEST = "manifest.json"
FORM = 1
"""The version of the file's form. It grows when older Callboxes could no longer read it rightly."""
MOST_MANIFEST_BYTES = 50_000_000
PIECE_BYTES = 1 << 20
KEPT = re.compile(
    r"journal\.db|(dice|shapes)\.json|(table|camera|lock|near|far)[\w-]{0,40}\.json"
    r"|tournaments/\d{1,9}\.json|lessons/[\w-]{1,80}\.(jpg|json)|pictures/\d{1,18}/[\d-]{1,30}\.jpg|films/\d{1,18}/\d{1,18}\.mp4",
    re.ASCII,
)
"""The names that a backup may hold, and a data folder is searched for. Neither PINs nor keys are among
them."""


class BackupError(Exception):
    """There is no backup, or it is not to be trusted. `str(error)` names cause and fix."""


class FileSum(msgspec.Struct, frozen=True):
    """One file of a backup."""

    bytes: int
    sha256: str


class Contents(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="callbox backup"):
    """What a backup says of itself."""

    form: int
    made: str
    """When, in UTC."""
    games: int
    files: dict[str, FileSum]


def pack(folder: Path, to: Path, now: datetime, *, films: bool = False) -> Contents:
    """Write a backup of a data folder; a box may play meanwhile. Raises `BackupError`, `JournalError`.

    The journal is copied by SQLite's own backup, so it is whole at one moment. `to` gets its name once all
    of it is on the disk; nobody but its owner may read it.
    """
    part = to.with_name(f".{to.name}.part")
    try:
        with tempfile.TemporaryDirectory(dir=to.parent) as beside:
            copy = Path(beside) / "journal.db"
            games = _copy_journal(journal_path(folder), copy)
            with os.fdopen(os.open(part, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600), "w+b") as file:
                with zipfile.ZipFile(file, "w") as whole:
                    files = _write(whole, _files(folder, copy, films=films))
                    made = now.isoformat(timespec="seconds")
                    contents = Contents(form=FORM, made=made, games=games, files=files)
                    whole.writestr(MANIFEST, msgspec.json.encode(contents))
                file.flush()
                os.fsync(file.fileno())
        part.replace(to)
        sync_folder(to.parent)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        raise BackupError(
            phrase(
                "{to} cannot be written: {strerror}. Name another place.",
                to=to,
                strerror=error.strerror or error,
            )
        ) from error
    return contents


def _copy_journal(path: Path, copy: Path) -> int:
    """Copy the journal as it is at one moment; returns how many games are in it. Raises `JournalError`."""
    with (
        opening(path, writing=False),
        closing(read_only(path)) as source,
        closing(apsw.Connection(str(copy))) as target,
    ):
        with target.backup("main", source, "main") as going:
            going.step(-1)
        target.pragma("journal_mode", "delete")
        (games,) = next(iter(target.execute("SELECT count(*) FROM games")))
    return int(games)


def _files(folder: Path, journal: Path, *, films: bool) -> Iterator[tuple[str, Path]]:
    """What is to be kept, by name."""
    yield "journal.db", journal
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        wanted = KEPT.fullmatch(name) and (films or not name.startswith("films/"))
        if wanted and name != "journal.db" and path.is_file() and not path.is_symlink():
            yield name, path


def _write(whole: zipfile.ZipFile, files: Iterator[tuple[str, Path]]) -> dict[str, FileSum]:
    """Put files in, and say what they are. A picture that is trimmed away meanwhile is left out."""
    told: dict[str, FileSum] = {}
    for name, path in files:
        with suppress(FileNotFoundError), path.open("rb") as source, whole.open(name, "w") as into:
            told[name] = _sum(source, into)
    return told


def _sum(source: IO[bytes], into: IO[bytes]) -> FileSum:
    """Copy one file; returns how large it is, and its hash."""
    digest, size = hashlib.sha256(), 0
    while piece := source.read(PIECE_BYTES):
        digest.update(piece)
        into.write(piece)
        size += len(piece)
    return FileSum(size, digest.hexdigest())


def look_into(path: Path) -> Contents:
    """What a backup says of itself, its names checked; raises `BackupError`."""
    try:
        with zipfile.ZipFile(path) as whole:
            names = [each.filename for each in whole.infolist()]
            if names.count(MANIFEST) != 1 or whole.getinfo(MANIFEST).file_size > MOST_MANIFEST_BYTES:
                raise BackupError(phrase(NO_BACKUP, path=path))
            contents = msgspec.json.decode(whole.read(MANIFEST), type=Contents)
            sizes = {each.filename: each.file_size for each in whole.infolist() if each.filename != MANIFEST}
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise BackupError(phrase(NOT_WHOLE, path=path, error=error)) from error
    except msgspec.DecodeError as error:
        raise BackupError(phrase(NOT_UNDERSTOOD, path=path, error=error)) from error
    except OSError as error:
        raise BackupError(
            phrase("{path} cannot be read: {strerror}.", path=path, strerror=error.strerror or error)
        ) from error
    if contents.form != FORM:
        raise BackupError(
            phrase(
                OTHER_FORM,
                path=path,
                form=contents.form,
                reads=FORM,
            )
        )
    if strange := sorted(name for name in (*sizes, *contents.files) if not KEPT.fullmatch(name)):
        raise BackupError(phrase(HOLDS_OTHERS, path=path, strange=strange[0][:60]))
    if len(names) != len(set(names)) or sizes != {name: each.bytes for name, each in contents.files.items()}:
        raise BackupError(phrase("{path} does not hold what it says it does. It is left alone.", path=path))
    if "journal.db" not in contents.files:
        raise BackupError(phrase("{path} holds no journal. It is left alone.", path=path))
    return contents
