"""What was set aside, on the console: the ways on, and a game to save."""

import pytest
from playwright.sync_api import expect

from device.requests import RestoreGame
from device.shown.snapshot import AsideShown, MessageShown
from tests.device.conftest import Opener
from tests.device.console.fake_box import FakeBox, console

WHY = "Game 7 cannot be resumed: Row 54 of game 7 is not understood: there is no event yodel."


def in_safe_mode(aside: AsideShown) -> FakeBox:
    """The lobby of a box that could not open everything."""
    desk = FakeBox()
    desk.show(aside=aside, message=MessageShown(f"E 12: {aside.text}", "alarm", "E 12"))
    return desk


def test_a_game_that_is_set_aside_is_handed_out_and_nothing_else() -> None:
    desk = FakeBox()
    assert console(desk).get("/aside.jsonl").status_code == 404
    desk.aside = '{"kind": "game"}\n'
    answer = console(desk).get("/aside.jsonl")
    assert answer.text == desk.aside
    assert answer.headers["content-disposition"].startswith("attachment")


@pytest.mark.chromium
def test_a_game_that_is_set_aside_can_be_gone_on_with_saved_or_left(opened: Opener) -> None:
    desk = in_safe_mode(AsideShown(WHY, 7, "Resume from the 53 rows before it"))
    page = opened(desk)
    expect(page.locator("#message")).to_have_text(f"E 12: {WHY}")
    expect(page.locator("#aside h2")).to_have_text("Game 7 is set aside")
    expect(page.locator("#aside a")).to_have_attribute("download", "callbox-game-7.jsonl")
    expect(page.locator("#lobby form")).to_be_visible()
    page.locator("#aside button").click()
    desk.hears(RestoreGame())
    desk.show(aside=None, message=MessageShown("Going on."))
    expect(page.locator("#aside")).to_be_hidden()


@pytest.mark.chromium
def test_a_journal_that_was_put_aside_leaves_the_lobby(opened: Opener) -> None:
    page = opened(in_safe_mode(AsideShown("The journal is damaged.")))
    expect(page.locator("#aside h2")).to_have_text("The journal was put aside")
    expect(page.locator("#aside button, #aside a")).to_have_count(0)
    expect(page.locator("#lobby form")).to_be_visible()
