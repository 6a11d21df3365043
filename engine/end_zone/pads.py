"""The papers of End Zone's modes: the official score card, and what is jotted down in the others.

Rule numbers are those at the head of `engine.end_zone` and of its modes.
"""

from collections.abc import Sequence
from dataclasses import replace

from engine.end_zone.card import BONUSES, CARD, EXTRAS, LINES
from engine.end_zone.contest_pads import pad_of_contest
from engine.end_zone.fast import levels
from engine.end_zone.five_hundred import standing
from engine.end_zone.paper import GamePaper
from engine.end_zone.state import EndZoneState
from engine.end_zone.written import WrittenTurn, write_down
from engine.game import Played, Position
from engine.pad import EMPTY, PadCell, PadDie, PadRow, ScorePad
from engine.wording import phrase, told_number
from engine.words import plain_dice

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
                phrase("First of {points}", points=told_number(paper.now.agreed.goal, ",")),
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
        to_tie = phrase("{points} to tie", points=told_number(short, ","))
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
