"""The set-up in a real Chromium on the simulated table: the seconds of each step, pressed at once.

The table holds the board for two seconds a pose; people take longer to hold it, and read what it says.
On its way it makes the pictures of docs/builder.md, where they are asked for (`make docs ONLY=setup`).
"""

import argparse
import re
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from playwright.sync_api import Locator, Page, expect, sync_playwright

from benchmarks.pictures.studio import find_chromium
from device.box import Box, Setup
from device.config import load
from device.simulator.table import SimulatedTable

PATIENCE_MS = 600_000.0
KINDS = 4
"""How many kinds of dice are thrown."""

Shoot = Callable[[Page, str], None]
"""Takes a picture of a page, under a name."""


def main(words: Sequence[str] = ()) -> None:
    """Print the seconds of each step, and of all."""
    argparse.ArgumentParser(prog="python -m benchmarks set_up").parse_args(words)
    if (found := find_chromium()) is None:
        print("no Chromium here")
        return
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=found) as browser,
    ):
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        set_up(page, Path(folder), lambda _page, _name: None)


def set_up(page: Page, folder: Path, shoot: Shoot) -> None:
    """Walk through the set-up of a new box with that data folder; prints the seconds of each step."""
    setup = Setup(
        config=load(None),
        camera=SimulatedTable(seed=3),
        data=folder,
        mock_pins=True,
        reads="roll_done",
        host="127.0.0.1",
        port=0,
        tell=print,
    )
    with Box(setup) as box:
        page.set_default_timeout(PATIENCE_MS)
        page.goto(f"{box.start()}setup")
        _walk(page, shoot)


def _walk(page: Page, shoot: Shoot) -> None:
    began_s = step_s = time.monotonic()
    for name in ("Lens", "Sheet and table", "Dice", "Buttons", "Lamps and board", "Settings", "Doctor", ""):
        title = page.locator("#step-title").inner_text() if name != "Lens" else "Camera"
        _do(page, title, shoot)
        if name:
            expect(page.locator("#step-title")).to_have_text(name, timeout=PATIENCE_MS)
        now_s = time.monotonic()
        print(f"{title:18}{now_s - step_s:6.0f} s")
        step_s = now_s
    done = page.locator("#steps [data-done=true]")
    expect(done).to_have_count(8, timeout=PATIENCE_MS)
    print(f"{'all':18}{time.monotonic() - began_s:6.0f} s")


def _do(page: Page, title: str, shoot: Shoot) -> None:
    """One step, to its end."""
    main_act = page.locator("#acts button.main")
    match title:
        case "Sheet and table":
            expect(main_act).to_contain_text("find the sheet", timeout=PATIENCE_MS)
            page.wait_for_timeout(1500)  # the board has to be out of the picture
            main_act.click()
            expect(main_act).to_have_text("Yes: keep it", timeout=PATIENCE_MS)
            _settle_and_shoot(page, shoot, "setup-sheet.jpg")
            main_act.click()
        case "Dice":
            lines = page.locator("#lines li[data-verdict=ok]")
            for number in range(KINDS):
                expect(main_act).to_have_text("Yes: all are right", timeout=PATIENCE_MS)
                if number == 1:
                    _settle_and_shoot(page, shoot, "setup-dice.jpg")
                main_act.click()
                expect(lines).to_have_count(number + 1, timeout=PATIENCE_MS)
            _press(main_act, "Go on")
        case "Buttons":
            for button in page.locator("#pins button").all():
                button.click()
            _press(main_act, "Go on")
        case "Lamps and board":
            _light(page, main_act, shoot)
        case "Doctor":
            main_act.click()
            _press(main_act, "Done")
        case "Lens":
            expect(page.locator("#count-words")).to_have_text("9 of 16", timeout=PATIENCE_MS)
            _settle_and_shoot(page, shoot, "setup-lens.jpg")
            _press(main_act, "Keep this lens")
        case _:
            main_act.click()


def _light(page: Page, main_act: Locator, shoot: Shoot) -> None:
    """Say of each light that it glows."""
    question = page.locator("#say")
    while (asked := question.inner_text()).startswith("Does "):
        if "1-345678" in asked:
            _settle_and_shoot(page, shoot, "setup-board.jpg")
        main_act.click()
        expect(question).not_to_have_text(re.compile(f"{re.escape(asked)}|One moment"), timeout=PATIENCE_MS)
    _press(main_act, "Go on")


def _press(button: Locator, words: str) -> None:
    expect(button).to_have_text(words, timeout=PATIENCE_MS)
    button.click()


def _settle_and_shoot(page: Page, shoot: Shoot, name: str) -> None:
    page.wait_for_timeout(1000)
    shoot(page, name)
