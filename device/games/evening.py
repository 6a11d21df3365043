"""The games of an evening: one is paused, put away, taken up again or abandoned; the lobby lists the others.

Each of these is a row of the game's own, with who did it, and durable before anything of it is shown. A game
that was put away has no ending: it stays in the journal until somebody takes it up again or abandons it.
"""

from collections.abc import Callable
from dataclasses import replace

import msgspec

from device.games.beginning import RunningGame, put_away, resume, scores_of
from device.games.parts import Parts
from device.journal import GameId, GameRecord, JournalError
from device.journal.rows import Course, CourseNote
from device.requests import GameAction
from device.shown.snapshot import GameShown, ProposedShown, PutAwayShown
from engine.game import SEED
from engine.refusal import Refused
from engine.rulebooks import RULEBOOKS
from engine.wording import phrase, phrase_later

ABANDONED = phrase_later("abandoned")
"""The cause of such an ending, as the journal has it; `phrase` tells it."""
MOST = 24
"""How many games the lobby lists, the newest first."""
PAUSED = phrase_later(
    "The game is paused: dice and buttons mean nothing until somebody goes on with it, on the console."
)


class Evening:
    """The games of one table's journal. Not for several threads: the table is the only caller."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._listed: tuple[PutAwayShown, ...] | None = None
        self._scores: dict[tuple[GameId, int], tuple[int, ...]] = {}

    def tend(
        self, play: RunningGame | None, what: GameAction, game_id: GameId, tell: Callable[[str], None]
    ) -> RunningGame | None:
        """Do that with a game, and return what is at the table then.

        `play` is what is there now. Raises `beginning.CANNOT_BE_PLAYED`; then nothing has changed.
        """
        self.changed()
        if play is not None and play.match.game_id == game_id and play.match.view.ending is None:
            return self._tend_at_table(play, what, tell)
        if play is not None and play.match.view.ending is None:
            raise Refused(phrase("Another game is at the table by now. Look again."))
        record = next((each for each in self._parts.journal.open_games() if each.id == game_id), None)
        if record is None or what not in ("take up", "abandon"):
            raise Refused(phrase("Game {game_id} is over. Look again.", game_id=game_id))
        if what == "abandon":
            if record.ended is not None:
                self._parts.journal.append(game_id, [], self._parts.now(), ended="")
            self._write(game_id, "abandoned", (), ended=ABANDONED)
            return play
        taken = resume(self._parts, game_id, tell)
        self._write(game_id, "taken up", (), ended=None if record.ended is None else "")
        return replace(taken, paused=False)

    def others(self, game_id: GameId | None) -> tuple[PutAwayShown, ...]:
        """The games that may be taken up again, but for that one; made once until something changes."""
        if self._listed is None:
            try:
                records = [each for each in self._parts.journal.open_games() if each.id != game_id]
                self._listed = tuple(map(self.shown, reversed(records[-MOST:])))
            except JournalError:  # whoever begins a game then is told
                self._listed = ()
        return self._listed

    def last(self) -> ProposedShown | None:
        """What was played last, for the lobby: not a deck's seed, which is good for one game only."""
        try:
            games = self._parts.journal.games()
        except JournalError:
            return None
        book = RULEBOOKS.get(games[-1].game) if games else None
        if book is None:
            return None
        agreed = games[-1].options.items()
        known = {
            key: value for key, value in agreed if key != SEED and book.options.get(key, ())[:1] != (value,)
        }
        return ProposedShown(book.name, known, games[-1].players)

    def shown(self, record: GameRecord) -> PutAwayShown:
        """A game for a list; its scores come from its last note, or else from playing it again, once."""
        book = RULEBOOKS.get(record.game)
        known = (record.id, record.rows)
        if known not in self._scores:
            noted = record.course.scores if record.course else ()
            self._scores[known] = noted or scores_of(self._parts.journal, record.id)[0]
        return PutAwayShown(
            game_id=record.id,
            title=book.title if book else record.game,
            players=record.players,
            scores=self._scores[known],
            when=record.ended or record.touched or record.begun,
        )

    def changed(self) -> None:
        """A game was begun or is over: the list is to be made anew."""
        self._listed = None

    # Inside

    def _tend_at_table(
        self, play: RunningGame, what: GameAction, tell: Callable[[str], None]
    ) -> RunningGame | None:
        match, journal = play.match, self._parts.journal
        game_id = match.game_id
        match what:
            case "pause" if not play.paused:
                self._write(game_id, "paused", match.view.scores)
                return replace(play, paused=True)
            case "go on" if play.paused:
                # As after a restart: what was done to the dice meanwhile is no throw.
                gone_on = resume(self._parts, game_id, tell)
                self._write(game_id, "went on", ())
                return replace(gone_on, paused=False)
            case "put away":
                put_away(journal, game_id, self._parts.now())
                return None
            case "abandon":
                self._write(game_id, "abandoned", match.view.scores, ended=ABANDONED)
                return None
            case _:
                raise Refused(phrase("It is so already. Look again."))

    def _write(
        self, game_id: GameId, what: Course, scores: tuple[int, ...], ended: str | None = None
    ) -> None:
        self._parts.journal.append(game_id, [CourseNote(what, scores)], self._parts.now(), ended=ended)


def still(game: GameShown) -> GameShown:
    """A paused game for displays: nothing of it may be done now."""
    return msgspec.structs.replace(game, allowed=(), choices=(), wanted="", news=phrase(PAUSED))
