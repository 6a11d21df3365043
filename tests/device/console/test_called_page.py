"""Players whom a hall's desk has called: the lobby offers their match with one touch, or sends it away."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from device.console import ConsoleServer, Doors
from device.console.app import ConsoleSettings, make_app
from device.requests import BeginCalledMatch, RefuseCalledMatch
from device.shown.snapshot import VenueCallShown
from tests.device.axe import find_violations
from tests.device.console.fake_box import FakeBox
from tests.waiting import PATIENCE_S, eventually

pytestmark = pytest.mark.chromium
CALL = VenueCallShown("c1", "Match 3 of Cup", "ten-thousand", ("Ann", "Bea"))


@pytest.fixture
def desk() -> FakeBox:
    return FakeBox()


@pytest.fixture
def page(chromium: Browser, desk: FakeBox) -> Iterator[Page]:
    doors = Doors(visitors="local", names=(), own_name="box")
    server = ConsoleServer(make_app(desk, ConsoleSettings(doors=doors)), "127.0.0.1", 0)
    server.start()
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    context.set_default_timeout(1000 * PATIENCE_S)
    page = context.new_page()
    page.goto(server.address)
    yield page
    context.close()
    server.stop()


def test_one_touch_begins_the_match_and_a_reason_sends_it_away(desk: FakeBox, page: Page) -> None:
    expect(page.locator("#called")).to_be_hidden()
    desk.show(stage="lobby", game=None, call=CALL)
    expect(page.locator("#called-title")).to_have_text("The desk calls Ann and Bea")
    assert find_violations(page) == []
    page.get_by_role("button", name="Begin the match").click()
    eventually(lambda: desk.said(BeginCalledMatch) == [BeginCalledMatch("c1")], "the desk is asked")
    page.get_by_text("This table cannot take the match").click()
    page.get_by_label("Why, for the organiser").fill("the mat is wet")
    assert find_violations(page) == []
    page.get_by_role("button", name="Send it to another table").click()
    eventually(
        lambda: desk.said(RefuseCalledMatch) == [RefuseCalledMatch("c1", "the mat is wet")],
        "and told why not",
    )
    desk.show(call=None)
    expect(page.locator("#called")).to_be_hidden()
