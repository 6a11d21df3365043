"""What the players agreed before the game: the mode, add-ons and options, checked together.

Rule numbers are those at the head of `engine.end_zone`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from engine.refusal import AgainstTheRules, Unreadable
from engine.seating import agree_on_options, seat_players
from engine.wording import phrase
from engine.words import number, plain, together

TITLE = "End Zone"
SEATS = range(1, 17)
UNITS = ("fast", "threes", "threes-sets", "first-of-500", "score-card")
"""The modes that King, King of Kings and a tournament can be played in."""
CONTESTS = ("king", "king-of-kings", "tournament")
"""The modes that are contests of several matches, each of which is played in one of `UNITS`."""
OPTIONS: Mapping[str, tuple[str, ...]] = {
    "mode": (
        "score-card",
        "fast",
        "threes",
        "threes-sets",
        "first-of-500",
        "solo",
        "king",
        "king-of-kings",
        "tournament",
    ),
    "game": UNITS,
    "teams": ("no", "own", "shared"),
    "shuffle": ("no", "turns", "dice"),
    "order": ("roll", "seats"),
    "tie": ("points", "number"),
    "dot": ("at-once", "confirmed"),
    "dot-wins": ("match", "mode", "game"),
    "pushed-dot": ("no", "wins"),
    "minus": (),
    "minus-for": ("catcher", "roller"),
    "double": (),
    "goal": (),
    "challenge": ("score", "leader"),
    "sets": (),
    "wins": (),
    "king-wins": ("as-king", "all"),
    "king-chooses": ("no", "yes"),
}
YOUNGER = {"dot-wins": "mode", "challenge": "leader"}
"""Options that the first written games do not name, and what counted then."""
MINUS = "minus"
"""The option that may have a number for each player (rule 10c)."""
AMOUNTS = {MINUS: (0, 1000, 0), "goal": (1, 1_000_000, 500), "sets": (1, 100, 1), "wins": (1, 1000, 5)}
"""Options that are numbers: the least, the most, and what counts unless told."""
DOUBLES = re.compile(r"die[1-3]|zone(?:20|10|5|2|1)|line(?:[1-9]|1[0-9]|2[01])")


@dataclass(frozen=True, slots=True, kw_only=True)
class EndZoneAgreement:
    """The players and everything that was agreed; it stays through the game."""

    players: tuple[str, ...]
    chosen: tuple[tuple[str, str], ...]
    """Every option and its value, as the position line has them."""
    sides: tuple[tuple[int, ...], ...]
    """Who plays together: the seats of each side, one each without teams."""
    mode: str
    unit: str
    """The mode that each match is played in: for King and tournaments the option `game`."""
    teams: str
    shuffle: str
    rolls_for_order: bool
    tie_points: bool
    confirms: bool
    dot_wins: str
    pushed_wins: bool
    minus: tuple[int, ...]
    """What a die that nobody caught costs each player, by seat (rules 10, 10c)."""
    roller_pays: bool
    double: frozenset[str]
    goal: int
    keeps_score: bool
    """First of 500: the challenge is against the score that began it, and the rolls go round (rule 61b)."""
    sets: int
    wins: int
    every_win: bool
    """King of Kings: any win of a match is marked, not only the King's."""
    king_chooses: bool

    def side_of(self, seat: int) -> int:
        """The side that the player of that seat is on."""
        return seat % len(self.sides)

    def name(self, side: int) -> str:
        """ "Ann", or "Ann and Cat" for a team."""
        return together([self.players[seat] for seat in self.sides[side]])

    def crowd(self, side: int) -> int:
        """How many are on a side: Ann wins, Ann and Cat win."""
        return len(self.sides[side])


