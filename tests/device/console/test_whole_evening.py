"""A whole evening in Chromium: Zoinx, a tournament of four and a card of End Zone, each to its end.

Two phones, the big screen and the referee's page stand open all the time, and the page of the whole table,
where games are chosen. All that is played comes from the camera's pixels; after each throw every page shows
whose turn it is, what was thrown last and by whom, and what everybody has. The table's clock goes on only
while something is waited for, and the big screen's when it is told to.
"""

import json
import re
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from device.shown.snapshot import GameShown
from engine.dice import Die, Face
from tests.device.console.test_big_screen import CUT, SCROLLS
from tests.device.console.test_play_chromium import replay_agrees
from tests.device.console.test_play_firefox import NONE, ZOINX_TURNS, Evening
from tests.device.console.test_player_page import press
from tests.playing import Playing, playing, simulated
from tests.waiting import eventually

pytestmark = [pytest.mark.chromium, pytest.mark.long]

MATCHES = ((("Ann", "Dan"), "Ann"), (("Bob", "Cat"), "Cat"), (("Ann", "Cat"), "Cat"))
"""Each match of a tournament of four by seeds, and who wins it."""
LONGEST_MOMENT_MS = 10_000
"""Longer than a passing moment stays on the big screen; less than half of what makes a link lost."""
PICTURES = re.compile(r"/(picture\.jpg|reading/|evidence/|qr\.svg)")
SECRET = ("thinking", "locked")


class WholeEvening(Evening):
    """All pages of an evening; `faces` are what the next throws show."""

    def __init__(self, player: Playing, browser: Browser, faces: deque[Sequence[Face]]) -> None:
        self.faces = faces
        self.heard: dict[Page, list[str]] = {}
        """Every snapshot that a page was sent."""
        self.cancelled: list[str] = []
        """Pictures that a page asked for and then did not wait for."""
        self.sent_bets: list[str] = []
        super().__init__(player, browser, ("Ann", "Zoe"))
        self.screen = self.open("?screen", 1280, 800)
        self.screen.clock.install()
        self.table = self.open("", 1280, 800)

    @property
    def game(self) -> GameShown:
        """What is played."""
        game = self.player.now.game
        assert game is not None
        return game

    def listen(self, page: Page) -> None:
        super().listen(page)
        heard = self.heard[page] = list[str]()
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on(
            "Network.eventSourceMessageReceived",
            lambda told: heard.append(told["data"]) if told["eventName"] == "snapshot" else None,
        )
        page.on("request", self._sent)
        page.on("requestfailed", self._failed)

    def _sent(self, request: Request) -> None:
        if urlsplit(request.url).path == "/bets":
            self.sent_bets.append(request.post_data or "")

    def _failed(self, request: Request) -> None:
        if PICTURES.search(request.url):
            self.cancelled.append(f"{request.url}: {request.failure}")

    def hand_on(self, name: str, other: str) -> None:
        """The phone of who does not play goes to somebody who does."""
        phone = self.phones[other] = self.phones.pop(name)
        phone.get_by_role("button", name=f"I am {other}").click()
        expect(phone.locator("#name")).to_have_text(other)

    def stands(self, stage: str) -> None:
        """Every page shows whose turn it is, what was thrown last and by whom, and the scores."""
        game = self.game
        scores = [f"{score:,}" for score in game.scores]
        for name, phone in self.phones.items():
            expect(phone.locator("#turn-title")).to_have_text(self._title(name))
            expect(phone.locator("#standing .score")).to_have_text(scores)
        expect(self.table.locator("#scores .score")).to_have_text(scores)
        self._let_pass()
        expect(self.screen.locator("#whose")).to_have_text(game.active or "")
        expect(self.screen.locator("#scores .score")).to_have_text(scores)
        if game.last_roll:
            self._shows_last()
        self.looks_well(stage)

    def _let_pass(self) -> None:
        """The big screen has heard all, and what passes on it is over."""
        eventually(self._screen_hears, "the newest on the big screen")
        for _ in range(2):
            self.screen.clock.fast_forward(LONGEST_MOMENT_MS)
        expect(self.screen.locator("#trouble")).to_be_hidden()

    def _screen_hears(self) -> bool:
        newest = self.player.now.number
        self.screen.evaluate("0")  # what it was sent is told meanwhile
        heard = self.heard[self.screen]
        return bool(heard) and json.loads(heard[-1])["number"] >= newest

    def _title(self, name: str) -> str:
        game, mine = self.game, self.game.active == name
        if game.phase == "bet":
            return "You will roll" if mine else f"{game.active} will roll"
        return "Your turn" if mine else f"{game.active}’s turn"

    def _shows_last(self) -> None:
        game = self.game
        whose = "Last roll" if game.thrower == game.active else f"{game.thrower}’s last roll"
        phones = () if game.phase == "bet" else self.phones.values()
        for page in (*phones, self.table):
            expect(page.locator("#hero-title")).to_have_text(whose)
            expect(page.locator("#hero .faces > *")).to_have_count(len(game.last_roll))
        newest = self.referee.locator("#log .counted h3").first
        expect(newest).to_contain_text(f", {game.thrower}: ")
        if game.thrower != game.active and game.phase != "bet":
            expect(self.screen.locator("#scores .by")).to_have_text(whose)

    def looks_well(self, stage: str) -> None:  # noqa: ARG002 - by it a picture of this stage is named
        """Nothing runs off a page's side, and the big screen shows all that it has."""
        for page in (*self.phones.values(), self.referee, self.table):
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert page.evaluate("document.body.textContent.match(/NaN|undefined/)") is None
        assert self.screen.evaluate(SCROLLS) == [0, 0]
        assert self.screen.evaluate(CUT) == []

    def ended(self, stage: str, winner: str) -> None:
        """Every page says who has won; then the journal tells the same."""
        shown = self.player.until(lambda now: now.stage == "ended", "the game's end")
        assert shown.game_id is not None
        assert self.game.winners == (winner,)
        self._let_pass()
        for page, box in ((page, "#ending") for page in (*self.phones.values(), self.table)):
            expect(page.locator(f"{box}-title")).to_have_text(f"{winner} wins")
            said = page.locator("#said p:visible, #ending .cause").all_inner_texts()
            assert len([text for text in said if self.game.cause in text]) == 1
        expect(self.screen.locator("#winner-title")).to_have_text(f"{winner} wins")
        expect(self.referee.locator("#waiting-title")).to_have_text("Nothing waits")
        self.looks_well(stage)
        replay_agrees(self.player, shown.game_id, self.game.scores, self.game.winners)


