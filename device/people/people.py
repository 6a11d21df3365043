"""The people of one table: who a page belongs to, how they prove it, and what they may do.

How it works. A page is known by its public key (`device.people.sealed_requests`). Referee and host sign in
with a PIN (`pin_sessions`), players take a seat by its code (`seats`), everybody else watches; at a family's
table there is nobody to be told apart. All of it is kept beyond a restart (`store`), so a power cut throws
nobody out.
"""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from msgspec.structs import replace

from device.people.actor import FAMILY, VIEWER, Actor, Office, TableKind
from device.people.login_throttle import Attempts, lock_words
from device.people.permissions import OFFICES, Act, why_not
from device.people.pin_sessions import AT_BOX, Officials, PinWords, read_boot_id
from device.people.pins import PinBook, hash_pin, pins_path
from device.people.player_profiles import (
    Person,
    PersonColor,
    PersonRefused,
    Persons,
    persons_path,
    why_no_pin,
)
from device.people.sealed_requests import Letter, ReplayGuard, Seal
from device.people.seats import NO_SEAT, Seats, Sitting, draw_pin
from device.people.store import PeopleStore, PlayerSeat
from engine.wording import phrase, phrase_later
from engine.words import plain

FAMILY_NEEDS_NONE = phrase_later(
    "At a family's table everybody may do everything: no PIN and no seat is needed."
)


