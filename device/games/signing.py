"""The referee signs a result off, or opens one again; what waits for that is listed.

Each of these is a row of the game's own, with who did it, and durable before anything of it is shown. A
game that has left the table, by a power cut for instance, can be signed all the same. To be ruled on again
it comes back to the table.
"""

from collections.abc import Callable
from dataclasses import replace

from device.games.beginning import RunningGame, resume
from device.games.parts import Parts
from device.journal import GameId, GameRecord, JournalError
from device.journal.rows import SignOffNote
from device.match import Match
from device.shown.snapshot import PutAwayShown
from engine.refusal import Refused
from engine.wording import phrase

MOST = 24
"""Among so many of the newest games those are sought that wait for a sign-off."""


class Signing:
    """The sign-offs of one table's journal. Not for several threads: the table is the only caller."""

    def __init__(self, parts: Parts, listed: Callable[[GameRecord], PutAwayShown]) -> None:
        """`listed` makes a game an entry of a list."""
        self._parts = parts
        self._listed = listed
        self._waits: tuple[PutAwayShown, ...] | None = None

    def sign(self, play: RunningGame | None, game_id: GameId) -> None:
        """The result counts from now on; raises `Refused` or `JournalError`, and then nothing has changed.

        `play` is what is at the table.
        """
        at_table = play is not None and play.match.game_id == game_id
        match = play.match if play and at_table else Match.resume(self._parts.journal, game_id)
        if match.view.ending is None or match.in_question:
            raise Refused(
                phrase("Game {game_id} is not over, so there is no result to sign off.", game_id=game_id)
            )
        if not match.sign_off.waits:
            raise Refused(
                match.sign_off.closed
                or phrase("Nobody asks for a sign-off of game {game_id}.", game_id=game_id)
            )
        winners = match.view.ending.winners
        scores = tuple(zip(match.view.players, match.view.scores, strict=True))
        if why := self._parts.tournaments.why_not(game_id, winners, scores):
            raise Refused(why)
        self._write(match, SignOffNote("signed", self._by))
        self._parts.tournaments.add_result(game_id, winners, scores, self._by)
        match.say(phrase("Signed off by {who}. {news}", who=self._by, news=match.view.news), "good")

    def open_again(
        self, play: RunningGame | None, game_id: GameId, reason: str, tell: Callable[[str], None]
    ) -> RunningGame:
        """The result counts no more, and the game is at the table, for rulings and another sign-off.

        Raises `device.games.beginning.CANNOT_BE_PLAYED`; then nothing has changed.
        """
        if not reason:
            raise Refused(phrase("Say why the result is opened again: the reason is entered in the journal."))
        opened = play
        if opened is None or opened.match.game_id != game_id:
            if play is not None and play.match.view.ending is None:
                raise Refused(phrase("Another game is at the table. Put it away first."))
            opened = replace(resume(self._parts, game_id, tell), paused=False)
        match = opened.match
        if match.view.ending is None or not match.sign_off.standing:
            raise Refused(
                phrase("Nobody has signed game {game_id} off, so there is nothing to open.", game_id=game_id)
            )
        if opened is play and not match.sign_off.closed:
            raise Refused(phrase("The result is open already."))
        self._write(match, SignOffNote("opened", self._by, reason))
        match.say(phrase("Opened again by {who}: {reason}", who=self._by, reason=reason))
        return opened

    def waiting(self, game_id: GameId | None) -> tuple[PutAwayShown, ...]:
        """The games that are over and wait, but for that one; made once until something changes."""
        if self._waits is None:
            try:
                found = self._parts.journal.unsigned(MOST) if self._parts.asks_sign_off else ()
                self._waits = tuple(self._listed(each) for each in reversed(found) if each.id != game_id)
            except JournalError:  # whoever begins a game then is told
                self._waits = ()
        return self._waits

    def changed(self) -> None:
        """A game was begun, is over or has left the table: the list is to be made anew."""
        self._waits = None

    @property
    def _by(self) -> str:
        heard = self._parts.journal.heard
        return heard.words if heard else phrase("somebody at the box")

    def _write(self, match: Match, note: SignOffNote) -> None:
        if not match.keep([note], self._parts.now()):
            raise Refused(match.message.text)
        self.changed()
