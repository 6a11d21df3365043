"""Which moment the big screen shows, and for how long: snapshots and times in, moments out; no clock."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser

from device.console import ConsoleServer, make_app
from device.match.showing import table_shown
from device.requests import Correct, PressButton
from device.shown.snapshot import FilmsShown, Snapshot
from tests.device.console.fake_box import FOUR, TWO, FakeBox, PlayingBox, begun, dice_of, rolling
from tests.device.landings.play import FIVE, LINE, EndZoneTable
from tests.engine.say import event_of

pytestmark = pytest.mark.chromium

Step = tuple[Snapshot | str | None, int]
"""A snapshot, None for the one before, or "over" for a replay's end; and the time in ms."""
Tell = Callable[..., list[Any]]

RUN = """async ([calm, steps]) => {
  const { advance, begin, endReplay } = await import("/static/moments.js");
  let state = begin(calm);
  return steps.map(([said, now_ms]) => {
    state = said === "over" ? endReplay(state, now_ms) : advance(state, said ?? state.newest, now_ms);
    return [state.moment.name, state.gains];
  });
}"""
CLOSE_UP_MS, LATE_MS, REPLAY_MS, THROW_MS, BETS_MS, PADS_MS = 6000, 11000, 15000, 5000, 7000, 9000


@pytest.fixture(scope="module")
def told(chromium: Browser) -> Iterator[Tell]:
    """Tells the moments that these steps lead to."""
    server = ConsoleServer(make_app(FakeBox()), "127.0.0.1", 0)
    server.start()
    page = chromium.new_page()
    page.goto(f"{server.address}static/icon.svg")

    def tell(*steps: Step, calm: bool = False, gains: bool = False) -> list[Any]:
        rows = [[msgspec.to_builtins(said), now_ms] for said, now_ms in steps]
        return [row[1] if gains else row[0] for row in page.evaluate(RUN, [calm, rows])]

    yield tell
    page.close()
    server.stop()


def shots(desk: PlayingBox, *acts: Callable[[], object]) -> list[Snapshot]:
    """What is shown now, and after each act."""
    shown = [desk.shown]
    for act in acts:
        act()
        shown.append(desk.shown)
    return shown


def test_what_was_written_on_paper_is_shown_when_the_turn_is_over_and_then_the_scores(told: Tell) -> None:
    desk = PlayingBox()
    desk.start("end-zone", ("Ann", "Bea"), {"mode": "score-card", "order": "seats"})
    before, one, two = shots(
        desk, *(lambda words=words: desk._try(event_of(words)) for words in ("lands 5x5", "lands 6x20"))
    )
    assert told((before, 0), (one, 100), (None, 100 + PADS_MS)) == ["scores", "pads", "scores"]
    assert told((before, 0), (one, 100), (two, 500), (None, 100 + PADS_MS), (None, 500 + PADS_MS)) == [
        "scores",
        "pads",
        "pads",
        "pads",
        "scores",
    ]


def test_what_happened_before_the_screen_was_there_is_not_shown_again(told: Tell) -> None:
    assert told((rolling(TWO).shown, 0), (None, 100)) == ["scores", "scores"]


def test_a_throw_is_shown_for_its_time_and_then_the_scores(told: Tell) -> None:
    desk = rolling()
    before, after = shots(desk, lambda: desk.read(TWO))
    steps = (before, 0), (after, 1000), (None, 999 + THROW_MS), (None, 1000 + THROW_MS)
    assert told(*steps) == ["scores", "throw", "throw", "scores"]


def test_the_next_throw_takes_the_place_of_the_last(told: Tell) -> None:
    desk = rolling()
    before, one, two = shots(desk, lambda: desk.read(TWO), lambda: desk.read(FOUR))
    steps = (before, 0), (one, 0), (two, 4000), (None, 3999 + THROW_MS), (None, 4000 + THROW_MS)
    assert told(*steps) == ["scores", "throw", "throw", "throw", "scores"]


def test_stop_ends_a_throw_but_not_before_it_was_seen(told: Tell) -> None:
    desk = rolling()
    before, thrown, stopped = shots(
        desk, lambda: desk.read(TWO), lambda: desk.request(PressButton(down=False, button="stop"))
    )
    early = (before, 0), (thrown, 0), (stopped, 500), (None, 1999), (None, 2000)
    assert told(*early) == ["scores", "throw", "throw", "throw", "scores"]
    assert told((before, 0), (thrown, 0), (stopped, 3000)) == ["scores", "throw", "scores"]


def test_bets_are_shown_when_the_last_one_is_locked_and_never_before(told: Tell) -> None:
    desk = begun()
    none, one, all_of_them = shots(desk, lambda: desk.bet("Zoë", 6), lambda: desk.bet("Ben", 2))
    steps = (none, 0), (one, 0), (all_of_them, 0), (None, BETS_MS - 1), (None, BETS_MS)
    assert told(*steps) == ["scores", "scores", "bets", "bets", "scores"]


def test_what_nobody_can_read_is_asked_until_it_is_told(told: Tell) -> None:
    desk = rolling()
    before, unread, corrected = shots(
        desk,
        lambda: desk.read(("dot", "square"), ["leans"]),
        lambda: desk.request(Correct(dice_of(TWO), "")),
    )
    steps = (before, 0), (unread, 0), (None, 90_000), (corrected, 90_000)
    assert told(*steps) == ["scores", "question", "question", "scores"]
    paused = msgspec.structs.replace(unread, paused=True)
    assert told((before, 0), (unread, 0), (paused, 1)) == ["scores", "question", "scores"]


