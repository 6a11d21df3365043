"""Ten Thousand's position lines: what they say, and the positions that cannot be."""

import pytest

from engine.refusal import Unreadable
from engine.rulebooks import rulebook
from tests.engine.say import Table

HEAD = (
    "ten-thousand edition=classic target=10000 opening=750 minimum=0 kinds=double three-ones=1000 "
    "straight=1500 low-straight=0 high-straight=0 three-pairs=1500 four-and-pair=1500 two-threes=0 "
    "ties=first last=others below=roll same-roll=more"
)


def test_the_line_says_everything() -> None:
    table = Table("ten-thousand", "Ann Bob", minimum="100", kinds="add", last="none")
    head = (
        HEAD.replace("minimum=0", "minimum=100").replace("double", "add").replace("last=others", "last=none")
    )
    assert table.line == f"{head} off=?,? first=- turn=0 final=- kept=0 left=6 roll=- Ann:0@0 Bob:0@0"
    table.say("throws 4, throws 6, throws 6 6 6 6 2 3")
    assert (
        table.line == f"{head} off=- first=Bob turn=0 final=- kept=0 left=6 roll=6,6,6,6,2,3 Ann:0@0 Bob:0@0"
    )
    table.say("keeps 6 6 6 6, throws 1 3, banks, throws 1 2 2 3 3 4, keeps 1")
    tail = "kept=100 left=5 roll=2,2,3,3,4 aside=1 Ann:0@0 Bob:1300@1"
    assert table.line == f"{head} off=- first=Bob turn=1 final=- {tail}"
    assert table.view.line == table.line


def test_names_with_any_characters_survive() -> None:
    names = ("Ann: 3@4", "Jürgen=%20", "日本")
    position = rulebook("ten-thousand").start(names, {"first": "named"})
    assert "first=Ann%3A%203%404" in position.line()
    assert rulebook("ten-thousand").parse(position.line()).players == names


GOOD = [
    "off=?,? first=- turn=0 final=- kept=0 left=6 roll=- Ann:0@0 Bob:0@0",
    "off=6,? first=- turn=0 final=- kept=0 left=6 roll=- Ann:0@0 Bob:0@0",
    "off=-,6,? first=- turn=0 final=- kept=0 left=6 roll=- Ann:0@0 Bob:0@0 Cat:0@0",
    "off=- first=Ann turn=0 final=- kept=300 left=6 roll=- Ann:0@0 Bob:0@0",
    "off=- first=Bob turn=1 final=- kept=50 left=5 roll=1,2,3,4,6 Ann:0@0 Bob:750@1",
    "off=- first=Ann turn=1 final=1 kept=0 left=6 roll=- Ann:10000@1 Bob:0@0",
    "off=- first=Ann turn=2 final=1 kept=0 left=6 roll=- Ann:10000@1 Bob:10000@2",
]


@pytest.mark.parametrize("rest", GOOD)
def test_positions_that_can_be(rest: str) -> None:
    assert rulebook("ten-thousand").parse(f"{HEAD} {rest}").line() == f"{HEAD} {rest}"


