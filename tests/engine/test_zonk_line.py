"""ZONK position lines: what they say, and the positions that cannot be."""

import pytest

from engine.refusal import Unreadable
from engine.rulebooks import rulebook
from tests.engine.say import Table

HEAD = "zonk quota=round winner=most pairs=any swap=d6 zonk=waits copies=2 deck={} seed="
NONE, HAND = HEAD.format("none"), HEAD.format("hand")
CALM = "due=0 scored=no fate=- lone=no rifts=0 pockets=- cast=-"
NEW = "0:0+0+0:0:-:-:-"


def test_the_line_says_everything() -> None:
    table = Table(
        "zonk",
        "Ann Jo%",
        quota="run",
        winner="all",
        pairs="different",
        swap="all",
        zonk="at-once",
        copies="3",
    )
    head = (
        "zonk quota=run winner=all pairs=different same-cast=together swap=all zonk=at-once copies=3 "
        "deck=hand seed="
    )
    assert table.line == f"{head} turn=Ann {CALM} Ann:{NEW} Jo%25:{NEW}"
    table.say("casts 1 1 1 2 3 4, caches, draws Potion of Shrinking")
    assert table.line == (
        f"{head} turn=Ann due=1 scored=no fate=- lone=no rifts=0 pockets=- cast=- "
        f"Ann:1:1000+0+0:0:potion:-:- Jo%25:{NEW}"
    )
    table.say("draws Dictate Fate, casts 2 3 4 6 2 3, draws Chaos Swap, draws Magic Aura")
    table.say("casts 1 1 1 4 4 4^, pockets 1 1 1, casts 4 2 1^, plays Dictate Fate on 1^")
    assert table.line == (
        f"{head} turn=Ann due=0 scored=no fate=d4 lone=no rifts=0 pockets=1,1,1/. cast=2,4 "
        "Ann:1:1000+0+0:0:potion:-:fate Jo%25:1:0+0+0:0:aura:swap:-"
    )
    assert table.view.line == table.line


def test_doubled_pockets_extra_dice_and_seeds() -> None:
    table = Table("zonk", "Ann", deck="box", seed="a b=ü")
    assert "deck=box seed=a%20b%3Dü turn=Ann" in table.line
    assert rulebook("zonk").parse(table.line) == table.history.position
    assert table.view.line == table.line.replace("a%20b%3Dü", "?")
    with pytest.raises(Unreadable, match="The seed is hidden"):
        rulebook("zonk").parse(table.view.line)


GOOD = [
    f"{NONE} turn=Ann {CALM} Ann:{NEW}",
    f"{NONE} turn=Bob {CALM} Ann:1:0+0+0:0:-:-:- Bob:{NEW}",
    f"{NONE} turn=Ann {CALM} Ann:3:0+0+0:0:-:-:-",
    f"{NONE} turn=Cat {CALM} Ann:4:1000+0+0:0:-:-:- Bob:3:0+0+0:0:-:-:- Cat:3:1000+0+0:0:-:-:-",
    f"{NONE} turn=Bob {CALM} Ann:9:1000+2000+3000:0:-:-:- Bob:9:1000+2000+0:0:-:-:-",
    f"{HAND} turn=Ann due=2 scored=no fate=- lone=no rifts=0 pockets=- cast=- Ann:1:0+0+0:0:-:-:- Bob:{NEW}",
    f"{HAND} turn=Ann due=0 scored=yes fate=- lone=no rifts=1 pockets=1,1,1x4/5 cast=2,3^ "
    "Ann:3:1000+0+0:0:aura,potion:fate:rift,money,money",
    f"{HAND} turn=Ann due=0 scored=no fate=- lone=yes rifts=0 pockets=1,1,1/5,5/. cast=2 "
    "Ann:1:0+0+0:0:chance:tonic:-",
    f"{HAND} turn=Ann due=0 scored=no fate=- lone=no rifts=0 pockets=. cast=2,2,3,3,4,6 "
    "Ann:1:0+0+0:0:stare:swap:-",
    f"{HAND} turn=Ann due=0 scored=no fate=- lone=no rifts=0 pockets=1,2,3,4,5,6/. cast=1,2,2,3,3,4,6 "
    "Ann:1:0+0+0:1:hot:-:money",
]


