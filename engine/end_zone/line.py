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
from collections.abc import Mapping, Sequence
from typing import get_args

from engine.end_zone.agreed import OPTIONS, UNITS, YOUNGER, agree_on
from engine.end_zone.game import Game
from engine.end_zone.landing import Lying, State
from engine.end_zone.possible import impossible
from engine.end_zone.rolloff import RollOff
from engine.end_zone.state import By, Contest, EndZoneState, S
from engine.lines import one_of, pack, said, split_line, unpack, whole
from engine.refusal import Refused, Unreadable
from engine.wording import phrase
from engine.words import plain

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
        "king": _one(contest.king),
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
        "high": _one(game.high),
        "at": "-" if game.at is None else game.at,
        "late": _many(game.late),
        "lying": ",".join(map(_die, game.lying)) or "-",
        "choosing": "yes" if state.choosing else "no",
        "won": _one(state.winner),
        "by": state.by or "-",
        "tally": "/".join(",".join(map(str, wins)) for wins in state.tally),
    }
    crowns = _by_seat(state)
    seats = (
        f"{pack(name)}:{points}:{extras}:{wins}"
        for name, points, extras, wins in zip(state.players, game.points, game.extras, crowns, strict=True)
    )
    return " ".join(("end-zone", *said({**dict(state.agreed.chosen), **facts}, UNSAID), *seats))


def _by_seat(state: EndZoneState) -> tuple[int, ...]:
    """The marked wins at the first player of each side."""
    crowns = state.contest.crowns
    return crowns + (0,) * (len(state.players) - len(crowns))


def _many(places: tuple[int, ...]) -> str:
    return ",".join(str(place + 1) for place in places) or "-"


def _one(place: int | None) -> str:
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
            king=_place(values["king"], "king"),
            crowns=crowns[: len(agreed.sides)],
        ),
        tally=tuple(_numbers(level, "tally") for level in values["tally"].split("/")),
        game=_game(values, seats),
        rolloff=_rolloff(values),
        played=whole(values["played"], "played"),
        landings=whole(values["landings"], "landings"),
        choosing=one_of(values["choosing"], "choosing", ("no", "yes")) == "yes",
        winner=_place(values["won"], "won"),
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
        high=_place(values["high"], "high"),
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


def _place(text: str, field: str) -> int | None:
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
