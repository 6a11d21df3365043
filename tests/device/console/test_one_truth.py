"""Pages tell the same as the game, and as each other: in Chromium, on a box with a simulated table."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from device.requests import Correct
from engine.dice import Die
from tests.device.conftest import Opener
from tests.device.console.fake_box import PlayingBox
from tests.playing import Playing, playing, simulated

pytestmark = pytest.mark.chromium

WIDE, HIGH = 390, 844


def open_page(
    browser: Browser, player: Playing, query: str = "", width: int = WIDE, height: int = HIGH
) -> Page:
    """A page of that box, as wide as a phone unless told otherwise."""
    page = browser.new_page(viewport={"width": width, "height": height})
    page.goto(f"http://127.0.0.1:{player.box.console.port}/{query}")
    expect(page.locator("#link")).to_have_attribute("data-link", "up")
    return page


def test_bets_that_all_have_seen_are_all_made_anew_after_undo(tmp_path: Path, chromium: Browser) -> None:
    with playing(tmp_path, simulated(1)) as player:
        assert not player.box.table.start("zoinx", ("Ann", "Bea"), {})
        ann, bea = (open_page(chromium, player, f"play?player={name}") for name in ("Ann", "Bea"))
        for _ in range(2):
            for page in (ann, bea):
                page.locator("#bet label", has_text="4").click()
                page.get_by_role("button", name="Lock my bet").click()
                expect(page.locator("#bet form")).to_have_count(0)
            expect(ann.locator("#turn-title")).to_contain_text("turn")
            player.until(lambda shown: shown.game and shown.game.phase == "roll", "all bets")
            player.press("undo")
            for page in (ann, bea):
                expect(page.locator("#bet form")).to_be_visible()
                expect(page.locator("#message")).to_contain_text("everybody bets again")
        ann.close()
        bea.close()


def test_dice_are_told_with_their_thrower_and_as_they_were_corrected(opened: Opener) -> None:
    desk = PlayingBox()
    desk.start("tray", ("Ann", "Dora"), {})
    page, wall = opened(desk), opened(desk, "?screen")
    desk.read((6, 6, 6))
    for title, last, thrown in (("#scores-title", "#hero", page), ("#whose", "#scores", wall)):
        expect(thrown.locator(title)).to_contain_text("Dora")
        expect(thrown.locator("#scores .running")).to_be_hidden()
        expect(thrown.locator(last)).to_contain_text("Ann’s last roll")
    expect(page.locator("#read .stamp")).to_be_hidden()
    desk.request(Correct((Die("pip", 6), Die("pip", 6), Die("pip", 5)), ""))
    expect(page.locator("#hero .face").last).to_have_accessible_name("5")
    expect(page.locator("#read .stamp")).to_have_text("Corrected: 6, 6, 5")
    expect(page.locator("#live .overlay")).to_have_count(0)
