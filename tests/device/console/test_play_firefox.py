"""Whole games in both browsers: phones bet in secret, tap dice and press, and the referee's page looks on.

Nothing is asked of the box but what people could do and see on their pages, and the hand that throws. The
table paints the faces that a test names, so that a game is short and its score counted by hand; the camera
reads them.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

from device.requests import StartGame
from engine.dice import Die, Face
from tests.device.conftest import LOUD, Opener
from tests.device.console.fake_box import FOUR, TWO
from tests.device.console.test_choices import MANY, ten_thousand
from tests.device.console.test_play_chromium import replay_agrees
from tests.device.console.test_player_page import HIGH, WIDE, press
from tests.playing import Playing, playing, simulated
from tests.waiting import PATIENCE_S

NONE: tuple[Face, ...] = ("square", "square", "square", "square")
FARKLE: tuple[Face, ...] = (2, 2, 3, 3, 4, 6)
ZOINX_TURNS: tuple[tuple[str, dict[str, int], tuple[tuple[Face, ...], ...]], ...] = (
    ("Zoe", {"Ann": 4, "Zoe": 10}, (FOUR, FOUR, TWO, FOUR)),
    ("Ann", {"Ann": 2, "Zoe": 0}, (NONE,)),
    ("Zoe", {"Ann": 2, "Zoe": 4}, (FOUR,)),
    ("Ann", {"Ann": 2, "Zoe": 4}, (FOUR,)),
)
"""Zoe 10 and 14 dots, Ann 4; a zoinx: 5 for Zoe's nothing; Zoe 4, Ann 2; last, Ann 2 and 4 dots, Zoe 4."""
TEN_THOUSAND_TURNS = (
    ("Ann", (1,) * 6, "8,000"),
    ("Bea", FARKLE, ""),
    ("Ann", (5,) * 6, "4,000"),
    ("Bea", FARKLE, ""),
)
"""With 12,000 points Ann begins the last round, and Bea's turn is all of it."""

PIG_TURNS: tuple[tuple[str, tuple[Face, ...]], ...] = (("Ann", (4, 1)), ("Bea", (6, 4)))
"""To 10 points: Ann's 4 is lost to a 1, and Bea holds with 10."""


class Evening:
    """A box, a phone for each player and the referee's page, all in one browser."""

    def __init__(self, player: Playing, browser: Browser, players: tuple[str, ...]) -> None:
        self.player = player
        self.trouble: list[str] = []
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self.phones = {name: self.open(f"play?player={name}", WIDE, HIGH) for name in players}
        self.referee = self.open("?referee", 1280, 800)

    def open(self, rest: str, width: int, height: int) -> Page:
        """One of the console's pages, in a browser of its own."""
        context = self._browser.new_context(viewport={"width": width, "height": height})
        self._contexts.append(context)
        context.set_default_timeout(1000 * PATIENCE_S)
        page = context.new_page()
        self.listen(page)
        page.goto(f"{self.player.box.console.address}{rest}")
        return page

    def listen(self, page: Page) -> None:
        """Note what the page logs as wrong; before it is opened."""
        page.on("console", lambda said: self.trouble.append(_in_words(said)) if said.type in LOUD else None)
        page.on("pageerror", lambda error: self.trouble.append(str(error)))

    def close(self) -> None:
        for context in self._contexts:
            context.close()

    def bet(self, name: str, dots: int) -> None:
        """In secret, on that player's phone."""
        phone = self.phones[name]
        phone.locator(f"#bet input[value='{dots}']").check()
        phone.get_by_role("button", name="Lock my bet").click()
        expect(phone.locator("#bet .choice")).to_have_count(0)

    def roll(self, name: str) -> None:
        """The hand throws, and a finger on that player's phone says that it has."""
        self.player.throw()
        before = self.player.now.table.reading_id
        press(self.phones[name], self.player, "roll_done")
        self.player.until(lambda shown: shown.table.reading_id > before, "a reading")


