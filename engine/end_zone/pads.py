"""The papers of End Zone's modes: the official score card, and what is jotted down in the others.

Rule numbers are those at the head of `engine.end_zone` and of its modes.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from engine.end_zone.flow import fine_of, turns_on
from engine.end_zone.landing import Lying, landed_on, uncovered
from engine.end_zone.modes import (
    BONUSES,
    CARD,
    EXTRAS,
    LINES,
    Extra,
    Game,
    dice_due,
    levels,
    margins,
    standing,
    total,
    whose,
    with_points,
)
from engine.end_zone.state import KINGS, EndZoneState
from engine.events import Confirmed, GameEvent, Landed
from engine.game import Played, Position
from engine.pad import EMPTY, Mark, PadCell, PadColumn, PadDie, PadRow, RowRole, ScorePad
from engine.wording import phrase, told_number
from engine.words import plain_dice

# King's throne and line, King of Kings' counts, and a tournament's bracket (rules 70 to 91), on paper.


def pad_of_contest(now: EndZoneState) -> tuple[ScorePad, ...]:
    """Who is King and who comes next, or who is in the bracket; nothing in other modes."""
    if now.agreed.mode in KINGS and now.contest.match:
        return (_throne(now),)
    return (_bracket(now),) if now.agreed.mode == "tournament" else ()


def _throne(now: EndZoneState) -> ScorePad:
    """The King, the challenger and the line behind, each with the wins that are marked."""
    agreed, contest = now.agreed, now.contest
    rows = []
    for side in sorted(contest.match, key=lambda each: each != contest.king):
        role: RowRole = "king" if side == contest.king else "challenger"
        challenger = phrase("Challenger") if contest.king is not None else phrase("First two")
        rows.append(_place_row(now, side, role, phrase("King") if role == "king" else challenger))
    rows += [_place_row(now, side, "waiting", _nth(nth)) for nth, side in enumerate(contest.queue)]
    title = phrase("King of Kings") if agreed.mode == "king-of-kings" else phrase("King")
    columns = (PadColumn(name=phrase("Player")), PadColumn(name=_counted(now)))
    return ScorePad(kind="king", title=title, columns=columns, rows=tuple(rows))


def _counted(now: EndZoneState) -> str:
    """Which wins are marked, and how many of them win (rules 80, 80a)."""
    agreed = now.agreed
    if agreed.mode != "king-of-kings":
        return phrase("Wins as King")
    if agreed.every_win:
        return phrase("Wins, {number} to win", number=agreed.wins)
    return phrase("Wins as King, {number} to win", number=agreed.wins)


def _nth(nth: int) -> str:
    """Where somebody stands in the line, from 0."""
    return phrase("Next in line") if nth == 0 else f"{nth + 1}."


def _place_row(now: EndZoneState, side: int, role: RowRole, name: str) -> PadRow:
    """A side's place, with its wins where they are counted."""
    cells: tuple[PadCell, ...] = (
        PadCell(words=now.agreed.name(side), mark="won" if side == now.winner else ""),
    )
    if now.agreed.mode in KINGS:
        cells = (*cells, PadCell(points=now.contest.crowns[side]))
    players = tuple(now.players[seat] for seat in now.agreed.sides[side])
    return PadRow(name=name, role=role, cells=cells, players=players)


def _bracket(now: EndZoneState) -> ScorePad:
    """The match that is played, who waits for one, and who is through."""
    contest = now.contest
    rows = [
        *_places(now, contest.match, "challenger", phrase("Plays")),
        *_places(now, contest.queue, "waiting", phrase("Waits")),
        *_places(now, contest.through, "through", phrase("Through")),
    ]
    return ScorePad(
        kind="tournament",
        title=phrase("Tournament"),
        columns=(PadColumn(name=phrase("Player")),),
        rows=tuple(rows),
    )


def _places(now: EndZoneState, sides: Iterable[int], role: RowRole, name: str) -> list[PadRow]:
    return [_place_row(now, side, role, name) for side in sides]


