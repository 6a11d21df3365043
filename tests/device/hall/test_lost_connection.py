"""Pages of hall and console come back after a wire went silent, a refusal or a sleep, and say what is old."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, Playwright, expect

from device.console import ConsoleServer, Doors, make_app
from device.hall.desk import HallPage, make_hall_app
from device.shown.snapshot import MessageShown
from device.venue.membership import Membership
from tests.device.console.fake_box import TWO, rolling
from tests.device.hall.small_hall import SmallHall
from tests.device.wire import Wire
from tests.waiting import PATIENCE_S

OLD = re.compile(r"^Connection lost\. Showing what was known at \d\d:\d\d( [AP]M)?\.$")
NEVER = "No connection. This page keeps trying."
SILENT_MS = 26_000
"""A page that heard nothing for so long opens another stream."""
ATTEMPT_MS = 16_000
"""An attempt to which nothing comes is over by then, and the next one follows within seconds."""


class Followed:
    """A page behind a wire, what it is to show, and how something new happens."""

    def __init__(self, page: Page, wire: Wire, lost: str, news: str, happen: Callable[[], None]) -> None:
        self.page, self.wire, self.happen = page, wire, happen
        self.lost: Locator = page.locator(lost)
        self.news: Locator = page.locator(news)

    def open(self) -> None:
        """Open it, with a clock that the test moves on."""
        self.page.clock.install()
        self.page.goto(self.wire.address)

    def expect_live(self) -> None:
        """It says no more that something is old."""
        expect(self.lost.filter(has_text=re.compile("onnection"))).to_have_count(0)


@pytest.fixture(
    params=[pytest.param(each, marks=getattr(pytest.mark, each)) for each in ("chromium", "firefox")]
)
def browser(request: pytest.FixtureRequest, driver: Playwright) -> Browser:
    """Each of the browsers."""
    found: Browser = request.getfixturevalue(request.param)
    return found


@pytest.fixture(params=["hall", "console"])
def followed(request: pytest.FixtureRequest, tmp_path: Path, browser: Browser) -> Iterator[Followed]:
    """The page of each."""
    with ExitStack() as ends:
        if request.param == "hall":
            hall = SmallHall(tmp_path)
            ends.callback(hall.close)
            shown = HallPage(hall.ledger, hall.ingest, partial(Membership, host="", port=0, certificate=""))
            app = make_hall_app(shown, Doors(own_name="desk"))

            def happen() -> None:
                hall.boxes[0].look("playing")
                hall.work()

            words = "#alarm", "#sums:has-text('1 playing')"
        else:
            desk = rolling(TWO)
            app = make_app(desk)
            words = "#link", "#message:has-text('Four dots.')"

            def happen() -> None:
                desk.show(message=MessageShown("Four dots.", "good"))

        server = ConsoleServer(app, "127.0.0.1", 0)
        server.start()
        ends.callback(server.stop)
        wire = Wire(server.port)
        ends.callback(wire.close)
        context = browser.new_context()
        ends.callback(context.close)
        context.set_default_timeout(1000 * PATIENCE_S)
        yield Followed(context.new_page(), wire, *words, happen)


def test_a_page_behind_a_silent_wire_says_what_is_old_and_comes_back(followed: Followed) -> None:
    followed.open()
    followed.expect_live()
    expect(followed.page.locator("#tables > li, #scores")).not_to_have_count(0)
    followed.wire.silence()
    followed.happen()
    followed.page.clock.fast_forward(SILENT_MS)
    expect(followed.lost).to_have_text(OLD)
    expect(followed.news).to_have_count(0)
    followed.wire.restore()
    followed.page.clock.fast_forward(ATTEMPT_MS)
    expect(followed.news).to_be_visible()
    followed.expect_live()


def test_a_page_whose_stream_was_refused_asks_again(followed: Followed) -> None:
    followed.wire.refuses = True
    followed.open()
    expect(followed.lost).to_have_text(NEVER)
    followed.wire.refuses = False
    followed.happen()
    followed.page.clock.fast_forward(ATTEMPT_MS)
    expect(followed.news).to_be_visible()
    followed.expect_live()


@pytest.mark.parametrize(
    "event", ["new Event('online')", "new PageTransitionEvent('pageshow', {persisted: true})"]
)
def test_a_page_that_wakes_opens_a_new_stream_at_once(followed: Followed, event: str) -> None:
    followed.open()
    followed.expect_live()
    expect(followed.page.locator("#tables > li, #scores")).not_to_have_count(0)
    followed.wire.silence()
    followed.wire.restore()
    followed.happen()
    followed.page.evaluate(f"window.dispatchEvent({event})")
    expect(followed.news).to_be_visible()
