"""The films on the disk, within a budget: a film goes there whole or not at all, and the oldest go for it.

A film has the name of its throw in the journal: `films/GAME/READING.mp4` beside `pictures/GAME/READING.jpg`.
The journal does not know of films, so one that is lost or deleted changes nothing. At its end each has its
own SHA-256, in an MP4 box that players pass over (`free`): one that is damaged is not given out as evidence.
"""

import hashlib
import re
import struct
import threading
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from calibration.durable import sync_folder, write_whole
from engine.wording import phrase

_FILM = re.compile(r"([1-9][0-9]{0,17})/([0-9]{1,18})\.mp4")

_SEAL = struct.Struct(">I4s8s32s")
"""An MP4 box: its size in bytes, its type, whose it is, and the SHA-256 of all before it."""
_SEAL_HEAD = _SEAL.pack(_SEAL.size, b"free", b"cbx-sha2", b"")[:-32]
_BOX = struct.Struct(">I4s")
_LEAST_BOX_BYTES = 8

Throw = tuple[int, int]
"""The number of a game, and that of a reading in it."""


class FilmNotKept(Exception):
    """A film could not be made or kept. `str(error)` says why, in a sentence; the game goes on without it."""


class Shelf:
    """The films in one folder, which only this box uses. May be asked from any thread."""

    def __init__(self, folder: Path, cap_mb: float) -> None:
        """Finds what is there, and removes what a power cut left half written."""
        self._folder = folder
        self._cap_bytes = cap_mb * 1e6
        self._lock = threading.Lock()
        _sweep(folder)
        self._sizes = _sizes_in(folder)

    def list_readings(self, game_id: int) -> tuple[int, ...]:
        """The readings of a game that have a film, in order."""
        with self._lock:
            return tuple(sorted(reading for game, reading in self._sizes if game == game_id))

    def path(self, game_id: int, reading: int) -> Path | None:
        """Where the film of a reading lies; None when it is not, or no longer, kept.

        Raises `FilmNotKept` for one that is not as it was written.
        """
        path = self._path((game_id, reading))
        try:
            whole = is_whole(path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise FilmNotKept(
                phrase("The film of this throw cannot be read ({strerror}).", strerror=error.strerror)
            ) from error
        if not whole:
            raise FilmNotKept(
                phrase(
                    "The film of this throw is damaged: it is not as it was written. Delete {path}.",
                    path=path,
                )
            )
        return path

    def keep(self, game_id: int, reading: int, film: bytes) -> None:
        """Keep a film, in the place of an older one of the same reading; raises `FilmNotKept`."""
        film = film + _SEAL_HEAD + hashlib.sha256(film).digest()
        throw, size = (game_id, reading), len(film)
        if size > self._cap_bytes:
            raise FilmNotKept(
                phrase(
                    "The film of this throw is not kept: it has {size:.1f} MB, and all films may have "
                    "{most:g}. Set films.disk_mb higher in callbox.toml.",
                    size=size / 1000000.0,
                    most=self._cap_bytes / 1000000.0,
                )
            )
        with self._lock:
            self._forget(throw)
            self._make_room(size)
            path = self._path(throw)
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                write_whole(path, film)
                sync_folder(path.parent)
            except OSError as error:
                raise FilmNotKept(
                    phrase(
                        "The film of this throw is not kept ({strerror}); the game goes on. Make room on the "
                        "disk with {folder}, or fix its permissions.",
                        strerror=error.strerror,
                        folder=self._folder,
                    )
                ) from error
            self._sizes[throw] = size

    def _path(self, throw: Throw) -> Path:
        game_id, reading = throw
        return self._folder / str(game_id) / f"{reading}.mp4"

    def _make_room(self, size: int) -> None:
        """Delete the oldest films until there is room within the budget."""
        for oldest in sorted(self._sizes):
            if sum(self._sizes.values()) + size <= self._cap_bytes:
                break
            self._forget(oldest)

    def _forget(self, throw: Throw) -> None:
        """Delete a film, if it is kept."""
        if self._sizes.pop(throw, None) is None:
            return
        path = self._path(throw)
        with suppress(OSError):
            path.unlink()
        with suppress(OSError):  # the last film of a game takes the folder with it
            path.parent.rmdir()


def is_whole(path: Path) -> bool:
    """Whether a film is as it was written; raises OSError where it cannot be read.

    A film is read once, however many parts of it a phone asks for, and again when its file has changed.
    """
    now = path.stat()
    return _is_whole(path, (now.st_ino, now.st_size, now.st_mtime_ns))


@lru_cache(maxsize=256)
def _is_whole(path: Path, version: tuple[int, int, int]) -> bool:  # noqa: ARG001 - another one is read anew
    """Whether a film has its seal; of one that an older Callbox kept, whether nothing was cut off."""
    film = path.read_bytes()
    before, seal = film[: -_SEAL.size], film[-_SEAL.size :]
    if seal.startswith(_SEAL_HEAD):
        return hashlib.sha256(before).digest() == seal[len(_SEAL_HEAD) :]
    at = 0
    while at + _BOX.size <= len(film):
        size, _ = _BOX.unpack_from(film, at)
        if size < _LEAST_BOX_BYTES:
            return False
        at += size
    return 0 < at == len(film)


def _sweep(folder: Path) -> None:
    """Remove films that a power cut left half written."""
    with suppress(OSError):
        for part in folder.glob("*/.*.part"):
            with suppress(OSError):
                part.unlink()


def _sizes_in(folder: Path) -> dict[Throw, int]:
    """The films in a folder, and how many bytes each has; what cannot be looked at is left out."""
    found: dict[Throw, int] = {}
    with suppress(OSError):
        for path in folder.glob("*/*.mp4"):
            if named := _FILM.fullmatch(f"{path.parent.name}/{path.name}"):
                with suppress(OSError):
                    found[int(named[1]), int(named[2])] = path.stat().st_size
    return found
