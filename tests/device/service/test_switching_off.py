"""The off button, from the finger to systemd: only when the journal is closed is the end asked for."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from device.box import Box
from device.cli import callbox
from device.journal import Journal
from device.service.machine import ASKS, PATIENCE_S, switch_off
from tests.playing import playing, simulated
from tests.waiting import PATIENCE_S as TEST_PATIENCE_S

SYSTEMD = Path(__file__).parents[3] / "systemd"


@pytest.mark.long
def test_the_journal_is_closed_before_anybody_is_asked_to_switch_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    closing = Journal.close

    def press(box: Box) -> None:
        """In the midst of the box's life: its off button, held."""
        assert box.fitted.off is not None
        box.fitted.off._button.hold_time = 0
        box.fitted.off._button.pin.drive_low()
        assert box.off_asked.wait(TEST_PATIENCE_S)

    def close(journal: Journal) -> None:
        closing(journal)
        done.append("the journal is closed")

    monkeypatch.setattr(Box, "keep_address", press)
    monkeypatch.setattr(Journal, "close", close)
    monkeypatch.setattr("device.commands.play.switch_off", lambda *_: done.append("off"))
    asked = ["play", "--camera", "table", "--data", str(tmp_path), "--port", "0", "--host", "127.0.0.1"]
    ran = CliRunner().invoke(callbox, asked)
    assert ran.exit_code == 0, ran.output
    assert done == ["the journal is closed", "off"]


def test_a_box_that_ends_otherwise_asks_for_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr("device.commands.play._comes", lambda *_: True)
    monkeypatch.setattr("device.commands.play.switch_off", lambda *_: done.append("off"))
    asked = ["play", "--camera", "table", "--data", str(tmp_path), "--port", "0", "--host", "127.0.0.1"]
    assert CliRunner().invoke(callbox, asked).exit_code == 0
    assert done == []


@pytest.mark.parametrize("heeded", [True, False])
def test_systemd_is_asked_by_a_file_and_waited_for(tmp_path: Path, heeded: bool) -> None:
    said: list[str] = []
    waited: list[float] = []

    def ended(seconds: float) -> bool:
        assert (tmp_path / ASKS).exists(), "the file is there while systemd looks"
        waited.append(seconds)
        return heeded

    switch_off(ended, said.append, {"RUNTIME_DIRECTORY": str(tmp_path)})
    assert waited == [PATIENCE_S]
    assert [text[:30] for text in said] == ([] if heeded else ["Nobody switches the machine of"])


def test_without_systemd_people_are_told_how(tmp_path: Path) -> None:
    said: list[str] = []
    switch_off(lambda _: False, said.append, {})
    switch_off(lambda _: False, said.append, {"RUNTIME_DIRECTORY": str(tmp_path / "gone")})
    assert ["sudo poweroff" in text for text in said] == [True, True]


def test_systemd_watches_for_that_very_file_and_does_that_one_thing() -> None:
    path, service = ((SYSTEMD / f"callbox-off.{kind}").read_text() for kind in ("path", "service"))
    box = (SYSTEMD / "callbox.service").read_text()
    assert "RuntimeDirectory=callbox\n" in box
    assert f"PathExists=/run/callbox/{ASKS}\n" in path
    does = [line for line in service.splitlines() if line.startswith("Exec")]
    assert does == [
        f"ExecStartPre=/bin/rm -f /run/callbox/{ASKS}",
        "ExecStart=/bin/systemctl --no-block poweroff",
    ]
    patience_s = next(line for line in box.splitlines() if line.startswith("WatchdogSec="))
    assert float(patience_s.partition("=")[2]) > PATIENCE_S, "the wait is no hang"


def test_the_lamp_in_the_off_button_is_lit_until_all_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lit: list[bool] = []
    closing = Journal.close

    with playing(tmp_path, simulated(seed=1)) as player:
        off = player.box.fitted.off
        assert off is not None

        def close(journal: Journal) -> None:
            closing(journal)
            lit.append(off.lit)

        monkeypatch.setattr(Journal, "close", close)
    assert (lit, off.lit) == ([True], False)


def test_a_button_that_is_down_at_the_start_is_told_until_it_is_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.panel.fitted.Panel.down", lambda _: ("cache",))
    with playing(tmp_path, simulated(seed=1)) as player:
        shown = player.until(lambda shown: shown.panel.text, "the stuck button")
        assert shown.panel.text.startswith("CACHE is down all the time.")
        assert shown.panel.shout == "StUCK"
        player.press("cache")
        player.until(lambda shown: not shown.panel.text, "a button that was let go")