def agree_on(players: tuple[str, ...], options: Mapping[str, str]) -> EndZoneAgreement:
    """The players and their options; raises `Refused` for what cannot be agreed."""
    chosen = agree_on_options(OPTIONS, options, TITLE)
    names = seat_players(players, SEATS, TITLE, "1")
    mode = chosen["mode"]
    _enough(names, mode, chosen["teams"])
    amounts = {key: _amount(key, chosen[key]) for key in AMOUNTS if key != MINUS}
    minus, double = _minus(chosen[MINUS], len(names)), _doubles(chosen["double"])
    chosen |= {key: str(amount) for key, amount in amounts.items()} | {"double": "+".join(double) or "no"}
    chosen[MINUS] = "+".join(map(str, minus if len(set(minus)) > 1 else minus[:1]))
    unit = chosen["game"] if mode in CONTESTS else mode
    if chosen["teams"] == "shared" and unit != "score-card":
        raise AgainstTheRules(
            phrase("Partners share a margin on the score card alone: choose teams=own."), "13a"
        )
    many = len(names) // 2 if chosen["teams"] != "no" else len(names)
    return EndZoneAgreement(
        players=names,
        chosen=tuple((key, chosen[key]) for key in OPTIONS),
        sides=tuple(tuple(range(side, len(names), many)) for side in range(many)),
        mode=mode,
        unit=unit,
        teams=chosen["teams"],
        shuffle=chosen["shuffle"],
        rolls_for_order=chosen["order"] == "roll",
        tie_points=chosen["tie"] == "points",
        confirms=chosen["dot"] == "confirmed",
        dot_wins=chosen["dot-wins"],
        pushed_wins=chosen["pushed-dot"] == "wins",
        minus=minus,
        roller_pays=chosen["minus-for"] == "roller",
        double=frozenset(double),
        goal=amounts["goal"],
        keeps_score=chosen["challenge"] == "score",
        sets=amounts["sets"],
        wins=amounts["wins"],
        every_win=chosen["king-wins"] == "all",
        king_chooses=chosen["king-chooses"] == "yes",
    )


def _enough(names: tuple[str, ...], mode: str, teams: str) -> None:
    """Whether so many can play this mode."""
    count = len(names)
    if mode == "solo" and (count > 1 or teams != "no"):
        raise AgainstTheRules(
            phrase("Solo play is for one player; {number} came. Choose another mode.", number=number(count)),
            "1",
        )
    if mode != "solo" and count < 2:
        raise AgainstTheRules(
            phrase("End Zone is for two or more; who plays alone chooses the mode solo."), "1"
        )
    if teams != "no" and (count < 4 or count % 2):
        raise AgainstTheRules(
            phrase(
                "Teams of two need four players or more, an even number; {number} came.", number=number(count)
            ),
            "13c",
        )


def _amount(key: str, text: str) -> int:
    """The number of an option, or what counts unless told."""
    least, most, unless = AMOUNTS[key]
    if not text:
        return unless
    if not re.fullmatch(r"[0-9]{1,7}", text) or not least <= int(text) <= most:
        raise Unreadable(
            phrase(
                "The option {option} is a whole number from {least} to {most}; got {value}.",
                option=key,
                least=least,
                most=most,
                value=plain(text),
            )
        )
    return int(text)


def _minus(text: str, players: int) -> tuple[int, ...]:
    """The minus points of each player, by seat: one number for all, or one for each (rules 10, 10c)."""
    numbers = tuple(_amount(MINUS, word) for word in text.split("+"))
    if len(numbers) not in {1, players}:
        raise AgainstTheRules(
            phrase(
                "The option minus has one number for all or one for each player, in seating order; {players} "
                "play, and here are {numbers}.",
                players=number(players),
                numbers=number(len(numbers)),
            ),
            "10c",
        )
    return numbers if len(numbers) == players else numbers * players


def _doubles(text: str) -> tuple[str, ...]:
    """The chosen dice and sections of rule 11, in order, each once."""
    if text in {"", "no"}:
        return ()
    words = text.split("+")
    for word in words:
        if not DOUBLES.fullmatch(word):
            raise Unreadable(
                phrase(
                    "The option double is such as die3, zone5 or line7, with + between several; got {value}.",
                    value=plain(text),
                )
            )
    return tuple(sorted(set(words)))
