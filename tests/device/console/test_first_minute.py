"""A stranger's first minute in a real browser: `callbox demo`, an address, and presses that are counted."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.waiting import PATIENCE_S

PHONE, LAPTOP = {"width": 390, "height": 844}, {"width": 1280, "height": 800}


@contextmanager
def demo(folder: Path, *words: str) -> Iterator[str]:
    """`callbox demo` in a process of its own; its address."""
    asked = [sys.executable, "-m", "device", "demo", *words, "--data", str(folder)]
    asked += ["--host", "127.0.0.1", "--port", "0", "--seed", "5"]
    with subprocess.Popen(asked, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        try:
            found = next(filter(None, (re.search(r"http://\S+", line) for line in process.stdout)))
            yield found[0]
        finally:
            process.terminate()
            process.stdout.read()


class Stranger:
    """Somebody who opens an address and presses things, one after the other."""

    def __init__(self, browser: Browser, address: str, viewport: dict[str, int]) -> None:
        self.page = browser.new_page(viewport=viewport)  # type: ignore[arg-type]
        self.page.set_default_timeout(1000 * PATIENCE_S)
        self.presses = 0
        self.page.goto(address)
        expect(self.page.locator("#link")).to_have_attribute("data-link", "up")

    def press(self, target: Locator) -> None:
        target.click()
        self.presses += 1

    @property
    def throw(self) -> Locator:
        """The one large button of the foot bar."""
        return self.page.locator("#panel").get_by_role("button").first


def counted(page: Page, dice: int) -> None:
    """Wait until a roll of so many dice has counted; nothing is pressed meanwhile."""
    expect(page.locator("#hero .faces > span")).to_have_count(dice, timeout=1000 * PATIENCE_S)


def shows_hero(page: Page, state: dict[str, Any]) -> None:
    """The points of the roll, and each of its dice cut out of the picture, above the picture of the table."""
    best = max((choice["points"] or 0 for choice in state["game"]["choices"]), default=0)
    expect(page.locator("#hero .came-to")).to_have_text(f"+{best:,}" if best else "FARKLE!")
    expect(page.locator("#hero .crop")).to_have_count(len(state["table"]["dice"]))
    assert in_view(page, "#hero")
    assert in_view(page, "#live .glass")


def in_view(page: Page, selector: str) -> bool:
    """Whether all of it lies between what the box says and the foot bar."""
    found: bool = page.evaluate(
        "selector => { const box = document.querySelector(selector).getBoundingClientRect();"
        " return box.top >= document.querySelector('#said').getBoundingClientRect().bottom - 1"
        " && box.bottom <= document.querySelector('#panel').getBoundingClientRect().top + 1; }",
        selector,
    )
    return found


@pytest.mark.chromium
def test_one_press_from_the_address_to_the_first_counted_roll(tmp_path: Path, chromium: Browser) -> None:
    first_roll(tmp_path, chromium)


@pytest.mark.firefox
def test_one_press_to_the_first_counted_roll_in_firefox(tmp_path: Path, firefox: Browser) -> None:
    first_roll(tmp_path, firefox)


def first_roll(folder: Path, browser: Browser) -> None:
    with demo(folder) as address:
        ann = Stranger(browser, address, PHONE)
        page = ann.page
        expect(page.locator("#scores .name")).to_have_text(["Ann", "Bea"])
        expect(page.locator("#title")).to_contain_text("Ten Thousand")
        expect(page.locator("#welcome")).to_contain_text("Throws count by themselves here")
        expect(ann.throw).to_have_text("Throw 6 dice")
        expect(page.locator('[data-button="roll_done"]')).to_have_count(0)
        expect(page.locator('[data-button="stop"]')).to_have_count(0)
        ann.press(ann.throw)
        # At once, before the box has answered: the hand is at work, and does nothing else.
        assert ann.throw.get_attribute("aria-disabled") == "true"
        assert ann.throw.inner_text() == "The hand is moving…"
        expect(page.locator("#welcome")).to_be_hidden()
        assert in_view(page, "#live .glass")
        ann.throw.dispatch_event("click")  # `click` would wait until the hand is free
        counted(page, 6)
        assert ann.presses == 1
        shows_hero(page, page.request.get(f"{address}state").json())
        # The other one at the table looks on: what the button does next is the same there.
        bea = Stranger(browser, address, LAPTOP)
        expect(ann.throw).to_have_text(re.compile(r"^(Set aside .+: \+\d+|Throw 6 dice)$"))
        expect(bea.throw).to_have_text(ann.throw.inner_text())
        state = page.request.get(f"{address}state").json()
        assert (state["reads"], state["table"]["reading_id"]) == ("at_rest", 1), (
            "the second press threw nothing"
        )
        # Nor does a second page hurry the hand: the box itself lets it do one thing after the other.
        origin = {"origin": address.rstrip("/")}
        answers = [
            page.request.post(f"{address}hand/acts", data={"act": "throw"}, headers=origin).json()
            for _ in range(2)
        ]
        assert answers[0]["ok"], answers
        assert answers[1]["text"] == "The simulated hand is still moving. Wait a moment."
        page.close()
        bea.page.close()


@pytest.mark.chromium
def test_two_presses_more_for_another_game(tmp_path: Path, chromium: Browser) -> None:
    """ZONK, whose cards the box deals where there is no real deck."""
    with demo(tmp_path) as address:
        ann = Stranger(chromium, address, LAPTOP)
        page = ann.page
        ann.press(page.locator("#welcome").get_by_role("button", name="ZONK"))
        expect(page.locator("#panel")).to_be_hidden()
        expect(page.locator("#lobby .rules").get_by_label("Cards")).to_have_value("box")
        start = page.get_by_role("button", name="Start the game")
        expect(start).to_be_focused()
        ann.press(start)
        expect(ann.throw).to_have_text("Throw 6 dice")
        expect(page.locator("#lobby")).to_be_hidden()
        ann.press(ann.throw)
        counted(page, 6)
        assert ann.presses == 3
        state = page.request.get(f"{address}state").json()
        assert state["game"]["players"] == ["Ann", "Bea"]
        assert state["game"]["options"]["deck"] == "box"
        page.close()
