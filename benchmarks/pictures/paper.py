"""What people write on paper, in games of many lines that were told and not thrown."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, expect

from benchmarks.pictures.games import SCREEN_PX
from benchmarks.pictures.studio import Studio, unpacked
from device.console import ConsoleServer, make_app
from tests.device.console.spoken import SpokenDesk
from tests.engine.end_zone_modes import turn

TWELVE = ("Ann", "Bea", "Maximiliane", "Dan", "Ève", "Florentine", "Gus", "Hal", "Ida", "Joe", "Kim", "Li")
ZONES = (20, 10, 5, 2, 1, 10, 5)
LANDINGS = 181
"""All lines of one die, and of line 15 six turns and one die: the next one ends a turn."""
TURNS = (96, 150, 65, 48, 96, 150, 65, 48, 96, 150, 65, 48, 84, 120, 33)
WIDE = "() => { document.querySelectorAll('#panel, .see').forEach((node) => node.remove()); }"


def make_pads(studio: Studio) -> None:
    """The score card of twelve on the big screen, and the challenge in First of 500 on the console."""
    desk = SpokenDesk()
    desk.start("end-zone", TWELVE, {"mode": "score-card", "order": "seats", "minus": "10"})
    chance = random.Random(4)
    for _ in range(LANDINGS):
        desk.say(_landing(chance))
    with _page(studio, desk, "?screen", SCREEN_PX) as page:
        expect(page.locator("body")).to_have_attribute("data-moment", "scores")
        desk.say(_landing(chance))
        expect(page.locator("body")).to_have_attribute("data-moment", "pads")
        studio.keep_shot(page, "img/pad-card.png")
    desk = SpokenDesk()
    desk.start("end-zone", TWELVE[:4], {"mode": "first-of-500", "order": "seats"})
    desk.say(", ".join(map(turn, TURNS)))
    with _page(studio, desk, "", (760, 900)) as page:
        page.evaluate(WIDE)
        paper = page.locator("#pad")
        expect(paper).to_contain_text("challenged at 570")
        studio.keep(unpacked(paper.screenshot(animations="disabled")), "img/pad-challenge.png")


def _landing(chance: random.Random) -> str:
    """A die that lands somewhere, now and then off the table."""
    if chance.random() < 0.07:
        return "lands off missed"
    return f"lands {chance.randint(1, 6)}x{chance.choice(ZONES)}"


@contextmanager
def _page(studio: Studio, desk: SpokenDesk, view: str, size_px: tuple[int, int]) -> Iterator[Page]:
    """A page of that desk."""
    server = ConsoleServer(make_app(desk), "127.0.0.1", 0)
    server.start()
    with studio.page(f"{server.address}{view}", size_px) as page:
        yield page
    server.stop()