@pytest.fixture
def evening(chromium: Browser, tmp_path: Path) -> Iterator[WholeEvening]:
    faces: deque[Sequence[Face]] = deque()

    def lie(rolled: tuple[Die, ...]) -> tuple[Die, ...]:
        if not faces:
            return rolled
        return tuple(Die(die.kind, face) for die, face in zip(rolled, faces.popleft(), strict=True))

    with playing(tmp_path, simulated(7, lie)) as player:
        room = WholeEvening(player, chromium, faces)
        yield room
        room.close()
        assert room.trouble == []
        assert room.cancelled == []


def test_an_evening_of_three_games(evening: WholeEvening) -> None:
    begin_zoinx(evening)
    for turn in ZOINX_TURNS:
        play_zoinx_turn(evening, *turn)
    evening.ended("zoinx-ended", "Zoe")
    assert evening.game.scores == (12, 37)
    play_tournament(evening)
    play_end_zone(evening)


# Zoinx.


def begin_zoinx(evening: WholeEvening) -> None:
    page = evening.table
    page.locator("#lobby [name=game][value=zoinx]").check()
    for seat, name in enumerate(("Ann", "Zoe"), 1):
        page.get_by_label(f"Player {seat}", exact=True).fill(name)
    evening.looks_well("lobby")
    page.get_by_role("button", name="Start the game").click()
    evening.player.until(lambda shown: shown.stage == "playing", "a game")


def play_zoinx_turn(
    evening: WholeEvening, active: str, bets: dict[str, int], rolled: tuple[tuple[Face, ...], ...]
) -> None:
    """Both bet in secret; then the active player rolls, and stops."""
    evening.stands("zoinx-bets")
    bet_in_secret(evening, bets)
    for faces in rolled:
        evening.faces.append(faces)
        evening.roll(active)
        if evening.player.now.stage == "playing":
            evening.stands("zoinx-rolled")
    if rolled[-1] is not NONE:
        press(evening.phones[active], evening.player, "stop")
    evening.player.until(lambda shown: shown.game and shown.game.phase != "roll", "the turn's end")


def bet_in_secret(evening: WholeEvening, bets: dict[str, int]) -> None:
    """Nobody is sent a bet, or finds it in a page, before both are locked."""
    counts = {page: len(heard) for page, heard in evening.heard.items()}
    evening.bet("Ann", bets["Ann"])
    shown = evening.player.until(
        lambda shown: shown.game and shown.game.bets == ("locked", "thinking"), "Ann's bet is locked"
    )
    for page in evening.heard:
        if page is not evening.phones["Ann"]:
            bet = page.locator("[data-bet]").evaluate_all("all => all.map(each => each.dataset.bet)")
            assert set(bet) <= {"", "none", *SECRET}
        assert page.locator("#bet :checked").count() == 0
    expect(evening.table.locator("#scores .bet")).to_have_text(["locked", "thinking…"])
    evening.looks_well("zoinx-one-locked")
    evening.bet("Zoe", bets["Zoe"])
    evening.player.until(lambda shown: shown.game and shown.game.phase == "roll", "all bets shown")
    expect(evening.table.locator("#scores .bet")).to_have_text([f"bet {dots}" for dots in bets.values()])
    for page, heard in evening.heard.items():
        told = [json.loads(each) for each in heard[counts[page] :]]
        hidden = [each["game"] for each in told if each["number"] <= shown.number]
        assert all(set(game["bets"]) <= set(SECRET) for game in hidden)
    assert all(set(json.loads(sent)) == {"key", "nonce", "sealed"} for sent in evening.sent_bets)


