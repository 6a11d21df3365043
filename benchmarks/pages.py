"""How much each page weighs, and how soon it shows something in a Chromium that is slowed down four times.

    python -m benchmarks pages [--rounds 5] [--slower 4] [--language de]

A whole box runs on a simulated table whose time stands still, with a game on, and beside it the desk of a
hall with eight tables. Each page is opened with nothing kept from before.

A page weighs what it is made of: the page itself, styles, scripts, words and pictures of its own, but no
picture of the table and no news of the game, which come after and go on. "As sent" is compressed, with the
headers. "Painted" is the first contentful paint, and "told" is when the first news of the box stand on the
page; both count from when the page was asked for. The seconds are this machine's; what may be compared is
the ratio to a page of one word, which the same kind of server hands out in the same round.
"""

import argparse
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, CDPSession, sync_playwright
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route
from tqdm import tqdm

from benchmarks.pictures.people import hall_of_eight
from benchmarks.pictures.studio import find_chromium
from device.console import ConsoleServer
from device.languages import speak_language
from device.requests import StartGame
from tests.device.conftest import ARGUMENTS
from tests.playing import playing, simulated
from tests.waiting import PATIENCE_S

EMPTY = "one word"
PAGES = {
    "console": "",
    "player": "play?player=Ann",
    "referee": "?referee",
    "big screen": "?screen",
    "tournament": "?tournament",
    "history": "history",
    "set-up": "setup",
}
PHONES = {"player"}
PARTS = {"Document", "Stylesheet", "Script", "Image", "Font"}
"""The kinds of request that bring parts of a page, in the words of the DevTools protocol."""
OF_THE_GAME = ("/picture", "/reading", "/evidence")
LOOK_MS = 50
WATCH = """(() => {
  const seen = self.seen = { told: null, painted: null };
  const look = () => {
    if (document.querySelector('#link[data-link="up"]')) seen.told ??= performance.now();
  };
  const changes = { subtree: true, childList: true, attributeFilter: ["data-link"] };
  new MutationObserver(look).observe(document, changes);
  new PerformanceObserver(list => {
    for (const each of list.getEntriesByName("first-contentful-paint")) seen.painted = each.startTime;
  }).observe({ type: "paint", buffered: true });
})()"""
SEEN = "({ ...self.seen, live: document.querySelector('#link') !== null })"


@dataclass(frozen=True, slots=True)
class Weight:
    """What a page is made of."""

    requests: int
    raw_bytes: int
    sent_bytes: int
    """With the headers of the answers."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A page opened once."""

    weight: Weight
    painted_ms: float
    told_ms: float | None
    """None for a page that no news come to."""


class Scales:
    """Adds up what a page asks for, from the news of the DevTools protocol."""

    def __init__(self, session: CDPSession) -> None:
        self._parts = dict[str, bool]()
        """Those that were asked for, by the protocol's ids; True for those that have come."""
        self._raw_bytes = self._sent_bytes = 0
        session.on("Network.requestWillBeSent", self._ask)
        session.on("Network.dataReceived", self._take)
        session.on("Network.loadingFinished", self._end)
        session.send("Network.enable")

    @property
    def busy(self) -> bool:
        """Whether a part is still to come."""
        return not all(self._parts.values())

    @property
    def weight(self) -> Weight:
        """What has come so far."""
        return Weight(len(self._parts), self._raw_bytes, self._sent_bytes)

    def _ask(self, said: dict[str, Any]) -> None:
        url = said["request"]["url"]
        part = said["type"] in PARTS and url.startswith("http")
        if part and not any(name in url for name in OF_THE_GAME):
            self._parts[said["requestId"]] = False

    def _take(self, said: dict[str, Any]) -> None:
        if said["requestId"] in self._parts:
            self._raw_bytes += said["dataLength"]

    def _end(self, said: dict[str, Any]) -> None:
        if said["requestId"] in self._parts:
            self._parts[said["requestId"]] = True
            self._sent_bytes += said["encodedDataLength"]


