"""An evening's games on the console: what the lobby opens with."""

import pytest
from playwright.sync_api import expect

from device.snapshot import ProposedShown
from tests.device.conftest import Opener
from tests.device.console.fake_desk import FakeDesk


@pytest.mark.chromium
def test_the_lobby_opens_with_the_game_that_was_named(opened: Opener) -> None:
    desk = FakeDesk()
    desk.show(proposed=ProposedShown("end-zone", {"mode": "fast"}))
    page = opened(desk)
    expect(page.locator("#lobby [name=game]:checked")).to_have_value("end-zone")
    page.get_by_role("textbox", name="Player 1").fill("Ann")
    page.get_by_role("button", name="Add a player").click()
    page.get_by_role("textbox", name="Player 2").fill("Bea")
    page.get_by_role("button", name="Start the game").click()
    desk.hears("start", ("end-zone", ("Ann", "Bea"), {"mode": "fast"}))
