"""Two End Zones under two cameras, through pixels: throws to either end, in one table frame."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from device.journal.rows import KeptSight, LandingReading
from engine.events import Landed
from tests.device.landings.rig import Rig

FAR = 1
"""The seat that stands at the near end and throws to the far one."""


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    blank = np.zeros((8, 8, 3), np.uint8)
    monkeypatch.setattr("vision.landing.detector.draw_evidence", lambda *_, **__: blank)
    found = Rig(tmp_path, 21, far_end=True)
    yield found
    found.close()


def readings(rig: Rig) -> list[KeptSight]:
    rows = rig.journal.rows(rig.now.game_id or 0)
    return [entry.row.sight for entry in rows if isinstance(entry.row, LandingReading)]


@pytest.mark.long
def test_throws_go_to_both_ends_of_one_table(rig: Rig) -> None:
    rig.start("Ann", "Bea", mode="first-of-500", order="seats")
    ends = []
    for _ in range(6):
        seat = ("Ann", "Bea").index(rig.game.active or "")
        rig.roll()
        die = rig.newest()
        assert "did not see it cross" not in rig.now.message.text
        if rig.now.ask == "landing":
            if die is None:
                rig.press("stop")
            else:
                rig.referee(die)
            continue
        assert die is not None
        landed = [event for event in rig.events if isinstance(event, Landed)][-1]
        really = rig.really(die)
        assert landed.value == die.die.value
        assert landed.zone == really.zone or really.call == "too_close"
        assert rig.landing.end == ("far" if seat == FAR else "near")
        # Where the journal has it is where it lies on the one table, whichever camera saw it.
        kept = [one for one in readings(rig)[-1].dice if not one.counted]
        assert np.hypot(*np.subtract(kept[0].center_mm, die.center_mm[:2])) < 0.5
        assert kept[0].end == kept[0].aim == rig.landing.end
        assert readings(rig)[-1].unsure == (), "the side lines run on to the other end, and are no dice"
        ends.append(rig.landing.end)
    assert {"near", "far"} <= set(ends)


@pytest.mark.long
def test_a_bumped_far_camera_is_put_right_and_named(rig: Rig) -> None:
    rig.start("Ann", "Bea", mode="threes", order="seats")
    rig.camera.suffer("bumped", "far")
    rig.frames(6)
    rig.roll()
    assert rig.now.camera.text.startswith("At the far end: The camera was bumped")
    assert len(rig.events) == 1
