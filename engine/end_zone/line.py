"""End Zone's position line: what was agreed, then where the game stands, then every seat.

    end-zone mode=fast ... unit=fast match=1,2 king=- queue=- through=- played=0 landings=5 rolling=2,1
    off=- shown=- lap=1 turn=1 still=2,1 high=- lying=5x20,3x2 choosing=no won=- by=- tally=0,0
    Ann:0:----:0 Bob:65:----:0

Sides and seats count from 1. `off` are the groups of a roll-off, the best first, with / between them, and
`shown` what its rolling group has rolled. `turn` are the margins that have still to roll in this lap. A die
that lies there is VALUExZONE, with `!` behind it when it covers the dot, `foul` or `off`. `tally` has the
wins by side, levels parted by /. A seat is NAME:POINTS:EXTRAS:CROWNS, an extra roll `-` not won, `x` won or
`o` taken.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import get_args

from engine.end_zone.agreed import OPTIONS, UNITS, YOUNGER, agree_on
from engine.end_zone.landing import Lying, State
from engine.end_zone.modes import Game, RollOff, dice_due, levels, margins
from engine.end_zone.state import KINGS, By, Contest, EndZoneState, S
from engine.lines import one_of, pack, print_words, split_line, unpack, whole
from engine.refusal import Refused, Unreadable
from engine.wording import phrase
from engine.words import plain

# Which positions of End Zone cannot be: what a line says must fit together, so that play can go on from it.
#
# Rule numbers are those at the head of `engine.end_zone` and of its modes.


def impossible(state: EndZoneState) -> str:
    """Why no game reaches this position, or nothing."""
    for check in (_contest, _pairing, _tally, _phase, _check_rolloff, _check_game, _table, _points):
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
        yield phrase("a player is missing in the line (rule 71)")


def _tally(state: EndZoneState) -> Iterator[str]:
    agreed, contest = state.agreed, state.contest
    targets = levels(agreed, state.unit)
    sides = len(agreed.sides)
    if len(state.tally) != len(targets) or any(len(wins) != sides for wins in state.tally):
        yield phrase("the wins are not those of this mode (rules 40, 41)")
    for place, (target, wins) in enumerate(zip(targets, state.tally, strict=True)):
        most = target if state.winner is not None and place == len(targets) - 1 else target - 1
        if max(wins) > most or any(wins[side] for side in range(sides) if side not in contest.match):
            yield phrase("a player has too many wins (rules 40, 41)")
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


def _check_rolloff(state: EndZoneState) -> Iterator[str]:
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


def _check_game(state: EndZoneState) -> Iterator[str]:
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
        yield phrase("a player is out who cannot be")


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


KEYS = (
    *OPTIONS,
    "unit",
    "match",
    "king",
    "queue",
    "through",
    "played",
    "landings",
    "rolling",
    "off",
    "shown",
    "lap",
    "turn",
    "still",
    "high",
    "at",
    "late",
    "lying",
    "choosing",
    "won",
    "by",
    "tally",
)
UNSAID = {"challenge": YOUNGER["challenge"], "at": "-", "late": "-"}
"""Keys that the first lines do not have, and what is meant where a line leaves them out."""
Seat = tuple[str, int, str, int]
"""Name, points, extra rolls, marked wins."""
MARKS: dict[State, str] = {"": "", "off": "off", "foul": "foul"}


def printed(state: EndZoneState) -> str:
    """The position line."""
    contest, game, rolloff = state.contest, state.game, state.rolloff
    facts = {
        "unit": state.unit,
        "match": _many(contest.match),
        "king": _print_place(contest.king),
        "queue": _many(contest.queue),
        "through": _many(contest.through),
        "played": state.played,
        "landings": state.landings,
        "rolling": _many(game.order),
        "off": "/".join(map(_many, rolloff.groups)) if rolloff else "-",
        "shown": ",".join(map(str, rolloff.shown)) or "-" if rolloff else "-",
        "lap": game.lap_no,
        "turn": _many(game.lap),
        "still": _many(game.still),
        "high": _print_place(game.high),
        "at": "-" if game.at is None else game.at,
        "late": _many(game.late),
        "lying": ",".join(map(_die, game.lying)) or "-",
        "choosing": "yes" if state.choosing else "no",
        "won": _print_place(state.winner),
        "by": state.by or "-",
        "tally": "/".join(",".join(map(str, wins)) for wins in state.tally),
    }
    crowns = _by_seat(state)
    seats = (
        f"{pack(name)}:{points}:{extras}:{wins}"
        for name, points, extras, wins in zip(state.players, game.points, game.extras, crowns, strict=True)
    )
    return " ".join(("end-zone", *print_words({**dict(state.agreed.chosen), **facts}, UNSAID), *seats))


def _by_seat(state: EndZoneState) -> tuple[int, ...]:
    """The marked wins at the first player of each side."""
    crowns = state.contest.crowns
    return crowns + (0,) * (len(state.players) - len(crowns))


def _many(places: tuple[int, ...]) -> str:
    return ",".join(str(place + 1) for place in places) or "-"


def _print_place(place: int | None) -> str:
    return "-" if place is None else str(place + 1)


def _die(die: Lying) -> str:
    return f"{die.value}x{die.zone}{'!' if die.dot else ''}{MARKS[die.state]}"


def read(line: str, position: type[S]) -> S:
    """The position of a line; raises `Unreadable` for one that cannot be."""
    values, words = split_line(line, "end-zone", KEYS, UNSAID)
    seats = [_seat(word) for word in words]
    try:
        agreed = agree_on(tuple(name for name, _, _, _ in seats), {key: values[key] for key in OPTIONS})
    except Refused as refused:
        raise Unreadable(str(refused)) from None
    crowns = tuple(wins for _, _, _, wins in seats)
    state = position(
        agreed=agreed,
        unit=one_of(values["unit"], "unit", (*UNITS, "solo")),
        contest=Contest(
            match=_places(values["match"], "match"),
            queue=_places(values["queue"], "queue"),
            through=_places(values["through"], "through"),
            king=_read_place(values["king"], "king"),
            crowns=crowns[: len(agreed.sides)],
        ),
        tally=tuple(_numbers(level, "tally") for level in values["tally"].split("/")),
        game=_game(values, seats),
        rolloff=_rolloff(values),
        played=whole(values["played"], "played"),
        landings=whole(values["landings"], "landings"),
        choosing=one_of(values["choosing"], "choosing", ("no", "yes")) == "yes",
        winner=_read_place(values["won"], "won"),
        by=_by(values["by"]),
    )
    if reason := impossible(state):
        raise Unreadable(phrase("No game of End Zone comes to this position: {reason}.", reason=reason))
    if printed(state) != line:
        raise Unreadable(phrase("The position line is not written as Callbox writes it."))
    return state


def _game(values: Mapping[str, str], seats: Sequence[Seat]) -> Game:
    """The running game."""
    return Game(
        order=_places(values["rolling"], "rolling"),
        points=tuple(points for _, points, _, _ in seats),
        extras=tuple(extras for _, _, extras, _ in seats),
        lap_no=whole(values["lap"], "lap"),
        lap=_places(values["turn"], "turn"),
        still=_places(values["still"], "still"),
        high=_read_place(values["high"], "high"),
        at=None if values["at"] == "-" else whole(values["at"], "at"),
        late=_places(values["late"], "late"),
        lying=() if values["lying"] == "-" else tuple(map(_lying, values["lying"].split(","))),
    )


def _rolloff(values: Mapping[str, str]) -> RollOff | None:
    """The roll-off, when one is on."""
    if values["off"] == "-":
        return None
    groups = tuple(_places(group, "off") for group in values["off"].split("/"))
    return RollOff(groups, () if values["shown"] == "-" else _numbers(values["shown"], "shown"))


def _by(text: str) -> By:
    for by in get_args(By):
        if text == (by or "-"):
            found: By = by
            return found
    raise Unreadable(
        phrase(
            "by is {words}; got {word}.",
            words=", ".join(by or "-" for by in get_args(By)),
            word=plain(text),
        )
    )


def _places(text: str, field: str) -> tuple[int, ...]:
    """Sides or seats, counted from 1 in the line and from 0 here."""
    return () if text == "-" else tuple(whole(word, field) - 1 for word in text.split(","))


def _read_place(text: str, field: str) -> int | None:
    return None if text == "-" else whole(text, field) - 1


def _numbers(text: str, field: str) -> tuple[int, ...]:
    return tuple(whole(word, field) for word in text.split(","))


def _lying(word: str) -> Lying:
    if not (found := re.fullmatch(r"([0-6])x(20|10|5|2|1|0)(!?)(|off|foul)", word)):
        raise Unreadable(phrase("lying: {word} is no die such as 5x20.", word=plain(word)))
    states: tuple[State, ...] = get_args(State)
    state = next(state for state in states if MARKS[state] == found[4])
    return Lying(int(found[1]), int(found[2]), state, bool(found[3]))


def _seat(word: str) -> Seat:
    """Name, points, extra rolls and marked wins of NAME:POINTS:EXTRAS:CROWNS."""
    name, points, extras, crowns = (*word.split(":"), "", "", "")[:4]
    who = unpack(name, "seat")
    if not re.fullmatch(r"[-xo]{4}", extras):
        raise Unreadable(
            phrase(
                "{player}'s extra rolls are four of -, x and o; got {marks}.", player=who, marks=plain(extras)
            )
        )
    minus = points.startswith("-")
    score = whole(points.removeprefix("-"), phrase("{player}'s points", player=who))
    return (
        who,
        -score if minus else score,
        extras,
        whole(crowns, phrase("{player}'s wins as King", player=who)),
    )
