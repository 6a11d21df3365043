"""A game begins, or goes on: its match, and the detector that watches its dice."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from calibration.trouble import CalibrationError
from device.games.parts import Parts
from device.journal import GameId, Journal, JournalError, Moment, RowBroken, RowNotUnderstood
from device.journal.rows import CourseNote
from device.landings import LandingMatch, LandingThrowDetector, SeesLandings
from device.mat import MatDetector, Places, layout_for
from device.match import Match
from device.match.throw_detector import Record, ThrowDetector
from device.options import as_played
from device.rolls import RollDetector
from device.shown.snapshot import AsideShown
from engine.refusal import Refused
from engine.rulebooks import rulebook
from engine.wording import phrase, phrase_later
from engine.words import capital

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
