"""The API that the console uses to control a box: requests on the one side, what can be read on the other.

Everything may be called from any thread.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import msgspec

from device.people.actor import Actor
from device.requests import HandRequest, Reply, SessionRequest
from device.shown.snapshot import Snapshot
from device.shown.throws import ThrowsShown
from device.tournaments import TournamentView


class SignsOfLife(msgspec.Struct, frozen=True):
    """What moves on in a box that is well, counted since its start."""

    frames: int | None
    """Pictures that came; None when the film or folder is over."""
    table: int
    """Turns of the table's thread."""
    panel: str = ""
    """Which buttons are down all the time, in a sentence."""


class BoxApi(Protocol):
    """One box's."""

    def request(self, asked: SessionRequest, by: Actor | None = None) -> Reply:
        """Have that done; returns when the box has taken or declined it, and never raises for what it is.

        `by`: who asks, for the journal; None for one at the box.
        """
        ...

    def moves(self) -> SignsOfLife:
        """How often pictures came and the table turned: told at once, also where the table hangs."""
        ...

    def snapshot(self) -> Snapshot:
        """What is shown now."""
        ...

    def subscribe(self, listener: Callable[[Snapshot], None]) -> Callable[[], None]:
        """Call `listener` at each change, from the table's thread: it must not block. Returns the way out."""
        ...

    def tournament(self) -> TournamentView:
        """The newest tournament; raises TimeoutError where the table hangs."""
        ...

    def export_aside(self) -> str | None:
        """The game that was set aside as JSON lines, secrets withheld; None when there is none to be read."""
        ...

    def picture(self) -> tuple[int, bytes] | None:
        """The newest camera picture as a number and JPEG bytes; None before the first."""
        ...

    def reading_picture(self, reading_id: int, game_id: int | None = None) -> bytes | None:
        """The JPEG of the picture that was read, if it is still kept.

        `game_id`: of which game, for a page may ask while the next one begins; None: of the game that is
        shown. The same goes for close-ups and films.
        """
        ...

    def evidence(self, number: int, game_id: int | None = None) -> bytes | None:
        """The JPEG of the close-up of a landing, if it is still kept."""
        ...

    def throw_log(self, before: int, *, anew: bool) -> ThrowsShown:
        """Throws of the game that is shown, the newest first, or those before the throw `before`.

        `anew`: with what has come since they were asked for last.
        """
        ...

    def film(self, number: int, game_id: int | None = None) -> Path | None:
        """Where the film of a throw lies, by its reading; None when it is not kept.

        Raises `FilmNotKept` for one that is damaged.
        """
        ...


class Hand(Protocol):
    """The hand of a simulated table's players, which moves what the camera sees and nothing else.

    A real table has none: its players have their own.
    """

    def request(self, asked: HandRequest) -> Reply:
        """Move dice and cards as asked.

        A choice is declined where the pictures will not say it: it is to be chosen, as at a real table.
        """
        ...
