"""A tournament of eight to its signed end: referee, phones and big screen side by side, in Chromium."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from device.people.pins import PinBook, pins_path
from engine.events import GameEvent
from tests.device.axe import find_violations
from tests.device.console.test_big_screen import SCROLLS
from tests.device.games.test_tournament import BAD, GOOD, NOON
from tests.playing import TAP_MS, Playing, SteppedTable, playing, simulated
from tests.waiting import PATIENCE_S

pytestmark = [pytest.mark.chromium, pytest.mark.long]

EIGHT = ("Ann", "Bob", "Cat", "Dan", "Eve", "Florentine", "Gus", "Hal")
UPSETS = {2, 7}
"""In these matches the second player wins, after the first has rolled nothing."""
PIN = "13579"


class Evening:
    """A tournament's box, and a page for everybody in the room."""

    def __init__(self, player: Playing, chromium: Browser) -> None:
        self.player = player
        self._chromium = chromium
        self._contexts: list[BrowserContext] = []
        self.trouble: list[str] = []
        self.phones: dict[str, Page] = {}
        self.desk = self._page(1280, 800)
        self.desk.goto(self.address("?tournament"))
        self.sign_in(self.desk)
        self.referee = self.desk.context.new_page()  # the same hands: signed in on both
        self.referee.goto(self.address("?referee"))
        self.screen = self._page(1920, 1080)
        self.screen.goto(self.address("?screen"))

    def address(self, rest: str) -> str:
        return f"{self.player.box.console.address}{rest}"

    def _page(self, width: int, height: int) -> Page:
        context = self._chromium.new_context(viewport={"width": width, "height": height})
        context.set_default_timeout(1000 * PATIENCE_S)
        self._contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: self.trouble.append(str(error)))
        return page

    def close(self) -> None:
        for context in self._contexts:
            context.close()

    def sign_in(self, page: Page) -> None:
        page.locator("#open-sign").click()
        page.locator("#sign select[name=office]").select_option("referee")
        page.locator("#sign [name=pin]").fill(PIN)
        page.locator("#sign [name=name]").fill("Cleo")
        page.get_by_role("button", name="Sign in").click()
        expect(page.locator("#sign")).to_be_hidden()

    def sit_down(self) -> tuple[str, str]:
        """Both players scan the codes that the referee holds out to them."""
        seats = self.desk.evaluate(
            "async () => (await (await import('/static/link.js')).ask('/seats', {})).seats"
        )
        for seat in seats:
            name = seat["player"]
            phone = self.phones.get(name)
            if phone is None:
                phone = self.phones[name] = self._page(390, 844)
            phone.goto("about:blank")  # a code that is scanned opens the page anew
            phone.goto(seat["link"])
            expect(phone.locator("#me")).to_contain_text(name)
        one, other = (seat["player"] for seat in seats)
        return one, other

    def throw(self, event: GameEvent) -> None:
        """The camera reads that."""

        def take() -> None:
            play = self.player.box.table.play
            assert play is not None
            assert play.match.take((event,), [], NOON), play.match.message.text

        self.player.box.loop.ask(take)

    def press(self, name: str, button: str) -> None:
        """A finger on that player's phone, for as long as a tap takes."""
        phone, camera = self.phones[name], self.player.camera
        assert isinstance(camera, SteppedTable)
        key = phone.locator(f"[data-button={button}]")
        expect(key.locator(".glow")).to_have_text("lamp lit")
        key.scroll_into_view_if_needed()
        key.hover()
        with phone.expect_response(f"**/pins/{button}"):
            phone.mouse.down()
        camera.time.pass_ms(TAP_MS)
        with phone.expect_response(f"**/pins/{button}"):
            phone.mouse.up()
        camera.time.pass_ms(TAP_MS)


@pytest.fixture
def evening(chromium: Browser, tmp_path: Path) -> Iterator[Evening]:
    PinBook(pins_path(tmp_path)).put("referee", PIN)
    with playing(tmp_path, simulated(seed=1), kind="tournament") as player:
        room = Evening(player, chromium)
        yield room
        room.close()
        assert room.trouble == []


def draw(evening: Evening) -> None:
    page = evening.desk
    page.get_by_label("Its name").fill("Autumn Cup")
    page.locator("#draw [name=game]").select_option("ten-thousand")
    page.get_by_text("Rules of each match").click()
    page.get_by_label("First turn").select_option("named")
    page.get_by_label("Points to reach").fill("1000")
    page.get_by_label("Last round for").select_option("none")
    for name in EIGHT:
        page.get_by_label("Another player").fill(name)
        page.keyboard.press("Enter")
    page.get_by_role("button", name="Draw the matches").click()
    expect(page.locator("#next-title")).to_have_text("Next: match 1")


def test_eight_play_a_tournament_to_its_signed_end(evening: Evening) -> None:
    draw(evening)
    screen, referee = evening.screen, evening.referee
    expect(screen.locator("#bracket .next")).to_have_text("Next: match 1, Ann against Hal")
    for number in range(1, 8):
        evening.desk.locator("#next .begin").click()
        expect(evening.desk.locator("#next .why")).to_contain_text(
            f"Match {number} of Autumn Cup is being played"
        )
        first, second = evening.sit_down()
        winner = second if number in UPSETS else first
        play_out(evening, first, winner)
        expect(screen.locator("#winner-title")).to_have_text(f"{winner} wins")
        expect(screen.locator("#winner .signed")).to_have_text("The result waits for the referee’s sign-off")
        assert screen.evaluate(SCROLLS) == [0, 0]
        expect(evening.desk.locator("#next .begin")).to_be_hidden()
        expect(referee.locator("#sign-off .stands")).to_contain_text("The result stands: ")
        if number == 1:
            for page in (evening.desk, referee, screen, evening.phones[first]):
                assert find_violations(page) == []
        referee.locator("#sign-off .sign").click()
        expect(referee.locator("#sign-off .stands")).to_contain_text("Signed off by the referee Cleo")
        expect(screen.locator("#bracket")).to_be_visible()
    told = evening.player.box.api.tournament()
    expect(evening.desk.locator("#next-title")).to_have_text(f"{told.champion} has won Autumn Cup")
    expect(screen.locator("#bracket-title")).to_have_text(f"{told.champion} wins Autumn Cup")
    assert [match.state for match in told.matches] == ["played"] * 7
    assert told.standings[0].player == told.champion
    assert screen.evaluate(SCROLLS) == [0, 0]
    signed = [evening.player.box.journal.game(match.game_id) for match in told.matches]
    assert all(record.ended for record in signed)
    assert evening.player.box.journal.unsigned(24) == ()


def play_out(evening: Evening, first: str, winner: str) -> None:
    """Whoever wins rolls a thousand and sets it aside with CACHE, on the own phone."""
    if winner != first:
        evening.throw(BAD)
    evening.throw(GOOD)
    evening.press(winner, "cache")
    expect(evening.phones[winner].locator("body")).to_have_attribute("data-stage", "ended")
