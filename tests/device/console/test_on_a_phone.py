"""What a finger and a narrow page meet first, in a real Chromium: nothing cut off, broken or left behind."""

from typing import Literal

import pytest
from playwright.sync_api import Browser, expect

from tests.device.axe import find_violations
from tests.device.conftest import Opener
from tests.device.console.fake_box import FakeBox, PlayingBox, rolling

pytestmark = pytest.mark.chromium

WIDE, HIGH = 390, 844
CUT_OFF = """() => {
  const letters = document.createElement("canvas").getContext("2d");
  const values = (list) => {
    const style = getComputedStyle(list);
    letters.font = style.font;
    const room = list.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 20;
    return [...list.options].map(({ text }) => text).filter((text) => letters.measureText(text).width > room);
  };
  const lists = [...document.querySelectorAll("#lobby select")];
  return lists.filter((list) => list.checkVisibility()).flatMap(values);
}"""
BROKEN = """all => all.filter((node) => {
  const words = document.createRange();
  words.selectNodeContents(node);
  const lines = new Set([...words.getClientRects()].map(({ y }) => y));
  return lines.size > node.textContent.split(" ").length;
}).map((node) => node.textContent)"""
FIRST = ("header h1", "#message", "#table", "#scores")
GROUND = "node => getComputedStyle(node).backgroundColor"


@pytest.mark.parametrize("width", [WIDE, 1280])
def test_every_value_of_an_option_is_told_whole_and_a_game_begins_at_its_head(
    opened: Opener, width: int
) -> None:
    page = opened(PlayingBox(), "", width, HIGH)
    games = page.locator("#lobby [name=game]")
    for game in games.all():
        game.check()
        page.locator("#lobby .more-rules").evaluate("node => { node.open = true; }")
        assert page.evaluate(CUT_OFF) == []
    page.locator("#lobby [name=game][value=zonk]").check()
    page.locator("#lobby .more-rules").evaluate("node => { node.open = true; }")
    for seat, name in enumerate(("Ann", "Bea"), 1):
        page.get_by_label(f"Player {seat}", exact=True).fill(name)
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("#scores-title")).to_be_visible()
    expect(page.locator("header h1")).to_be_in_viewport()


def test_a_touch_leaves_no_colour_and_no_key_is_broken_in_two(opened: Opener, chromium: Browser) -> None:
    desk = rolling(("dot", "dot", "square", "square"))
    desk.show(lamps=dict.fromkeys(("roll_done", "stop", "cache", "undo"), True))
    page = opened(desk, "play?player=Zo%C3%AB", WIDE, HIGH)
    expect(page.locator("#panel .key:visible")).to_have_count(4)
    assert page.locator("#panel .key:visible .what").evaluate_all(BROKEN) == []
    lobby = opened(PlayingBox(), "", WIDE, HIGH).url
    phone = chromium.new_context(
        viewport={"width": WIDE, "height": HIGH}, has_touch=True, is_mobile=True, reduced_motion="reduce"
    )
    page = phone.new_page()
    page.goto(lobby)
    button = page.get_by_role("button", name="Add a player")
    before = button.evaluate(GROUND)
    button.tap()
    expect(page.get_by_label("Player 3", exact=True)).to_be_visible()
    assert button.evaluate(GROUND) == before
    phone.close()


def test_no_picture_request_is_cancelled_while_nothing_moves(opened: Opener) -> None:
    page = opened(rolling())
    cancelled, same = list[str](), list[str]()
    page.on("requestfailed", lambda request: cancelled.append(request.url))
    page.on("response", lambda response: same.append(response.url) if response.status == 304 else None)
    while len(same) < 5:
        page.wait_for_event("response", lambda response: response.status == 304)
    page.wait_for_event("requestfinished")
    assert cancelled == []


def test_an_address_that_is_none_leads_to_the_table(opened: Opener) -> None:
    page = opened(FakeBox())
    home = page.url
    other = page.context.new_page()
    other.goto(f"{home}no/such")
    expect(other.locator("main")).to_contain_text("There is no such page on this box.")
    other.get_by_role("link", name="To the table").click()
    expect(other).to_have_url(home)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_views_are_a_menu_on_a_phone_and_the_first_screen_has_picture_and_scores(
    opened: Opener, scheme: Literal["light", "dark"]
) -> None:
    desk = rolling(("dot", "dot", "square", "square"))
    page = opened(desk, "", WIDE, HIGH)
    page.emulate_media(color_scheme=scheme)
    views = page.locator("#menu")
    expect(page.locator("#hero svg").first).to_be_visible()
    expect(views).to_be_hidden()
    tops = [page.locator(each).evaluate("node => node.getBoundingClientRect().top") for each in FIRST]
    assert tops == sorted(tops)
    assert tops[-1] < HIGH
    page.get_by_role("button", name="Menu").click()
    expect(views.get_by_role("link", name="History")).to_be_visible()
    assert find_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.keyboard.press("Escape")
    expect(views).to_be_hidden()
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(views.get_by_role("link", name="History")).to_be_visible()
    expect(page.locator("#open-menu")).to_be_hidden()
