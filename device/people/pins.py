"""The PINs of referee and host: set by `callbox pin` on the box, kept as hashes alone.

Hashed with scrypt (RFC 7914) and a salt of its own; each try costs 16 MB for a moment. That keeps a PIN from
being read in the file. Whoever has the file can still try all 10,000 four-digit ones at leisure, so it is for
the box's own user only.
"""

import hashlib
import hmac
import os
import re
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

import msgspec

from calibration.durable import sync_folder, write_whole
from device.people.actor import Office
from engine.wording import phrase

FORM = re.compile(r"[0-9]{4,12}", re.ASCII)
COST, BLOCK, LANES = 2**14, 8, 1
"""scrypt's N, r and p."""


class PinsBroken(Exception):
    """The PINs cannot be read or kept. `str(error)` names cause and fix."""


class Hashed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A PIN that nobody can read."""

    salt: str
    """16 bytes, hexadecimal."""
    digest: str
    """32 bytes, hexadecimal."""
    cost: int = COST
    """scrypt's N, as it was then."""

    def fits(self, pin: str) -> bool:
        """Whether this is the PIN."""
        made = _digest(pin, bytes.fromhex(self.salt), self.cost)
        return hmac.compare_digest(made, bytes.fromhex(self.digest))


def hash_pin(pin: str) -> Hashed:
    """A PIN as it is kept, with a new salt."""
    salt = secrets.token_bytes(16)
    return Hashed(salt=salt.hex(), digest=_digest(pin, salt, COST).hex())


def _digest(pin: str, salt: bytes, cost: int) -> bytes:
    return hashlib.scrypt(pin.encode(), salt=salt, n=cost, r=BLOCK, p=LANES, maxmem=2**26, dklen=32)


def pins_path(folder: Path) -> Path:
    """The file of the PINs in a data folder."""
    return folder / "pins.json"


class PinBook:
    """The PINs of one box, read anew when the file changes: `callbox pin` writes it while a box plays."""

    def __init__(self, path: Path | None) -> None:
        """None: a box without any, as in tests."""
        self._path = path
        self._read: tuple[tuple[int, int], Mapping[str, Hashed]] = ((0, 0), {})

    def of(self, office: Office) -> Hashed | None:
        """Whose hash this is; None when none is set. Raises `PinsBroken`."""
        return self._all().get(office)

    def put(self, office: Office, pin: str | None) -> None:
        """Set a PIN, or with None take it away. Raises `PinsBroken`, also for what is no PIN."""
        if pin is not None and not FORM.fullmatch(pin):
            raise PinsBroken(phrase("a PIN has 4 to 12 digits and nothing else. Nothing was changed."))
        kept = {name: each for name, each in self._all().items() if name != office}
        if pin is not None:
            kept[office] = hash_pin(pin)
        assert self._path is not None  # noqa: S101 - only `callbox pin` writes, and it has a file
        folder = self._path.parent
        try:
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(self._path, msgspec.json.encode(kept), mode=0o600)
            owner = folder.stat()
            if os.geteuid() == 0:  # root sets it for the user who runs the box
                os.chown(self._path, owner.st_uid, owner.st_gid)
            sync_folder(folder)
        except OSError as error:
            raise PinsBroken(
                phrase(
                    "the PIN cannot be kept in {path}: {strerror}. Run it with the rights of whoever "
                    "runs the box: sudo -u callbox, or sudo.",
                    path=self._path,
                    strerror=error.strerror,
                )
            ) from error

    def _all(self) -> Mapping[str, Hashed]:
        if self._path is None:
            return {}
        try:
            about = self._path.stat()
            stamp = (about.st_mtime_ns, about.st_ino)
            if stamp != self._read[0]:
                self._read = (stamp, msgspec.json.decode(self._path.read_bytes(), type=dict[str, Hashed]))
        except FileNotFoundError:
            return {}
        except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
            raise PinsBroken(
                phrase(
                    "the PINs in {path} cannot be read ({error}). Set them again on the box: remove that "
                    "file, then callbox pin {office}.",
                    path=self._path,
                    error=error,
                    office=get_args(Office)[0],
                )
            ) from error
        return self._read[1]
