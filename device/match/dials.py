"""What the players have turned their dials to with short presses of BET, as a game's rows say."""

from collections.abc import Sequence

from device.journal.rows import EventRow, PressRow, Row
from device.panel import Press, PressKind, bet_seat, dial_after
from engine.events import Bet
from engine.seating import seat_of


class Dials:
    """The dials of one game. Secret: nothing that others see may tell of them."""

    def __init__(self, players: tuple[str, ...]) -> None:
        self._players = players
        self._touches: dict[int, list[PressKind]] = {}

    def forget(self) -> None:
        """The game is read again, from its first row on."""
        self._touches.clear()

    def follow(self, row: Row) -> None:
        """Take in the next row. A locked bet empties that player's dial; any other event empties them all."""
        match row:
            case EventRow(event=Bet(player=player)):
                self._touches.pop(seat_of(self._players, player, ""), None)
            case EventRow():
                self._touches.clear()
            case PressRow(button=button, kind="short") if (seat := bet_seat(button)) is not None:
                self._touches.setdefault(seat, []).append("short")
            case _:
                pass

    def bet_after(self, seat: int, press: Press, choices: Sequence[int]) -> int | None:
        """What the dial of the player in that seat, counted from 0, says then; None where it says nothing."""
        return dial_after([*self._touches.get(seat, []), press.kind], choices).bet
