"""Pictures of games as people see them: a whole box on the simulated table, looked at in Chromium.

Time at that table stands still until something is waited for, so the same seed gives the same game.
What people write on paper is drawn of games of many lines, which are recorded and not thrown.
"""

import random
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from playwright.sync_api import Page, expect

from benchmarks.pictures.studio import PHONE_PX, Studio, beside, shot_of, unpacked
from calibration.arrays import Picture
from device.console import ConsoleServer, make_app
from device.requests import Choose, StartGame
from tests.device.console.spoken import SpokenBox
from tests.engine.end_zone_modes import turn
from tests.playing import Playing, playing, simulated
from tests.waiting import PATIENCE_S

expect.set_options(timeout=1000 * PATIENCE_S)

TABLE_PX = (1280, 960)
"""The camera's picture, as in life."""
SCREEN_PX = (1280, 720)
ZOINX = ("Zoë", "Ben", "Ann")
BETS = {"Zoë": 4, "Ben": 2, "Ann": 0}
END_ZONE = {"mode": "fast", "order": "seats"}
EVIDENCE = "evidence/"
"""Where a page finds close-ups."""
LOADED = "selector => document.querySelector(selector)?.naturalWidth > 0"


@contextmanager
def game_at_table(
    studio: Studio,
    game: str,
    players: tuple[str, ...],
    options: Mapping[str, str],
    seed: int,
    fps: float = 8.0,
) -> Iterator[Playing]:
    """A box with that game begun, on a table of its own."""
    folder = studio.scratch / f"{game}-{seed}"
    with playing(folder, simulated(seed, size_px=TABLE_PX, fps=fps)) as player:
        said = player.box.api.request(StartGame(game, players, options))
        if not said.ok:
            raise ValueError(said.text)
        yield player


def address_of(player: Playing, view: str = "") -> str:
    """Where a box's page is."""
    return f"{player.box.console.address}{view}"


def make_console(studio: Studio) -> None:
    """Zoinx on the console, once its first throw was read."""
    with game_at_table(studio, "zoinx", ZOINX, {}, seed=5) as player:
        _bet(player)
        player.roll()
        with studio.page(address_of(player), (1200, 960)) as page:
            expect(page.locator("#read .tag")).to_have_count(4)
            expect(page.locator("#live .tag")).to_have_count(4)
            studio.keep_shot(page, "img/console-desktop.jpg")


def make_screen_throw(studio: Studio) -> None:
    """A throw of Zoinx on the big screen."""
    with game_at_table(studio, "zoinx", ZOINX, {}, seed=5) as player:
        _bet(player)
        with studio.page(address_of(player, "?screen"), SCREEN_PX) as page:
            expect(page.locator("body")).to_have_attribute("data-moment", "scores")
            player.roll()
            await_moment(page, "throw", "#picture img")
            studio.keep_shot(page, "img/screen-throw.jpg")


def make_screen_landing(studio: Studio) -> None:
    """A landing on the big screen, with its close-up."""
    with (
        game_at_table(studio, "end-zone", ("Ann", "Bea"), END_ZONE, seed=4) as player,
        studio.page(address_of(player, "?screen"), SCREEN_PX) as page,
    ):
        expect(page.locator("body")).to_have_attribute("data-moment", "scores")
        player.roll()
        await_moment(page, "landing", f"#picture img[src^='{EVIDENCE}']")
        studio.keep_shot(page, "img/screen-landing.jpg")


def make_referee(studio: Studio) -> None:
    """A landing too close to call, as the referee is asked about it."""
    with game_at_table(
        studio, "end-zone", ("Ann", "Bea"), {**END_ZONE, "mode": "score-card"}, seed=4
    ) as player:
        while player.now.ask != "landing":
            player.roll("line")
        with studio.page(address_of(player, "?referee"), (1280, 900)) as page:
            page.wait_for_function(LOADED, arg="#landing .evidence img")
            studio.keep_shot(page, "img/referee.jpg")


def make_correction(studio: Studio) -> None:
    """The first roll of a game of Zoinx that has gone on, corrected on the referee's page."""
    with game_at_table(studio, "zoinx", ZOINX, {}, seed=5) as player:
        _bet(player)
        while player.now.game and not player.now.lamps["stop"]:
            player.roll()
        player.press("stop")
        _bet(player)
        player.roll()
        with studio.page(address_of(player, "?referee"), (1280, 900)) as page:
            page.locator(".judge summary").last.click()
            page.get_by_role("button", name="Say what they show").click()
            page.locator("#correct .die input[value='dot']:not(:checked)").last.check()
            expect(page.locator("#correct .foresight")).to_contain_text(" -> ")
            page.wait_for_function(LOADED, arg="#correct .whole img")
            studio.keep_shot(page, "img/referee-correct.jpg")