def _in_words(said: ConsoleMessage) -> str:
    """What a page logs, with the address that it is about."""
    return f"{said.text} {said.location['url']}"


@contextmanager
def evening(
    folder: Path, browser: Browser, players: tuple[str, ...], game: str, throws: Sequence[Sequence[Face]]
) -> Iterator[Evening]:
    """A game to be played to its end; then its journal tells the same, and no page has logged an error."""
    with room_of(folder, browser, players, game, throws) as room:
        yield room
        player = room.player
        assert player.now.stage == "ended"
        shown, game_id = player.now.game, player.now.game_id
        assert shown is not None
        assert game_id is not None
        replay_agrees(player, game_id, shown.scores, shown.winners)
        for page in room.phones.values():
            expect(page.locator("#ending-title")).to_have_text(f"{shown.winners[0]} wins")
        expect(room.referee.locator("#log .badge")).not_to_have_count(0)


@contextmanager
def room_of(
    folder: Path, browser: Browser, players: tuple[str, ...], game: str, throws: Sequence[Sequence[Face]]
) -> Iterator[Evening]:
    """A game that begins, with its pages; in the end none of them has logged an error."""
    left = iter(throws)

    def lie(rolled: tuple[Die, ...]) -> tuple[Die, ...]:
        return tuple(Die(die.kind, face) for die, face in zip(rolled, next(left), strict=True))

    with playing(folder, simulated(7, lie)) as player:
        options = {"ten-thousand": {"first": "named"}, "pig": {"target": "10"}}
        assert player.box.api.request(StartGame(game, players, options.get(game, {}))).ok
        room = Evening(player, browser, players)
        yield room
        room.close()
        assert room.trouble == []


def play_pig(folder: Path, browser: Browser) -> None:
    """The shortest game that there is, for `make test`."""
    throws = [(face,) for _, faces in PIG_TURNS for face in faces]
    with evening(folder, browser, ("Ann", "Bea"), "pig", throws) as room:
        finish_pig(room)
        assert room.player.now.game is not None
        assert room.player.now.game.scores == (0, 10)


def finish_pig(room: Evening) -> None:
    """Bea wins it."""
    for name, faces in PIG_TURNS:
        for _ in faces:
            room.roll(name)
    press(room.phones["Bea"], room.player, "cache")
    room.player.until(lambda shown: shown.stage == "ended", "the game's end")


def play_rematch(folder: Path, browser: Browser) -> None:
    """After a game one press on any phone begins the same again, and all other pages follow."""
    throws = [(face,) for _, faces in PIG_TURNS for face in faces]
    with room_of(folder, browser, ("Ann", "Bea"), "pig", throws) as room:
        screen = room.open("?screen", 1280, 720)
        table = room.open("", 768, 1024)
        finish_pig(room)
        for page, box in ((room.phones["Ann"], "#ending"), (table, "#ending"), (screen, "#winner")):
            expect(page.locator(f"{box}-title")).to_have_text("Bea wins")
            expect(page.locator(f"{box} .best")).to_contain_text("Bea")
            expect(page.locator(f"{box} .best b")).to_have_text("+6")
        finished, actions = room.player.now.game_id, 0
        room.phones["Ann"].get_by_role("button", name="Rematch").click()
        actions += 1
        room.player.until(lambda shown: shown.stage == "playing", "the rematch")
        assert actions == 1
        shown = room.player.now
        assert shown.game is not None
        assert shown.game_id != finished
        assert (shown.game.game, shown.game.players, shown.game.scores) == ("pig", ("Ann", "Bea"), (0, 0))
        assert shown.game.options == {"target": "10"}
        for page in (*room.phones.values(), table):
            expect(page.locator("#ending")).to_be_hidden()
        expect(screen.locator("#winner")).to_be_hidden()