def open_once(browser: Browser, address: str, slower: float, *, phone: bool) -> Opening:
    """Open the page as somebody who has never been there, on a processor so many times slower."""
    width, height = (390, 844) if phone else (1280, 800)
    context = browser.new_context(viewport={"width": width, "height": height})
    context.set_default_timeout(1000 * PATIENCE_S)
    page = context.new_page()
    page.add_init_script(WATCH)
    session = context.new_cdp_session(page)
    scales = Scales(session)
    session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.goto(address)
    while True:
        seen = page.evaluate(SEEN)
        stands = seen["painted"] is not None and (seen["told"] is not None or not seen["live"])
        if stands and not scales.busy:
            break
        page.wait_for_timeout(LOOK_MS)
    context.close()
    return Opening(scales.weight, seen["painted"], seen["told"])


@contextmanager
def addresses(folder: Path) -> Iterator[dict[str, str]]:
    """All pages, and the one of one word, by what they are called."""
    with (
        playing(folder / "box", simulated(7)) as player,
        hall_of_eight(folder) as hall,
        page_of_one_word() as empty,
    ):
        assert player.box.api.request(StartGame("zoinx", ("Ann", "Bea", "Zoe"), {})).ok
        home = player.box.console.address
        yield {EMPTY: empty, **{name: home + rest for name, rest in PAGES.items()}, "hall": hall}


@contextmanager
def page_of_one_word() -> Iterator[str]:
    """Its address."""

    async def page(request: Request) -> HTMLResponse:  # noqa: ARG001 - everybody gets the same
        return HTMLResponse("<!doctype html><title>Callbox</title><p>Callbox")

    with served(Starlette(routes=[Route("/", page)])) as address:
        yield address


@contextmanager
def served(app: Starlette) -> Iterator[str]:
    """The address of that app, by a server as the console has."""
    app.state.when_closing = ()
    server = ConsoleServer(app, "127.0.0.1", 0)
    server.start()
    try:
        yield server.address
    finally:
        server.stop()


def main(words: Sequence[str] = ()) -> None:
    """Print a line for each page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks pages")
    parser.add_argument("--rounds", type=int, default=5, help="how often each page is opened")
    parser.add_argument("--slower", type=float, default=4.0, help="how many times slower the processor is")
    parser.add_argument("--language", choices=("en", "de", "fr"), default="en", help="that of the pages")
    options = parser.parse_args(words)
    if (found := find_chromium()) is None:
        print("no Chromium here")
        return
    speak_language(options.language)
    with (
        tempfile.TemporaryDirectory() as folder,
        addresses(Path(folder)) as pages,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=found, args=ARGUMENTS) as browser,
    ):
        print_table(
            [open_all(browser, pages, options.slower) for _ in tqdm(range(options.rounds), leave=False)]
        )


def open_all(browser: Browser, pages: dict[str, str], slower: float) -> dict[str, Opening]:
    """Each page once, by what it is called."""
    return {
        name: open_once(browser, address, slower, phone=name in PHONES) for name, address in pages.items()
    }


def print_table(rounds: list[dict[str, Opening]]) -> None:
    """The weights, and the medians of times and of their ratios to the page of one word in the same round."""
    print(f"{'':11}{'files':>6}{'kB':>7}{'as sent':>9}{'painted':>12}{'ratio':>7}{'told':>12}{'ratio':>7}")
    for name, last in rounds[-1].items():
        times = [(each[name].painted_ms, each[EMPTY].painted_ms) for each in rounds]
        told = [(each[name].told_ms, each[EMPTY].painted_ms) for each in rounds]
        weight = last.weight
        print(
            f"{name:11}{weight.requests:6}{weight.raw_bytes / 1000:7.1f}{weight.sent_bytes / 1000:9.1f}"
            f"{_middle(times)}{_middle(told)}"
        )


def _middle(times: Sequence[tuple[float | None, float]]) -> str:
    """The median of the times in ms and that of their ratios, where there are any."""
    known = [(time_ms, empty_ms) for time_ms, empty_ms in times if time_ms is not None]
    if not known:
        return f"{'-':>12}{'-':>7}"
    middle_ms = statistics.median(time_ms for time_ms, _ in known)
    return f"{middle_ms:9.0f} ms{statistics.median(one / other for one, other in known):7.1f}"
