"""Which positions of End Zone cannot be: what a line says must fit together, so that play can go on from it.

Rule numbers are those at the head of `engine.end_zone` and of its modes.
"""

from collections.abc import Iterator

from engine.end_zone.agreed import UNITS
from engine.end_zone.fast import levels
from engine.end_zone.game import Game, dice_due, margins
from engine.end_zone.state import KINGS, EndZoneState
from engine.wording import phrase


def impossible(state: EndZoneState) -> str:
    """Why no game reaches this position, or nothing."""
    for check in (_contest, _pairing, _tally, _phase, _rolloff, _game, _table, _points):
        for reason in check(state):
            return reason
    return ""


def _some(places: tuple[int, ...], of: tuple[int, ...]) -> bool:
    """Whether these are different ones of those."""
    return len(set(places)) == len(places) and set(places) <= set(of)


def _contest(state: EndZoneState) -> Iterator[str]:
    agreed, contest = state.agreed, state.contest
    kings = agreed.mode in KINGS
    known = UNITS if kings and agreed.king_chooses else (agreed.unit,)
    if state.unit not in known:
        yield phrase("{mode} is not played here", mode=state.unit)
    if not _some((*contest.match, *contest.queue, *contest.through), tuple(range(len(agreed.sides)))):
        yield phrase("a side stands in two places, or is none of the players")
    if contest.king is not None and (not kings or contest.king not in contest.match):
        yield phrase("the King does not play (rule 71)")
    if (any(contest.crowns) and not kings) or sum(contest.crowns) > state.played:
        yield phrase("there are more wins as King than games (rule 80)")
    if kings and contest.through:
        yield phrase("King has no bracket (rule 71)")


def _pairing(state: EndZoneState) -> Iterator[str]:
    """Who meets whom."""
    agreed, contest = state.agreed, state.contest
    everybody = tuple(range(len(agreed.sides)))
    kings = agreed.mode in KINGS
    if not kings and agreed.mode != "tournament":
        if contest.match != everybody or contest.queue or contest.through:
            yield phrase("not everybody plays (rule 1)")
        return
    if len(contest.match) != 2 and (contest.match or not kings or state.played):
        yield phrase("two sides meet (rules 71, 90)")
    if kings and not contest.match and contest.queue:
        yield phrase("there is no line before the first game (rule 70)")
    if kings and contest.match and len(contest.match) + len(contest.queue) != len(everybody):
        yield phrase("somebody is missing in the line (rule 71)")


def _tally(state: EndZoneState) -> Iterator[str]:
    agreed, contest = state.agreed, state.contest
    targets = levels(agreed, state.unit)
    sides = len(agreed.sides)
    if len(state.tally) != len(targets) or any(len(wins) != sides for wins in state.tally):
        yield phrase("the wins are not those of this mode (rules 40, 41)")
    for place, (target, wins) in enumerate(zip(targets, state.tally, strict=True)):
        most = target if state.winner is not None and place == len(targets) - 1 else target - 1
        if max(wins) > most or any(wins[side] for side in range(sides) if side not in contest.match):
            yield phrase("somebody has too many wins (rules 40, 41)")
    if sum(state.tally[0]) > state.played:
        yield phrase("there are more wins than games")


def _phase(state: EndZoneState) -> Iterator[str]:
    agreed, contest, rolloff = state.agreed, state.contest, state.rolloff
    if (state.winner is None) != (state.by == ""):
        yield phrase("a winner and the way to win belong together")
    if state.winner is not None and not (state.winner < len(agreed.sides) and _over(state)):
        yield phrase("the winner does not fit")
    if state.choosing and not _may_choose(state):
        yield phrase("no King has to choose (rule 71d)")
    if state.winner is None and not state.choosing:
        if rolloff is None and not (contest.match and state.game.order):
            yield phrase("nobody knows who goes first (rule 2)")
        if rolloff is not None and not state.game.order and not agreed.rolls_for_order:
            yield phrase("nobody rolls for the order (rule 2a)")
        if not contest.match and (agreed.mode not in KINGS or state.game.order):
            yield phrase("nobody meets anybody (rule 70)")


def _rolloff(state: EndZoneState) -> Iterator[str]:
    rolloff, everybody = state.rolloff, tuple(range(len(state.agreed.sides)))
    if rolloff is None:
        return
    rolling = tuple(side for group in rolloff.groups for side in group)
    among = state.game.order or state.contest.match or everybody
    complete = len(rolling) == len(among) if not state.game.order else len(rolling) > 1
    if not _some(rolling, among) or not complete or not all(rolloff.groups):
        yield phrase("those who roll off do not fit (rules 2, 7)")
    place = rolloff.rolling(state.need)
    if place is None:
        yield phrase("the roll-off is over (rules 2, 7)")
        return
    if len(rolloff.shown) >= len(rolloff.groups[place]) or any(die > 240 for die in rolloff.shown):
        yield phrase("the dice of the roll-off do not fit (rules 2, 7)")