# What would be written down of a game of End Zone: its turns, each with its dice, one after the other.
#
# A position holds points and no turns, so they are told from the events. What a turn scored is asked of the
# rules themselves (`flow.turns_on`, `Kind.scored`), so that pad and points cannot differ.

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
        written.lying = _written_dice(now, now.game, landings)
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
    agreed, kind, dice = before.agreed, before.kind, _written_dice(before, game, landings)
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
            dice=tuple(die for whom, die in _written_dice(before, game, landings) if whom == margin),
            gained=0,
            had=game.points[margin],
            has=game.points[margin],
            extras=game.extras[margin],
            dot=True,
        )
    )


def _written_dice(state: EndZoneState, game: Game, landings: list[int]) -> tuple[tuple[int, PadDie], ...]:
    """The dice that lie there for the pad, each with its margin."""
    turns = turns_on(state.agreed, state.kind, game)
    found, taken = [], dict.fromkeys(turns, 0)
    for place, (die, landing) in enumerate(zip(game.lying, landings, strict=True)):
        margin, _ = whose(state.agreed, state.kind, game, place)
        points = turns[margin][taken[margin]][1]
        taken[margin] += 1
        found.append((margin, PadDie(landing=landing, words=die.words, points=points)))
    return tuple(found)


# One game of End Zone on paper: its columns, and what stands in a field, whatever the mode.


class GamePaper:
    """What was written of the running game, or of the last one. Lives for one drawing."""

    def __init__(self, now: EndZoneState, game_no: int, written: Written) -> None:
        """`game_no`: how many games had ended before this one."""
        self.now = now
        self.game_no = game_no
        self.written = written
        order = now.game.order if now.kind.lines or now.kind.highest_first else sorted(now.game.order)
        self.margins = margins(now.agreed, now.kind, tuple(order))
        """In the rolling order as the card has them, else as people sit."""
        self.rolling = self._rolling()
        """The margin whose die is next, or is looked at; None where nobody rolls for points."""

    def _rolling(self) -> int | None:
        now = self.now
        if now.winner is not None or now.rolloff is not None or not now.game.lap:
            return None
        place = len(now.game.lying) - (now.phase == "confirm")
        return whose(now.agreed, now.kind, now.game, place)[0]

    @property
    def columns(self) -> tuple[PadColumn, ...]:
        """A column for each margin, under its player's name or the team's."""
        agreed, found = self.now.agreed, []
        for margin in self.margins:
            side = agreed.sides[agreed.side_of(margin)]
            players = tuple(agreed.players[seat] for seat in side)
            shared = self.now.kind.one_margin(agreed)
            name = agreed.name(agreed.side_of(margin)) if shared else agreed.players[margin]
            found.append(PadColumn(name=name, players=players if shared else (name,)))
        return tuple(found)

    def turns(self, margin: int) -> list[WrittenTurn]:
        """The margin's turns of this game."""
        return [turn for turn in self.written.turns if (turn.game, turn.margin) == (self.game_no, margin)]

    def row(self, name: str, role: RowRole, cell: Callable[[int], PadCell], about: str = "") -> PadRow:
        """A row with that cell for each margin."""
        return PadRow(name=name, role=role, about=about, cells=tuple(map(cell, self.margins)))

    def cell(self, turn: WrittenTurn | None, margin: int, *, open_here: bool, sums: bool = False) -> PadCell:
        """A turn's field: its points, or with `sums` the total then; while it is rolled, the dice so far."""
        if turn is None:
            return self.open_cell(margin) if open_here else EMPTY
        if turn.dot:
            return PadCell(words=phrase("covered dot"), dice=turn.dice, mark="won")
        mark: Mark = "challenged" if turn.challenged else ""
        if sums:
            return PadCell(points=turn.has, words=f"+{turn.gained}", dice=turn.dice, mark=mark)
        return PadCell(points=turn.gained, dice=turn.dice, mark=mark)

    def open_cell(self, margin: int) -> PadCell:
        """The field that is filled now: the dice that lie there, and whether the margin rolls."""
        return PadCell(dice=self.lying(margin), mark="now" if margin == self.rolling else "")

    def lying(self, margin: int) -> tuple[PadDie, ...]:
        """The margin's dice that lie there and have not scored yet."""
        return tuple(die for whom, die in self.written.lying if whom == margin)

    def won(self, margin: int) -> bool:
        """Whether the margin's side has won it all."""
        return self.now.winner is not None and self.now.agreed.side_of(margin) == self.now.winner

    def sums(self) -> tuple[PadRow, ...]:
        """The last rows: minus points if there are any, the total, and the team's where partners add up."""
        fines = {margin: self.written.fines.get((self.game_no, margin), 0) for margin in self.margins}
        agreed, found = self.now.agreed, []
        if any(fines.values()):
            found.append(
                self.row(
                    phrase("Minus"), "minus", lambda margin: _minus(fines[margin]), phrase("dice not caught")
                )
            )
        points = self.now.game.points
        found.append(
            self.row(
                phrase("Total"), "total", lambda each: PadCell(points=points[each], mark=self._winner(each))
            )
        )
        if agreed.teams != "no" and not self.now.kind.one_margin(agreed):
            found.append(self.row(phrase("Team"), "total", self._team))
        return tuple(found)

    def _team(self, margin: int) -> PadCell:
        return PadCell(points=total(self.now.agreed, self.now.game, self.now.agreed.side_of(margin)))

    def _winner(self, margin: int) -> Mark:
        return "won" if self.won(margin) else ""


