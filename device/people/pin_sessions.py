"""Referee and host: they sign in with the PIN that was set on the box."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from device.people.actor import Actor, Office
from device.people.pins import PinBook, PinsBroken
from device.people.store import PeopleStore, Signed
from engine.wording import phrase, phrase_later

KEPT_S = 24 * 3600.0
"""Who signed in is out after a day: a phone that was lent or lost is no referee for ever."""
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
SIGNED_MOST = 16
"""How many pages may be signed in; the oldest is out for the next one."""


NO_PIN: Mapping[Office, str] = {
    "referee": phrase_later("No PIN is set for the referee. On the box: callbox pin referee."),
    "host": phrase_later("No PIN is set for the host. On the box: callbox pin host."),
}

WRONG_PIN: Mapping[Office, str] = {
    "referee": phrase_later(
        "That is not the referee's PIN. If it is forgotten, set a new one on the box: callbox pin referee."
    ),
    "host": phrase_later(
        "That is not the host's PIN. If it is forgotten, set a new one on the box: callbox pin host."
    ),
}


@dataclass(frozen=True, slots=True)
class PinWords:
    """What is said of PINs where they are given, by whose PIN it is."""

    none: Mapping[Office, str]
    """That none is set, and where it is."""
    wrong: Mapping[Office, str]


AT_BOX = PinWords(none=NO_PIN, wrong=WRONG_PIN)


def read_boot_id() -> str:
    """What names the system's present boot; where the system does not say, the present run."""
    try:
        return BOOT_ID.read_text().strip()
    except OSError:
        return secrets.token_hex(16)


class Officials:
    """Who is signed in. Not for several threads at once, but for `who`.

    A box has no clock that runs while it is off, and the network may set the one it has at any time. So a
    sign-in is timed by the steady clock, and ends with the boot in which it was: nobody could say how long
    ago that is.
    """

    def __init__(
        self, book: PinBook, store: PeopleStore, words: PinWords = AT_BOX, boot_id: str | None = None
    ) -> None:
        """`boot_id` names the boot to which all times belong that are given; None asks the system."""
        self._boot = read_boot_id() if boot_id is None else boot_id
        self._words = words
        self._book = book
        self._store = store

    def signed_in(self, key: str, now_s: float) -> Actor | None:
        """Whoever is signed in on that page; None for nobody. `now_s`: the steady clock."""
        found = next((each for each in self._store.kept.signed if each.key == key), None)
        if found is None or found.boot != self._boot or not 0 <= now_s - found.since_s < KEPT_S:
            return None
        if not self._stands(found):
            return None
        return Actor(found.office, found.name)

    def why_no_pin(self, office: Office) -> str:
        """Why nobody can sign in so; "" when a PIN is set."""
        try:
            known = self._book.of(office)
        except PinsBroken as broken:
            return phrase("Nobody can sign in: {why}", why=broken)
        if known is None:
            return phrase(self._words.none[office])
        return ""

    def is_pin(self, office: Office, pin: str) -> bool:
        """Whether this is the PIN; takes scrypt's time."""
        known = self._book.of(office)
        return known is not None and known.fits(pin)

    def sign_in(self, key: str, office: Office, name: str, now_s: float) -> None:
        """Whoever has this page has given the PIN."""
        known = self._book.of(office)
        if known is None:
            return
        others = [each for each in self._store.kept.signed if each.key != key]
        signed = [*others, Signed(key, office, name, known.salt, now_s, self._boot)][-SIGNED_MOST:]
        self._store.put(replace(self._store.kept, signed=tuple(signed)))

    def sign_out(self, key: str) -> bool:
        """Nobody is signed in on that page any more; False where nobody was."""
        rest = tuple(each for each in self._store.kept.signed if each.key != key)
        was = len(rest) < len(self._store.kept.signed)
        if was:
            self._store.put(replace(self._store.kept, signed=rest))
        return was

    def _stands(self, signed: Signed) -> bool:
        """Whether the PIN is still the one that was given."""
        try:
            known = self._book.of(signed.office)
        except PinsBroken:
            return False
        return known is not None and known.salt == signed.salt
