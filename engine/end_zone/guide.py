"""End Zone put to people: words for its options, and the rules in short."""

from collections.abc import Callable, Mapping

from engine.end_zone.agreed import AMOUNTS, CONTESTS, OPTIONS, SEATS
from engine.game import OptionWords
from engine.wording import phrase, phrase_count, phrase_later, told_number

MODES = {
    "score-card": phrase_later("The official score card"),
    "fast": "Fast Play",
    "threes": "3’s",
    "threes-sets": "3’s Sets",
    "first-of-500": "First of 500",
    "solo": "Solo Play",
    "king": phrase_later("King"),
    "king-of-kings": "King of Kings",
    "tournament": phrase_later("Tournament"),
}
"""The modes' names; those that are printed on the box in English stay so."""


NO = phrase_later("No")
CROWD = {mode: range(2, SEATS.stop) for mode in OPTIONS["mode"]} | {"solo": range(1, 2)}
OPTION_WORDS: Mapping[str, OptionWords] = {
    "mode": OptionWords(name=phrase_later("Mode"), values=MODES, front=True, seats=CROWD),
    "game": OptionWords(
        name=phrase_later("Played in the mode"), values=MODES, front=True, only_with={"mode": CONTESTS}
    ),
    "goal": OptionWords(
        name=phrase_later("Points to reach"),
        hint=str(AMOUNTS["goal"][2]),
        front=True,
        only_with={"mode": ("first-of-500", *CONTESTS)},
    ),
    "sets": OptionWords(
        name=phrase_later("Sets to win"),
        hint=str(AMOUNTS["sets"][2]),
        front=True,
        only_with={"mode": ("threes-sets", *CONTESTS)},
    ),
    "wins": OptionWords(
        name=phrase_later("Wins as King"),
        hint=str(AMOUNTS["wins"][2]),
        front=True,
        only_with={"mode": ("king-of-kings",)},
    ),
    "shuffle": OptionWords(
        name=phrase_later("Shuffle play"),
        values={
            "no": NO,
            "turns": phrase_later("Yes, turn by turn"),
            "dice": phrase_later("Yes, die by die"),
        },
        front=True,
    ),
    "order": OptionWords(
        name=phrase_later("Who goes first"),
        values={"roll": phrase_later("The lowest die"), "seats": phrase_later("As you sit")},
        front=True,
    ),
    "teams": OptionWords(
        name=phrase_later("Teams of two"),
        values={
            "no": NO,
            "own": phrase_later("Yes, points are added"),
            "shared": phrase_later("Yes, on one margin"),
        },
    ),
    "tie": OptionWords(
        name=phrase_later("Roll-off on a tie"),
        values={
            "points": phrase_later("One die each, for points"),
            "number": phrase_later("One die each, its number"),
        },
    ),
    "dot-wins": OptionWords(
        name=phrase_later("A covered dot wins"),
        values={
            "match": phrase_later("What is played for now"),
            "mode": phrase_later("All that is played"),
            "game": phrase_later("The game that is rolled"),
        },
    ),
    "pushed-dot": OptionWords(
        name=phrase_later("A die pushed onto the dot"),
        values={"no": phrase_later("Does not win"), "wins": phrase_later("Wins too")},
    ),
    "minus": OptionWords(
        name=phrase_later("Minus points for a die nobody caught"),
        hint=phrase_later("none; or 10; or 20+5, as you sit"),
    ),
    "minus-for": OptionWords(
        name=phrase_later("Minus points go to"),
        values={"catcher": phrase_later("Who should have caught it"), "roller": phrase_later("Who threw it")},
    ),
    "double": OptionWords(name=phrase_later("Double dice"), hint=phrase_later("none; or die3, zone5")),
    "challenge": OptionWords(
        name=phrase_later("The challenge is against"),
        values={
            "score": phrase_later("The score that began it"),
            "leader": phrase_later("The leader’s points as they stand"),
        },
        only_with={"mode": ("first-of-500", *CONTESTS)},
    ),
    "king-wins": OptionWords(
        name=phrase_later("A win is marked"),
        values={"as-king": phrase_later("When the King wins"), "all": phrase_later("For every game won")},
        only_with={"mode": ("king-of-kings",)},
    ),
    "king-chooses": OptionWords(
        name=phrase_later("The King chooses the mode"),
        values={"no": NO, "yes": phrase_later("Yes")},
        only_with={"mode": ("king", "king-of-kings")},
    ),
}
"""Words for each option."""


