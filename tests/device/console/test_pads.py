"""The score pad on the pages: a real table, own column first on a phone, all of it on the big screen."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from device.shown.throws import ThrowShown, ThrowsShown
from tests.device.axe import find_violations
from tests.device.conftest import Opener
from tests.device.console.drawn import drawn_table
from tests.device.console.spoken import SpokenBox
from tests.device.console.test_big_screen import NAMES, SIZES, moment, pass_s
from tests.device.console.test_page import tab_to
from tests.tiers import short

pytestmark = pytest.mark.chromium


def card(players: tuple[str, ...], laps: int) -> SpokenBox:
    """A score card on which so many lines are filled."""
    desk = SpokenBox()
    desk.start("end-zone", players, {"mode": "score-card", "order": "seats"})
    for lap in range(laps):
        desk.say(", ".join(f"lands {(lap + seat) % 6 + 1}x5" for seat in range(len(players))))
    return desk


def line(page: Page, name: str) -> Locator:
    """The fields of a line; of several of that name the first."""
    header = page.get_by_role("rowheader", name=re.compile(rf"^{name}\b"))
    return page.locator("#pad tr").filter(has=header).first.locator("td")


def test_the_card_is_a_table_with_headers_and_follows_the_game(opened: Opener) -> None:
    desk = card(("Ann", "Bea"), 7)
    page = opened(desk)
    paper = page.get_by_role("table", name="Score card")
    expect(paper.get_by_role("columnheader")).to_have_text(["Ann", "Bea"])
    expect(line(page, "7")).to_have_text(["51 × 5", "102 × 5"])
    expect(line(page, "Bonus")).to_have_text(["earned 50", "earned 50"])
    expect(line(page, "Bonus").first).to_have_attribute("data-mark", "crossed")
    expect(line(page, "8").first).to_have_text("now ")
    expect(line(page, "14").first).to_be_hidden()
    page.get_by_role("button", name="All lines").click()
    expect(line(page, "14").first).to_be_visible()
    desk.say("lands 6x20")
    expect(line(page, "8").first).to_have_text("1206 × 20")
    expect(line(page, "8").last).to_have_attribute("data-mark", "now")
    assert find_violations(page) == []


def thrown_of(desk: SpokenBox, number: int, words: str) -> ThrowShown:
    """A landing of that number, with its close-up."""
    desk.close_ups[number] = drawn_table((number % 6 + 1,))
    evidence = f"1/{number}.jpg"
    at = "2026-11-23T18:00:00.000Z"
    return ThrowShown(number, at, "Ann", words, "counts", reading=number, evidence=evidence, landing=number)


@pytest.mark.parametrize("view", ["", "?referee"])
def test_a_filled_field_opens_the_close_up_of_the_landing_that_filled_it(opened: Opener, view: str) -> None:
    desk = card(("Ann", "Bea"), 7)
    later = thrown_of(desk, 13, "1 × 5 = 5")
    earlier = thrown_of(desk, 3, "2 × 5 = 10")
    desk.thrown = ThrowsShown(desk.shown.game_id, 13, (later, earlier))
    page = opened(desk, view)
    page.get_by_role("button", name="All lines").click()
    field = page.get_by_role("button", name="Look at Ann, 7: 1 × 5")
    box = field.bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 43.9, "a finger meets it"
    tab_to(page, "[aria-label='Look at Ann, 7: 1 × 5']")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Ann, 7: 1 × 5")
    expect(dialog.locator("figcaption")).to_have_text(["Throw 13, Ann: 1 × 5 = 5"])
    expect(dialog.locator("img")).to_have_js_property("naturalWidth", 1280)
    assert "evidence/13.jpg" in (dialog.locator("img").get_attribute("src") or "")
    assert find_violations(page) == []
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(field).to_be_focused()
    page.get_by_role("button", name="Look at Bea, 2: 3 × 5").click()
    expect(page.locator("#field .dice")).to_have_text("3 × 5 = 15There is no picture of it.")
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Look at Ann, 2: 2 × 5").click()
    expect(page.locator("#field figcaption")).to_have_text("Throw 3, Ann: 2 × 5 = 10")
    page.keyboard.press("Escape")
    expect(line(page, "Bonus").first.locator("button")).to_have_count(0)
    assert find_violations(page) == []


def test_on_a_phone_the_own_column_stands_first_and_the_page_is_no_wider(opened: Opener) -> None:
    desk = card(NAMES, 8)
    page = opened(desk, "play?player=Dan", 390, 844)
    heads = page.get_by_role("table", name="Score card").get_by_role("columnheader")
    expect(heads).to_have_text(["Dan", *[name for name in NAMES if name != "Dan"]])
    expect(line(page, "8").first).to_have_text("255 × 5")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert find_violations(page) == []


@pytest.mark.parametrize("size", short([(1280, 800), *SIZES]))
def test_the_big_screen_shows_the_whole_card_of_twelve_once_a_turn_is_written(
    opened: Opener, size: tuple[int, int]
) -> None:
    desk = card(NAMES, 14)
    page = opened(desk, "?screen", *size)
    page.clock.install()
    moment(page, "scores")
    desk.say("lands 6x20, lands 5x20")
    expect(page.locator("#pads tbody tr")).to_have_count(24)
    expect(page.locator("#pads thead th")).to_have_text(list(NAMES))
    moment(page, "pads")
    assert page.locator("#pads tbody tr").last.is_visible()
    assert find_violations(page) == []
    pass_s(page, 10)
    moment(page, "scores")


def test_kings_line_and_zonks_cards_fit_the_big_screen(opened: Opener) -> None:
    desk = SpokenBox()
    desk.start("end-zone", NAMES, {"mode": "king", "game": "score-card", "order": "seats"})
    page = opened(desk, "?screen", 1920, 1080)
    moment(page, "scores")
    desk.say("lands 6x20")
    expect(page.locator("#pads .paper")).to_have_count(2)
    expect(page.locator("#pads [data-role='waiting']")).to_have_count(10)
    moment(page, "pads")
    desk.start("zonk", NAMES[:8], {"deck": "box", "seed": "x"})
    moment(page, "scores")
    desk.say(", ".join(["casts 1 1 1 2 3 4, caches"] * 8))
    expect(page.locator("#pads [data-role='cards']").first).to_contain_text("Magic Aura")
    moment(page, "pads")