def make_player_page(studio: Studio) -> None:
    """A bet, dice to set aside, and cards, on three phones."""
    phones = [_bet_on_phone(studio), _dice_on_phone(studio), _cards_on_phone(studio)]
    studio.keep(beside(phones, 964), "img/player-page.jpg")


def _bet_on_phone(studio: Studio) -> Picture:
    with (
        game_at_table(studio, "zoinx", ZOINX[:2], {}, seed=5) as player,
        studio.page(address_of(player, "play?player=Ben"), PHONE_PX) as page,
    ):
        page.locator("#bet input[value='4']").check()
        return shot_of(page)


def _dice_on_phone(studio: Studio) -> Picture:
    with (
        game_at_table(studio, "ten-thousand", ("Ann", "Bea"), {"first": "named"}, seed=6) as player,
        studio.page(address_of(player, "play?player=Ann"), PHONE_PX) as page,
    ):
        player.roll()
        page.locator("#pick ol button").first.click()
        expect(page.locator("#pick image")).to_have_attribute("href", re.compile("^blob:"))
        page.wait_for_timeout(500)  # an image in a drawing does not say when it is painted
        return shot_of(page)


def _cards_on_phone(studio: Studio) -> Picture:
    with game_at_table(studio, "zonk", ("Ann",), {}, seed=4) as player:
        player.roll()
        player.press("cache")
        player.until(lambda shown: shown.game and shown.game.phase == "draw", "cards are due")
        for card in ("Serpent's Stare", "Chaos Swap"):
            take(player, card)
        player.roll()
        take(player, "")
        with studio.page(address_of(player, "play?player=Ann"), PHONE_PX) as page:
            expect(page.locator("#cards")).to_contain_text("Chaos Swap")
            return shot_of(page)


def take(player: Playing, begins: str) -> None:
    """Take the first choice whose words begin so, and wait until it counts."""
    game = player.now.game
    words = [choice.words for choice in game.choices if choice.words.startswith(begins)] if game else []
    if game is None or not words:
        raise ValueError(f"there is no choice {begins!r}: {player.now.message.text}")
    place = [choice.words for choice in game.choices].index(words[0])
    player.box.api.request(Choose(place, words[0]))
    player.until(lambda shown: shown.game and shown.game.line != game.line, f"{words[0]} counts")


def _bet(player: Playing) -> None:
    for name, dots in BETS.items():
        player.bet(name, dots)


def await_moment(page: Page, name: str, picture: str = "") -> None:
    """Until the big screen shows that moment, with the picture that is to be found there."""
    expect(page.locator("body")).to_have_attribute("data-moment", name)
    if picture:
        page.wait_for_function(LOADED, arg=picture)


TWELVE = ("Ann", "Bea", "Maximiliane", "Dan", "Ève", "Florentine", "Gus", "Hal", "Ida", "Joe", "Kim", "Li")
ZONES = (20, 10, 5, 2, 1, 10, 5)
LANDINGS = 181
"""All lines of one die, and of line 15 six turns and one die: the next one ends a turn."""
TURNS = (96, 150, 65, 48, 96, 150, 65, 48, 96, 150, 65, 48, 84, 120, 33)
WIDE = "() => { document.querySelectorAll('#panel, .see').forEach((node) => node.remove()); }"


def make_pads(studio: Studio) -> None:
    """The score card of twelve on the big screen, and the challenge in First of 500 on the console."""
    desk = SpokenBox()
    desk.start("end-zone", TWELVE, {"mode": "score-card", "order": "seats", "minus": "10"})
    chance = random.Random(4)
    for _ in range(LANDINGS):
        desk.say(_landing(chance))
    with _page(studio, desk, "?screen", SCREEN_PX) as page:
        expect(page.locator("body")).to_have_attribute("data-moment", "scores")
        desk.say(_landing(chance))
        expect(page.locator("body")).to_have_attribute("data-moment", "pads")
        studio.keep_shot(page, "img/pad-card.png")
    desk = SpokenBox()
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
def _page(studio: Studio, desk: SpokenBox, view: str, size_px: tuple[int, int]) -> Iterator[Page]:
    """A page of that desk."""
    server = ConsoleServer(make_app(desk), "127.0.0.1", 0)
    server.start()
    with studio.page(f"{server.address}{view}", size_px) as page:
        yield page
    server.stop()