@pytest.mark.chromium
def test_a_rematch_takes_one_press_in_chromium(tmp_path: Path, chromium: Browser) -> None:
    play_rematch(tmp_path, chromium)


@pytest.mark.firefox
def test_a_rematch_takes_one_press_in_firefox(tmp_path: Path, firefox: Browser) -> None:
    play_rematch(tmp_path, firefox)


@pytest.mark.chromium
@pytest.mark.short
def test_a_whole_game_of_pig_in_chromium(tmp_path: Path, chromium: Browser) -> None:
    play_pig(tmp_path, chromium)


@pytest.mark.firefox
@pytest.mark.short
def test_a_whole_game_of_pig_in_firefox(tmp_path: Path, firefox: Browser) -> None:
    play_pig(tmp_path, firefox)


def play_zoinx(folder: Path, browser: Browser) -> None:
    """A game with secret bets."""
    throws = [faces for _, _, rolled in ZOINX_TURNS for faces in rolled]
    with evening(folder, browser, ("Ann", "Zoe"), "zoinx", throws) as room:
        for active, bets, rolled in ZOINX_TURNS:
            room.bet("Ann", bets["Ann"])
            room.player.until(
                lambda shown: shown.game and shown.game.bets == ("locked", "thinking"), "Ann's bet is locked"
            )
            room.bet("Zoe", bets["Zoe"])
            room.player.until(lambda shown: shown.game and shown.game.phase == "roll", "all bets shown")
            for _ in rolled:
                room.roll(active)
            if rolled[-1] is not NONE:
                press(room.phones[active], room.player, "stop")
            room.player.until(lambda shown: shown.game and shown.game.phase != "roll", "the turn's end")
        assert room.player.now.game is not None
        assert room.player.now.game.scores == (4 + 0 + 2 + 6, 24 + 5 + 4 + 4)


@pytest.mark.chromium
def test_a_whole_game_of_zoinx_with_secret_bets(tmp_path: Path, chromium: Browser) -> None:
    play_zoinx(tmp_path, chromium)


@pytest.mark.firefox
def test_a_whole_game_of_zoinx_with_secret_bets_in_firefox(tmp_path: Path, firefox: Browser) -> None:
    play_zoinx(tmp_path, firefox)


@pytest.mark.firefox
def test_a_whole_game_of_ten_thousand_with_dice_tapped_in_the_picture(
    tmp_path: Path, firefox: Browser
) -> None:
    throws = [faces for _, faces, _ in TEN_THOUSAND_TURNS]
    with evening(tmp_path, firefox, ("Ann", "Bea"), "ten-thousand", throws) as room:
        for name, _, points in TEN_THOUSAND_TURNS:
            room.roll(name)
            if not points:
                continue
            phone = room.phones[name]
            expect(phone.locator("#pick .target")).to_have_count(6)
            for die in range(6):
                phone.locator("#pick .target").nth(die).click()
            expect(phone.locator("#confirm")).to_contain_text(f"+{points}")
            phone.locator("#confirm").click()
            expect(phone.locator(".running b")).to_have_text(points)
            press(phone, room.player, "cache")
            room.player.until(lambda shown: shown.game and shown.game.active == "Bea", "the turn's end")
        assert room.player.now.game is not None
        assert room.player.now.game.scores == (12_000, 0)


@pytest.mark.firefox
@pytest.mark.parametrize(
    ("query", "what"),
    [
        ("", "#scores-title"),
        ("play?player=Ann", "#pick"),
        ("?referee", "#log"),
        ("?screen", "#scores"),
        ("?setup", "main"),
        ("?tournament", "#draw"),
    ],
)
def test_each_page_opens_without_an_error(opened_in_firefox: Opener, query: str, what: str) -> None:
    desk = ten_thousand()
    desk.read(MANY)
    page = opened_in_firefox(desk, query, WIDE, HIGH)
    expect(page.locator(what)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDE
