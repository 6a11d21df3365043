"""Seats: a player's own page, handed out by a QR code, for one game.

Whoever scans a seat's code first has the seat, in one step, and is told a PIN of four digits: with code and
PIN the same player takes it over to another phone, and nobody else does. In a rematch everybody keeps the
seat. A seat ends with the next game of other players, or when it is taken back: then its code is void, and a
new one is handed out.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from device.people.pins import Hashed
from device.people.store import PeopleStore, PlayerSeat
from engine.wording import phrase_later

TOKEN_BYTES = 16
NO_SEAT = phrase_later(
    "This code is not good any more: its game is over, or the seat was taken back. Scan the new one."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """What came of somebody's taking a seat."""

    player: str = ""
    """Whose seat it is; "" where the code is good for none."""
    pin: str = ""
    """The seat's new PIN, to be shown once on that page; "" where it has one."""
    wants_pin: bool = False
    """Another page has the seat: its PIN is asked for, or was wrong."""


class Seats:
    """The seats of the newest game. Not for several threads at once."""

    def __init__(self, store: PeopleStore) -> None:
        self._store = store

    def of_game(self, game_id: int, players: Sequence[str]) -> tuple[PlayerSeat, ...]:
        """A seat for each player of this game, made where there is none; seats of other games end."""
        there = {each.player: each for each in self._store.kept.seats if each.game_id == game_id}
        seats = tuple(there.get(player) or _fresh(game_id, player) for player in players)
        if seats != self._store.kept.seats:
            self._store.put(replace(self._store.kept, seats=seats))
        return seats

    def is_rematch(self, game_id: int, players: Sequence[str]) -> bool:
        """Whether this game is next to that of the seats, with the same players in any order.

        It is the one before where a game that was saved for later is resumed.
        """
        seats = self._store.kept.seats
        beside = all(abs(each.game_id - game_id) == 1 for each in seats)
        return beside and sorted(each.player for each in seats) == sorted(players)

    def carry_over(self, game_id: int) -> None:
        """All have their seats in this game from now on, with code and PIN."""
        seats = tuple(replace(each, game_id=game_id) for each in self._store.kept.seats)
        self._store.put(replace(self._store.kept, seats=seats))

    def player_of(self, key: str, game_id: int) -> str:
        """Whose seat of this game that page has; "" for none."""
        for each in self._store.kept.seats:
            if key and each.key == key and each.game_id == game_id:
                return each.player
        return ""

    def by_token(self, token: str, game_id: int) -> PlayerSeat | None:
        """The seat of this game whose code that is."""
        for each in self._store.kept.seats:
            if each.game_id == game_id and secrets.compare_digest(each.token.encode(), token.encode()):
                return each
        return None

    def sit(self, seat: PlayerSeat, key: str, pin: Hashed) -> None:
        """The page with this key has the seat from now on, and the seat this PIN."""
        self._put(replace(seat, key=key, pin=pin))

    def take_back(self, game_id: int, player: str) -> bool:
        """The seat's page and code are void; a new code is there. False where there is no such seat."""
        known = any(each.game_id == game_id and each.player == player for each in self._store.kept.seats)
        if known:
            self._put(_fresh(game_id, player))
        return known

    def leave(self, key: str) -> bool:
        """The page with this key lets its seat go; code and PIN stay good. False where it has none."""
        mine = next((each for each in self._store.kept.seats if key and each.key == key), None)
        if mine is not None:
            self._put(replace(mine, key=""))
        return mine is not None

    def _put(self, seat: PlayerSeat) -> None:
        """The seat as it is now; a page has one seat at most."""
        others = [
            replace(each, key="") if seat.key and each.key == seat.key else each
            for each in self._store.kept.seats
        ]
        seats = tuple(seat if each.player == seat.player else each for each in others)
        self._store.put(replace(self._store.kept, seats=seats))


def draw_pin() -> str:
    """Four digits by chance."""
    return f"{secrets.randbelow(10_000):04}"


def _fresh(game_id: int, player: str) -> PlayerSeat:
    return PlayerSeat(game_id, player, secrets.token_urlsafe(TOKEN_BYTES))
