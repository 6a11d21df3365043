"""The one way in for people: what the console (and nothing but the console) may ask of the box.

Buttons reach the table through the same `panel` edges; bets and corrections through the same events.
Every method may be called from any thread, returns when the box has taken or refused the request, and never
raises for what a person did wrong.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal, Protocol, Self

import msgspec

from device.people.who import Who
from device.shown.snapshot import Snapshot
from device.shown.throws import ThrowsShown
from device.tournaments.shown import TournamentShown
from device.tournaments.steps import TournamentAgreed
from engine.dice import Die
from engine.events import Corrected, Ruling

Tending = Literal["pause", "go on", "put away", "take up", "abandon"]
"""What people may do with a game as a whole: at the table, or with one that was put away."""


class Answer(msgspec.Struct, frozen=True):
    """Whether it was taken, and if not, why, in a sentence."""

    ok: bool
    text: str = ""


class SignsOfLife(msgspec.Struct, frozen=True):
    """What moves on in a box that is well, counted since its start."""

    frames: int | None
    """Pictures that came; None when the film or folder is over."""
    table: int
    """Turns of the table's thread."""
    panel: str = ""
    """Which buttons are down all the time, in a sentence."""


class Desk(Protocol):
    """What a console can do."""

    def moves(self) -> SignsOfLife:
        """How often pictures came and the table turned: told at once, also where the table hangs."""
        ...

    def snapshot(self) -> Snapshot:
        """What is shown now."""
        ...

    def subscribe(self, listener: Callable[[Snapshot], None]) -> Callable[[], None]:
        """Call `listener` at each change, from the table's thread: it must not block. Returns the way out."""
        ...

    def asked_by(self, who: Who) -> Self:
        """The same desk, for whatever this person asks: the journal says whose doing it is."""
        ...

    def only_while(self, stands: Callable[[Snapshot], str]) -> Self:
        """The same desk; what is asked of it is refused where `stands` has a sentence against it by then."""
        ...

    def press(self, button: str, down: bool) -> Answer:
        """Push or let go a button by its name: on mock pins the pin itself, else the panel's edge."""
        ...

    def bet(self, player: str, dots: int) -> Answer:
        """Lock a player's bet from a phone."""
        ...

    def choose(self, choice: int, words: str) -> Answer:
        """Take one of the game's choices, by its place in the snapshot and the `words` seen there."""
        ...

    def correct(self, dice: Sequence[Die], reason: str, roll: int = 0) -> Answer:
        """Say what the dice show: the pending reading if any, else that roll of the game; 0 is the last."""
        ...

    def start(self, game: str, players: Sequence[str], options: Mapping[str, str]) -> Answer:
        """Begin a new game (from the lobby, or after an ending)."""
        ...

    def tend(self, what: Tending, game_id: int) -> Answer:
        """Do that with a game, named so that a page that is behind means no other."""
        ...

    def sign_off(self, game_id: int) -> Answer:
        """The referee signs the result of a game off: from now on it counts."""
        ...

    def open_again(self, game_id: int, reason: str) -> Answer:
        """A result that was signed off is opened again, and its game is at the table."""
        ...

    def tournament(self) -> TournamentShown:
        """The newest tournament; raises TimeoutError where the table hangs."""
        ...

    def draw_tournament(self, agreed: TournamentAgreed) -> Answer:
        """A new tournament, with its first matches."""
        ...

    def begin_match(self, number: int) -> Answer:
        """Begin a match of the tournament with its players."""
        ...

    def take_match_back(self, number: int, reason: str) -> Answer:
        """A match of the tournament does not count, and may be played again."""
        ...

    def close_tournament(self) -> Answer:
        """The tournament is over; another may be drawn."""
        ...

    def begin_call(self, call_id: str) -> Answer:
        """The players whom a hall's desk has called begin."""
        ...

    def refuse_call(self, call_id: str, why: str) -> Answer:
        """The table does not take them."""
        ...

    def restore(self) -> Answer:
        """Go on with what is whole of what was set aside."""
        ...

    def export_aside(self) -> str | None:
        """The game that was set aside as JSON lines, secrets withheld; None when there is none to be read."""
        ...

    def rule(self, event: Ruling) -> Answer:
        """A ruling on a landing at the End Zone, or the referee's word on one in question."""
        ...

    def foresee(self, event: Ruling | Corrected) -> Answer:
        """What that would change, or why it cannot be, in a sentence; nothing is done."""
        ...

    def no_hand(self) -> Answer:
        """What the box takes for a hand is part of the table."""
        ...

    def picture(self) -> tuple[int, bytes] | None:
        """The newest camera picture as a number and JPEG bytes; None before the first."""
        ...

    def reading_picture(self, reading_id: int) -> bytes | None:
        """The JPEG of the picture that was read, if it is still kept."""
        ...

    def evidence(self, number: int) -> bytes | None:
        """The JPEG of the close-up of a landing, if it is still kept."""
        ...

    def throw_log(self, before: int, *, anew: bool) -> ThrowsShown:
        """Throws of the game that is shown, the newest first, or those before the throw `before`.

        `anew`: with what has come since they were asked for last.
        """
        ...

    def film(self, number: int) -> Path | None:
        """Where the film of a throw lies, by its reading; None when it is not kept.

        Raises `FilmNotKept` for one that is damaged.
        """
        ...


class Hand(Protocol):
    """The hand of a simulated table's players, which moves what the camera sees and nothing else.

    A real table has none: its players have their own.
    """

    def act(self, name: str) -> Answer:
        """Do one of the snapshot's `acts`."""
        ...

    def carry_out(self, choice: int, words: str) -> Answer:
        """Tell the box of one of the game's choices by moving dice and cards on the mat.

        No for an answer: the pictures will not say it, so it is to be chosen, as at a real table.
        """
        ...
