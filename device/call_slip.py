"""What a hall's desk says to one box, calls and sign-offs, and the slip of paper on which the box keeps that.

The slip is two files of the data folder. What the desk said last is written by the box's uplink alone
(`device.venue`), what the table answered by the table alone, so neither waits for the other. Each write
leaves the file before or the file after, whenever the power goes.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from calibration.durable import sync_folder, write_whole

TOLD, ANSWERED = "called.json", "called-answer.json"
_Kept = TypeVar("_Kept", bound=Struct)


class MatchCall(Struct, frozen=True):
    """Players are called to a table, for a match of a tournament."""

    id: str
    """Made by chance for this call: the game that is begun for it carries it in its journal."""
    title: str
    """The tournament's."""
    match: int
    game: str
    players: tuple[str, ...]
    options: Mapping[str, str] = {}
    """The rules of the match."""


class SignedResult(Struct, frozen=True):
    """The result of a call's game was signed off at the desk."""

    call: str
    """The call's identity, which the game carries."""
    game: int
    """Its number in the box's journal."""
    scores: tuple[tuple[str, int], ...]
    """The very result that is signed off."""
    by: str
    """Who has signed it, as they gave their name."""


class CurrentCall(Struct, frozen=True):
    """What the desk says to one box: for whom it is called now, and what is signed off."""

    number: int = 0
    """Grows whenever this changes: what comes late is known by it."""
    call: MatchCall | None = None
    """None for nobody."""
    table_id: str = ""
    """To which box it is said: one that is paired anew begins anew."""
    signed: tuple[SignedResult, ...] = ()
    """Results that still wait for a sign-off at the box."""


class CallRefused(Struct, frozen=True):
    """The table did not take a call."""

    id: str = ""
    why: str = ""


class CallSlip:
    """The two files."""

    def __init__(self, folder: Path) -> None:
        """`folder`: the box's data folder."""
        self._told, self._answered = folder / TOLD, folder / ANSWERED

    @property
    def stamp(self) -> tuple[int, ...]:
        """Differs whenever either file was written: a look that costs little."""
        return tuple(_stamp(path) for path in (self._told, self._answered))

    def current(self) -> CurrentCall:
        """What the desk said last; what cannot be read counts as nothing, and the desk says it again."""
        return _read(self._told, CurrentCall) or CurrentCall()

    def refusal(self) -> CallRefused:
        """What the table answered last."""
        return _read(self._answered, CallRefused) or CallRefused()

    def standing(self) -> MatchCall | None:
        """For whom the table is called, unless it has refused that."""
        call = self.current().call
        return None if call is None or call.id == self.refusal().id else call

    def save_current(self, call: CurrentCall) -> None:
        """On the disk when it returns; raises OSError."""
        _write(self._told, call)

    def refuse(self, call_id: str, why: str) -> None:
        """On the disk when it returns; raises OSError."""
        _write(self._answered, CallRefused(call_id, why))


def _stamp(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _read(path: Path, kind: type[_Kept]) -> _Kept | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None


def _write(path: Path, what: Struct) -> None:
    write_whole(path, msgspec.json.encode(what))
    sync_folder(path.parent)