def _over(state: EndZoneState) -> bool:
    running = state.choosing or state.rolloff is not None or bool(state.game.lying)
    if state.agreed.mode == "king":
        return state.by == "stop" and state.winner == state.contest.king and not running
    return state.by != "stop" and not running


def _may_choose(state: EndZoneState) -> bool:
    agreed = state.agreed
    king = agreed.mode in KINGS and agreed.king_chooses and state.contest.king is not None
    return king and not (state.game.order or state.rolloff or any(any(wins) for wins in state.tally))


def _game(state: EndZoneState) -> Iterator[str]:
    game, five_hundred = state.game, state.unit == "first-of-500"
    if not game.order:
        if game != Game(points=game.points, extras=game.extras) or any(game.points):
            yield phrase("a game runs and nobody knows who goes first (rule 2)")
        return
    if not _some(game.order, state.contest.match) or len(game.order) != len(state.contest.match):
        yield phrase("the rolling order is not that of those who play")
    everybody = margins(state.agreed, state.kind, game.order)
    if not _some(game.still, everybody) or not _some(game.lap, game.still) or game.lap_no < 1:
        yield phrase("those who have still to roll do not play")
    if game.high is not None and not (five_hundred and _challenged(game)):
        yield phrase("nobody is challenged (rule 61)")
    yield from _challenge(state)
    if game.high is None and state.winner is None and len(game.still) != len(everybody):
        yield phrase("somebody is out who cannot be")


def _challenged(game: Game) -> bool:
    return game.high in game.still and game.high not in game.lap and len(game.still) > 1


def _challenge(state: EndZoneState) -> Iterator[str]:
    """What a challenge keeps (rules 13a, 61b)."""
    agreed, game = state.agreed, state.game
    if (game.at is not None) != (game.high is not None and agreed.keeps_score):
        yield phrase("the challenged score does not fit (rule 61b)")
    if game.high is not None and game.at is not None:
        points = game.points[game.high]
        if game.at < max(points, agreed.goal) or (game.at != points and not any(agreed.minus)):
            yield phrase("the challenged score does not fit (rule 61b)")
    late_may_be = game.at is not None and agreed.teams != "no"
    if not _some(game.late, game.still) or (game.late and not late_may_be):
        yield phrase("nobody is late (rule 13a)")


def _table(state: EndZoneState) -> Iterator[str]:
    """Whether the dice on the table are those of this turn."""
    game, agreed = state.game, state.agreed
    if not game.order or state.winner is not None:
        return
    waiting = agreed.confirms and state.dot is not None
    if state.dot is not None and not agreed.confirms:
        yield phrase("a covered dot has won (rule 6)")
    for die in game.lying:
        if die.dot and (die.state or die.zone < 2):
            yield phrase("such a die covers no dot (rules 4a, 6)")
        if die.state == "off" and die.zone:
            yield phrase("a die off the table lies in no zone (rule 3)")
        if die.state != "off" and not die.value:
            yield phrase("a die on the table shows 1 to 6 (rule 3)")
    if state.rolloff is not None:
        if len(game.lying) != waiting:
            yield phrase("dice lie there in a roll-off (rule 7)")
    elif not game.lap:
        yield phrase("nobody has still to roll")
    elif len(game.lying) >= dice_due(agreed, state.kind, game) + waiting:
        yield phrase("too many dice lie there (rule 5)")


def _points(state: EndZoneState) -> Iterator[str]:
    game, agreed, lines = state.game, state.agreed, state.kind.lines
    scoring = margins(agreed, state.kind, game.order) if game.order else ()
    for seat, (name, points, extras) in enumerate(zip(state.players, game.points, game.extras, strict=True)):
        if seat not in scoring and (points or extras != "----"):
            yield phrase("{player} has no points of this game", player=name)
        if points < 0 and not any(agreed.minus):
            yield phrase("{player} has fewer than no points (rule 10)", player=name)
        if extras != "----" and not lines:
            yield phrase("{player} has extra rolls without a card (rule 52)", player=name)
        if "o" in extras and game.lap_no < 18:
            yield phrase("{player} took an extra roll too early (rule 52b)", player=name)
    if lines and game.lap_no > 17 and any("x" not in game.extras[seat] for seat in game.lap):
        yield phrase("an extra roll was not won (rule 52)")
