"""The games of one table: each begins, waits or goes on, with the detector that its dice need."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from calibration.trouble import CalibrationError
from device.games.parts import Parts
from device.journal import GameId, GameRecord, Journal, JournalError, Moment, RowBroken, RowNotUnderstood
from device.journal.rows import Course, CourseNote
from device.landings import LandingMatch, LandingThrowDetector, SeesLandings
from device.mat import MatDetector, Places, layout_for
from device.match import Match
from device.match.throw_detector import Record, ThrowDetector
from device.options import as_played
from device.requests import GameAction
from device.rolls import RollDetector
from device.shown.snapshot import AsideShown, GameShown, ProposedShown, PutAwayShown
from engine.game import SEED
from engine.refusal import Refused
from engine.rulebooks import RULEBOOKS, rulebook
from engine.wording import phrase, phrase_later
from engine.words import capital

# A game begins, or goes on: its match, and the detector that watches its dice.

CANNOT_BE_PLAYED = (Refused, JournalError, CalibrationError)
"""What `begin` and `resume` raise, each with a sentence for people."""
NOTHING_PLAYED = phrase_later("nothing was played")
"""The cause of such an ending, as the journal has it; `phrase` tells it."""


@dataclass(frozen=True, slots=True)
class RunningGame:
    """A game that is played at the table."""

    match: Match
    detector: ThrowDetector
    landings: LandingMatch | None = None
    """The same game, where throws are landings."""
    paused: bool = False
    """Dice and buttons mean nothing, until somebody goes on."""


def begin(
    parts: Parts,
    game: str,
    players: Sequence[str],
    options: Mapping[str, str],
    tell: Callable[[str], None],
) -> RunningGame:
    """A new game; one that was left unfinished is put away. `tell` gets what goes wrong beside it."""
    journal, now = parts.journal, parts.now()
    book, left = rulebook(game), journal.unfinished()
    eye = parts.eye() if book.dice.landing else None
    kind = Match if eye is None else LandingMatch
    begun = kind.begin(journal, book, tuple(players), as_played(book, options), now)
    if left is not None:
        put_away(journal, left, now)
    return _play(parts, begun, eye, tell)


def put_away(journal: Journal, game_id: GameId, at: Moment) -> None:
    """Another game may be played; this one can be taken up again, unless nothing of it was played."""
    scores, played = scores_of(journal, game_id)
    ended = None if played else NOTHING_PLAYED
    journal.append(game_id, [CourseNote("put away", scores)], at, ended=ended)


def scores_of(journal: Journal, game_id: GameId) -> tuple[tuple[int, ...], bool]:
    """What everybody has in a game of the journal, and whether any of it was played.

    Of a game that cannot be read no scores are known.
    """
    try:
        match = Match.resume(journal, game_id)
    except Exception:  # noqa: BLE001 - whatever a damaged game brings about, others can be played
        return (), True
    return match.view.scores, match.can_undo


def resume(parts: Parts, game_id: int, tell: Callable[[str], None]) -> RunningGame:
    """A game as its journal left it."""
    book = rulebook(parts.journal.game(game_id).game)
    eye = parts.eye() if book.dice.landing else None
    kind = Match if eye is None else LandingMatch
    course = parts.journal.game(game_id).course
    paused = course is not None and course.what == "paused"
    return replace(_play(parts, kind.resume(parts.journal, game_id), eye, tell), paused=paused)


def why_aside(game_id: int, error: Exception) -> AsideShown:
    """What is told of a game that could not be gone on with."""
    match error:
        case RowNotUnderstood(seq=seq) | RowBroken(seq=seq):
            way = phrase("Go on with the {rows} rows before", rows=seq - 1) if seq > 1 else ""
        case CalibrationError():
            way = phrase("Try again")
        case Refused() | JournalError():
            way = ""
        case _:
            why = f"{type(error).__name__}, {error}"
            text = phrase("Game {game_id} cannot be opened: {why}", game_id=game_id, why=why)
            return AsideShown(text, game_id)
    text = phrase("Game {game_id} cannot be gone on with: {why}", game_id=game_id, why=capital(str(error)))
    return AsideShown(text, game_id, way)


def restore(parts: Parts, aside: AsideShown, tell: Callable[[str], None]) -> RunningGame:
    """Go on with what is whole of what was set aside; raises `CANNOT_BE_PLAYED`."""
    journal = parts.journal
    game_id = journal.unfinished() if aside.game_id is None else aside.game_id
    if game_id is None or not aside.way:
        raise Refused(phrase("Nothing of it can be gone on with. Begin a new game."))
    try:
        return resume(parts, game_id, tell)
    except (RowNotUnderstood, RowBroken) as broken:
        return resume(parts, journal.branch(game_id, broken.seq - 1, parts.now()), tell)


def _play(
    parts: Parts, game: Match | LandingMatch, eye: SeesLandings | None, tell: Callable[[str], None]
) -> RunningGame:
    """The game with its detector; it asks for a sign-off where this table does."""
    match = game.game if isinstance(game, LandingMatch) else game
    match.asks_sign_off = parts.asks_sign_off
    record = Record(parts.storage, match.game_id, match.readings, parts.now, tell)
    by_itself = parts.reads == "at_rest"
    if isinstance(game, LandingMatch):
        assert eye is not None  # noqa: S101 - see `begin` and `resume`
        detector: ThrowDetector = LandingThrowDetector(
            game,
            eye,
            parts.close_ups,
            record,
            parts.executor,
            by_itself=by_itself,
            first_counts=parts.first_counts,
        )
        return RunningGame(match, detector, game)
    layout = layout_for(parts.layout, match.rulebook)
    places = (
        Places(parts.reader, match, layout, parts.view, needed=parts.layout != "auto") if layout else None
    )
    rolls = RollDetector(
        match,
        parts.reader,
        parts.throws,
        record,
        by_itself=by_itself,
        first_counts=parts.first_counts,
        sharper_comes=parts.sharper_comes,
        mat=places,
    )
    return RunningGame(match, MatDetector(rolls, places, parts.now) if places else rolls)


# The games of an evening: one is paused, put away, taken up again or abandoned; the lobby lists the
# others.
#
# Each of these is a row of the game's own, with who did it, and durable before anything of it is shown. A
# game
# that was put away has no ending: it stays in the journal until somebody takes it up again or abandons it.

ABANDONED = phrase_later("abandoned")
"""The cause of such an ending, as the journal has it; `phrase` tells it."""
LISTED_MOST = 24
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
                self._listed = tuple(map(self.shown, reversed(records[-LISTED_MOST:])))
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
