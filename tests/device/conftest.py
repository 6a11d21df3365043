"""A real Chromium and a real Firefox for the tests that drive the console."""

import shutil
from asyncio import events
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

from device.console import ConsoleServer, make_app
from device.console.app import ConsoleSettings
from device.people import pins
from device.people.people import People
from tests.device.console.fake_box import FakeBox
from tests.waiting import PATIENCE_S

expect.set_options(timeout=1000 * PATIENCE_S)

Opener = Callable[..., Page]
"""Opens a desk's page: (desk, query="", width=1280, height=900, people=a family, and `ConsoleSettings`)."""

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FIREFOXES = ("firefox-esr", "firefox")
ELSEWHERE = "callbox.test"
"""This machine by a name that a page takes for a network's."""
LOUD = ("error", "warning")
REAL_DIGEST = pins._digest
ARGUMENTS = [
    f"--host-resolver-rules=MAP {ELSEWHERE} 127.0.0.1",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture(scope="session", autouse=True)
def cheap_pins() -> Iterator[None]:
    """To hash a PIN costs as little as it can; `tests/device/people/test_pins.py` has it as it is."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(pins, "_digest", lambda pin, salt, _: REAL_DIGEST(pin, salt, 2))
        yield


@pytest.fixture(scope="session")
def driver() -> Iterator[Playwright]:
    """What drives browsers: while it is there its event loop holds the main thread."""
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(autouse=True)
def loop_of_its_own(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test that drives no browser may run an event loop, although the driver's waits in the same thread.

    Whoever asks for a browser by its name (`getfixturevalue`) has to ask for `driver`, too.
    """
    loop = None if "driver" in request.fixturenames else events._get_running_loop()
    if loop is None:
        yield
        return
    events._set_running_loop(None)
    yield
    events._set_running_loop(loop)


def found(names: tuple[str, ...], what: str, package: str) -> str:
    """The first of these programs that is here; skips the test where there is none."""
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        pytest.skip(f"no {what} here (looked for {', '.join(names)}); on Debian: apt install {package}")
    return path


@pytest.fixture(scope="session")
def chromium(driver: Playwright) -> Iterator[Browser]:
    """A headless Chromium."""
    path = found(NAMES, "Chromium", "chromium")
    browser = driver.chromium.launch(executable_path=path, args=ARGUMENTS, timeout=1000 * PATIENCE_S)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def firefox(driver: Playwright) -> Iterator[Browser]:
    """A headless Firefox: as Debian ships it, driven by WebDriver BiDi."""
    path = found(FIREFOXES, "Firefox", "firefox-esr")
    browser = driver.firefox.launch(channel="moz-firefox", executable_path=path, timeout=1000 * PATIENCE_S)
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def stop_later() -> Iterator[Callable[[ConsoleServer], None]]:
    """Stops a server while the next tests run; at the end of the file all have stopped."""
    with ThreadPoolExecutor() as pool:
        stopped: list[Future[None]] = []
        yield lambda server: stopped.append(pool.submit(server.stop))
        for one in stopped:
            one.result()


@contextmanager
def opener(browser: Browser, stop_later: Callable[[ConsoleServer], None]) -> Iterator[Opener]:
    """Opens a desk's page there. Afterwards: no errors were logged, and nothing came from elsewhere."""
    servers, contexts, trouble = list[ConsoleServer](), list[BrowserContext](), list[str]()

    def refuse_elsewhere(url: str, home: str) -> None:
        if urlsplit(url).scheme in ("http", "https", "ws") and not url.startswith(home):
            trouble.append(f"asked elsewhere: {url}")

    def open_page(
        desk: FakeBox,
        query: str = "",
        width: int = 1280,
        height: int = 900,
        people: People | None = None,
        **others: Any,
    ) -> Page:
        # No button is let go by the box itself: here the page must do it.
        settings = ConsoleSettings(hold_s=3600, people=people or People(), **others)
        server = ConsoleServer(make_app(desk, settings, hand=desk), "127.0.0.1", 0)
        server.start()
        servers.append(server)
        context = browser.new_context(viewport={"width": width, "height": height})
        contexts.append(context)
        context.set_default_timeout(1000 * PATIENCE_S)
        page = context.new_page()
        page.on("console", lambda said: trouble.append(said.text) if said.type in LOUD else None)
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("request", lambda request: refuse_elsewhere(request.url, server.address))
        page.goto(server.address + query)
        expect(page.locator("#link")).to_have_attribute("data-link", "up")
        return page

    yield open_page
    for context in contexts:
        context.close()
    for server in servers:
        stop_later(server)
    assert trouble == []


@pytest.fixture
def opened(chromium: Browser, stop_later: Callable[[ConsoleServer], None]) -> Iterator[Opener]:
    """Opens a desk's page in Chromium, which must log no errors there and ask nothing of elsewhere."""
    with opener(chromium, stop_later) as open_page:
        yield open_page


@pytest.fixture
def opened_in_firefox(firefox: Browser, stop_later: Callable[[ConsoleServer], None]) -> Iterator[Opener]:
    """The same in Firefox."""
    with opener(firefox, stop_later) as open_page:
        yield open_page