def people_path(folder: Path) -> Path:
    """The file of keys, seats and who is signed in, in a data folder."""
    return folder / "people.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Clocks:
    """The times that people go by, in seconds."""

    steady_s: Callable[[], float] = time.monotonic
    """Goes on whatever the clock is set to, and begins anew with each boot."""
    wall_s: Callable[[], float] = time.time
    """For words to people alone: it may be set at any moment."""
    boot_id: str = field(default_factory=read_boot_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Whoever wants to be known, by the letter that says so."""

    key: str
    """The page's public key."""
    count: int
    """The letter's count: none up to it counts afterwards."""
    address: str
    """Where it came from, for counting wrong PINs."""


class People:
    """For any thread. A game's number is None while none is played.

    What looks at a PIN or sets one takes scrypt's time and 16 MB: the console lets one after another do so
    (`device.console.concurrency_limit`).
    """

    def __init__(
        self,
        kind: TableKind = "family",
        folder: Path | None = None,
        tell: Callable[[str], None] = print,
        clocks: Clocks | None = None,
        words: PinWords = AT_BOX,
    ) -> None:
        """`folder`: the data folder; None keeps nothing. `tell`: where the box says what no page is told.

        `words`: what is said of PINs here.
        """
        self._words, self._tell = words, tell
        self.kind = kind
        self._clocks = clocks or Clocks()
        self._store = PeopleStore(people_path(folder) if folder else None, tell)
        self.seal = self._seal()
        self._replays = ReplayGuard(self.seal)
        self._attempts = Attempts()
        book = PinBook(pins_path(folder) if folder else None)
        self._officials = Officials(book, self._store, words, self._clocks.boot_id)
        self._seats = Seats(self._store)
        self._persons = Persons(persons_path(folder) if folder else None, tell)
        self._lock = threading.RLock()

    def _seal(self) -> Seal:
        """The box's key pair, the same after each restart: it stands in codes that hang on the wall."""
        try:
            seal = Seal(bytes.fromhex(self._store.kept.secret) or None)
        except (ValueError, TypeError):  # nacl's own word for a wrong length
            seal = Seal()
        if seal.secret.hex() != self._store.kept.secret:
            self._store.put(replace(self._store.kept, secret=seal.secret.hex()))
        return seal

    def actor_of(self, key: str, game_id: int | None) -> Actor:
        """Whose page has this key; "" for one that sealed nothing."""
        if self.kind == "family":
            return FAMILY
        # Without the lock: each press asks this, and whoever holds that may wait for the disk.
        if key and (office := self._officials.signed_in(key, self._clocks.steady_s())) is not None:
            return office
        player = self._seats.player_of(key, game_id) if game_id is not None else ""
        return Actor("player", player) if player else VIEWER

    def keep_seats(self, game_id: int, players: Sequence[str]) -> None:
        """In a rematch everybody keeps the seat; to be called before it is asked whose a page is."""
        if not self._seats.is_rematch(game_id, players):  # without the lock, as in `actor_of`
            return
        with self._lock:
            if self._seats.is_rematch(game_id, players):
                self._seats.carry_over(game_id)

    @property
    def trouble(self) -> str:
        """Why nobody can lead here, with the way out; "" when somebody can."""
        return "" if self.kind == "family" else self._officials.why_no_pin(OFFICES[self.kind][0])

    def why_not(self, act: Act, who: Actor) -> str:
        """Why somebody may not do that here; "" where they may."""
        return why_not(act, self.kind, who)

    def takes(self, key: str, letter: Letter) -> bool:
        """Whether a letter of that page counts: not where it has come before. Raises `BadLetter`."""
        kept = self._store.kept
        has_role = key in {each.key for each in kept.signed} | {each.key for each in kept.seats}
        return self._replays.accept(key, letter, has_role=has_role)

    def sign_in(self, caller: Caller, office: Office, name: str, pin: str) -> str:
        """Referee or host give the PIN; returns what is wrong, or ""."""
        if self.kind == "family":
            return phrase(FAMILY_NEEDS_NONE)
        if office not in OFFICES[self.kind]:
            return phrase("A club has no referee: the host leads here.")
        if trouble := self._officials.why_no_pin(office):
            return trouble
        wrong = phrase(self._words.wrong[office])
        if trouble := self._try_pin(lambda: self._officials.is_pin(office, pin), caller.address, wrong):
            return trouble
        with self._lock:
            self._replays.remember(caller.key, caller.count)
            self._officials.sign_in(caller.key, office, name, self._clocks.steady_s())
        return ""

    def leave(self, key: str) -> str:
        """Whoever has that page signs out, or leaves the seat; returns what is wrong, or ""."""
        with self._lock:
            left = [self._officials.sign_out(key), self._seats.leave(key)]
        return "" if any(left) else phrase("Nobody is signed in on this page, and no seat is taken.")

    def seats(self, game_id: int, players: Sequence[str]) -> tuple[PlayerSeat, ...]:
        """The seats of this game, to be handed out."""
        with self._lock:
            return self._seats.of_game(game_id, players)

    def sit(self, caller: Caller, token: str, pin: str, game_id: int | None) -> tuple[Sitting, str]:
        """Somebody scanned a seat's code; returns the seat, and what is wrong or ""."""
        if self.kind == "family":
            return Sitting(), phrase(FAMILY_NEEDS_NONE)
        with self._lock:
            seat = self._seats.by_token(token, game_id) if game_id is not None else None
        if seat is None:
            return Sitting(), phrase(NO_SEAT)
        seat = self._with_persons_pin(seat)
        if seat.pin is not None and seat.key != caller.key:
            asks = Sitting(player=seat.player, wants_pin=True)
            if not pin:
                return asks, phrase(
                    "This seat is {player}'s, on another page. Give its PIN to take it over.",
                    player=seat.player,
                )
            wrong = phrase(
                "That is not the PIN of {player}'s seat. Forgotten? Have the seat taken back.",
                player=seat.player,
            )
            known = seat.pin
            if trouble := self._try_pin(lambda: known.fits(pin), caller.address, wrong):
                return asks, trouble
        told = "" if seat.pin else draw_pin()
        hashed = seat.pin or hash_pin(told)  # not under the lock, for it takes its time
        with self._lock:
            now = self._seats.by_token(token, seat.game_id)
            if now is None or self._with_persons_pin(now) != seat:
                return Sitting(), phrase(NO_SEAT)
            self._replays.remember(caller.key, caller.count)
            self._seats.sit(seat, caller.key, hashed)
        return Sitting(player=seat.player, pin=told), ""

    def persons(self) -> tuple[Person, ...]:
        """Who plays here, in the order of the names."""
        with self._lock:
            return self._persons.all()

    def put_person(self, caller: Caller, name: str, color: PersonColor, pin: str, new_pin: str | None) -> str:
        """Remember somebody, or change what is known; returns what is wrong, or "".

        `pin`: the person's own, where there is one. `new_pin`: "" takes it away, None leaves it as it is.
        """
        trouble = why_no_pin(new_pin or "") or self._why_not_theirs(caller, name, pin)
        if trouble:
            return trouble
        hashed = hash_pin(new_pin) if new_pin else None
        with self._lock:
            known = self._persons.find(name)
            kept = known.pin if known and new_pin is None else hashed
            return _refused(lambda: self._persons.put(Person(name, color, kept)))

    def forget_person(self, caller: Caller, name: str, pin: str) -> str:
        """Remember somebody no more; returns what is wrong, or ""."""
        if trouble := self._why_not_theirs(caller, name, pin):
            return trouble
        with self._lock:
            return _refused(lambda: self._persons.forget(name))

    def _why_not_theirs(self, caller: Caller, name: str, pin: str) -> str:
        """Why that person may not be changed: the PIN is missing, or wrong."""
        with self._lock:
            person = self._persons.find(name)
        if person is None or person.pin is None:
            return ""
        if not pin:
            return phrase("{name} has a PIN. Give it.", name=person.name)
        known = person.pin
        return self._try_pin(
            lambda: known.fits(pin), caller.address, phrase("That is not {name}'s PIN.", name=person.name)
        )

    def _with_persons_pin(self, seat: PlayerSeat) -> PlayerSeat:
        """The seat of somebody who has a PIN is opened by it, also the first time."""
        with self._lock:
            person = self._persons.find(seat.player)
        return seat if seat.pin or person is None else replace(seat, pin=person.pin)

    def take_back(self, game_id: int, player: str) -> str:
        """A seat is taken back; returns what is wrong, or ""."""
        with self._lock:
            back = self._seats.take_back(game_id, player)
        return "" if back else phrase("{player} has no seat in this game.", player=player)

    def _try_pin(self, fits: Callable[[], bool], address: str, wrong: str) -> str:
        """Look at a PIN, if not too many were wrong; returns what is wrong, or ""."""
        now_s = self._clocks.steady_s()
        if wait_s := self._attempts.begin(address, now_s):
            until = datetime.fromtimestamp(self._clocks.wall_s() + wait_s).astimezone()
            return lock_words(wait_s, f"{until:%H:%M}", self._attempts.failing())
        if not fits():
            self._tell(phrase("A wrong PIN came from {address}.", address=plain(address)))
            return wrong
        self._attempts.was_right(address, now_s)
        return ""


def _refused(do: Callable[[], None]) -> str:
    """Why that was refused; "" where it was done."""
    try:
        do()
    except PersonRefused as refused:
        return str(refused)
    return ""
