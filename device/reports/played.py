"""One game as it was played: who, the scores turn by turn, and every throw that counts, with what it brought.

Pure: a replayed game in, facts out. What was corrected, ruled or taken back counts as what counted at last.
Nothing secret is looked at: throws and what everybody sees (`GameView`) are all that is taken.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from device.journal import GameRecord
from device.journal.records import UNASKED, SignOff, sign_off_of
from device.journal.replay import Replay, Step
from device.journal.rows import DiceReading, KeptDie, LandingReading, ReadDie, SignOffNote
from device.journal.words import describe_row
from engine.dice import Die
from engine.events import Corrected, DieRuled, GameEvent, Landed, Pocket, Refereed, Rolled, Ruled, Undo
from engine.game import Ending, GameView, Wanted
from engine.history import History
from engine.rulebooks import rulebook


@dataclass(frozen=True, slots=True, kw_only=True)
class LandingPlace:
    """Where a die came to lie on the End Zone table, in mm of the table's frame."""

    x_mm: float
    y_mm: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedThrow:
    """One throw as it counts."""

    at: str
    """When it was first told, ISO in UTC."""
    player: str
    dice: tuple[Die, ...]
    """What the dice show; empty for a die that went off the table."""
    colors: tuple[str, ...]
    """The dice's colours, in the same order; "" where the camera did not tell."""
    landed: Landed | None = None
    """How it landed, at End Zone."""
    place: LandingPlace | None = None
    """Where it was measured; None where it was told by people."""
    points: int | None
    """What it brought, or what the best of it was worth; None for a roll that decides who begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedTurn:
    """One turn."""

    player: str
    points: int
    """What the player's score rose by."""
    scores: tuple[int, ...]
    """What everybody had after it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Amendment:
    """Somebody corrected, ruled or took back."""

    at: str
    words: str
    by: str
    """Whose doing it was; "" for the box's own buttons."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedGame:
    """A game with all that a report tells of it."""

    record: GameRecord
    kind: str
    """The game and what of it is played: "End Zone, threes"."""
    ending: Ending | None = None
    """None while it goes on, and for one that was abandoned."""
    scores: tuple[int, ...] = ()
    restarts: bool = False
    """Whether scores began anew in its course, as in a match of several games: then they are no total."""
    throws: tuple[PlayedThrow, ...] = ()
    turns: tuple[PlayedTurn, ...] = ()
    changes: tuple[Amendment, ...] = ()
    sign_off: SignOff = UNASKED
    """How its result stands with the referee."""
    trouble: str = ""
    """Why it could not be played again, in a sentence; then the rest is empty."""

    @property
    def counts(self) -> bool:
        """Whether it was played to its end and, where a referee signs results off, is signed off."""
        return self.ending is not None and not self.sign_off.waits


def played(game: Replay) -> PlayedGame:
    """What is to be told of a game; one that cannot be played again tells why."""
    record, history = game.record, game.history
    trouble = game.trouble or next((step.trouble for step in game.steps if step.trouble), "")
    if history is None or trouble:
        return PlayedGame(record=record, kind=record.game, trouble=trouble)
    view = history.position.view()
    title = rulebook(record.game).title
    throws, turns = _Course(history, game.steps).collect()
    return PlayedGame(
        record=record,
        kind=f"{title}, {view.edition}" if view.edition else title,
        ending=view.ending,
        scores=view.scores,
        restarts=any(any(one.scores) and not any(other.scores) for one, other in pairwise(turns)),
        throws=throws,
        turns=turns,
        changes=tuple(_changes(game.steps)),
        sign_off=sign_off_of(step.entry for step in game.steps),
    )


def _changes(steps: Sequence[Step]) -> Iterator[Amendment]:
    """Corrections, rulings, what was taken back, and sign-offs; nothing that is still secret."""
    for step in steps:
        amends = isinstance(step.event, Corrected | Ruled | DieRuled | Refereed | Undo)
        row = step.entry.row
        signs = isinstance(row, SignOffNote) and row.what != "asked"
        if (amends or signs) and not step.veiled:
            yield Amendment(at=step.entry.at, words=describe_row(step), by=step.by.words if step.by else "")


@dataclass(slots=True)
class _OpenTurn:
    """A turn that goes on: the scores before it, and whether anything was thrown in it."""

    scores: tuple[int, ...]
    thrown: bool = False
    last: int = 0
    """Points of its last landing."""


