"""End Zone position lines: what they say, and the positions that cannot be."""

from random import Random

import pytest

from engine.events import Confirmed, GameEvent, Landed, Stop
from engine.game import Position
from engine.refusal import Refused, Unreadable
from engine.rulebooks import rulebook
from tests.engine.legal import legal_event
from tests.engine.say import Table

AGREED = (
    "end-zone mode={mode} game=fast teams=no shuffle=no order={order} tie=points dot={dot} dot-wins=match "
    "pushed-dot=no minus=0 minus-for=catcher double=no goal=500 challenge=score sets=1 wins=5 "
    "king-wins=as-king king-chooses={choose}"
)
STANDING = {
    "unit": "fast",
    "match": "1,2",
    "king": "-",
    "queue": "-",
    "through": "-",
    "played": "0",
    "landings": "0",
    "rolling": "1,2",
    "off": "-",
    "shown": "-",
    "lap": "1",
    "turn": "1,2",
    "still": "1,2",
    "high": "-",
    "at": "-",
    "late": "-",
    "lying": "-",
    "choosing": "no",
    "won": "-",
    "by": "-",
    "tally": "0,0",
}
LEFT_OUT = {("at", "-"), ("late", "-")}
ANN_BOB = "Ann:0:----:0 Bob:0:----:0"


def line(words: str = "", seats: str = ANN_BOB) -> str:
    """A line of Fast Play as it begins, with some of its words changed: `won=1 by=points`."""
    said = dict(word.split("=") for word in words.split())
    agreed = {"mode": "fast", "order": "roll", "dot": "at-once", "choose": "no"}
    head = AGREED.format(**{key: said.pop(key, value) for key, value in agreed.items()})
    standing = STANDING | said
    assert len(standing) == len(STANDING)
    facts = [f"{key}={value}" for key, value in standing.items() if (key, value) not in LEFT_OUT]
    return " ".join([head, *facts, seats])


def test_the_line_says_everything() -> None:
    table = Table("end-zone", "Ann Bob", mode="fast")
    table.say("throws 5, throws 2, lands 5x20, lands 6x2 slid, lands 1x1 hitting 1 to 4x5, lands off caught")
    words = "landings=4 rolling=2,1 turn=1 still=2,1 lying=0x0off"
    assert table.line == line(words, "Ann:0:----:0 Bob:21:----:0")
    assert table.view.line == table.line


GOOD = {
    "as it begins": line(),
    "rolling for the order": line("rolling=- off=1,2 shown=4 turn=- still=-"),
    "a tie": line("off=1,2 turn=-", "Ann:9:----:0 Bob:9:----:0"),
    "a die off the table": line("lying=0x0off,3x10foul"),
    "a dot in question": line("dot=confirmed lying=5x20,3x5!"),
    "over": line("turn=- won=2 by=points tally=0,1 played=1", "Ann:1:----:0 Bob:2:----:0"),
    "a King": line(
        "mode=king match=2,3 king=2 queue=1 played=1 rolling=- off=2,3 turn=- still=- tally=0,0,0",
        "Ann:0:----:0 Bob:0:----:0 Cat:0:----:0",
    ),
    "a card": line("mode=score-card unit=score-card lap=18 turn=2", "Ann:90:-o--:0 Bob:95:--x-:0"),
}


@pytest.mark.parametrize("name", GOOD)
def test_positions_that_can_be(name: str) -> None:
    assert rulebook("end-zone").parse(GOOD[name]).line() == GOOD[name]