@pytest.mark.parametrize("line", GOOD)
def test_positions_that_can_be(line: str) -> None:
    assert rulebook("zonk").parse(line).line() == line


def turn(text: str, seat: str = NEW, head: str = NONE) -> str:
    """Ann's line: the words after `turn` as they differ from a quiet table, and her seat."""
    words: dict[str, str] = {}
    for word in (*CALM.split(), *text.split()):
        key, value = word.split("=")
        words[key] = value
    return f"{head} turn=Ann {' '.join(f'{key}={value}' for key, value in words.items())} Ann:{seat}"


SIX = "cast=1,2,2,3,3,4"
ITEM = "1:0+0+0:0:-:{}:-"
BAD = {
    "": "begins with zonk",
    "tray turn=throw": "begins with zonk",
    "zonk": "lacks quota=",
    f"{NONE} turn=Ann {CALM}": "no players came",
    f"{NONE} turn=Bob {CALM} Ann:{NEW}": "turn: Bob is none of the players",
    f"{NONE} turn=Ann {CALM} Ann:{NEW} ann:{NEW}": "Two players",
    f"{NONE} turn=Ann {CALM} Ann:{NEW} ": "seat",
    f"{NONE} turn=Ann {CALM} Ann:0": "Ann's seat is NAME:TURNS",
    f"{NONE} turn=Ann {CALM} Ann:{NEW}:-": "Ann's seat is NAME:TURNS",
    f"{NONE} turn=Ann {CALM} Ann:0:0+0:0:-:-:-": "Ann's points are those of 3 rounds; got 0+0",
    f"{NONE} turn=Ann {CALM} Ann:x:0+0+0:0:-:-:-": "Ann's turns: x is no whole number",
    f"{NONE} turn=Ann {CALM} Ann:0:0+0+0:0:ace:-:-": "Ann's cards: ace is none",
    f"{NONE} turn=Ann {CALM} B%0Ab:{NEW}": "cannot be shown",
    f"{NONE.replace('round', 'turn')} turn=Ann {CALM} Ann:{NEW}": "quota is round, run; got turn",
    f"{NONE.replace('copies=2', 'copies=9')} turn=Ann {CALM} Ann:{NEW}": "copies is 2, 1, 3, 4; got 9",
    f"{NONE}lucky turn=Ann {CALM} Ann:{NEW}": "Only the box's own deck has a seed",
    turn("scored=maybe"): "scored is no, yes; got maybe",
    turn("fate=zoinx"): "fate is -, pip, d4; got zoinx",
    turn("pockets=. cast=1,2,2,3,3,7"): "a pip die shows 1, 2, 3, 4, 5, 6; got 7",
    turn("pockets=. cast=1,2,2,3,3,5^"): "a d4 die shows 1, 2, 3, 4; got 5",
    turn("pockets=. cast=1,,2"): "cast: nothing is no whole number",
    turn("pockets=7 cast=1,2,2,3,3"): "pockets: 7 is no pocket",
    turn("pockets=1x0 cast=2,2,3,3,4"): "pockets: 1x0 is no pocket",
    turn("pockets=1x3 cast=2,2,3,3,4"): "doubled without the card",
    turn(f"pockets={','.join('1' * 41)} cast=1"): "is no pocket",
    turn("pockets=. cast=2,1,2,3,3,4"): "not written as",
    turn("due=2", "1:0+0+0:0:-:-:-"): "cards without a deck (rule 8d)",
    turn("", "10:0+0+0:0:-:-:-"): "Ann had 10 turns, and a run has 9 (rule 2)",
    turn("", "1:25+0+0:0:-:-:-"): "not all in fifties (rule 5)",
    turn("", "3:1000+50+0:0:-:-:-"): "points in a round not begun (rule 2)",
    turn("", "4:950+0+0:0:-:-:-"): "Ann went on after missing the quota of round 1 (rule 2c)",
    turn("", "1:0+0+0:1:-:-:-"): "more extra dice than Hot Hot Hot! cards (rule 9e)",
    turn("", "3:1000+0+0:1:hot,hot,aura:swap,swap,fate:-", HAND): "extra dice before a hot cast (rule 9e)",
    turn("", ITEM.format("swap"), HAND): "Ann has 1 card and drew 2 (rule 8)",
    turn("", ITEM.format("swap,swap,fate"), HAND): "Ann has 3 cards and drew 2 (rule 8)",
    turn("", "2:0+0+0:0:-:swap,swap,swap,fate:-", HAND): "swap was drawn 3 times (rule 8c)",
    turn("", "1:0+0+0:0:swap:fate:-", HAND): "modifiers and items are mixed up",
    turn("", "1:0+0+0:0:-:aura,fate:-", HAND): "modifiers and items are mixed up",
    turn("", ITEM.format("swap,fate")): "cards without a deck (rule 8d)",
    turn("", ITEM.format("tonic,money"), HEAD.format("box") + "lucky"): "on top of the box's deck (rule 8e)",
    turn("due=1", ITEM.format("swap"), HEAD.format("box") + "lucky"): "the box has drawn already (rule 8d)",
    turn("due=3", "2:0+0+0:0:-:swap:-", HAND): "3 cards cannot be drawn (rule 8)",
    turn("due=2", NEW, HAND): "nobody draws now (rules 8, 8a)",
    turn("due=2", "3:0+0+0:0:-:-:-", HAND): "nobody draws now (rules 8, 8a)",
    turn(f"due=2 pockets=. {SIX}", "1:0+0+0:0:-:-:-", HAND): "a cast outside a turn (rule 3)",
    turn(SIX): "dice before the first cast (rule 3)",
    turn("rifts=1"): "dice before the first cast (rule 3)",
    turn(f"pockets=. {SIX}", "9:1000+2000+3000:0:-:-:-"): "a cast outside a turn (rule 3)",
    turn("pockets=. cast=1,2,2,3,3"): "the first cast was not of all dice (rule 3)",
    turn("pockets=. cast=1,1,2,2,3,3,4"): "more dice lie there than the player has (rule 3)",
    turn("pockets=. cast=1,2,2,3,3,4^"): "more dice lie there than the player has (rule 3)",
    turn("pockets=2 cast=1,2,3,3,4 scored=yes"): "a die is pocketed that is in no combo (rule 4a)",
    turn("pockets=1 cast=2,2,3,3,4"): "has a pocket and has not scored (rule 4)",
    turn("pockets=./. cast=1,2,2"): "an earlier cast has nothing pocketed (rule 4)",
    turn("pockets=1/. cast=-"): "no dice lie there (rule 3)",
    turn("pockets=1,1,1x2 cast=2,3,4 scored=yes"): "a pocket is doubled without the card (rule 10e)",
    turn("pockets=. cast=1,2,2,3,3,4,6 rifts=1"): "a card has worked that was not played (rule 10)",
    turn("pockets=. cast=1,2,2,3,3 fate=pip"): "a card has worked that was not played (rule 10)",
    turn("pockets=1/5/. cast=2 lone=yes"): "there is no last die to cast again (rule 9d)",
    turn("pockets=. cast=2,2,3,3,4,6"): "this cast is a zonk (rule 6)",
    f"{NONE} turn=Ann {CALM} Ann:0:0+0+0:0:-:-:- Bob:1:0+0+0:0:-:-:-": "Bob had 1 turn, out of order",
    f"{NONE} turn=Bob {CALM} Ann:{NEW} Bob:{NEW}": "Ann had 0 turns, out of order (rule 1)",
    f"{NONE} turn=Ann {CALM} Ann:3:0+0+0:0:-:-:- Bob:2:0+0+0:0:-:-:-": "Bob's run goes on",
    f"{NONE} turn=Ann {CALM} Ann:2:0+0+0:0:-:-:- Bob:3:0+0+0:0:-:-:-": "Bob had a turn too many (rule 1)",
    "zonk " + "x" * 20_000: "too long",
}


@pytest.mark.parametrize("line", BAD)
def test_positions_that_cannot_be(line: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        rulebook("zonk").parse(line)
    assert BAD[line] in str(refusal.value)
