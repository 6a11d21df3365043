"""What the box keeps of its people beyond a restart, in one file that only its own user may read."""

from collections.abc import Callable
from pathlib import Path

import msgspec

from calibration.durable import sync_folder, write_whole
from device.people.actor import Office
from device.people.pins import Hashed
from engine.wording import phrase


class Signed(msgspec.Struct, frozen=True):
    """A page on which referee or host have signed in."""

    key: str
    """The page's public key."""
    office: Office
    name: str
    salt: str
    """The salt of the PIN that was given: with a new PIN, who signed in with the old one is out."""
    since_s: float = 0.0
    """When, in seconds of the steady clock of that boot."""
    boot: str = ""
    """The boot in which that was; "" in a file of an older Callbox: then it is over."""


class PlayerSeat(msgspec.Struct, frozen=True):
    """A player's seat in one game, as it is handed out to a phone."""

    game_id: int
    player: str
    token: str
    """Stands in the seat's QR code; 16 random bytes."""
    key: str = ""
    """The public key of the page that has it; "" while none has."""
    pin: Hashed | None = None
    """For another phone of the same player; None before the first has come."""


class PeopleFile(msgspec.Struct, frozen=True):
    """The whole file."""

    secret: str = ""
    """The box's secret key (`device.people.sealed_requests`), hexadecimal; "" makes a new one."""
    signed: tuple[Signed, ...] = ()
    seats: tuple[PlayerSeat, ...] = ()


class PeopleStore:
    """The file; None keeps nothing, as in tests."""

    def __init__(self, path: Path | None, tell: Callable[[str], None]) -> None:
        """`tell` gets a sentence when the file cannot be read or written: the table goes on without it."""
        self._path = path
        self._tell = tell
        self.kept = self._load()

    def put(self, kept: PeopleFile) -> None:
        """Keep this from now on, also beyond a restart if the disk takes it."""
        self.kept = kept
        if self._path is None:
            return
        try:
            write_whole(self._path, msgspec.json.encode(kept), mode=0o600)
            sync_folder(self._path.parent)
        except OSError as error:
            self._tell(
                phrase(
                    "Seats and sign-ins will be lost at the next restart ({strerror}). Make room on "
                    "the disk with {folder}, or fix its permissions.",
                    strerror=error.strerror,
                    folder=self._path.parent,
                )
            )

    def _load(self) -> PeopleFile:
        if self._path is None:
            return PeopleFile()
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=PeopleFile)
        except FileNotFoundError:
            return PeopleFile()
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
            self._tell(
                phrase(
                    "{path} cannot be read ({error}), so everybody has to scan and sign in again. The file "
                    "is written again then; if this comes back, remove it.",
                    path=self._path,
                    error=error,
                )
            )
            return PeopleFile()
