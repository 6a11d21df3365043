"""The session: does what is asked of a table, in the table's thread, one request after the other."""

from collections.abc import Mapping, Sequence
from typing import assert_never

from device.call_slip import MatchCall
from device.games.games import PAUSED
from device.journal import Storage
from device.landings import LandingMatch
from device.lessons import Lessons, keep_to_learn
from device.people.actor import Actor
from device.requests import (
    AbandonGame,
    AnswerQuestion,
    ApplyRuling,
    BeginCalledMatch,
    BeginMatch,
    Choose,
    CloseTournament,
    Correct,
    Declined,
    Done,
    DrawTournament,
    IgnoreHand,
    LockBet,
    PauseGame,
    Preview,
    PreviewCorrection,
    PreviewRuling,
    RefuseCalledMatch,
    ReopenResult,
    Reply,
    RestoreGame,
    ResumeGame,
    ResumeSavedGame,
    SaveGame,
    SignOffResult,
    StartGame,
    TableRequest,
    TakeMatchBack,
    reply_of,
)
from device.shown.questions import question_id
from device.table.table import Table
from engine.dice import Die, read_die
from engine.events import Rolled, Ruling
from engine.refusal import Refused
from engine.wording import phrase, phrase_later

WAITS_NO_MORE = phrase_later(
    "That question does not wait any more: it was answered at the table, or thrown again. Nothing was "
    "changed."
)
NO_LANDINGS = phrase_later("There are no landings to rule on in this game.")


class Session:
    """One table's. Not for several threads: the box's loop is the only caller."""

    def __init__(self, table: Table, storage: Storage, lessons: Lessons | None = None) -> None:
        """`lessons`: where corrected readings are kept to learn from, if the owner asked for that."""
        self._table = table
        self._storage, self._lessons = storage, lessons

    def request(self, asked: TableRequest | Preview, by: Actor | None = None) -> Reply:
        """Do that; the journal says that it was asked for by `by`, or at the box for None."""
        if isinstance(asked, Preview):
            return self._preview(asked)
        with self._table.journal.heard_from(by):
            return reply_of(self._do(asked))

    def _do(self, asked: TableRequest) -> str:  # noqa: C901, PLR0911, PLR0912 - an arm for each request
        """Do that; returns why not, or ""."""
        table, results = self._table, self._table.results
        match asked:
            case LockBet():
                return table.with_match(lambda match: match.bet(asked.player, asked.dots, table.now()))
            case Choose():
                return self._choose(asked.choice, asked.words)
            case Correct():
                return self._correct(asked.dice, asked.reason, asked.roll)
            case ApplyRuling():
                return self._rule(asked.ruling)
            case AnswerQuestion():
                return self._answer(asked)
            case StartGame():
                return table.start(asked.game, asked.players, asked.options)
            case PauseGame() | ResumeGame() | SaveGame() | ResumeSavedGame() | AbandonGame():
                return table.change_game(asked.action, asked.game_id)
            case RestoreGame():
                return table.restore()
            case IgnoreHand():
                return table.no_hand()
            case SignOffResult():
                return table.run(lambda: results.signing.sign(table.play, asked.game_id))
            case ReopenResult():
                return table.run(lambda: self._reopen(asked.game_id, asked.reason.strip()))
            case DrawTournament():
                return table.run(lambda: results.tournament.draw(asked.agreed))
            case BeginMatch():
                return table.run(lambda: results.begin_match(asked.match, self._start))
            case TakeMatchBack():
                return table.run(lambda: results.tournament.take_back(asked.match, asked.reason))
            case CloseTournament():
                return table.run(results.tournament.close)
            case BeginCalledMatch():
                return table.run(lambda: results.called.begin(asked.call, self._start_called))
            case RefuseCalledMatch():
                return table.run(lambda: results.called.refuse(asked.call, asked.reason))
            case _:
                assert_never(asked)

    def _choose(self, choice: int, words: str) -> str:
        """Take one of the choices that are shown; returns why not, or ""."""
        return self._table.with_match(lambda match: match.choose(choice, words, self._table.now()))

    def _correct(self, dice: Sequence[Die], reason: str, roll: int = 0) -> str:
        """Take people's word for the dice of that roll, 0 for the last; returns why not, or ""."""
        corrected, play, now = tuple(dice), self._table.play, self._table.now()
        taken = play.detector.state.taken if play else None
        why = self._table.with_match(lambda match: match.correct(corrected, reason, now, roll))
        rolls = sum(isinstance(event, Rolled) for event, _ in play.match.played) if play and roll else 0
        if not why and roll == rolls and taken is not None and play is not None:
            trouble = keep_to_learn(self._storage, self._lessons, taken.reading, taken.picture, corrected)
            if trouble:
                play.match.say(trouble, "refused")
        return why

    def _rule(self, event: Ruling) -> str:
        """Have that ruling count; returns why not, or ""."""
        match = self._table.play.match if self._table.play else None
        if not isinstance(match, LandingMatch):
            return phrase(NO_LANDINGS)
        return self._table.with_match(lambda _: match.rule(event, self._table.now()))

    def _answer(self, asked: AnswerQuestion) -> str:
        """Answer where that very question waits; returns why not, or ""."""
        shown = self._table.snapshot
        if question_id(shown) != asked.question or bool(asked.dice) != (shown.ask == "correct"):
            return phrase(WAITS_NO_MORE)
        if not asked.dice:
            return self._choose(asked.choice, asked.words)
        try:
            return self._correct([read_die(die.kind, die.value) for die in asked.dice], "")
        except ValueError as error:
            return phrase("The console cannot take that: {error}.", error=error)

    def _preview(self, asked: Preview) -> Reply:
        """What that would change, in a sentence; nothing is done."""
        play = self._table.play
        if play is None or play.paused:
            return Declined(phrase(PAUSED) if play else phrase("No game is going on."))
        try:
            match asked:
                case PreviewCorrection():
                    return Done(play.match.foresee(asked.event))
                case PreviewRuling() if not isinstance(play.match, LandingMatch):
                    return Declined(phrase(NO_LANDINGS))
                case PreviewRuling():
                    return Done(play.match.foresee(asked.ruling))
        except Refused as refusal:
            return Declined(str(refusal))

    def _reopen(self, game_id: int, reason: str) -> None:
        """Open a result again: its game is at the table; raises `Refused`."""
        table = self._table
        table.set_game(table.results.signing.reopen(table.play, game_id, reason))

    def _start_called(self, call: MatchCall) -> int:
        return self._start(call.game, call.players, dict(call.options))

    def _start(self, game: str, players: Sequence[str], options: Mapping[str, str]) -> int:
        """Begin a game; returns its number, and raises `Refused`."""
        why, play = self._table.start(game, players, options), self._table.play
        if why or play is None:
            raise Refused(why or phrase("The game was not begun."))
        return play.match.game_id
