"""The screen: made anew where something changed, and what moves by itself goes on all the same."""

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from device.match.showing import table_shown
from device.match.throw_detector import AcceptedReading, DetectorState
from device.panel import Dummy, Lights
from device.panel.panel import BLINK_MS
from device.panel.scoreboard import PAGE_MS
from device.shown.snapshot import (
    GameShown,
    LandingShown,
    MessageShown,
    PlaceShown,
    PlacesShown,
    Snapshot,
    TableShown,
    TableState,
)
from device.table.screen import REFUSAL_MS, Facts, Screen

GAME = GameShown(
    game="zoinx",
    edition="",
    phase="roll",
    players=("Ann", "Bob", "Cid"),
    scores=(12, 7, 9),
    active="Ann",
    running=None,
    bets=(),
    allowed=(),
    wanted="",
    wanted_kind="",
    wanted_count=None,
    news="",
    banner="",
    winners=(),
    cause="",
    line="",
    last_roll=(),
)


BETS = msgspec.structs.replace(GAME, phase="bet")
LAMPS = {"stop": True, "undo": False}
FACTS = Facts(
    stage="playing",
    game_id=1,
    game=GAME,
    lamps=LAMPS,
    message=MessageShown("Ann rolls."),
    camera="",
    state="still",
    detector=DetectorState(),
)


