"""Zoinx position lines: what they say, what they hide, and the positions that cannot be."""

import pytest

from engine.refusal import Unreadable
from engine.rulebooks import rulebook
from tests.engine.say import Table

HEAD = "zoinx edition=gamewright ties=shared last=opponents first=Ann"

GOAL_20 = HEAD.replace("last=opponents", "last=opponents goal=20")


def test_the_line_says_everything() -> None:
    table = Table("zoinx", "Ann Bob", edition="game-factory")
    table.say("Ann bets 4, Bob bets 2, rolls 4, rolls 1, stops, Ann bets 0")
    rest = "turn=1 final=- dots=0 Ann:9@1:{} Bob:2@1:-"
    head = "zoinx edition=game-factory ties=first last=opponents first=Ann"
    assert table.line == f"{head} {rest.format('0')}"
    assert table.view.line == f"{head} {rest.format('?')}"


def test_once_the_bets_are_shown_the_public_line_is_the_whole_line() -> None:
    table = Table("zoinx", "Ann Bob")
    table.say("Ann bets 4, Bob bets 2")
    assert table.view.line == table.line


def test_names_with_any_characters_survive() -> None:
    book = rulebook("zoinx")
    names = ("Ann: 3@4", "Jürgen=%20", "日本")
    position = book.start(names, {})
    assert "Ann%3A%203%404:0@0:-" in position.line()
    assert book.parse(position.line()).players == names


GOOD = [
    f"{HEAD} turn=0 final=- dots=0 Ann:0@0:- Bob:0@0:-",
    f"{HEAD} turn=0 final=- dots=7 Ann:0@0:4 Bob:0@0:0",
    f"{HEAD} turn=1 final=1 dots=0 Ann:40@1:- Bob:5@1:-",
    f"{HEAD} turn=2 final=1 dots=0 Ann:40@1:- Bob:40@2:-",
    f"{HEAD} turn=3 final=- dots=0 Ann:30@3:- Bob:30@3:-",
    f"{GOAL_20} turn=1 final=1 dots=0 Ann:20@1:- Bob:0@0:-",
    f"{GOAL_20.replace('20', '100')} turn=3 final=- dots=0 Ann:60@3:- Bob:0@0:-",
]


@pytest.mark.parametrize("line", GOOD)
def test_positions_that_can_be(line: str) -> None:
    assert rulebook("zoinx").parse(line).line() == line


BAD = {
    f"{GOAL_20} turn=1 final=1 dots=0 Ann:18@1:- Bob:0@0:-": "cannot have begun the final round (rule 8)",
    f"{GOAL_20} turn=1 final=- dots=0 Ann:20@1:- Bob:0@0:-": "leads with 20 or more: the final round runs",
    f"{HEAD.replace('last=opponents', 'last=opponents goal=30')} turn=0 final=- dots=0 Ann:0@0:- Bob:0@0:-": (
        "not written as Callbox writes"
    ),
    "": "begins with zoinx",
    "tray pass=roll": "begins with zoinx",
    "zoinx": "lacks edition=",
    f"{HEAD} turn=0 dots=0 final=- Ann:0@0:- Bob:0@0:-": "lacks final=",
    f"{HEAD} turn=0 final=- dots=0": "no players came",
    f"{HEAD} turn=0 final=- dots=0 Ann:0@0:-": "one player came",
    f"{HEAD} turn=0 final=- dots=0 Ann:0@0:- ann:0@0:-": "Two players",
    f"{HEAD} turn=0 final=- dots=0 Ann:0@0:- Bob:0@0": "Bob's bet",
    f"{HEAD} turn=0 final=- dots=0 Ann:0@0:- Bob": "Bob's score",
    f"{HEAD} turn=0 final=- dots=0 Ann:0@0:- :0@0:-": "is no name",
    f"{HEAD} turn=0 final=- dots=0 Ann:0@0:- B%FFb:0@0:-": "is no name",
    f"{HEAD} turn=0 final=- dots=0 Ann:0@0:- %42ob:0@0:-": "is no name",
    f"{HEAD} turn=0 final=- dots=0 Ann:0@0:- B%0Ab:0@0:-": "cannot be shown",
    f"{HEAD} turn=0 final=- dots=0 Ann:0@0:- %20Bob:0@0:-": "not written as",
    f"{HEAD} turn=0 final=- dots=0 Ann:0@0:- Bob:0@0:- ": "seat",
    f"{HEAD} turn=0 final=- dots=0 Ann:0@0:? Bob:0@0:-": "hidden",
    f"{HEAD} turn=0 final=- dots=0 Bob:0@0:- Cat:0@0:-": "first: Ann is none",
    f"{HEAD} turn=00 final=- dots=0 Ann:0@0:- Bob:0@0:-": "turn: 00",
    f"{HEAD} turn=-1 final=- dots=0 Ann:0@0:- Bob:0@0:-": "turn: -1",
    f"{HEAD} turn=١ final=- dots=0 Ann:0@0:- Bob:0@0:-": "no whole number",
    f"{HEAD} turn=9999999999 final=- dots=0 Ann:0@0:- Bob:0@0:-": "no whole number",
    f"{HEAD.replace('shared', 'fair')} turn=0 final=- dots=0 Ann:0@0:- Bob:0@0:-": "ties is shared, first",
    f"{HEAD} turn=0 final=- dots=0 Ann:0@0:4 Bob:0@0:3": "Bob bet 3 (rule 3)",
    f"{HEAD} turn=0 final=- dots=0 Ann:0@0:0 Bob:0@0:-": "Ann rolls and bet 0 (rule 3a)",
    f"{HEAD} turn=0 final=- dots=4 Ann:0@0:4 Bob:0@0:-": "dots outside a turn (rule 3)",
    f"{HEAD} turn=0 final=- dots=0 Ann:4@1:- Bob:0@0:-": "Ann scored in turn 1, and 0 have ended",
    f"{HEAD} turn=1 final=- dots=0 Ann:4@0:- Bob:0@0:-": "Ann has 4 points since turn 0",
    f"{HEAD} turn=1 final=- dots=0 Ann:0@1:- Bob:0@0:-": "Ann has 0 points since turn 1",
    f"{HEAD} turn=1 final=- dots=0 Ann:3@1:- Bob:0@0:-": "Ann cannot have 3 points",
    f"{HEAD} turn=1 final=- dots=0 Ann:0@0:- Bob:7@1:-": "Bob cannot have 7 points after turn 1",
    f"{HEAD} turn=1 final=- dots=0 Ann:30@1:- Bob:0@0:-": "the final round runs (rule 8)",
    f"{HEAD} turn=1 final=1 dots=0 Ann:29@1:- Bob:0@0:-": "Ann cannot have begun the final round",
    f"{HEAD} turn=2 final=2 dots=0 Ann:30@1:- Bob:30@2:-": "Bob cannot have begun the final round",
    f"{HEAD} turn=0 final=1 dots=0 Ann:0@0:- Bob:0@0:-": "the final round began after turn 1",
    f"{HEAD} turn=3 final=1 dots=0 Ann:30@1:- Bob:0@0:-": "the final round began after turn 1, and 3",
    f"{HEAD} turn=0 final=0 dots=0 Ann:0@0:- Bob:0@0:-": "the final round began after turn 0",
    f"{HEAD} turn=2 final=1 dots=0 Ann:30@1:2 Bob:0@0:2": "bet after the end (rule 11)",
    "zoinx " + "x" * 20_000: "too long",
}


@pytest.mark.parametrize("line", BAD)
def test_positions_that_cannot_be(line: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        rulebook("zoinx").parse(line)
    assert BAD[line] in str(refusal.value)
