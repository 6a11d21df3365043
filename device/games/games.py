"""The games of one table: they begin, wait and go on; the lobby lists those that may be taken up again.

Each step is a row of the game's own, with who did it, and durable before anything of it is shown. A game that
was put away has no ending: it stays in the journal until somebody takes it up again or abandons it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from calibration.trouble import CalibrationError
from device.games.detectors import DetectorOpener
from device.journal import (
    GameId,
    GameRecord,
    Journal,
    JournalError,
    Moment,
    RowBroken,
    RowNotUnderstood,
    Storage,
)
from device.journal.rows import Course, CourseNote
from device.landings import LandingMatch, SeesLandings
from device.match import Match
from device.match.showing import again_shown
from device.match.throw_detector import Record, ThrowDetector
from device.options import as_played
from device.requests import GameAction
from device.shown.snapshot import AsideShown, GameShown, ProposedShown, PutAwayShown
from engine.game import SEED
from engine.refusal import Refused
from engine.rulebooks import RULEBOOKS, rulebook
from engine.wording import phrase, phrase_later
from engine.words import capital

CANNOT_BE_PLAYED = (Refused, JournalError, CalibrationError)
"""What `Games.begin` and `Games.resume` raise, each with a sentence for people."""
NOTHING_PLAYED = phrase_later("nothing was played")
"""The cause of such an ending, as the journal has it; `phrase` tells it."""


@dataclass(frozen=True, slots=True)
class RunningGame:
    """A game that is played at the table."""

    match: Match
    detector: ThrowDetector
    paused: bool = False
    """Dice and buttons mean nothing, until somebody goes on."""


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


def why_aside(game_id: int, error: Exception) -> AsideShown:
    """What is told of a game that could not be gone on with."""
    match error:
        case RowNotUnderstood(seq=seq) | RowBroken(seq=seq):
            way = phrase("Resume from the {rows} rows before it", rows=seq - 1) if seq > 1 else ""
        case CalibrationError():
            way = phrase("Try again")
        case Refused() | JournalError():
            way = ""
        case _:
            why = f"{type(error).__name__}, {error}"
            text = phrase("Game {game_id} cannot be opened: {why}", game_id=game_id, why=why)
            return AsideShown(text, game_id)
    text = phrase("Game {game_id} cannot be resumed: {why}", game_id=game_id, why=capital(str(error)))
    return AsideShown(text, game_id, way)


ABANDONED = phrase_later("abandoned")
"""The cause of such an ending, as the journal has it; `phrase` tells it."""
LISTED_MOST = 24
"""How many games the lobby lists, the newest first."""
PAUSED = phrase_later("Paused: dice and buttons do not count. Press Resume on the console.")


class Games:
    """The games of one table's journal. Not for several threads: the table is the only caller."""

    def __init__(
        self,
        journal: Journal,
        storage: Storage,
        now: Callable[[], Moment],
        detectors: DetectorOpener,
        tell: Callable[[str], None],
        *,
        asks_sign_off: bool = False,
    ) -> None:
        """`tell` gets what goes wrong beside a game; `asks_sign_off`: results wait for a referee."""
        self._journal = journal
        self._storage = storage
        self._now = now
        self._detectors = detectors
        self._tell = tell
        self.asks_sign_off = asks_sign_off
        self._listed: tuple[PutAwayShown, ...] | None = None
        self._scores: dict[tuple[GameId, int], tuple[int, ...]] = {}

    def begin(self, game: str, players: Sequence[str], options: Mapping[str, str]) -> RunningGame:
        """Begin a new game; one that was left unfinished is put away. Raises `CANNOT_BE_PLAYED`."""
        now, book, left = self._now(), rulebook(game), self._journal.unfinished()
        eye = self._detectors.open_eye() if book.dice.landing else None
        kind = Match if eye is None else LandingMatch
        begun = kind.begin(self._journal, book, tuple(players), as_played(book, options), now)
        if left is not None:
            put_away(self._journal, left, now)
        return self._with_detector(begun, eye)

    def resume(self, game_id: GameId) -> RunningGame:
        """Open a game as its journal left it; raises `CANNOT_BE_PLAYED`."""
        record = self._journal.game(game_id)
        eye = self._detectors.open_eye() if rulebook(record.game).dice.landing else None
        kind = Match if eye is None else LandingMatch
        paused = record.course is not None and record.course.what == "paused"
        return replace(self._with_detector(kind.resume(self._journal, game_id), eye), paused=paused)

    def restore(self, aside: AsideShown) -> RunningGame:
        """Go on with what is whole of what was set aside; raises `CANNOT_BE_PLAYED`."""
        game_id = self._journal.unfinished() if aside.game_id is None else aside.game_id
        if game_id is None or not aside.way:
            raise Refused(phrase("Nothing in it can be resumed. Start a new game."))
        try:
            return self.resume(game_id)
        except (RowNotUnderstood, RowBroken) as broken:
            return self.resume(self._journal.branch(game_id, broken.seq - 1, self._now()))

    def change(self, play: RunningGame | None, action: GameAction, game_id: GameId) -> RunningGame | None:
        """Do that with a game, and return what is at the table then.

        `play` is what is there now. Raises `CANNOT_BE_PLAYED`; then nothing has changed.
        """
        self.forget_list()
        if play is not None and play.match.game_id == game_id and play.match.view.ending is None:
            return self._change_at_table(play, action)
        if play is not None and play.match.view.ending is None:
            raise Refused(phrase("Another game is at the table by now. Look again."))
        record = next((each for each in self._journal.open_games() if each.id == game_id), None)
        if record is None or action not in ("take up", "abandon"):
            raise Refused(phrase("Game {game_id} is over. Look again.", game_id=game_id))
        if action == "abandon":
            if record.ended is not None:
                self._journal.append(game_id, [], self._now(), ended="")
            self._write(game_id, "abandoned", (), ended=ABANDONED)
            return play
        opened = self.resume(game_id)
        self._write(game_id, "taken up", (), ended=None if record.ended is None else "")
        return replace(opened, paused=False)

    def list_others(self, game_id: GameId | None) -> tuple[PutAwayShown, ...]:
        """The games that may be taken up again, but for that one; made once until something changes."""
        if self._listed is None:
            try:
                records = [each for each in self._journal.open_games() if each.id != game_id]
                self._listed = tuple(map(self.describe, reversed(records[-LISTED_MOST:])))
            except JournalError:  # whoever begins a game then is told
                self._listed = ()
        return self._listed

    def propose_last(self, over: Match | None = None) -> ProposedShown | None:
        """What was played last, or `over` again: not a deck's seed, which is good for one game only."""
        try:
            games = self._journal.games() if over is None else [self._journal.game(over.game_id)]
        except JournalError:
            return None
        book = RULEBOOKS.get(games[-1].game) if games else None
        if book is None:
            return None
        agreed = games[-1].options.items()
        known = {
            key: value for key, value in agreed if key != SEED and book.options.get(key, ())[:1] != (value,)
        }
        again = again_shown(over.position) if over else None
        if again is not None:
            return ProposedShown(book.name, known | again.options, again.players)
        return ProposedShown(book.name, known, games[-1].players)

    def propose_next(self, shown: ProposedShown | None, over: Match | None = None) -> ProposedShown:
        """What ROLL DONE offers after that: what the lobby opened with or `over` again, then game after game.

        The players stay where they fit; at a box that nobody has played on, they are two without names.
        """
        names, last = list(RULEBOOKS), self.propose_last(over)
        shown = shown or last
        if shown is None:
            offered = ProposedShown(names[0])
        elif not shown.by_button:
            offered = shown
        else:
            name = names[(names.index(shown.game) + 1) % len(names)]
            offered = last if last and last.game == name else ProposedShown(name, players=shown.players)
        if len(offered.players) not in RULEBOOKS[offered.game].seats:
            players = tuple(phrase("Player {number}", number=number) for number in (1, 2))
            offered = msgspec.structs.replace(offered, players=players)
        return msgspec.structs.replace(offered, by_button=True)

    def describe(self, record: GameRecord) -> PutAwayShown:
        """Describe a game for a list; its scores are in its last note, or come from replaying it once."""
        book = RULEBOOKS.get(record.game)
        known = (record.id, record.rows)
        if known not in self._scores:
            noted = record.course.scores if record.course else ()
            self._scores[known] = noted or scores_of(self._journal, record.id)[0]
        return PutAwayShown(
            game_id=record.id,
            title=book.title if book else record.game,
            players=record.players,
            scores=self._scores[known],
            when=record.ended or record.touched or record.begun,
        )

    def forget_list(self) -> None:
        """A game was begun or is over: the list is to be made anew."""
        self._listed = None

    def trim_pictures(self, running: GameId) -> None:
        """Delete pictures of games that are over, the oldest first, where all take too much room."""
        finished = {each.id for each in self._journal.games() if each.ended}
        self._storage.trim_pictures(finished, running)

    # Inside

    def _with_detector(self, match: Match, eye: SeesLandings | None) -> RunningGame:
        """The game with its detector; it asks for a sign-off where this table does."""
        match.asks_sign_off = self.asks_sign_off
        record = Record(self._storage, match.game_id, match.readings, self._now, self._tell)
        if isinstance(match, LandingMatch) and eye is not None:
            return RunningGame(match, self._detectors.open_landings(match, eye, record))
        return RunningGame(match, self._detectors.open_rolls(match, record))

    def _change_at_table(self, play: RunningGame, action: GameAction) -> RunningGame | None:
        match = play.match
        game_id = match.game_id
        match action:
            case "pause" if not play.paused:
                self._write(game_id, "paused", match.view.scores)
                return replace(play, paused=True)
            case "go on" if play.paused:
                # As after a restart: what was done to the dice meanwhile is no throw.
                opened = self.resume(game_id)
                self._write(game_id, "went on", ())
                return replace(opened, paused=False)
            case "put away":
                put_away(self._journal, game_id, self._now())
                return None
            case "abandon":
                self._write(game_id, "abandoned", match.view.scores, ended=ABANDONED)
                return None
            case _:
                raise Refused(phrase("It is so already. Look again."))

    def _write(
        self, game_id: GameId, what: Course, scores: tuple[int, ...], ended: str | None = None
    ) -> None:
        self._journal.append(game_id, [CourseNote(what, scores)], self._now(), ended=ended)


def still(game: GameShown) -> GameShown:
    """A paused game for displays: nothing of it may be done now."""
    return msgspec.structs.replace(game, allowed=(), choices=(), wanted="", news=phrase(PAUSED))
