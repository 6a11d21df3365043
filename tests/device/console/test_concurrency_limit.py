"""Turns at the console: a steady pace, one address after the other, and nobody waits for ever."""

import asyncio

import pytest
from starlette.testclient import TestClient

from device.console.app import make_app
from device.console.concurrency_limit import TOO_MUCH, ConcurrencyLimit, Queue, WaitingLine
from tests.device.console.fake_box import HERE, HOME, FakeBox


def served(turns: WaitingLine[str], now_s: float) -> list[str]:
    """Everybody whose turn it is at that time."""
    return list(iter(lambda: turns.next(now_s) or "", ""))


def test_who_asks_a_thousand_times_waits_and_who_asks_once_does_not() -> None:
    turns: WaitingLine[str] = WaitingLine(8, at_once=1)
    for number in range(500):
        turns.put("greedy", f"greedy {number}")
    turns.put("Ann", "Ann")
    turns.put("Ben", "Ben")
    assert [served(turns, second / 8) for second in range(4)] == [
        ["greedy 0"],
        ["Ann"],
        ["Ben"],
        ["greedy 1"],
    ]


def test_what_is_asked_at_a_time_is_answered_at_once_and_more_at_a_steady_pace() -> None:
    turns: WaitingLine[str] = WaitingLine(2, at_once=3)
    for number in range(6):
        turns.put("Ann", str(number))
    assert served(turns, 100.0) == ["0", "1", "2"]
    assert turns.wait_s(100.0) == pytest.approx(0.5)
    assert served(turns, 100.4) == []
    assert served(turns, 101.0) == ["3", "4"]
    assert served(turns, 200.0) == ["5"]
    assert turns.wait_s(200.0) is None


def test_when_too_many_wait_one_goes_from_where_most_come() -> None:
    turns: WaitingLine[str] = WaitingLine(1, at_once=0, waiting=3)
    away = [
        turns.put(*each) for each in (("x", "x1"), ("Ann", "Ann"), ("x", "x2"), ("Ben", "Ben"), ("x", "x3"))
    ]
    assert away == [None, None, None, "x1", "x2"]


def test_a_gate_that_opens_lets_everybody_in() -> None:
    async def look() -> list[bool]:
        gate = ConcurrencyLimit(WaitingLine(1e-9, at_once=0, waiting=2))
        waiting = [asyncio.ensure_future(gate.wait("Ann")) for _ in range(3)]
        await asyncio.sleep(0)
        await asyncio.to_thread(gate.open)
        return [*await asyncio.gather(*waiting), await gate.wait("Ben")]

    assert asyncio.run(look()) == [False, True, True, True]


def test_who_is_turned_away_is_told_so_in_a_sentence() -> None:
    desk = FakeBox()
    full = ConcurrencyLimit(WaitingLine(1, waiting=0))
    client = TestClient(Queue(make_app(desk), full, full), base_url=HOME, client=HERE)
    for said in (
        client.get("/state"),
        client.post("/pins/stop", json={"down": True}, headers={"origin": HOME}),
    ):
        assert (said.status_code, said.json()) == (429, {"ok": False, "text": TOO_MUCH})
        assert said.headers["x-frame-options"] == "DENY"
    assert desk.asked == []