@dataclass(slots=True)
class _Course:
    """Goes through a game as it counts."""

    history: History
    steps: Sequence[Step]
    throws: list[PlayedThrow] = field(default_factory=list)
    turns: list[PlayedTurn] = field(default_factory=list)

    def collect(self) -> tuple[tuple[PlayedThrow, ...], tuple[PlayedTurn, ...]]:
        """All throws and turns."""
        taken = [place for place, step in enumerate(self.steps) if step.event is not None]
        read = _readings(self.steps)
        before = self.history.start.view()
        usual = rulebook(before.game).dice
        turn = _OpenTurn(before.scores)
        for (event, position), source in zip(self.history.played, self.history.sources, strict=True):
            after = position.view()
            if isinstance(event, Rolled | Landed):
                step = self.steps[taken[source]]
                scoring = not decides_order(before, usual)
                points = _points(event, before, after, turn) if scoring else None
                self.throws.append(_throw(event, step, read.get(taken[source]), before, points))
                turn.thrown = turn.thrown or scoring
                turn.last = points or 0
            if turn.thrown and _is_over(before, after):
                self._end(turn, before, after)
                turn = _OpenTurn(after.scores)
            before = after
        return tuple(self.throws), tuple(self.turns)

    def _end(self, turn: _OpenTurn, before: GameView, after: GameView) -> None:
        player = before.active or ""
        gained = _gained(player, turn.scores, after)
        if gained is None:  # a new game of the same match began, and its scores are at nought
            gained = (before.running or 0) + turn.last
        self.turns.append(PlayedTurn(player=player, points=gained, scores=after.scores))


def decides_order(view: GameView, usual: Wanted) -> bool:
    """Whether the throw that is due decides who begins, or who wins a tie, and brings no points."""
    wanted = view.wanted
    if wanted is None:
        return False
    alone = wanted.count == 1 and usual.count not in (1, None)
    return wanted.landing != usual.landing or (alone and view.running is None)


def _is_over(before: GameView, after: GameView) -> bool:
    """Whether a turn in which was thrown is over: scores, or the player, have changed, or nothing is left."""
    return (
        after.active != before.active
        or after.scores != before.scores
        or bool(before.running and not after.running)
    )


def _gained(player: str, scores: tuple[int, ...], after: GameView) -> int | None:
    """What a player's score changed by, less than nothing after a fine; None where the scores began anew."""
    if player not in after.players:
        return 0
    seat = after.players.index(player)
    return None if any(scores) and not any(after.scores) else after.scores[seat] - scores[seat]


def _points(event: GameEvent, before: GameView, after: GameView, turn: _OpenTurn) -> int:
    """What a throw brought: its landing, the best that may be set aside, or by what the turn grew."""
    if isinstance(event, Landed):
        return 0 if event.off or event.foul else event.value * event.zone
    offered = [choice.points or 0 for choice in after.choices if isinstance(choice.event, Pocket)]
    if offered:
        return max(offered)
    running = (before.running or 0) if turn.thrown else 0
    if _is_over(before, after):
        return max(0, (_gained(before.active or "", turn.scores, after) or 0) - running)
    return max(0, (after.running or 0) - running)


def _readings(steps: Sequence[Step]) -> dict[int, DiceReading | LandingReading]:
    """For each row of a throw, what the camera last read of it."""
    found: dict[int, DiceReading | LandingReading] = {}
    last: DiceReading | LandingReading | None = None
    for place, step in enumerate(steps):
        match step.entry.row:
            case DiceReading() | LandingReading(decides=False):
                last = step.entry.row
            case _ if isinstance(step.event, Rolled | Landed):
                if last is not None:
                    found[place] = last
                last = None
            case _:
                pass
    return found


def _throw(
    event: Rolled | Landed,
    step: Step,
    reading: DiceReading | LandingReading | None,
    before: GameView,
    points: int | None,
) -> PlayedThrow:
    if isinstance(event, Rolled):
        dice, landed = event.dice, None
        seen: Sequence[ReadDie | KeptDie] = reading.dice if isinstance(reading, DiceReading) else ()
    else:
        dice, landed = ((Die("pip", event.value),) if event.value else ()), event
        seen = ()
    if isinstance(reading, LandingReading):
        seen = [die for die in reading.sight.dice if not die.counted and not die.place]
    alike = [die.kind for die in seen] == [die.kind for die in dice]
    return PlayedThrow(
        at=step.entry.at,
        player=before.active or "",
        dice=dice,
        colors=tuple(die.color for die in seen) if alike else ("",) * len(dice),
        landed=landed,
        place=_find_landing(landed, seen) if alike else None,
        points=points,
    )


def _find_landing(landed: Landed | None, seen: Sequence[ReadDie | KeptDie]) -> LandingPlace | None:
    """Where the one new die lay; None for one that only decides an order, and off the table."""
    match seen:
        case [KeptDie(center_mm=(x_mm, y_mm))] if landed is not None and not landed.off:
            return LandingPlace(x_mm=x_mm, y_mm=y_mm)
        case _:
            return None