def explain(agreed: Mapping[str, str]) -> tuple[str, ...]:
    """The rules in short, as they were agreed."""
    return (
        phrase(
            "A die scores its number times the zone that it lies in: 20, 10, 5 or 2, and 1 before the sheet. "
            "The highest zone that it touches counts."
        ),
        phrase(
            "Throw one die at a time; they score after the last, each where it then lies. "
            "Take them up after your turn."
        ),
        *_of_mode(agreed["mode"], agreed),
        phrase("A die that covers the dot completely wins at once."),
        *_minus(agreed),
    )


def _minus(agreed: Mapping[str, str]) -> list[str]:
    """What a die costs that leaves the table and that nobody catches (rule 10)."""
    amounts = agreed["minus"].split("+")
    if len(amounts) > 1:
        own = phrase_later(
            "A die off the table that nobody catches costs points, each player’s own as you sit: {points}."
        )
        return [phrase(own, points=", ".join(amounts))]
    told = phrase_later(
        "A die off the table that nobody catches costs whoever should have caught it {points}."
    )
    if agreed["minus-for"] == "roller":
        told = phrase_later("A die off the table that nobody catches costs whoever threw it {points}.")
    return [phrase(told, points=_points(amounts[0]))] if amounts[0] not in {"", "0"} else []


def _points(amount: str) -> str:
    return told_number(int(amount), ",")


def _of_mode(mode: str, agreed: Mapping[str, str]) -> tuple[str, ...]:
    """What one mode adds; a contest adds what its matches are played in."""
    three = phrase("Each player throws three dice; the highest total wins.")
    by_mode: Mapping[str, Callable[[], tuple[str, ...]]] = {
        "score-card": _of_card,
        "fast": lambda: (three,),
        "threes": lambda: (
            three,
            phrase(
                "Whoever first wins three such games has won. The loser of a game goes first in the next."
            ),
        ),
        "threes-sets": lambda: (
            three,
            phrase_count(
                "Three games won are a 3’s, five 3’s are a set; one set wins.",
                "Three games won are a 3’s, five 3’s are a set; {count} sets win.",
                int(agreed["sets"]),
            ),
        ),
        "first-of-500": lambda: (phrase("A turn is three dice, and totals add up."), _challenge(agreed)),
        "solo": lambda: (
            phrase("Throw three dice, and beat their total from the other end, again and again."),
        ),
        "king": lambda: (
            phrase(
                "The winner of each game stays as King, the next in line challenges. STOP before a game’s "
                "first die ends it: the King wins."
            ),
        ),
        "king-of-kings": lambda: _king_of_kings(agreed),
        "tournament": lambda: (phrase("Two by two: the winner of each match moves on, until one is left."),),
    }
    if mode not in CONTESTS:
        return by_mode[mode]()
    unit = agreed["game"]
    played = phrase("Played is {mode}.", mode=phrase(MODES[unit]))
    return (*by_mode[mode](), played, *_of_mode(unit, agreed))


def _king_of_kings(agreed: Mapping[str, str]) -> tuple[str, ...]:
    wins = phrase_count(
        "{count} win as King wins it all.", "{count} wins as King win it all.", int(agreed["wins"])
    )
    return (phrase("The winner of each game stays as King, the next in line challenges."), wins)


def _challenge(agreed: Mapping[str, str]) -> str:
    told = phrase_later(
        "Whoever first has {points} is challenged: everybody else has one turn to reach that score. "
        "Who does not is out."
    )
    if agreed["challenge"] == "leader":
        told = phrase_later(
            "Whoever first has {points} is challenged: everybody else has one turn to reach the leader’s "
            "points. "
            "Who does not is out."
        )
    return phrase(told, points=_points(agreed["goal"]))


def _of_card() -> tuple[str, ...]:
    return (
        phrase(
            "Everybody takes the lines of the card downwards: 14 throws of one die, two of two dice, one "
            "of three."
        ),
        phrase("100 or more after line 7: 50 more. 250 or more after line 14: 100 more."),
        phrase(
            "A 2 in the 2 zone, a 5 in the 5 zone, a 1 in the 10 zone and a 2 in the 20 zone each win one "
            "extra "
            "throw. The most points win."
        ),
    )