def _minus(points: int) -> PadCell:
    return PadCell(points=-points) if points else EMPTY


MOST = 20
"""Turns and games that a paper shows, the newest: a game to a million points has thousands."""


def pads_of(now: EndZoneState, start: Position, played: Played) -> tuple[ScorePad, ...]:
    """Who meets whom, and the paper of the game that is rolled; `played` leads from `start` to `now`."""
    found = pad_of_contest(now)
    if not now.game.order or now.by == "stop":
        return found
    over = now.winner is not None
    game_no = now.played - over
    before = 0
    if levels(now.agreed, now.unit) != (1,):
        before = sum(now.tally[0]) - (over and now.by != "dot")
    paper = GamePaper(now, game_no, write_down(now, start, played, game_no - max(before, 0)))
    return (*found, _pad(paper))


def _pad(paper: GamePaper) -> ScorePad:
    """The paper of the mode that is rolled."""
    match paper.now.unit:
        case "score-card":
            title, rows = phrase("Score card"), _card(paper)
            return ScorePad(kind="score-card", title=title, columns=paper.columns, rows=rows)
        case "first-of-500":
            title, rows = (
                phrase("First of {points}", points=paper.now.agreed.goal),
                _goal(paper),
            )
            return ScorePad(kind="goal", title=title, columns=paper.columns, rows=rows)
        case "solo":
            return ScorePad(kind="solo", title=phrase("Solo Play"), columns=paper.columns, rows=_solo(paper))
        case "fast":
            return ScorePad(kind="dice", title=phrase("Fast Play"), columns=paper.columns, rows=_dice(paper))
        case unit:
            title = phrase("3's") if unit == "threes" else phrase("3's Sets")
            return ScorePad(kind="games", title=title, columns=paper.columns, rows=_games(paper))


# The official score card (rules 50 to 53)


def _card(paper: GamePaper) -> tuple[PadRow, ...]:
    """Its lines as they are printed: 14 of one die with two bonuses, 2 of two, 1 of three, 4 extra rolls."""
    turns = {margin: {turn.lap_no: turn for turn in paper.turns(margin)} for margin in paper.margins}
    rows = []
    for line in range(1, LINES + 1):
        dice = CARD.dice(line)
        here = line == paper.now.game.lap_no

        def cell(margin: int, line: int = line, here: bool = here) -> PadCell:
            return paper.cell(turns[margin].get(line), margin, open_here=here)

        rows.append(paper.row(str(line), "turn", cell, plain_dice(dice) if dice > 1 else ""))
        if line in BONUSES:
            rows.append(_bonus(paper, line, turns))
    return (*rows, *_extras(paper), *paper.sums())


