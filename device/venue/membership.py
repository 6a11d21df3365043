"""What a box got when it was paired with a desk: its name there, its keys, and where the desk's broker is.

It lies in `venue.json` of the data folder, which only the box's own user may read. No backup has it.
"""

import hashlib
import hmac
from pathlib import Path

import msgspec

from calibration.durable import sync_folder, write_whole
from engine.wording import phrase


class NotPaired(Exception):
    """The box does not belong to a desk. `str(error)` names cause and fix."""


class BrokerLogin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """By what a broker lets in that others run: the desk and all its boxes alike."""

    user: str
    """"" where it asks for none."""
    password: str
    tls: bool


class Membership(msgspec.Struct, frozen=True):
    """One box at one desk, as the desk hands it out and the box keeps it."""

    table_id: str
    """What the desk calls it in topics."""
    name: str
    """What people call it: "Table 4"."""
    secret: str
    """32 random bytes, in hex; both keys below are made of it."""
    host: str
    """Where the broker is; "" as a desk hands it out whose broker is where the box has found the desk."""
    port: int
    certificate: str
    """PEM. Of the desk's own broker: it alone is trusted. Of one that others run: its authority's, "" for
    those that this machine trusts."""
    login: BrokerLogin | None = None
    """By what a broker that others run lets the box in; None at the desk's own, which knows each box."""

    @property
    def key(self) -> bytes:
        """By which messages are sealed (`device.venue.messages`)."""
        return key_of(self.secret)

    @property
    def user(self) -> str:
        """Who the box is to the broker."""
        return self.login.user if self.login else self.table_id

    @property
    def password(self) -> str:
        """What the broker asks for."""
        return self.login.password if self.login else password_of(self.secret)


def key_of(secret: str) -> bytes:
    """The key of messages that belongs to a secret."""
    return hmac.digest(bytes.fromhex(secret), b"callbox messages", hashlib.sha256)


def password_of(secret: str) -> str:
    """The broker's password that belongs to a secret: who knows it cannot seal messages."""
    return hmac.digest(bytes.fromhex(secret), b"callbox broker", hashlib.sha256).hex()


def membership_path(folder: Path) -> Path:
    """The file in a data folder."""
    return folder / "venue.json"


def keep(folder: Path, membership: Membership) -> None:
    """Belong to that desk from now on; raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(membership_path(folder), msgspec.json.encode(membership), mode=0o600)
    sync_folder(folder)


def load_membership(folder: Path) -> Membership:
    """Where the box belongs; raises `NotPaired`."""
    path = membership_path(folder)
    try:
        return msgspec.json.decode(path.read_bytes(), type=Membership)
    except FileNotFoundError:
        raise NotPaired(
            phrase(
                "This box is not paired with a desk. Ask the desk for a code (callbox desk invite), "
                "and run callbox pair on this box."
            )
        ) from None
    except (OSError, msgspec.DecodeError) as error:
        raise NotPaired(
            phrase(
                "{path} cannot be read: {error}. Pair the box again with callbox pair.",
                path=path,
                error=error,
            )
        ) from None
