"""The organiser's page in Chromium: from the pasted list to the signed result, and what is printed."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from device.console import ConsoleServer
from tests.device.axe import find_violations
from tests.device.hall.organiser_desk import PIN, Desk
from tests.device.hall.small_hall import EIGHT
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.chromium
RULES = {"first": "named", "last": "none"}


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    made.hall.go_on()
    yield made
    made.hall.close()


@pytest.fixture
def address(desk: Desk) -> Iterator[str]:
    server = ConsoleServer(desk.app, "127.0.0.1", 0)
    server.start()
    yield f"{server.address}organiser"
    server.stop()


@pytest.fixture
def page(chromium: Browser, address: str) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    context.set_default_timeout(1000 * PATIENCE_S)
    expect.set_options(timeout=1000 * PATIENCE_S)
    opened = context.new_page()
    trouble: list[str] = []
    opened.on("pageerror", lambda error: trouble.append(str(error)))
    opened.goto(address)
    yield opened
    context.close()
    assert trouble == []


def sign_in(page: Page, name: str = "Cleo") -> None:
    page.locator("#locked .sign").click()
    page.locator("#sign [name=pin]").fill(PIN)
    page.locator("#sign [name=name]").fill(name)
    page.locator("#sign .main").click()
    expect(page.locator("#locked")).to_be_hidden()


def says(page: Page, text: str) -> None:
    """The desk has done it, and says so."""
    expect(page.locator("#notice p")).to_have_text(text)


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def enter(page: Page, names: tuple[str, ...] = EIGHT[:4]) -> None:
    page.locator("[name=players]").fill("\n".join(names))
    page.locator("[name=title]").fill("Autumn Cup")
    page.locator("[name=number]").fill("4711")
    page.locator("[name=game]").select_option("ten-thousand")
    page.locator("#entries summary").first.click()
    for rule, value in RULES.items():
        page.locator(f"[name=rule-{rule}]").select_option(value)


def draw(page: Page, desk: Desk) -> None:
    enter(page)
    page.get_by_label("Points to reach").fill("1000")
    page.get_by_role("button", name="Draw the matches").click()
    says(page, "Autumn Cup is drawn.")
    desk.hall.go_on()
    expect(page.locator("#at-tables li")).to_have_count(2)


def test_from_the_pasted_list_to_the_signed_result_and_the_paper(desk: Desk, page: Page) -> None:
    expect(page.locator("[name=players]")).to_be_disabled()
    sign_in(page)
    enter(page, ("Ann", "ann"))
    page.get_by_role("button", name="Save list").click()
    expect(page.locator("#entries .trouble")).to_contain_text("Two players are called ann")
    assert find_violations(page) == []
    assert fits(page)
    page.locator("#entries summary").first.click()
    draw(page, desk)
    expect(page.locator("#cup .chance")).to_have_text("Drawn by number 4711.")
    box = desk.hall.boxes[0]
    match = box.play(signs=True)
    desk.hall.go_on(box)
    waiting = page.locator("#to-sign li")
    expect(waiting).to_contain_text("The table waits for the sign-off.")
    assert find_violations(page) == []
    assert fits(page)
    waiting.get_by_role("button", name="Sign off").click()
    says(page, "Match 1 is signed off.")
    box.sign(match)
    desk.hall.go_on()
    expect(page.locator("#signed summary")).to_have_text("1 result")
    page.emulate_media(media="print")
    expect(page.locator("#sheet tbody tr").first).to_contain_text("Cleo")
    expect(page.locator("#lists")).to_be_hidden()
    page.evaluate("window.print = () => {}")
    page.emulate_media(media="screen")
    page.get_by_role("button", name="Print sign-off list").click()
    page.emulate_media(media="print")
    expect(page.locator("#cup")).to_be_hidden()
    expect(page.locator("#sheet")).to_be_visible()


def test_a_match_is_moved_decided_and_a_player_withdrawn(desk: Desk, page: Page) -> None:
    sign_in(page)
    draw(page, desk)
    first = page.locator("#at-tables li").first
    first.get_by_role("button", name="Take the call back").click()
    says(page, "The call of match 1 is taken back.")
    desk.hall.go_on()
    held = page.locator("#to-call li").first
    expect(held).to_contain_text("Nobody is called until you call it.")
    held.get_by_role("button", name="Decide…").click()
    page.locator("#act [name=winner]").last.check()
    page.locator("#act [name=reason]").fill("played on paper")
    assert find_violations(page) == []
    assert fits(page)
    page.get_by_role("button", name="Save decision").click()
    says(page, f"Match 1 is decided: {desk.match(1).sides[1]} has won.")
    desk.hall.go_on()
    expect(page.locator("#to-sign li")).to_contain_text("Decided: played on paper")
    page.get_by_role("button", name="Withdraw a player…").click()
    name = desk.match(2).sides[0]
    page.locator("#act [name=player]").select_option(name)
    page.get_by_role("button", name="Withdraw", exact=True).click()
    says(page, f"{name} has withdrawn.")
    desk.hall.go_on()
    expect(page.locator("#players .gone")).to_contain_text(f"{name} (withdrawn)")
    expect(page.locator("#to-call li, #at-tables li")).to_have_count(1)


def test_of_two_pages_the_later_one_is_told_and_keeps_what_was_entered(
    desk: Desk, page: Page, address: str
) -> None:
    other = page.context.browser.new_page() if page.context.browser else page
    other.goto(address)
    sign_in(page)
    sign_in(other, "Max")
    enter(other, EIGHT[4:])
    enter(page)
    page.get_by_role("button", name="Save list").click()
    says(page, "The list is saved.")
    other.get_by_role("button", name="Save list").click()
    expect(other.locator("#entries .trouble")).to_contain_text("Cleo has changed the list meanwhile")
    expect(other.locator("[name=players]")).to_have_value("\n".join(EIGHT[4:]))
    other.on("dialog", lambda dialog: dialog.accept())
    other.get_by_role("button", name="Load the saved list").click()
    expect(other.locator("[name=players]")).to_have_value("\n".join(EIGHT[:4]))
    expect(other.locator("#entries .kept")).to_have_text("Saved by Cleo.")
    other.close()
