"""What the console weighs as it is sent: all that a browser which was never there asks for to show it."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from benchmarks.pages import Scales
from device.people.people import People
from tests.device.conftest import Opener
from tests.device.console.fake_box import FakeBox, begun
from tests.device.console.test_people_page import club

LIMIT_KB = 90

pytestmark = pytest.mark.chromium


def weighed_kb(opened: Opener, desk: FakeBox, people: People | None = None) -> float:
    """All parts of the page with the headers of their answers, with nothing kept from before."""
    page = opened(desk, people=people)
    session = page.context.new_cdp_session(page)
    scales = Scales(session)
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    page.reload()
    expect(page.locator("#link")).to_have_attribute("data-link", "up")
    game = desk.snapshot().game
    if game is not None and game.game == "end-zone":
        page.wait_for_function("document.querySelector('#landing').firstElementChild")
    while scales.busy:
        page.evaluate("document.readyState")  # hears what the browser has to say of its requests
    assert scales.weight.requests > 10
    return scales.weight.sent_bytes / 1000


def test_the_console_is_light(opened: Opener) -> None:
    assert weighed_kb(opened, begun()) <= LIMIT_KB


def test_the_console_of_a_club_is_light(opened: Opener, tmp_path: Path) -> None:
    """It seals what it asks from the first moment on."""
    assert weighed_kb(opened, begun(), club(tmp_path)) <= LIMIT_KB


def test_the_console_of_an_end_zone_is_light(opened: Opener) -> None:
    desk = begun()
    desk.start("end-zone", ("Ann", "Bea"), {"order": "seats", "mode": "fast"})
    assert weighed_kb(opened, desk) <= LIMIT_KB