def _bonus(paper: GamePaper, line: int, turns: dict[int, dict[int, WrittenTurn]]) -> PadRow:
    """Rules 51, 51a: crossed where it was reached; before that, how far the margin has come."""
    need, bonus = BONUSES[line]
    about = phrase("{points} after line {line}: {bonus} more", points=need, line=line, bonus=bonus)
    next_one = next((each for each in BONUSES if each >= paper.now.game.lap_no), 0)

    def cell(margin: int) -> PadCell:
        turn = turns[margin].get(line)
        if turn is not None and not turn.dot:
            reached = turn.has - turn.had != turn.gained
            return PadCell(points=bonus, mark="crossed") if reached else PadCell(mark="missed")
        on_it = line == next_one and turn is None and paper.now.winner is None
        return (
            PadCell(words=phrase("{points} of {need}", points=paper.now.game.points[margin], need=need))
            if on_it
            else EMPTY
        )

    return paper.row(phrase("Bonus"), "bonus", cell, about)


def _extras(paper: GamePaper) -> tuple[PadRow, ...]:
    """Rules 52 to 52b: crossed where it was won; its points once it was taken."""
    taken: dict[tuple[int, int], WrittenTurn] = {}
    for margin in paper.margins:
        for turn in paper.turns(margin):
            if turn.lap_no > LINES:
                taken[margin, turn.extras.index("x")] = turn
    rows = []
    for place, (zone, value) in enumerate(EXTRAS.items()):

        def cell(margin: int, place: int = place) -> PadCell:
            return _extra(paper, margin, place, taken.get((margin, place)))

        about = phrase("for a {value} in the {zone} zone", value=value, zone=zone)
        rows.append(paper.row(phrase("Extra {zone}", zone=zone), "extra", cell, about))
    return tuple(rows)


def _extra(paper: GamePaper, margin: int, place: int, turn: WrittenTurn | None) -> PadCell:
    marks = paper.now.game.extras[margin]
    if turn is not None:
        return replace(paper.cell(turn, margin, open_here=False), mark="crossed")
    if paper.now.game.lap_no > LINES and margin == paper.rolling and marks.find("x") == place:
        return paper.open_cell(margin)
    return PadCell(words=phrase("won"), mark="crossed") if marks[place] == "x" else EMPTY


# First of 500 (rules 60 to 63)


def _goal(paper: GamePaper) -> tuple[PadRow, ...]:
    """Each turn with the total it led to, and how everybody stands towards the goal or the challenge."""
    turns = {margin: paper.turns(margin) for margin in paper.margins}
    most = max(len(each) + (margin == paper.rolling) for margin, each in turns.items())
    rows = []
    for nth in range(max(0, most - MOST), most):

        def cell(margin: int, nth: int = nth) -> PadCell:
            had = turns[margin]
            turn = had[nth] if nth < len(had) else None
            return paper.cell(turn, margin, open_here=nth == len(had), sums=True)

        rows.append(paper.row(str(nth + 1), "turn", cell))
    state = phrase("Challenge") if paper.now.game.high is not None else phrase("To go")
    return (*rows, *paper.sums(), paper.row(state, "state", lambda margin: _towards(paper, margin)))


def _towards(paper: GamePaper, margin: int) -> PadCell:
    """How far it is to the goal; in a challenge, whose score it is, who rolls against it, and who is out."""
    game, goal = paper.now.game, paper.now.agreed.goal
    if paper.won(margin):
        return PadCell(words=phrase("wins"), mark="won")
    if game.high is None:
        return PadCell(words=told_number(max(goal - game.points[margin], 0), ","))
    if margin == game.high:
        points = told_number(standing(game, margin), ",")
        return PadCell(words=phrase("challenged at {points}", points=points), mark="challenged")
    short = standing(game, game.high) - game.points[margin]
    if margin in game.still and margin in game.lap and paper.now.winner is None:
        to_tie = phrase("{points} to tie", points=short)
        return PadCell(words=to_tie if short > 0 else phrase("still in"))
    if margin in game.still and short <= 0:
        return PadCell(words=phrase("still in"))
    return PadCell(words=phrase("out"), mark="out")


