"""Events and views as JSON: there and back, and every wrong line a sentence that names the field."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine import events
from engine.dice import Die
from engine.events import (
    Bet,
    Cache,
    Chosen,
    Confirmed,
    Corrected,
    DieRuled,
    Draw,
    Event,
    Landed,
    Moved,
    Play,
    Pocket,
    Refereed,
    Rolled,
    Ruled,
    Stop,
    Undo,
)
from engine.game import Choice, Fact
from engine.refusal import Unreadable
from engine.wire import DICE_MOST, EVENTS, event_of, read_event, view_object, write_event, write_view
from tests.engine.say import Table, dots, pips

LINES: dict[str, Event] = {
    '{"event": "bet", "player": "Ann", "dots": 6}': Bet(player="Ann", dots=6),
    '{"event": "bet", "player": "Jürgen \\"Jo\\" 日本", "dots": 0}': Bet(player='Jürgen "Jo" 日本', dots=0),
    '{"event": "rolled", "dice": ["dot", "square", "square", "square"]}': Rolled(dice=dots(1)),
    '{"event": "rolled", "dice": [3, 5]}': Rolled(dice=pips(3, 5)),
    '{"event": "rolled", "dice": [6, {"kind": "d4", "value": 3}]}': Rolled(dice=(*pips(6), Die("d4", 3))),
    '{"event": "rolled", "dice": [{"kind": "bet", "value": 10}]}': Rolled(dice=(Die("bet", 10),)),
    '{"event": "stop"}': Stop(),
    '{"event": "pocket", "combos": [[1, 1, 1], [{"kind": "d4", "value": 1}]]}': Pocket(
        combos=(pips(1, 1, 1), (Die("d4", 1),))
    ),
    '{"event": "cache"}': Cache(),
    '{"event": "draw", "card": "Magic Aura"}': Draw(card="Magic Aura"),
    '{"event": "play", "card": "Chaos Swap", "die": 3}': Play(card="Chaos Swap", die=Die("pip", 3)),
    '{"event": "play", "card": "Time Warp Tonic", "die": {"kind": "d4", "value": 4}, "pocket": 2}': Play(
        card="Time Warp Tonic", die=Die("d4", 4), pocket=2
    ),
    '{"event": "corrected", "dice": [1]}': Corrected(dice=pips(1)),
    '{"event": "corrected", "dice": [1], "reason": "cocked"}': Corrected(dice=pips(1), reason="cocked"),
    '{"event": "corrected", "dice": [1], "roll": 3}': Corrected(dice=pips(1), roll=3),
    '{"event": "landed", "value": 5, "zone": 20}': Landed(value=5, zone=20),
    '{"event": "landed", "value": 1, "zone": 5, "dot": true, "player": "Ann"}': Landed(
        value=1, zone=5, dot=True, player="Ann"
    ),
    '{"event": "landed", "off": "missed", "catcher": "Bob"}': Landed(off="missed", catcher="Bob"),
    '{"event": "landed", "value": 6, "foul": "slid", "moved": '
    '[{"die": 1, "value": 2, "zone": 0, "dot": false}]}': Landed(
        value=6, foul="slid", moved=(Moved(die=1, value=2, zone=0),)
    ),
    '{"event": "confirmed", "covered": false}': Confirmed(covered=False),
    '{"event": "chosen", "mode": "fast"}': Chosen(mode="fast"),
    '{"event": "ruled", "zone": 0, "by": "Cleo", "landing": 3}': Ruled(zone=0, by="Cleo", landing=3),
    '{"event": "die_ruled", "odd": 20, "even": 0, "value": 3}': DieRuled(odd=20, even=0, value=3),
    '{"event": "refereed", "landed": {"event": "landed", "value": 4, "zone": 20}, "reason": "x"}': Refereed(
        landed=Landed(value=4, zone=20), reason="x"
    ),
    '{"event": "undo"}': Undo(),
}


@pytest.mark.parametrize("line", LINES)
def test_an_event_is_read_and_written(line: str) -> None:
    assert read_event(line) == LINES[line]
    assert read_event(line.encode()) == LINES[line]
    assert write_event(LINES[line]) == line


def test_every_event_has_a_word_and_the_class_s_own_fields() -> None:
    assert {make for make, _ in EVENTS.values()} == set(get_args(events.Event))
    for make, keys in EVENTS.values():
        assert tuple(keys) == tuple(make.__dataclass_fields__)  # type: ignore[attr-defined]


def test_any_order_and_space_is_read() -> None:
    assert read_event(' { "dots":6,\t"player":"Ann","event":"bet" } \r\n') == Bet(player="Ann", dots=6)


def test_spelled_out_pip_and_zoinx_dice_are_read_too() -> None:
    line = '{"event": "rolled", "dice": [{"kind": "pip", "value": 3}, {"kind": "zoinx", "value": "dot"}]}'
    assert read_event(line) == Rolled(dice=(Die("pip", 3), Die("zoinx", "dot")))


ROLLED = '{"event": "rolled", "dice": %s}'
WRONG = {
    "": "The line is empty",
    "   ": "The line is empty",
    "hello": "no JSON: expecting value at character 1",
    '{"event": "stop"': "no JSON",
    '{"event": "stop"} {"event": "stop"}': "no JSON: extra data",
    "[]": "An event is an object such as",
    "null": "got null",
    "5": "got 5",
    "NaN": "NaN is no number",
    '{"event": "bet", "player": "Ann", "dots": Infinity}': "Infinity is no number",
    '{"event": "bet", "player": "Ann", "dots": 1e999}': "dots must be a whole number",
    '{"event": "bet", "player": "Ann", "dots": 6.0}': "dots must be a whole number; got 6.0",
    '{"event": "bet", "player": "Ann", "dots": "6"}': 'dots must be a whole number; got "6"',
    '{"event": "bet", "player": "Ann", "dots": true}': "dots must be a whole number; got true",
    '{"event": "bet", "player": "Ann", "dots": 99999999999999999999}': "dots is out of all bounds",
    '{"event": "bet", "player": "Ann", "dots": ' + "9" * 5000 + "}": "a number that is too long",
    '{"event": "bet", "player": 7, "dots": 6}': "player must be a text; got 7",
    '{"event": "bet", "player": "\\ud800", "dots": 6}': "player holds half a character",
    '{"event": "bet", "player": "' + "x" * 600 + '", "dots": 6}': "player is too long",
    '{"event": "bet", "dots": 6}': "bet lacks player",
    '{"event": "bet", "player": "Ann"}': "bet lacks dots",
    '{"event": "bet", "player": "Ann", "dots": 6, "dots": 8}': 'The key "dots" stands twice',
    '{"event": "stop", "player": "Ann"}': 'stop has an unknown key "player"',
    '{"event": "Stop"}': f'event is {", ".join(EVENTS)}; got "Stop"',
    '{"event": ["stop"]}': "got a list",
    "{}": "got null",
    ROLLED % '"dot"': "dice must be a list",
    ROLLED % "[]": "dice must be a list",
    ROLLED % "[7]": "dice[0]: a pip die shows 1, 2, 3, 4, 5, 6; got 7",
    ROLLED % "[1, true]": "dice[1]: a pip die shows",
    ROLLED % "[1.0]": "dice[0]: a pip die shows",
    ROLLED % "[null]": "dice[0]: a pip die shows",
    ROLLED % '["Dot"]': 'dice[0]: a zoinx die shows dot, square; got "Dot"',
    ROLLED % '[{"kind": "d6", "value": 1}]': 'dice[0].kind is pip, zoinx, bet, d4; got "d6"',
    ROLLED % '[{"kind": ["pip"], "value": 1}]': "dice[0].kind is",
    ROLLED % '[{"kind": "d4", "value": 5}]': "dice[0].value: a d4 die shows 1, 2, 3, 4; got 5",
    ROLLED % '[{"kind": "d4"}]': "dice[0].value: a d4 die shows 1, 2, 3, 4; got null",
    ROLLED % '[{"kind": "d4", "value": 1, "edge": 12}]': 'dice[0] has an unknown key "edge"',
    ROLLED % json.dumps([1] * (DICE_MOST + 1)): "dice are too many",
    '{"event": "pocket", "combos": []}': "combos must be a list of combos",
    '{"event": "pocket", "combos": [[]]}': "combos[0] must be a list of dice",
    '{"event": "pocket", "combos": [[1], [7]]}': "combos[1][0]: a pip die shows 1, 2, 3, 4, 5, 6; got 7",
    '{"event": "pocket", "combos": [1]}': "combos[0] must be a list of dice",
    json.dumps({"event": "pocket", "combos": [[1]] * (DICE_MOST + 1)}): "combos are too many",
    '{"event": "cache", "points": 50}': 'cache has an unknown key "points"',
    '{"event": "draw"}': "draw lacks card",
    '{"event": "play", "card": "Dictate Fate", "die": "1"}': "die: a zoinx die shows dot, square",
    '{"event": "play", "card": "Dictate Fate", "pocket": "1"}': "pocket must be a whole number",
    '{"event": "landed"}': "landed: value is 1 to 6; got 0",
    '{"event": "landed", "value": 7, "zone": 5}': "landed: value is 1 to 6; got 7",
    '{"event": "landed", "value": 5, "zone": "20"}': 'zone must be a whole number; got "20"',
    '{"event": "landed", "value": 5, "zone": 5, "dot": 1}': "dot must be true or false; got 1",
    '{"event": "landed", "value": 5, "zone": 5, "foul": "%s"}' % ("x" * 400): "foul is late, slid or thrown",
    '{"event": "landed", "value": 5, "zone": 5, "moved": {}}': "moved must be a list such as",
    '{"event": "landed", "value": 5, "zone": 5, "moved": [1]}': "moved[0] must be an object with die",
    '{"event": "landed", "value": 5, "zone": 5, "moved": [{"die": 1}]}': "moved[0].value must be a whole",
    '{"event": "landed", "value": 5, "zone": 5, "moved": [{"die": 1, "value": 9, "zone": 5}]}': (
        "moved[0]: value is 1 to 6; got 9"
    ),
    '{"event": "landed", "value": 5, "zone": 5, "moved": [{"die": 1, "x": 9}]}': 'an unknown key "x"',
    '{"event": "ruled", "zone": 7}': "ruled: zone is one of 20, 10, 5, 2, 1, 0; got 7",
    '{"event": "die_ruled", "odd": 5, "even": 5, "value": 1}': "there is nothing to decide",
    '{"event": "refereed", "landed": {"value": 5, "zone": 5}}': "refereed lacks reason",
    '{"event": "refereed", "landed": {"value": 5, "zone": 5}, "reason": " "}': "the reason is empty",
    '{"event": "refereed", "landed": {"event": "stop"}, "reason": "x"}': "landed must be a landing",
    '{"event":"refereed","reason":"x","landed":' * 900 + "5" + "}" * 900: "landed must be a landing",
    '{"event": "refereed", "landed": 5, "reason": "x"}': "landed must be a landing such as",
    "[" * 60_000: "nested too deeply",
    '{"event": "stop"}' + " " * 70_000: "too long",
    "\ufeff{}": "no JSON",
}


@pytest.mark.parametrize("line", WRONG, ids=range(len(WRONG)))
def test_wrong_lines_name_the_field(line: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        read_event(line)
    assert WRONG[line] in str(refusal.value)
    assert len(str(refusal.value)) < 300


def test_broken_utf8_is_told_with_its_place() -> None:
    with pytest.raises(Unreadable, match="not UTF-8 text, from byte 12 on"):
        read_event(b'{"event": "\xff"}')


def line_or_refusal(read: Callable[[], Event]) -> str:
    """The event as its line, which reads back to it, or the refusal."""
    try:
        event = read()
    except Unreadable as refusal:
        return str(refusal)
    assert read_event(write_event(event)) == event
    return write_event(event)


@given(st.one_of(st.text(), st.binary()))
@example(b"\xed\xa0\x80")
@example("\ud800")
def test_no_text_whatever_ends_in_another_exception(line: str | bytes) -> None:
    assert line_or_refusal(lambda: read_event(line)).encode()


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["dot", "pip", *EVENTS]),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["kind", "value", "dice", "x"]), inner),
    max_leaves=8,
)
KEYS = st.sampled_from(
    ["event", "player", "dots", "dice", "combos", "card", "die", "landed", "moved", "zone", "reason", "x"]
)


@given(st.dictionaries(KEYS, JSON).map(lambda found: {"event": "rolled", **found}) | JSON)
def test_no_json_whatever_ends_in_another_exception(value: object) -> None:
    for read in (lambda: event_of(value), lambda: read_event(json.dumps(value))):  # type: ignore[arg-type]
        assert line_or_refusal(read).encode()


def test_a_view_is_one_line_with_every_field() -> None:
    table = Table("zoinx", "Ann Zoë")
    view = table.say("Ann bets 4, Zoë bets 2, rolls 3")
    line = write_view(view)
    assert "\n" not in line
    assert json.loads(line) == view_object(view)
    assert json.loads(line) == {
        "game": "zoinx",
        "edition": "gamewright",
        "phase": "roll",
        "players": ["Ann", "Zoë"],
        "scores": [0, 0],
        "active": "Zoë",
        "running": 3,
        "bets": [4, 2],
        "allowed": [
            {"button": "roll_done", "player": "Zoë", "choices": [], "scores": True, "words": ""},
            {"button": "stop", "player": "Zoë", "choices": [], "scores": True, "words": "Stop with 3"},
        ],
        "wanted": {"kind": "zoinx", "count": 4, "more": [], "landing": False},
        "news": "Zoë rolls 3 dots. The bet of 2 is reached: stop or roll on.",
        "banner": "",
        "ending": None,
        "line": table.line,
        "last_roll": ["dot", "dot", "dot", "square"],
        "choices": [],
        "facts": [],
        "buttons": ["bet", "roll_done", "stop"],
        "turn_end": "stop",
        "unit": "dots",
        "target": 30,
    }


def test_a_choice_holds_its_event_as_it_is_sent() -> None:
    view = replace(
        Table("zoinx", "Ann Zoë").view,
        choices=(Choice(event=Pocket(combos=(pips(5),)), words="5", points=50),),
        facts=(Fact(name="quota", words=("1,000",)),),
    )
    found = view_object(view)
    assert found["choices"] == [
        {"event": {"event": "pocket", "combos": [[5]]}, "words": "5", "points": 50},
    ]
    assert found["facts"] == [{"name": "quota", "words": ["1,000"], "player": None}]
