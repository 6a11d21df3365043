"""A whole Zoinx game for three in Chromium: the page presses pins, the camera reads pixels, somebody wins.

Nothing is asked of the box but what a person could do and see on the page. At the end the journal, replayed
by the rulebook alone, tells the same game.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from device.journal.rows import EventRow
from device.match import Match
from engine.history import History
from engine.rulebooks import rulebook
from tests.playing import HASTE, Playing, live, playing
from tests.waiting import PATIENCE_S

PLAYERS = ("Ann", "Bea", "Zoe")
LONG_PRESS_MS = 1600 * HASTE
"""More than a second and a half on the wall: a tap on the page of a busy machine must stay a tap."""
SEED = 59
"""A short game: these dice, with the bets below, end it after fifteen rolls."""
ACTIVE_BET, OTHER_BET = 6, 2

pytestmark = [pytest.mark.chromium, pytest.mark.long]


class Player:
    """Somebody at the page."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        page.set_default_timeout(1000 * PATIENCE_S)
        page.goto(address)

    def start(self) -> None:
        """Fill in the lobby."""
        page = self.page
        page.locator("input[name=game][value=zoinx]").check()
        page.get_by_role("button", name="Add a player").click()
        for seat, name in enumerate(PLAYERS, 1):
            page.get_by_label(f"Player {seat}", exact=True).fill(name)
        page.get_by_role("button", name="Start the game").click()
        expect(self.message).to_contain_text("Everybody bets")

    @property
    def message(self) -> Locator:
        """What the box says."""
        return self.page.locator("#message p")

    @property
    def ended(self) -> bool:
        """Whether the ending is shown."""
        return self.page.locator("#ending").is_visible()

    def key(self, button: str) -> Locator:
        """A button of the panel on the page."""
        return self.page.locator(f'#panel [data-button="{button}"]')

    def bet(self, seat: int, dots: int) -> None:
        """The key opens the chips; one is taken, and locked."""
        self.key(f"bet{seat + 1}").click()
        self.page.locator(f"#bet input[value='{dots}']").check()
        self.page.get_by_role("button", name="Lock my bet").click()
        expect(self.key(f"bet{seat + 1}")).to_have_attribute("data-lit", "false")

    def roll(self, player: Playing) -> None:
        """Throw with the hand on the page; when the table is still, ROLL DONE."""
        before, reading = player.table.rest_time_ms, player.now.table.reading_id
        self.page.locator('[data-act="throw"]').click()
        player.until(lambda _: player.table.rest_time_ms not in (before, None), "dice at rest")
        player.until(lambda _: not player.table.busy, "a free hand")
        player.until(lambda shown: shown.table.state == "still" and player.up_to_date(), "a still table")
        self.key("roll_done").click()
        player.until(lambda shown: shown.table.reading_id > reading, "a reading")
        truth = [die.value for die in player.table.rolled]
        assert sorted(map(str, truth)) == sorted(str(die.value) for die in player.now.table.dice)


def play_turn(person: Player, player: Playing) -> None:
    """One turn: all bet, the active player rolls until STOP glows or a zoinx ends it."""
    game = player.now.game
    assert game is not None
    turns = game.line.split(" final=")[0]
    for seat, name in enumerate(PLAYERS):
        person.bet(seat, ACTIVE_BET if name == game.active else OTHER_BET)
    shown = player.until(lambda shown: shown.game and shown.game.phase == "roll", "all bets shown")
    assert shown.game is not None
    assert shown.game.bets == tuple(ACTIVE_BET if name == game.active else OTHER_BET for name in PLAYERS)
    while True:
        person.roll(player)
        shown = player.now
        assert shown.game is not None
        if shown.stage == "ended" or shown.game.line.split(" final=")[0] != turns:
            return
        if shown.lamps["stop"]:
            person.key("stop").click()
            player.until(lambda now: now.game and now.game.phase != "roll", "the turn's end")
            return


def test_a_whole_game_for_three(tmp_path: Path, chromium: Browser) -> None:
    with playing(tmp_path, live(SEED), long_press_ms=LONG_PRESS_MS) as player:
        page = chromium.new_page()
        person = Player(page, f"http://127.0.0.1:{player.box.console.port}/")
        person.start()
        while player.now.stage != "ended":
            play_turn(person, player)
        expect(page.locator("#ending")).to_be_visible()
        game, game_id = player.now.game, player.now.game_id
        assert game is not None
        assert game_id is not None
        for winner in game.winners:
            expect(page.locator("#ending-title")).to_contain_text(winner)
        replay_agrees(player, game_id, game.scores, game.winners)
        page.close()


def replay_agrees(player: Playing, game_id: int, scores: tuple[int, ...], winners: tuple[str, ...]) -> None:
    """The rulebook alone, fed with the journal's events, tells the same game."""
    rows = [entry.row for entry in player.box.journal.rows(game_id)]
    events = [row.event for row in rows if isinstance(row, EventRow)]
    record = player.box.journal.game(game_id)
    history = History.replay(rulebook(record.game).start(record.players, record.options), events)
    view = history.position.view()
    assert view.scores == scores
    assert view.ending is not None
    assert view.ending.winners == winners
    assert record.cause == view.ending.cause
    assert Match.resume(player.box.journal, game_id).line == history.position.line()