BAD = {
    "off=?,? first=- turn=0 final=- kept=0 left=6 roll=-": "no players came",
    "off=? first=- turn=0 final=- kept=0 left=6 roll=- Ann:0@0 Bob:0@0": "not one entry for each player",
    "off=4,4 first=- turn=0 final=- kept=0 left=6 roll=- Ann:0@0 Bob:0@0": "until one is left (rules 2, 2a)",
    "off=-,? first=- turn=0 final=- kept=0 left=6 roll=- Ann:0@0 Bob:0@0": "until one is left (rules 2, 2a)",
    "off=?,4 first=- turn=0 final=- kept=0 left=6 roll=- Ann:0@0 Bob:0@0": "goes on in seating order",
    "off=?,7 first=- turn=0 final=- kept=0 left=6 roll=- Ann:0@0 Bob:0@0": "off: a pip die shows 1 to 6",
    "off=?,x first=- turn=0 final=- kept=0 left=6 roll=- Ann:0@0 Bob:0@0": "off: x is no whole number",
    "off=?,? first=- turn=1 final=- kept=0 left=6 roll=- Ann:0@0 Bob:0@0": "before the roll-off is over",
    "off=?,? first=- turn=0 final=- kept=0 left=6 roll=- Ann:750@1 Bob:0@0": "before the roll-off is over",
    "off=?,? first=Ann turn=0 final=- kept=0 left=6 roll=- Ann:0@0 Bob:0@0": "not written as Callbox writes",
    "off=- first=- turn=0 final=- kept=0 left=6 roll=- Ann:0@0 Bob:0@0": "first: - is none of the players",
    "off=- first=Ann turn=0 final=- kept=0 left=5 roll=- Ann:0@0 Bob:0@0": "set aside are more than 0 points",
    "off=- first=Ann turn=0 final=- kept=50 left=6 roll=- Ann:0@0 Bob:0@0": "are more than 50 points",
    "off=- first=Ann turn=0 final=- kept=75 left=5 roll=- Ann:0@0 Bob:0@0": "75 points and 5 dice left",
    "off=- first=Ann turn=0 final=- kept=100 left=7 roll=- Ann:0@0 Bob:0@0": "100 points and 7 dice left",
    "off=- first=Ann turn=0 final=- kept=0 left=6 roll=1,1 Ann:0@0 Bob:0@0": "not the dice left",
    "off=- first=Ann turn=0 final=- kept=0 left=6 roll=2,2,3,3,4,6 Ann:0@0 Bob:0@0": "score nothing",
    "off=- first=Ann turn=0 final=- kept=0 left=6 roll=0,1,1,1,1,1 Ann:0@0 Bob:0@0": "roll: a pip die shows",
    "off=- first=Ann turn=1 final=- kept=0 left=6 roll=- Ann:700@1 Bob:0@0": "Ann cannot have 700 points",
    "off=- first=Ann turn=1 final=- kept=0 left=6 roll=- Ann:775@1 Bob:0@0": "Ann cannot have 775 points",
    "off=- first=Ann turn=1 final=- kept=0 left=6 roll=- Ann:0@0 Bob:750@1": "turn 1 was not Bob's",
    "off=- first=Ann turn=1 final=- kept=0 left=6 roll=- Ann:750@3 Bob:0@0": "scored in turn 3, and 1 have",
    "off=- first=Ann turn=1 final=- kept=0 left=6 roll=- Ann:750@0 Bob:0@0": "has 750 points since turn 0",
    "off=- first=Ann turn=1 final=- kept=0 left=6 roll=- Ann:10000@1 Bob:0@0": "the last round runs (rule 9)",
    "off=- first=Ann turn=1 final=1 kept=0 left=6 roll=- Ann:9950@1 Bob:0@0": "Ann cannot have begun",
    "off=- first=Ann turn=2 final=2 kept=0 left=6 roll=- Ann:10000@1 Bob:10000@2": "Bob cannot have begun",
    "off=- first=Ann turn=3 final=1 kept=0 left=6 roll=- Ann:10000@1 Bob:0@0": "began after turn 1, and 3",
    "off=- first=Ann turn=0 final=- kept=50 left=5 roll=2,2,3,3,4 aside=1 Ann:0@0 Bob:0@0": "do not fit",
    "off=- first=Ann turn=0 final=- kept=100 left=5 roll=- aside=1 Ann:0@0 Bob:0@0": "do not fit",
    "off=- first=Ann turn=2 final=1 kept=50 left=5 roll=- Ann:10000@1 Bob:0@0": "after the end (rule 11)",
    "off=- first=Ann turn=0 final=- kept=0 left=6 roll=- Ann:0@0 Bob:0@0 ": "is no name",
}


@pytest.mark.parametrize("rest", BAD)
def test_positions_that_cannot_be(rest: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        rulebook("ten-thousand").parse(f"{HEAD} {rest}")
    assert BAD[rest] in str(refusal.value)


@pytest.mark.parametrize(
    ("word", "other", "reason"),
    [
        ("target=10000", "target=10010", "target is a multiple of 50"),
        ("kinds=double", "kinds=edition", "kinds is double, printed, add, fixed"),
        ("edition=classic", "edition=zilch", "edition is classic, farkle, tavern, plain"),
        ("two-threes=0", "two-threes=-50", "two-threes: -50 is no whole number"),
        ("below=roll", "above=roll", "lacks below= as word 16"),
    ],
)
def test_what_was_agreed_is_read_as_strictly(word: str, other: str, reason: str) -> None:
    line = f"{HEAD} {GOOD[0]}"
    with pytest.raises(Unreadable) as refusal:
        rulebook("ten-thousand").parse(line.replace(word, other))
    assert reason in str(refusal.value)