# A tournament of four, at Pig.


def play_tournament(evening: WholeEvening) -> None:
    """Drawn on a page of its own; each next match is begun on the phone of whoever has just played."""
    draw(evening)
    for number, (players, winner) in enumerate(MATCHES, 1):
        if number > 1:
            begin = next(iter(evening.phones.values())).locator("#ending .next-match")
            expect(begin).to_have_text(f"Begin: {players[0]} against {players[1]}")
            begin.click()
        evening.player.until(lambda shown: shown.stage == "playing", "a match")
        for name in set(evening.phones) - set(players):
            evening.hand_on(name, next(each for each in players if each not in evening.phones))
        play_pig(evening, players, winner)
        evening.ended(f"match-{number}", winner)
    told = evening.player.box.api.tournament()
    assert (told.champion, [match.state for match in told.matches]) == ("Cat", ["played"] * 3)
    for page in (*evening.phones.values(), evening.table):
        expect(page.locator("#ending .next-match")).to_be_hidden()


def draw(evening: WholeEvening) -> None:
    page = evening.open("?tournament", 1280, 800)
    page.get_by_label("Its name").fill("Autumn Cup")
    page.locator("#draw [name=game]").select_option("pig")
    page.get_by_text("Rules of each match").click()
    page.get_by_label("Points to reach").fill("10")
    for name in ("Ann", "Bob", "Cat", "Dan"):
        page.get_by_label("Another player").fill(name)
        page.keyboard.press("Enter")
    page.get_by_role("button", name="Draw the matches").click()
    expect(page.locator("#next-title")).to_have_text("Next: match 1")
    expect(evening.screen.locator("#winner .next")).to_have_text("Next: match 1, Ann against Dan")
    evening.looks_well("bracket")
    page.locator("#next .begin").click()


def play_pig(evening: WholeEvening, players: Sequence[str], winner: str) -> None:
    """Whoever begins and does not win loses the turn to a 1."""
    evening.stands("match-begun")
    if evening.game.active != winner:
        evening.faces.append((1,))
        evening.roll(evening.game.active or players[0])
        evening.stands("match-lost-turn")
    for value in (6, 4):
        evening.faces.append((value,))
        evening.roll(winner)
        evening.stands("match-rolled")
    press(evening.phones[winner], evening.player, "cache")


# End Zone's card.


def play_end_zone(evening: WholeEvening) -> None:
    """The official card; Ann throws down the table, and Zoe's dice go off it but in the first lines."""
    begin_end_zone(evening)
    for _ in range(99):
        if evening.player.now.stage == "ended":
            break
        throw_at_end_zone(evening)
    evening.ended("end-zone-ended", "Ann")
    finished = evening.player.now.game_id
    evening.phones["Zoe"].get_by_role("button", name="Rematch").click()
    evening.player.until(lambda shown: shown.stage == "playing", "the rematch")
    assert evening.player.now.game_id != finished
    assert (evening.game.players, evening.game.scores) == (("Ann", "Zoe"), (0, 0))
    evening.stands("rematch")


def begin_end_zone(evening: WholeEvening) -> None:
    page = evening.table
    page.get_by_role("button", name="Another game").click()
    page.locator("#lobby [name=game][value=end-zone]").check()
    for seat, name in enumerate(("Ann", "Zoe"), 1):
        page.get_by_label(f"Player {seat}", exact=True).fill(name)
    page.locator("#lobby .option", has_text="Mode").locator("select").first.select_option("score-card")
    page.locator("#lobby .option", has_text="Who goes first").locator("select").first.select_option("seats")
    page.get_by_role("button", name="Start the game").click()
    evening.player.until(lambda shown: shown.stage == "playing", "a game of End Zone")
    evening.hand_on("Cat", "Zoe")


def throw_at_end_zone(evening: WholeEvening) -> None:
    """One die; where it lies too close to call, the referee decides on that page."""
    name = evening.game.active or ""
    evening.player.throw("throw" if name == "Ann" or evening.game.scores[1] == 0 else "floor")
    before = evening.player.now.table.reading_id
    press(evening.phones[name], evening.player, "roll_done")
    evening.player.until(lambda shown: shown.table.reading_id > before, "a reading")
    while evening.player.now.stage == "playing" and evening.game.choices:
        evening.looks_well("end-zone-asked")
        answer = evening.referee.locator("#waiting .answers button").first
        answer.click()
        evening.player.until(lambda shown: shown.game and not shown.game.choices, "an answer")
    if evening.player.now.stage == "playing":
        evening.stands("end-zone-thrown")