BAD = {
    "": "begins with end-zone",
    "end-zone": "lacks mode=",
    line("mode=chess"): "mode is score-card, fast",
    line("unit=chess"): "unit is fast, threes",
    line("unit=threes"): "threes is not played here",
    line("match=1"): "not everybody plays (rule 1)",
    line("match=1,1"): "a side stands in two places",
    line("match=1,3"): "none of the players",
    line("match=0,1"): "none of the players",
    line("queue=2"): "a side stands in two places",
    line("king=1"): "the King does not play (rule 71)",
    line(seats="Ann:0:----:1 Bob:0:----:0"): "more wins as King than games",
    line("mode=king match=1,2 through=3 tally=0,0,0", f"{ANN_BOB} Cat:0:----:0"): "no bracket",
    line("mode=king match=1,2 tally=0,0,0", f"{ANN_BOB} Cat:0:----:0"): "missing in the line (rule 71)",
    line("mode=tournament match=1 tally=0,0"): "two sides meet (rules 71, 90)",
    line("tally=0"): "not those of this mode",
    line("tally=0,0/0,0"): "not those of this mode",
    line("tally=1,0 played=1"): "too many wins",
    line("tally=1,x"): "tally: x is no whole number",
    line("won=1"): "belong together",
    line("by=points"): "belong together",
    line("by=luck"): "by is -, points, dot, roll-off, stop; got luck",
    line("won=3 by=points"): "the winner does not fit",
    line("won=1 by=stop"): "the winner does not fit",
    line("choosing=yes"): "no King has to choose (rule 71d)",
    line("rolling=-"): "nobody knows who goes first (rule 2)",
    line("rolling=- off=1,2"): "a game runs and nobody knows who goes first",
    line("rolling=- off=1,2 turn=- still=- order=seats"): "nobody rolls for the order (rule 2a)",
    line("rolling=- off=1 turn=- still=-"): "those who roll off do not fit",
    line("rolling=- off=1/2 turn=- still=-"): "the roll-off is over",
    line("rolling=- off=1,2 shown=1,2 turn=- still=-"): "the dice of the roll-off do not fit",
    line("off=1,2 shown=241 turn=-"): "the dice of the roll-off do not fit",
    line("rolling=1"): "the rolling order is not that of those who play",
    line("turn=1,3"): "those who have still to roll do not play",
    line("lap=0"): "those who have still to roll do not play",
    line("still=1 turn=1"): "a player is out who cannot be",
    line("high=1"): "nobody is challenged (rule 61)",
    line("at=500"): "the challenged score does not fit (rule 61b)",
    line("late=1"): "nobody is late (rule 13a)",
    line("turn=-"): "nobody has still to roll",
    line("lying=5x20,5x20,5x20"): "too many dice lie there (rule 5)",
    line("lying=5x3"): "5x3 is no die such as 5x20",
    line("lying=0x5"): "a die on the table shows 1 to 6",
    line("lying=5x5off"): "a die off the table lies in no zone",
    line("lying=5x5!"): "a covered dot has won (rule 6)",
    line("dot=confirmed lying=5x1!"): "such a die covers no dot",
    line("off=1,2 lying=5x1 turn=-"): "dice lie there in a roll-off",
    line(seats="Ann:-1:----:0 Bob:0:----:0"): "fewer than no points (rule 10)",
    line(seats="Ann:0:x---:0 Bob:0:----:0"): "extra rolls without a card (rule 52)",
    line("mode=score-card unit=score-card", "Ann:0:o---:0 Bob:0:----:0"): "too early (rule 52b)",
    line(
        "mode=score-card unit=score-card lap=18 turn=1", "Ann:0:----:0 Bob:0:----:0"
    ): "was not won (rule 52)",
    line(seats="Ann:0:---:0 Bob:0:----:0"): "Ann's extra rolls are four of -, x and o",
    line(seats="Ann:0 Bob:0:----:0"): "Ann's extra rolls",
    line(seats="Ann:x:----:0 Bob:0:----:0"): "Ann's points: x is no whole number",
    line(seats="Ann:-0:----:0 Bob:0:----:0"): "not written as Callbox writes it",
    line(seats="Ann:0:----:0"): "End Zone is for two or more",
    f"{line()} ": "is no name",
}


@pytest.mark.parametrize("text", BAD, ids=range(len(BAD)))
def test_positions_that_cannot_be(text: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        rulebook("end-zone").parse(text)
    assert BAD[text] in str(refusal.value)


def changed(text: str, chance: Random) -> str:
    """The line with one of its words changed."""
    words = text.split(" ")
    place = chance.randrange(1, len(words))
    cut = chance.randrange(len(words[place]) + 1)
    bit = chance.choice(["", "1", "2", "3", "0", ",", "/", "-", "x", "!", "off", "1,2"])
    words[place] = words[place][:cut] + bit + words[place][cut + chance.randrange(3) :]
    return " ".join(words)


@pytest.mark.parametrize("name", GOOD)
def test_from_whatever_is_read_the_game_goes_on(name: str) -> None:
    """A changed line is refused, or is a position from which play goes on without an accident."""
    chance = Random(name)
    for _ in range(300):
        try:
            position: Position = rulebook("end-zone").parse(changed(GOOD[name], chance))
        except Unreadable:
            continue
        for _ in range(20):
            view = position.view()
            wild: list[GameEvent] = [Stop(), Confirmed(covered=False), Landed(value=1, zone=5, dot=True)]
            for event in [*wild, legal_event(view, chance)] if not view.ending else wild:
                try:
                    after = position.after(event)
                except Refused:
                    continue
            position = after if not view.ending else position
            assert rulebook("end-zone").parse(position.line()) == position
