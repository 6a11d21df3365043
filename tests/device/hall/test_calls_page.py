"""The desk's page and its big screen while a tournament goes on, in Chromium; and its files."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from device.console import ConsoleServer, Doors
from device.hall.desk import HallPage, make_hall_app
from device.venue.membership import Membership
from tests.device.axe import find_violations
from tests.device.hall.small_hall import SmallHall, cup
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.chromium


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[SmallHall]:
    hall = SmallHall(tmp_path)
    yield hall
    hall.close()


@pytest.fixture
def address(hall: SmallHall) -> Iterator[str]:
    page = HallPage(hall.ledger, hall.ingest, partial(Membership, host="", port=0, certificate=""))
    server = ConsoleServer(
        make_hall_app(page, Doors(visitors="local", names=(), own_name="desk")), "127.0.0.1", 0
    )
    server.start()
    yield server.address
    server.stop()


@pytest.fixture
def page(chromium: Browser, address: str) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    context.set_default_timeout(1000 * PATIENCE_S)
    expect.set_options(timeout=1000 * PATIENCE_S)
    page = context.new_page()
    trouble: list[str] = []
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.goto(address)
    yield page
    context.close()
    assert trouble == []


def test_who_is_called_where_stands_on_page_and_screen_and_the_bracket_goes_on(
    hall: SmallHall, page: Page, address: str
) -> None:
    expect(page.locator("#tables > li")).to_have_count(2)
    expect(page.locator("#cup")).to_be_hidden()
    hall.organiser.draw(cup())
    hall.go_on()
    expect(page.locator("#calls li")).to_have_text(
        ["Table 1: Ann, HalMatch 1, come and play", "Table 2: Dan, EveMatch 2, come and play"]
    )
    screen = page.context.new_page()
    screen.set_viewport_size({"width": 1920, "height": 1080})
    screen.goto(f"{address}?screen")
    expect(screen.locator("#calls b")).to_have_text(["Table 1: Ann, Hal", "Table 2: Dan, Eve"])
    assert find_violations(screen) == []
    hall.boxes[0].play()
    hall.boxes[1].begin()
    hall.go_on(hall.boxes[1])
    expect(page.locator("#calls li.begun")).to_have_text(["Table 2: Dan, EveMatch 2, being played"])
    expect(page.locator("#heats li[data-when=now]")).to_have_text(
        "Now: Dan against EveMatch 2, Quarter-finals, Table 2"
    )
    expect(screen.locator("#calls li:visible b")).to_have_text(["Table 1: Bea, Gus"])
    expect(page.locator(".rounds .side.won .who")).to_have_text(["Ann"])
    expect(page.locator("#standings tbody tr").first).to_contain_text("Ann")
    assert find_violations(page) == []
    hall.boxes[1].look(online=False)
    hall.work()
    expect(page.locator("#remarks li")).to_contain_text(
        ["Match 2 is played at Table 2, which is not connected."]
    )
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(("ending", "holds"), [("csv", b"Ann"), ("jsonl", b'"Ann"'), ("pdf", b"%PDF")])
def test_the_bracket_is_a_file(hall: SmallHall, page: Page, address: str, ending: str, holds: bytes) -> None:
    hall.organiser.draw(cup())
    hall.go_on()
    answer = page.request.get(f"{address}tournament.{ending}")
    assert holds in answer.body()
    assert f"callbox-tournament.{ending}" in answer.headers["content-disposition"]
