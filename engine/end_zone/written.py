"""What would be written down of a game of End Zone: its turns, each with its dice, one after the other.

A position holds points and no turns, so they are told from the events. What a turn scored is asked of the
rules themselves (`flow.turns_on`, `Kind.scored`), so that pad and points cannot differ.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from engine.end_zone.flow import fine_of, turns_on
from engine.end_zone.game import Extra, Game, dice_due, whose, with_points
from engine.end_zone.landing import Lying, landed_on, uncovered
from engine.end_zone.state import EndZoneState
from engine.events import Confirmed, GameEvent, Landed
from engine.game import Played, Position
from engine.pad import PadDie

Step = tuple[EndZoneState, GameEvent, EndZoneState]
"""An event, with the states before and after it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenTurn:
    """One turn of a margin, as it was scored, or as a covered dot ended it."""

    game: int
    """How many games had ended before its own."""
    lap_no: int
    margin: int
    dice: tuple[PadDie, ...]
    gained: int
    """What its dice scored."""
    had: int
    """The margin's points before it."""
    has: int
    """And after it, a bonus counted."""
    extras: Extra
    """The margin's extra rolls before it."""
    challenged: bool = False
    """Its score is the one that is challenged from now on."""
    dot: bool = False
    """A die of it covers the dot, and nothing was scored."""


@dataclass(slots=True)
class Written:
    """All that was written down since some game."""

    turns: list[WrittenTurn] = field(default_factory=list)
    fines: dict[tuple[int, int], int] = field(default_factory=dict)
    """Minus points, by game and margin."""
    winners: dict[int, int] = field(default_factory=dict)
    """The side that won a game, by game."""
    lying: tuple[tuple[int, PadDie], ...] = ()
    """The dice that lie there and have not scored yet, each with its margin."""


def write_down(now: EndZoneState, start: Position, played: Played, since: int) -> Written:
    """What was written since so many games had ended; `played` leads from `start` to `now`."""
    written, landings = Written(), list[int]()
    for before, event, after in _steps(start, played, since):
        if after.played > before.played:
            _won(written, before, after)
        if before.rolloff is not None or not isinstance(event, Landed | Confirmed):
            continue
        if isinstance(event, Landed):
            landings.append(after.landings)
        if _write(written, (before, event, after), landings):
            landings = []
    if now.rolloff is None and now.game.lying:
        written.lying = _dice(now, now.game, landings)
    return written


def _steps(start: Position, played: Played, since: int) -> Iterator[Step]:
    """The events of these games only: a game of King may go on for thousands before them."""
    first = len(played)
    while first and _state(played[first - 2][1] if first > 1 else start).played >= since:
        first -= 1
    before = _state(played[first - 1][1] if first else start)
    for event, position in played[first:]:
        after = _state(position)
        yield before, event, after
        before = after


def _state(position: Position) -> EndZoneState:
    """The position as End Zone's own; raises `TypeError` for another game's."""
    if not isinstance(position, EndZoneState):
        raise TypeError(f"this is End Zone's pad; the position is a {type(position).__name__}")
    return position


def _won(written: Written, before: EndZoneState, after: EndZoneState) -> None:
    """Which side has just won a game of a series; else whoever has won it all."""
    wins = zip(before.tally[0], after.tally[0], strict=True)
    side = next((side for side, (had, has) in enumerate(wins) if has > had), after.winner)
    if side is not None:
        written.winners[before.played] = side


def _write(written: Written, step: Step, landings: list[int]) -> bool:
    """Write the turns that this event ends; whether it ends any."""
    before, event, _ = step
    table = _table(before, event)
    game = _fined(written, before, event, replace(before.game, lying=table))
    dot = next((place for place, die in enumerate(table) if die.dot), None)
    if dot is not None:
        if before.agreed.confirms and isinstance(event, Landed):
            return False  # somebody has to look first (rule 6a)
        _add_dot(written, before, game, landings, dot)
        return True
    if len(table) < dice_due(before.agreed, before.kind, game):
        return False
    _add_turns(written, step, game, landings)
    return True


def _table(before: EndZoneState, event: GameEvent) -> tuple[Lying, ...]:
    """The dice as they lie after the event."""
    lying = before.game.lying
    if isinstance(event, Landed):
        return landed_on(before.agreed, lying, event)
    return uncovered(lying) if isinstance(event, Confirmed) and not event.covered else lying


def _fined(written: Written, before: EndZoneState, event: GameEvent, game: Game) -> Game:
    """The game with the minus points of this die (rule 10)."""
    if not isinstance(event, Landed) or not event.off:
        return game
    margin, _ = whose(before.agreed, before.kind, game, len(game.lying) - 1)
    fined = fine_of(before, event, margin, before.active)
    if fined is None:
        return game
    payer, minus = fined
    key = (before.played, payer)
    written.fines[key] = written.fines.get(key, 0) + minus
    return with_points(game, payer, -minus)


def _add_turns(written: Written, step: Step, game: Game, landings: list[int]) -> None:
    """The turns whose points are added now, each scored by the rules of its kind."""
    before, _, after = step
    agreed, kind, dice = before.agreed, before.kind, _dice(before, game, landings)
    for margin, scored in turns_on(agreed, kind, game).items():
        had, extras = game.points[margin], game.extras[margin]
        game, _ = kind.scored(agreed, game, margin, scored)
        written.turns.append(
            WrittenTurn(
                game=before.played,
                lap_no=before.game.lap_no,
                margin=margin,
                dice=tuple(die for whom, die in dice if whom == margin),
                gained=sum(points for _, points in scored),
                had=had,
                has=game.points[margin],
                extras=extras,
                challenged=after.game.high == margin and before.game.high != margin,
            )
        )


def _add_dot(written: Written, before: EndZoneState, game: Game, landings: list[int], place: int) -> None:
    """The turn that a covered dot has ended (rule 6)."""
    margin, _ = whose(before.agreed, before.kind, game, place)
    written.turns.append(
        WrittenTurn(
            game=before.played,
            lap_no=game.lap_no,
            margin=margin,
            dice=tuple(die for whom, die in _dice(before, game, landings) if whom == margin),
            gained=0,
            had=game.points[margin],
            has=game.points[margin],
            extras=game.extras[margin],
            dot=True,
        )
    )


def _dice(state: EndZoneState, game: Game, landings: list[int]) -> tuple[tuple[int, PadDie], ...]:
    """The dice that lie there for the pad, each with its margin."""
    turns = turns_on(state.agreed, state.kind, game)
    found, taken = [], dict.fromkeys(turns, 0)
    for place, (die, landing) in enumerate(zip(game.lying, landings, strict=True)):
        margin, _ = whose(state.agreed, state.kind, game, place)
        points = turns[margin][taken[margin]][1]
        taken[margin] += 1
        found.append((margin, PadDie(landing=landing, words=die.told, points=points)))
    return tuple(found)
