"""What a stranger gets while bets are secret: the same bytes at the same times, whatever is bet."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from starlette.testclient import TestClient

from device.box import Box
from device.console.app import ConsoleSettings, make_app
from device.console.bet_timing_guard import SLACK_S, STEP_S, BetTimingGuard, hides_bets
from device.shown.snapshot import Snapshot
from tests.device.console.fake_box import HERE, HOME, PlayingBox, begun
from tests.playing import simulated, trial_setup

PLAYERS = ("Ann", "Bea")
ACTIVE, OPPONENT = "bet2", "bet1"
"""Bea is nearer to Z: the first turn is hers."""
BEGUN_MS, FIRST_MS, HOLD_MS, END_MS = 410, 3_000, 5_000, 9_000
TAP_MS = 120
WRITE_MS = 60
"""What a press keeps the table from its next beat: its row goes to a slow card."""


class Clock:
    """A clock that a test moves."""

    def __init__(self, now_ms: float = 0.0) -> None:
        self.now_ms = now_ms

    def __call__(self) -> float:
        return self.now_ms

    def seconds(self) -> float:
        return self.now_ms / 1000


@contextmanager
def box_of(folder: Path, clock: Clock) -> Iterator[Box]:
    """A whole box whose table is brought everything by the test itself, with no thread between."""
    with Box(replace(trial_setup(simulated(seed=1), folder), clock_ms=clock)) as box:
        assert not box.table.start("zoinx", PLAYERS, {})
        yield box


def edges_of(button: str, dots: int) -> list[tuple[int, bool]]:
    """When the contact closes and opens: so many taps, some time, and a hold that locks."""
    taps = [FIRST_MS + tap * 2 * TAP_MS for tap in range(dots // 2)]
    edges = [(at, down) for tap in taps for at, down in ((tap, True), (tap + TAP_MS, False))]
    return [*edges, (HOLD_MS, True), (HOLD_MS + 1_000, False)]


def received(folder: Path, button: str, dots: int) -> tuple[list[bytes], list[tuple[int, bytes]]]:
    """All snapshots that were made while that bet was locked; and what a page got of them, and when."""
    clock, veil, made, got = Clock(BEGUN_MS), BetTimingGuard(), [], []
    with box_of(folder, clock) as box:
        box.table.alarm("The picture of this reading is not kept.")
        box.table.tick(clock.now_ms)
        box.api.subscribe(lambda shown: veil.put(shown, clock.seconds()))
        box.api.subscribe(lambda shown: made.append(msgspec.json.encode(shown)))
        veil.put(box.api.snapshot(), clock.seconds())
        seen = veil.see(clock.seconds())
        edges, busy_ms = edges_of(button, dots), 0
        for now_ms in range(BEGUN_MS, END_MS, 10):
            clock.now_ms = now_ms
            while edges and edges[0][0] <= now_ms:
                box.table.edge(button, edges.pop(0)[1], now_ms)
                busy_ms = now_ms + WRITE_MS
            if now_ms == busy_ms or (now_ms > busy_ms and now_ms % 100 == 0):
                box.table.tick(now_ms)
            if veil.see(clock.seconds()) is not seen:
                seen = veil.see(clock.seconds())
                got.append((now_ms, msgspec.json.encode(seen)))
        game = box.api.snapshot().game
        assert game is not None
        assert sorted(game.bets) == ["locked", "thinking"]
    return made, got


@pytest.mark.parametrize(("button", "bets"), [(OPPONENT, (0, 2, 4, 6, 8, 10)), (ACTIVE, (2, 4, 6, 8, 10))])
def test_a_stranger_gets_the_same_bytes_at_the_same_times_for_each_bet(
    tmp_path: Path, button: str, bets: Sequence[int]
) -> None:
    made, got = received(tmp_path / "first", button, bets[0])
    assert len(got) > 5, "the scoreboard moves, so there is something to be told apart"
    for dots in bets[1:]:
        made_too, got_too = received(tmp_path / str(dots), button, dots)
        assert made_too == made
        assert got_too == got


def test_the_lamp_in_the_players_own_button_answers_each_press(tmp_path: Path) -> None:
    clock = Clock()
    with box_of(tmp_path, clock) as box:
        assert box.panel is not None
        box.table.edge(OPPONENT, True, 1_000)
        box.table.edge(OPPONENT, False, 1_120)
        clock.now_ms = 1_150
        box.table.tick(1_150)
        assert box.panel.lit()[OPPONENT] is False
        assert OPPONENT not in box.api.snapshot().blinks
        clock.now_ms = 1_400
        box.table.tick(1_400)
        assert box.panel.lit()[OPPONENT] is True


def test_a_warning_stays_while_a_bet_is_chosen(tmp_path: Path) -> None:
    with box_of(tmp_path, Clock()) as box:
        box.table.alarm("The picture of this reading is not kept.")
        box.table.edge(OPPONENT, True, 1_000)
        box.table.edge(OPPONENT, False, 1_120)
        box.table.tick(1_200)
        assert box.api.snapshot().message.text == "The picture of this reading is not kept."


def secret(number: int) -> Snapshot:
    return replace_number(begun().shown, number)


def open_to_all(number: int) -> Snapshot:
    desk = begun()
    desk.bet("Zoë", 2)
    desk.bet("Ben", 4)
    return replace_number(desk.shown, number)


def replace_number(shown: Snapshot, number: int) -> Snapshot:
    return msgspec.structs.replace(shown, number=number)


def test_what_comes_between_two_set_times_is_seen_at_the_next() -> None:
    veil = BetTimingGuard()
    veil.put(secret(1), 0.0)
    veil.put(secret(2), 10.0 + SLACK_S + 0.01)
    veil.put(secret(3), 10.0 + SLACK_S + 0.02)
    assert veil.see(10.0 + SLACK_S + 0.03).number == 1
    due_s = veil.due_s(10.0 + SLACK_S + 0.03)
    assert due_s is not None
    assert due_s == pytest.approx(10.0 + SLACK_S + STEP_S)
    assert veil.see(due_s + 0.001).number == 3
    assert veil.due_s(due_s + 0.001) is None


def test_what_hides_no_bet_is_seen_at_once() -> None:
    veil = BetTimingGuard()
    veil.put(secret(1), 0.0)
    veil.put(open_to_all(2), 10.0 + SLACK_S + 0.01)
    assert veil.see(10.0 + SLACK_S + 0.01).number == 2
    assert veil.due_s(10.0 + SLACK_S + 0.01) is None
    assert hides_bets(secret(1))
    assert not hides_bets(open_to_all(1))
    assert not hides_bets(Snapshot())


def veiled_console(clock: Clock) -> tuple[PlayingBox, TestClient]:
    desk = begun("Zoë", "Ben", "Cid")
    app = make_app(desk, replace(ConsoleSettings(), clock_s=clock.seconds))
    return desk, TestClient(app, base_url=HOME, client=HERE)


def test_who_asks_for_the_state_again_and_again_learns_no_more() -> None:
    clock = Clock(1000 * (10.0 + SLACK_S + 0.01))
    desk, client = veiled_console(clock)
    before = client.get("/state").content
    desk.bet("Ben", 4)
    assert client.get("/state").content == before
    clock.now_ms += 1000 * STEP_S
    assert client.get("/state").json()["game"]["bets"] == ["thinking", "locked", "thinking"]