# Fast Play, 3's, 3's Sets and Solo Play (rules 20 to 41)


def _dice(paper: GamePaper) -> tuple[PadRow, ...]:
    """One game of three dice: a row for each die."""
    turns = {margin: next(iter(paper.turns(margin)), None) for margin in paper.margins}
    rows = []
    for nth in range(paper.now.kind.dice(1)):

        def cell(margin: int, nth: int = nth) -> PadCell:
            turn = turns[margin]
            return _die(paper, margin, turn.dice if turn else paper.lying(margin), nth, over=turn is not None)

        rows.append(paper.row(phrase("Die {number}", number=nth + 1), "turn", cell))
    return (*rows, *paper.sums())


def _die(paper: GamePaper, margin: int, dice: Sequence[PadDie], nth: int, *, over: bool) -> PadCell:
    if nth < len(dice):
        return PadCell(points=dice[nth].points, dice=(dice[nth],))
    return PadCell(mark="now") if not over and nth == len(dice) and margin == paper.rolling else EMPTY


def _games(paper: GamePaper) -> tuple[PadRow, ...]:
    """A row for each game of the 3's that is played, and what was won so far."""
    now, written = paper.now, paper.written
    found = {(turn.game, turn.margin): turn for turn in written.turns}
    first = min((turn.game for turn in written.turns), default=paper.game_no)
    rows = []
    for game in range(max(first, paper.game_no - MOST + 1), paper.game_no + 1):

        def cell(margin: int, game: int = game) -> PadCell:
            field = paper.cell(found.get((game, margin)), margin, open_here=game == paper.game_no)
            fine = written.fines.get((game, margin), 0)
            won = written.winners.get(game) == now.agreed.side_of(margin)
            points = field.points if field.points is None else field.points - fine
            mark = "won" if won else field.mark
            return PadCell(points=points, words=field.words, dice=field.dice, mark=mark)

        rows.append(paper.row(phrase("Game {number}", number=game - first + 1), "turn", cell))
    return (*rows, *_tallies(paper))


def _tallies(paper: GamePaper) -> tuple[PadRow, ...]:
    """Games won, and for 3's Sets also 3's and sets."""
    now, rows = paper.now, []
    names = (phrase("Games won"), phrase("3's won"), phrase("Sets won"))
    for level, (target, wins) in enumerate(zip(levels(now.agreed, now.unit), now.tally, strict=True)):

        def cell(margin: int, target: int = target, wins: tuple[int, ...] = wins) -> PadCell:
            count = wins[now.agreed.side_of(margin)]
            return PadCell(points=count, mark="won" if count >= target else "")

        rows.append(paper.row(names[level], "total", cell, phrase("{number} to win", number=target)))
    return tuple(rows)


def _solo(paper: GamePaper) -> tuple[PadRow, ...]:
    """One total after the other, each to be beaten by the next."""
    turns = paper.turns(paper.margins[0])
    rows = []
    for nth in range(max(0, len(turns) - MOST + 1), len(turns) + (paper.now.winner is None)):
        turn = turns[nth] if nth < len(turns) else None

        def cell(margin: int, turn: WrittenTurn | None = turn, nth: int = nth) -> PadCell:
            field = paper.cell(turn, margin, open_here=True)
            beaten = turn is not None and not turn.dot and nth > 0 and turn.gained <= turns[nth - 1].gained
            mark = "missed" if beaten else field.mark
            return PadCell(points=field.points, words=field.words, dice=field.dice, mark=mark)

        rows.append(paper.row(str(nth + 1), "turn", cell))
    return (
        *rows,
        paper.row(phrase("To beat"), "total", lambda each: PadCell(points=paper.now.game.points[each])),
    )
