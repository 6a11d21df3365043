"""`callbox health` says of a running box whether pictures, table and console move on, and fails where not."""

import threading
from pathlib import Path

import pytest
from click.testing import CliRunner

from device.cli import callbox
from device.commands.health import Ask, BoxSilent, Health, Times, watch
from tests.playing import playing, simulated

BOTH = ("frames", "table")


class Told:
    """A console that gives these answers, one after the other and then the last for good."""

    def __init__(self, *answers: tuple[int | None, int] | str) -> None:
        self._answers = list(answers)
        self.now_s = 0.0

    def ask(self) -> dict[str, int | None]:
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, str):
            raise BoxSilent(answer)
        return dict(zip(BOTH, answer, strict=True))

    def sleep(self, for_s: float) -> None:
        self.now_s += for_s

    def watch(self, *wanted: str) -> Health:
        ask: Ask = self.ask
        return watch(ask, wanted or BOTH, 10.0, Times(clock_s=lambda: self.now_s, sleep=self.sleep))


def test_a_box_that_moves_on_is_well_as_soon_as_that_is_seen() -> None:
    told = Told((1, 1), (1, 5), (2, 9))
    assert told.watch() == Health("", ())
    assert told.now_s == 1.0


def test_what_stands_still_is_named_when_the_time_is_over() -> None:
    told = Told((7, 1), (7, 2), (7, 3))
    assert told.watch() == Health("", ("frames",))
    assert told.now_s >= 10.0
    assert Told((0, 4)).watch() == Health("", BOTH)
    assert Told((7, 1), (7, 2)).watch("table") == Health("", ())


def test_a_film_that_is_over_has_no_more_pictures_to_show() -> None:
    assert Told((None, 1), (None, 2)).watch() == Health("", ())


def test_a_console_that_is_silent_is_not_well_and_one_that_comes_back_is_asked_anew() -> None:
    assert Told("refused").watch() == Health("refused", BOTH)
    assert Told((5, 5), "refused", (1, 1), (2, 2)).watch() == Health("", ())
    assert Told((5, 5), (1, 1), (1, 2), (2, 2)).watch() == Health("", ()), "started anew between two answers"


def health(port: int, *options: str) -> tuple[int, str]:
    ran = CliRunner().invoke(callbox, ["health", "--host", "127.0.0.1", "--port", str(port), *options])
    assert ran.exception is None or isinstance(ran.exception, SystemExit)
    return ran.exit_code, ran.output


@pytest.mark.long
def test_a_running_box_is_asked_through_its_console(tmp_path: Path) -> None:
    camera = simulated(seed=1)
    with playing(tmp_path, camera) as player:
        player.until(lambda shown: shown.table.state == "still", "a picture")
        port = player.box.console.port
        status, said = health(port, "--within", "2")
        assert (status, said.splitlines()[1]) == (1, "frames   fail  not seen that pictures come"), said
        status, said = health(port, "--without-pictures")
        assert (status, said.count("ok  ")) == (0, 2), said

        over = threading.Event()

        def go_on() -> None:
            while not over.is_set():
                camera.time.next_frame()

        frames = threading.Thread(target=go_on)
        frames.start()
        try:
            assert health(port) == (
                0,
                "console  ok    it answers\nframes   ok    pictures come\ntable    ok    the table goes on\n",
            )
        finally:
            over.set()
            frames.join()
    status, said = health(port, "--within", "0")
    assert status == 1
    assert "console  fail" in said


@pytest.mark.parametrize("body", [b"[]", b"{}", b"hello", b'{"frames": 1}'])
def test_whatever_else_answers_at_the_port_is_no_box(monkeypatch: pytest.MonkeyPatch, body: bytes) -> None:
    class Answer:
        def __enter__(self) -> "Answer":
            return self

        def __exit__(self, *_: object) -> None:
            return

        def read(self, _most: int) -> bytes:
            return body

    monkeypatch.setattr("urllib.request.OpenerDirector.open", lambda *_, **__: Answer())
    status, said = health(8080, "--within", "0")
    assert status == 1
    assert "does not answer" in said