class Shop:
    """A screen, whom it told what, and how often it drew the table's part."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.told: list[Snapshot] = []
        self.made = 0
        self.lights = Lights(None, Dummy(1), print)
        self.screen = Screen(Snapshot(reads="at_rest"), self.lights, self.told.append)
        monkeypatch.setattr("device.table.screen.table_shown", self._table)

    def show(self, time_ms: float, **facts: Any) -> None:
        self.screen.show(replace(FACTS, **facts), time_ms)

    def _table(
        self, state: TableState, taken: AcceptedReading | None, *, fresh: bool, doubtful_hand: bool
    ) -> TableShown:
        self.made += 1
        return table_shown(state, taken, fresh=fresh, doubtful_hand=doubtful_hand)


@pytest.fixture
def shop(monkeypatch: pytest.MonkeyPatch) -> Shop:
    return Shop(monkeypatch)


def test_what_stays_as_it_is_is_made_and_told_once(shop: Shop) -> None:
    for time_ms in range(0, 240, 20):
        shop.show(time_ms)
    assert shop.made == 1
    (told,) = shop.told
    assert told is shop.screen.snapshot
    assert (told.number, told.reads, told.game) == (1, "at_rest", GAME)


def test_a_refusal_makes_room_for_the_news_once_it_has_been_read(shop: Shop) -> None:
    no, pause = MessageShown("Not yet.", "refused"), MessageShown("Paused.", "refused", "PAUSE")
    shop.show(0, message=no)
    called = shop.screen.snapshot.called
    shop.show(REFUSAL_MS - 1, message=no)
    assert shop.screen.snapshot.message == no
    shop.show(REFUSAL_MS, message=no)
    assert (shop.screen.snapshot.message, shop.screen.snapshot.called) == (MessageShown(), called)
    again = MessageShown("Not yet.", "refused")
    shop.show(REFUSAL_MS + 1, message=again)
    assert shop.screen.snapshot.message == no, "a second press is refused anew"
    for time_ms in (0, REFUSAL_MS):
        shop.show(50_000 + time_ms, message=pause)
    assert shop.screen.snapshot.message == MessageShown("Paused.", "info", "PAUSE")
    wrong = PlacesShown("", 1, 1, (PlaceShown("1", "pocket", (), wrong=True),))
    for time_ms in (0, REFUSAL_MS):
        shop.show(90_000 + time_ms, message=again, detector=DetectorState(places=wrong))
    assert shop.screen.snapshot.message == no, "it still lies wrong"


@pytest.mark.parametrize(
    ("fact", "shown"),
    [
        ({"stage": "ended"}, {"stage": "ended"}),
        (
            {"game": msgspec.structs.replace(GAME, phase="bet")},
            {"game": msgspec.structs.replace(GAME, phase="bet")},
        ),
        ({"lamps": {**LAMPS, "undo": True}}, {"lamps": {**LAMPS, "undo": True}}),
        ({"can_undo": True}, {"can_undo": True}),
        ({"pending": True}, {"ask": "correct"}),
        ({"message": MessageShown("Bob rolls.")}, {"message": MessageShown("Bob rolls.")}),
        ({"camera": "It is dark."}, {"camera": MessageShown("It is dark.", "alarm")}),
        ({"state": "hand"}, {"table": TableShown(state="hand")}),
        ({"detector": DetectorState(asks=True)}, {"ask": "landing"}),
        ({"detector": DetectorState(stay=2)}, {"stay": 2}),
        ({"detector": DetectorState(places=PlacesShown("A mat"))}, {"places": PlacesShown("A mat")}),
        (
            {"detector": DetectorState(landing=LandingShown(1, "asked"))},
            {"landing": LandingShown(1, "asked")},
        ),
        (
            {"detector": DetectorState(in_the_way=MessageShown("It moved."))},
            {"camera": MessageShown("It moved.")},
        ),
    ],
)
def test_each_change_is_shown_at_once(shop: Shop, fact: dict[str, Any], shown: dict[str, Any]) -> None:
    shop.show(0)
    shop.show(20, **fact)
    assert (shop.made, len(shop.told)) == (2, 2)
    assert {name: getattr(shop.told[-1], name) for name in shown} == shown
    assert shop.told[-1].number == 2
    shop.show(40, **fact)
    assert shop.made == 2


def test_a_change_that_nobody_can_see_is_not_told(shop: Shop) -> None:
    shop.show(0, camera="It is dark.")
    shop.show(20, camera="It is dark.", detector=DetectorState(in_the_way=MessageShown("It moved.")))
    assert (shop.made, len(shop.told)) == (2, 1)


def test_an_address_stands_in_every_snapshot_from_then_on(shop: Shop) -> None:
    shop.screen.set_address("http://box.local")
    assert shop.screen.snapshot.address == "http://box.local"
    shop.show(0)
    assert shop.told[-1].address == "http://box.local"


def test_a_lamp_blinks_while_nothing_else_changes(shop: Shop) -> None:
    shop.show(0)
    shop.lights.acknowledge("stop", 1000)
    shop.show(1000)
    assert shop.screen.snapshot.blinks == ("stop",)
    assert shop.screen.snapshot.lamps == LAMPS, "whoever asks what may be pressed is told that all the same"
    shop.show(1000 + BLINK_MS)
    assert shop.screen.snapshot.blinks == ()
    assert [told.number for told in shop.told] == [1, 2, 3]
    assert shop.made == 1


def test_a_scoreboard_turns_its_pages_while_nothing_else_changes(shop: Shop) -> None:
    shown = []
    for page in range(3):
        shop.show(page * PAGE_MS)
        shown.append(shop.screen.snapshot.segments)
    assert len(set(shown)) == 3
    assert shop.made == 1
    assert shop.told[-1] is shop.screen.snapshot


def test_a_remark_on_the_camera_is_on_the_page_and_not_on_the_board() -> None:
    told: list[Snapshot] = []
    display = Dummy(1)
    screen = Screen(Snapshot(), Lights(None, display, lambda _: None), told.append)
    screen.show(replace(FACTS, remark="The camera is not set as it was locked."), 0)
    assert told[-1].camera == MessageShown("The camera is not set as it was locked.")
    board = told[-1].segments
    screen.show(FACTS, 0)
    assert told[-1].camera.text == ""
    assert told[-1].segments == board
    screen.show(replace(FACTS, remark="A remark.", camera="No picture."), 0)
    assert told[-1].camera == MessageShown("No picture.", "alarm")
