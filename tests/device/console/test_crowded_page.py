"""A page that comes when all live feeds are taken asks from time to time, and shows the game all the same."""

import pytest
from playwright.sync_api import expect

from device.requests import PressButton
from device.shown.snapshot import MessageShown
from tests.device.conftest import Opener
from tests.device.console.fake_box import TWO, pressed, rolling

pytestmark = pytest.mark.chromium


def test_a_page_without_a_live_feed_shows_the_game_and_presses(
    opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.console.feed.STREAMS", 1)
    monkeypatch.setattr("device.console.feed.CROWDED", b"event: crowded\ndata: 50\n\n")
    desk = rolling(TWO)
    first = opened(desk)
    page = first.context.new_page()
    page.goto(first.url)
    link = page.locator("#link")
    expect(link).to_have_attribute("data-link", "up")
    lost = """link => new MutationObserver(() => (window.lost ||= link.dataset.link === "down"))
        .observe(link, { attributes: true })"""
    link.evaluate(lost)
    desk.show(message=MessageShown("Four dots.", "good"))
    expect(page.locator("#message p")).to_have_text("Four dots.")
    page.locator('[data-button="stop"]').click()
    desk.wait_for(lambda each: pressed("stop")[1] in each.said(PressButton))
    assert not page.evaluate("window.lost")
    assert len(desk.listeners) == 1
