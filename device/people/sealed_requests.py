"""Sealed letters: what a page sends so that nobody who listens can read it, repeat it, or pass for that page.

A page makes a key pair of its own, and seals what it sends for the box's public key with NaCl's `crypto_box`
(Curve25519, XSalsa20, Poly1305). The pair is also what the page is known by: who sits in a seat or has signed
in is a public key, and nothing that crosses the network would let a listener act for it. All letters have a
length that is a multiple of `LENGTH_STEP`, so that a bet of 10 is no longer than one of 2. Why it is this and
no HTTPS: SECURITY.md.
"""

import base64
import secrets
import threading
from typing import Annotated

import msgspec
from nacl.exceptions import CryptoError
from nacl.public import Box, PrivateKey, PublicKey

from device.decode import Undecodable, decode_json
from engine.wording import phrase

LENGTH_STEP = 512
"""Bytes; longer than any bet, so all bets are equally long."""
KEYS = 256
"""The most pages whose counts are remembered; for one more the box announces a new word instead."""
WINDOW = 64
"""How many of a page's letters may overtake one another."""


class BadLetter(Exception):
    """A letter that is not taken. `str(error)` says why; `again` when the page may seal it anew."""

    def __init__(self, text: str, *, again: bool = False) -> None:
        super().__init__(text)
        self.again = again


class Envelope(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A letter as it crosses the network; bytes as base64."""

    key: str
    """The page's public key."""
    nonce: str
    sealed: str


class Letter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is in it."""

    word: str
    """The box's present word: letters for an earlier one do not count."""
    count: Annotated[int, msgspec.Meta(ge=0)]
    """Rises from letter to letter of a page."""
    path: str
    """The address that it is for."""
    body: msgspec.Raw
    """What would be sent there in the open."""


class Seal:
    """The box's key pair. For any thread."""

    def __init__(self, secret: bytes | None = None) -> None:
        """`secret`: 32 bytes; None makes a new pair."""
        self._key = PrivateKey.generate() if secret is None else PrivateKey(secret)
        self.word = ""
        self.renew_word()

    @property
    def secret(self) -> bytes:
        """The secret key, to be kept by the box alone."""
        return bytes(self._key)

    @property
    def public(self) -> str:
        """The public key, as base64url without its padding."""
        return base64.urlsafe_b64encode(bytes(self._key.public_key)).decode().rstrip("=")

    def renew_word(self) -> None:
        """Announce a new word: no letter of before counts, and pages seal anew what they had on the way."""
        self.word = secrets.token_urlsafe(9)

    def open(self, envelope: Envelope, path: str) -> Letter:
        """What is in an envelope that came to `path`; raises `BadLetter`."""
        try:
            box = Box(self._key, PublicKey(_bytes(envelope.key)))
            text = box.decrypt(_bytes(envelope.sealed), _bytes(envelope.nonce))
            letter = decode_json(text, Letter)
        except Undecodable as error:
            raise BadLetter(phrase("The console cannot take that: {error}.", error=error)) from None
        except (CryptoError, ValueError, TypeError) as error:  # also what is no base64
            raise BadLetter(phrase("The box cannot open what this page sealed. Reload the page.")) from error
        if letter.path != path:
            raise BadLetter(
                phrase(
                    "That was sealed for {sealed_for}, and came to {path}.",
                    sealed_for=letter.path[:40],
                    path=path[:40],
                )
            )
        self.check_word(letter)
        return letter

    def check_word(self, letter: Letter) -> None:
        """Raise `BadLetter` for a letter that is for an earlier word."""
        if letter.word != self.word:
            raise BadLetter(phrase("The box was restarted. Try again."), again=True)

    def close(self, key: str, text: bytes) -> Envelope:
        """An answer to the page that has this key."""
        padded = text + b" " * (-len(text) % LENGTH_STEP)
        made = Box(self._key, PublicKey(_bytes(key))).encrypt(padded)
        return Envelope(self.public, _text(made.nonce), _text(made.ciphertext))


def _bytes(text: str) -> bytes:
    return base64.b64decode(text, validate=True)


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


class ReplayGuard:
    """Remembers which letters of pages with a role have come, so that none counts twice. For any thread.

    A letter counts for one word of the box alone, and each start has a new one. Where more pages had a role
    than are remembered, the box announces a new word, too: so nothing that is forgotten can come again.
    """

    def __init__(self, seal: Seal, limit: int = KEYS) -> None:
        """`limit`: so many pages are remembered."""
        self._seal = seal
        self._limit = limit
        self._of: dict[str, tuple[int, frozenset[int]]] = {}
        """By page: the count up to which none counts, and those above it that have come."""
        self._lock = threading.Lock()

    def remember(self, key: str, count: int) -> None:
        """From now on the page with this key has a role: no letter up to this one counts again."""
        with self._lock:
            self._put(key, count, frozenset())

    def accept(self, key: str, letter: Letter, *, has_role: bool) -> bool:
        """Whether this letter has not come before; from now on it has. Raises `BadLetter` for an old word.

        Letters of a page that has no role, and had none since the word is new, are not counted: they may
        nothing.
        """
        with self._lock:
            self._seal.check_word(letter)
            if key not in self._of and not has_role:
                return True
            floor, seen = self._of.get(key, (-1, frozenset()))
            if letter.count <= floor or letter.count in seen:
                return False
            seen |= {letter.count}
            if len(seen) > WINDOW:
                floor = min(seen)
            self._put(key, floor, seen - {floor})
            return True

    def _put(self, key: str, floor: int, seen: frozenset[int]) -> None:
        self._of[key] = (floor, seen)
        if len(self._of) > self._limit:
            self._seal.renew_word()
            self._of.clear()