def test_a_step_taken_back_is_no_throw(told: Tell) -> None:
    desk = rolling(TWO)
    before, back = shots(desk, lambda: desk.request(PressButton(down=False, button="undo")))
    assert told((before, 0), (back, 1)) == ["scores", "scores"]


def test_points_just_won_stand_there_until_dice_or_bets_come(told: Tell) -> None:
    desk = rolling(TWO)
    before, won, betting = shots(
        desk, lambda: desk.request(PressButton(down=False, button="stop")), lambda: desk.bet("Ben", 2)
    )
    desk.bet("Zoë", 0)
    steps = (before, 0), (won, 0), (betting, 0), (desk.shown, 0)
    assert told(*steps, gains=True) == [[], [2, 0], [2, 0], []]


def test_the_winner_stands_after_the_last_throw_until_another_game_begins(told: Tell) -> None:
    desk = begun()
    while desk.shown.stage != "ended":
        before = desk.shown
        if desk.shown.game and desk.shown.game.phase == "roll":
            desk.read(("square",) * 4 if desk.shown.game.scores[1] >= 30 else FOUR)
            if desk.shown.stage != "ended":
                desk.request(PressButton(down=False, button="stop"))
        else:
            desk.bet("Zoë", 2)
            desk.bet("Ben", 4)
    over = desk.shown
    desk.start("zoinx", ("Zoë", "Ben"), {})
    seen = told((before, 0), (over, 0), (None, THROW_MS), (None, 10**7), (desk.shown, 10**7))
    assert seen[2:] == ["winner", "winner", "scores"]


# Landings


def end_zone(table: EndZoneTable, kept: tuple[int, ...] | None = None, trouble: str = "") -> Snapshot:
    """What is shown of that table; `kept`: the films that are kept, None where nothing is filmed."""
    shown = table.detector.state
    return Snapshot(
        stage="playing",
        game_id=1,
        game=table.game.show(),
        table=table_shown("still", shown.taken, fresh=True),
        landing=shown.landing,
        ask="landing" if shown.asks else "",
        films=None if kept is None else FilmsShown(kept, trouble),
    )


@pytest.fixture
def landed(tmp_path: Path) -> Iterator[tuple[Snapshot, EndZoneTable]]:
    """What was shown before a die landed in the midst of zone 5, and the table with that die."""
    table = EndZoneTable(tmp_path)
    before = end_zone(table, ())
    table.throw(FIVE)
    yield before, table
    table.close()


Landing = tuple[Snapshot, EndZoneTable]


def test_a_close_up_makes_room_for_its_film_and_that_for_the_scores(told: Tell, landed: Landing) -> None:
    before, table = landed
    filmed = end_zone(table, (1,))
    steps = (before, 0), (filmed, 0), (None, CLOSE_UP_MS - 1), (None, CLOSE_UP_MS), ("over", 8000)
    assert told(*steps) == ["scores", "landing", "landing", "replay", "scores"]
    endless = (before, 0), (filmed, 0), (None, CLOSE_UP_MS), (None, CLOSE_UP_MS + REPLAY_MS)
    assert told(*endless) == ["scores", "landing", "replay", "scores"]


def test_a_film_that_is_being_made_is_waited_for_a_while(told: Tell, landed: Landing) -> None:
    before, table = landed
    bare, filmed = end_zone(table, ()), end_zone(table, (1,))
    late = (before, 0), (bare, 0), (None, CLOSE_UP_MS), (filmed, 9000)
    assert told(*late) == ["scores", "landing", "landing", "replay"]
    never = (
        (before, 0),
        (bare, 0),
        (None, CLOSE_UP_MS),
        (None, LATE_MS - 1),
        (None, LATE_MS),
        (filmed, LATE_MS),
    )
    assert told(*never) == ["scores", "landing", "landing", "landing", "scores", "scores"]


@pytest.mark.parametrize("films", [None, "The disk is full."])
def test_no_film_is_waited_for_where_none_comes(told: Tell, landed: Landing, films: str | None) -> None:
    before, table = landed
    shown = end_zone(table, None if films is None else (), films or "")
    assert told((before, 0), (shown, 0), (None, CLOSE_UP_MS)) == ["scores", "landing", "scores"]


def test_who_wants_little_motion_sees_no_film(told: Tell, landed: Landing) -> None:
    before, table = landed
    steps = (before, 0), (end_zone(table, (1,)), 0), (None, CLOSE_UP_MS)
    assert told(*steps, calm=True) == ["scores", "landing", "scores"]


def test_a_landing_too_close_to_call_is_asked_and_then_shown_as_it_counts(told: Tell, tmp_path: Path) -> None:
    table = EndZoneTable(tmp_path)
    before = end_zone(table)
    table.throw(LINE)
    asked = end_zone(table)
    assert asked.ask == "landing"
    table.press("cache")
    answered = end_zone(table)
    table.close()
    asking = (before, 0), (asked, 0), (None, 60_000)
    assert told(*asking, (answered, 60_000)) == ["scores", "question", "question", "landing"]
    taken_back = msgspec.structs.replace(asked, ask="")
    assert told(*asking, (taken_back, 60_000))[-1] == "scores"
