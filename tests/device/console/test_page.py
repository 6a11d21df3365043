"""The console's page in a real Chromium: keyboard, press and hold, secret bets, corrections."""

import re

import msgspec
import pytest
from playwright.sync_api import Page, expect

from device.match.showing import acts_shown
from device.requests import Correct, IgnoreHand, LockBet, MoveDice, PressButton, StartGame
from device.shown.snapshot import TableShown, TouchedShown
from device.simulator.table import ACTS
from engine.dice import Die
from engine.rulebooks import RULEBOOKS
from tests.device.axe import find_violations
from tests.device.conftest import Opener
from tests.device.console.fake_box import (
    FOUR,
    TWO,
    FakeBox,
    PlayingBox,
    begun,
    dice_of,
    pressed,
    rolling,
    table_of,
)
from tests.tiers import short
from vision.watch import TouchedDie

pytestmark = pytest.mark.chromium


def tab_to(page: Page, selector: str) -> None:
    """Go on with Tab until this has the focus; fails when the keyboard never gets there."""
    for _ in range(80):
        if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never reaches {selector}")


def hold_and_let_go(page: Page, desk: FakeBox, key: str, button: str) -> None:
    """Press a key and let it go when the pin is down; then the pin must come up."""
    pushed = len(desk.said(PressButton))
    page.keyboard.down(key)
    desk.wait_for(lambda each: pressed(button)[0] in each.said(PressButton)[pushed:])
    page.keyboard.up(key)
    desk.wait_for(lambda each: pressed(button)[1] in each.said(PressButton)[pushed:])


def test_a_game_from_lobby_to_score_with_the_keyboard_alone(opened: Opener) -> None:
    desk = PlayingBox([TWO, FOUR])
    page = opened(desk)
    for number, name in ((1, "Zoë"), (2, "Ben")):
        tab_to(page, f'[aria-label="Player {number}"]')
        page.keyboard.type(name)
    tab_to(page, "#lobby button.main")
    page.keyboard.press("Enter")
    expect(page.locator("#scores-title")).to_have_text("Zoë’s turn")
    assert desk.said(StartGame) == [StartGame("zoinx", ("Zoë", "Ben"), {})]
    desk.bet("Zoë", 4)
    desk.bet("Ben", 0)
    expect(page.locator(".players .bet").first).to_have_text("bet 4")
    tab_to(page, '[data-button="roll_done"]')
    hold_and_let_go(page, desk, "Space", "roll_done")
    expect(page.locator(".running b")).to_have_text("2")
    hold_and_let_go(page, desk, "r", "roll_done")
    expect(page.locator(".running b")).to_have_text("6")
    tab_to(page, '[data-button="stop"]')
    hold_and_let_go(page, desk, "Enter", "stop")
    expect(page.locator("#scores-title")).to_have_text("Ben’s turn")
    expect(page.locator(".players .score").first).to_have_text("10")
    expect(page.locator("#announce")).to_have_text("Scores: Zoë 10, Ben 0")


def test_press_and_hold_moves_the_pin_once_down_and_once_up(opened: Opener) -> None:
    desk = begun()
    page = opened(desk)
    page.locator('[data-button="stop"]').hover()
    page.mouse.down()
    desk.wait_for(lambda each: each.said(PressButton) == [PressButton(down=True, button="stop")])
    page.mouse.move(5, 5)  # off the button: a captured pointer still ends on it
    page.mouse.up()
    desk.wait_for(lambda each: len(each.asked) == 2)
    assert desk.said(PressButton) == pressed("stop")


def test_the_lobby_has_a_card_for_each_game_and_start_is_always_in_sight(opened: Opener) -> None:
    page = opened(PlayingBox(), width=390, height=844)
    cards = page.locator("#lobby .choice.game")
    expect(cards).to_have_count(len(RULEBOOKS))
    for card in cards.all():
        assert card.locator("svg.face").count() >= 1
        assert card.locator(".about").inner_text().endswith(".")
    expect(cards.first).to_contain_text("2 to 4 players, about 20 minutes")
    start = page.locator("#lobby button.main")
    expect(start).to_be_in_viewport(ratio=1)
    cards.last.click()
    expect(start).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert find_violations(page) == []


def test_each_button_of_the_foot_bar_says_what_it_does_now(opened: Opener) -> None:
    desk = PlayingBox()
    desk.start("ten-thousand", ("Ann", "Bea"), {"first": "named"})
    page = opened(desk)
    said = page.locator("#panel .key .what")
    expect(said).to_have_text(["Read the dice", "Bank", "Undo"])
    desk.read((1, 1, 1, 2, 3, 4))
    expect(said).to_have_text(["Read the dice", "Bank 1,000", "Undo"])
    expect(page.locator('[data-button="cache"] .who')).to_have_text("CACHE")
    desk.start("pig", ("Ann", "Bea"), {})
    desk.read((4,))
    expect(said).to_have_text(["Read the dice", "Hold 4", "Undo"])
    desk.start("zoinx", ("Ann", "Bea"), {})
    expect(said).to_have_text(["BET 1", "BET 2", "Read the dice", "Stop", "Undo"])
    for name in ("Ann", "Bea"):
        desk.bet(name, 2)
    desk.read(FOUR)
    expect(page.locator('[data-button="stop"] .what')).to_have_text("Stop with 4")
    # Where throws count by themselves and the page has a hand of its own, that hand stands first.
    desk.show(simulated=True, acts=acts_shown(ACTS), reads="at_rest")
    expect(said.first).to_have_text("Throw 4 dice")
    assert find_violations(page) == []
    expect(page.locator('[data-button="roll_done"]')).to_have_count(0)
    desk.show(hand_busy=True)
    expect(said.first).to_have_text("The hand is moving…")
    assert find_violations(page) == []
    page.keyboard.press("t")
    desk.show(hand_busy=False, ask="correct")
    expect(page.locator('[data-button="roll_done"]')).to_have_count(1)
    assert desk.asked == []


def test_a_bet_key_shows_at_once_that_it_was_pressed(opened: Opener) -> None:
    """Chips above the keys, where the finger is; nothing is asked of the box before the bet is locked."""
    desk = begun()
    page = opened(desk, width=390, height=844)
    page.keyboard.press("1")
    expect(page.locator("#bet-title")).to_have_text("Zoë: your secret bet")
    page.locator('[data-button="bet2"]').click()
    expect(page.locator("#bet-title")).to_have_text("Ben: your secret bet")
    chips, key = page.locator("#bet .choices").bounding_box(), page.locator("#panel .keys").bounding_box()
    assert chips is not None
    assert key is not None
    assert chips["y"] > 0
    assert chips["y"] + chips["height"] <= key["y"]
    page.locator('[data-button="bet2"]').click()
    expect(page.locator("#bet")).to_be_hidden()
    assert desk.asked == []
    page.locator('[data-button="bet2"]').click()
    page.locator("#bet input[value='4']").check()
    page.get_by_role("button", name="Lock my bet").click()
    expect(page.locator("#bet")).to_be_hidden()
    assert desk.asked == [LockBet("Ben", 4)]


@pytest.mark.long
def test_a_held_key_is_one_press_however_often_it_repeats(opened: Opener) -> None:
    desk = begun()
    page = opened(desk)
    page.keyboard.down("s")
    page.keyboard.down("s")
    page.keyboard.down("s")
    page.keyboard.up("s")
    desk.wait_for(lambda each: pressed("stop")[1] in each.said(PressButton))
    assert desk.said(PressButton) == pressed("stop")


@pytest.mark.parametrize("leaving", short(["close", "blur", "pagehide"]))
def test_a_button_comes_up_when_the_page_is_left_with_it_held(opened: Opener, leaving: str) -> None:
    desk = begun()
    page = opened(desk)
    page.keyboard.down("s")
    desk.wait_for(lambda each: each.said(PressButton) == [PressButton(down=True, button="stop")])
    if leaving == "close":
        page.close()
    else:
        page.evaluate("name => window.dispatchEvent(new Event(name))", leaving)
    desk.wait_for(lambda each: each.said(PressButton) == pressed("stop"))


@pytest.mark.long
def test_keys_typed_into_a_field_or_switched_off_press_nothing(opened: Opener) -> None:
    desk = rolling(TWO)
    page = opened(desk)
    page.locator("#open-correct").click()
    page.locator("#correct [name=reason]").fill("")
    page.locator("#correct [name=reason]").press_sequentially("sure 1234")
    page.locator("#open-help").click()
    page.locator("#single-keys").uncheck()
    page.keyboard.press("u")
    page.locator("#help button").click()
    page.keyboard.press("s")
    page.reload()
    expect(page.locator('[data-button="stop"]')).to_be_visible()
    page.keyboard.press("s")
    hold_and_let_go(page, desk, *click_target(page))
    assert desk.said(PressButton) == pressed("undo")


def click_target(page: Page) -> tuple[str, str]:
    """The focused UNDO button, pressed by Space: Space and Enter stay when single keys are off."""
    page.locator('[data-button="undo"]').focus()
    return "Space", "undo"


def page_after_bet(opened: Opener, dots: int) -> str:
    """All that a phone holds after it has locked this bet: the document, its address, title and storage.

    The live picture alone is left out: it comes when it comes.
    """
    desk = begun("Zoë", "Ben")
    page = opened(desk, "play?player=Ben", width=390, height=800)
    page.locator(f"#bet input[value='{dots}']").check()
    page.locator("#bet button.main").click()
    expect(page.locator("#bet .where")).to_contain_text("Your bet is locked")
    expect(page.locator(".players .bet")).to_have_text(["thinking…", "locked"])
    assert desk.said(LockBet) == [LockBet("Ben", dots)]
    assert page.locator("#bet input").count() == 0
    held = page.evaluate(
        "[(page => { page.querySelector('#live').remove(); return page.outerHTML; })"
        "(document.documentElement.cloneNode(true)), location.href, document.title, document.cookie,"
        " JSON.stringify([{...localStorage}, {...sessionStorage}, history.state])].join(' | ')"
    )
    return re.sub(r"blob:[^\"]*|127\.0\.0\.1:\d+", "", held)


def test_a_bet_from_a_phone_leaves_no_trace_on_it(opened: Opener) -> None:
    assert page_after_bet(opened, 6) == page_after_bet(opened, 8)


@pytest.mark.long
def test_a_bet_is_gone_from_the_phone_before_the_box_has_shown_anything(opened: Opener) -> None:
    desk = FakeBox(begun("Zoë", "Ben").shown)
    page = opened(desk, "play?player=Ben")
    page.locator("#bet input[value='4']").check()
    page.locator("#bet button.main").click()
    expect(page.locator("#bet .where")).to_contain_text("Your bet is locked")
    assert page.locator("#bet input").count() == 0
    assert desk.said(LockBet) == [LockBet("Ben", 4)]


@pytest.mark.long
def test_the_active_player_is_not_offered_a_bet_of_nothing(opened: Opener) -> None:
    page = opened(begun("Zoë", "Ben"), "play?player=Zo%C3%AB", width=390, height=800)
    expect(page.locator("#bet .choice")).to_have_text(["2", "4", "6", "8", "10"])


@pytest.mark.long
def test_a_refused_bet_can_be_made_again(opened: Opener) -> None:
    desk = begun("Zoë", "Ben")
    page = opened(desk, "play?player=Ben")
    page.locator("#bet input[value='4']").check()
    desk.full = True
    page.locator("#bet button.main").click()
    expect(page.locator("#notice")).to_contain_text("The disk is full: free some space.")
    desk.show()
    expect(page.locator("#bet .choice")).to_have_count(6)
    assert page.locator("#bet input:checked").count() == 0


def test_dice_that_the_box_cannot_read_are_told_by_the_players(opened: Opener) -> None:
    desk = rolling()
    desk.read(("dot", "square", "square"), ["stacked"])
    page = opened(desk)
    expect(page.locator("#message")).to_have_attribute("data-tone", "unsure")
    expect(page.locator("#read .tag.doubt text")).to_have_text("?")
    expect(page.locator("#read figcaption")).to_have_text("As it was read. Not sure (?): stacked")
    expect(page.locator("#read .tag.sure text")).to_have_text(["dot", "square", "square"])
    confirm = page.locator("#correct .confirm")
    expect(confirm).to_be_disabled()
    page.locator("#correct .die.open input[value='dot']").check()
    page.locator("#correct .die").nth(1).locator("input[value='dot']").check()
    page.locator("#correct [name=reason]").fill("two lay on each other")
    confirm.click()
    expect(page.locator("#correct")).to_be_hidden()
    shown = list(dice_of(("dot", "dot", "square", "dot")))
    assert desk.said(Correct) == [Correct(tuple(shown), "two lay on each other")]
    expect(page.locator(".running b")).to_have_text("3")


@pytest.mark.long
def test_the_last_roll_is_corrected_by_hand_and_dice_come_and_go(opened: Opener) -> None:
    desk = rolling(TWO)
    page = opened(desk)
    page.keyboard.press("e")
    expect(page.locator("#correct .die")).to_have_count(4)
    page.locator("#correct .die button").first.click()
    expect(page.locator("#correct .check-words")).to_contain_text("here are 3")
    page.locator("#correct .add").click()
    page.locator("#correct .die").last.locator("input[value='dot']").check()
    page.locator("#correct .confirm").click()
    expect(page.locator("#correct")).to_be_hidden()
    assert desk.said(Correct) == [Correct(dice_of(("square", "dot", "square", "dot")), "")]


def test_one_touch_says_which_die_was_thrown_alone(opened: Opener) -> None:
    """Dictate Fate: one die is due, and the others of the cast lie beside it."""
    desk = PlayingBox()
    desk.start("zonk", ("Ann",), {})
    desk.read((1, 2, 3, 4, 6, 6))
    assert desk.shown.game is not None
    alone = msgspec.structs.replace(desk.shown.game, wanted="one die", wanted_kind="pip", wanted_count=1)
    desk.show(game=alone, ask="correct")
    page = opened(desk)
    page.locator("#correct .die").nth(3).get_by_role("button", name="Only this one").click()
    expect(page.locator("#correct .die")).to_have_count(1)
    expect(page.locator("#correct .only")).to_be_hidden()
    page.locator("#correct .confirm").click()
    desk.wait_for(lambda each: each.said(Correct) == [Correct((Die("pip", 3),), "")])


def test_throwing_again_on_the_simulated_table_asks_its_hand(opened: Opener) -> None:
    desk = rolling()
    desk.show(simulated=True, acts=acts_shown(ACTS))
    desk.read(("dot",), ["cocked"])
    page = opened(desk)
    page.locator("#correct .again").click()
    desk.hears(MoveDice("throw"))
    page.locator("#hand summary").click()
    page.locator('#hand [data-act="stack"]').click()
    desk.hears(MoveDice("throw"), MoveDice("stack"))


@pytest.mark.long
def test_what_may_be_no_hand_can_be_said_to_be_the_table(opened: Opener) -> None:
    desk = PlayingBox()
    page = opened(desk)
    button = page.get_by_role("button", name="That is no hand: it is the table")
    expect(button).to_be_hidden()
    desk.show(table=TableShown(state="hand", doubtful_hand=True))
    button.click()
    desk.wait_for(lambda each: each.said(IgnoreHand) == [IgnoreHand()])
    desk.show(table=TableShown(state="still"))
    expect(button).to_be_hidden()


def test_touched_dice_are_shown_as_they_lay_and_as_they_lie(opened: Opener) -> None:
    desk = rolling(TWO, FOUR)
    page = opened(desk)
    section = page.locator("#touched")
    expect(section).to_be_hidden()
    before, now = (seen.dice[0] for seen in (table_of(dice_of(TWO), 1), table_of(dice_of(FOUR), 2)))
    for value in ("dot", "square"):
        now = msgspec.structs.replace(now, value=value)
        desk.show(touched=TouchedShown(1, 2, f"1/{value}", (TouchedDie(rested=before, now=now),)))
        expect(section.locator("figcaption")).to_have_text(
            [f"As it came to rest: {before.value}", f"As it lies now: {value}"]
        )
    expect(section.locator(".seen")).to_have_count(2)
    expect(section.locator(".lay")).to_have_count(1)
    pictures = section.locator("image").evaluate_all("all => all.map(each => each.href.baseVal)")
    assert [each.split("?")[0] for each in pictures] == ["reading/1.jpg", "reading/2.jpg"]
    desk.show(touched=TouchedShown(0, 2, "1/gone", (TouchedDie(rested=before, now=now),)))
    expect(section.locator(".none")).to_have_text("This picture is not kept")
    desk.show(touched=None)
    expect(section).to_be_hidden()


def test_a_box_with_a_camera_offers_no_hand(opened: Opener) -> None:
    page = opened(rolling(TWO))
    expect(page.locator("#hand")).to_be_hidden()
    page.keyboard.press("t")
    expect(page.locator("#notice")).to_be_hidden()


def test_the_ending_names_winner_and_cause_and_begins_again(opened: Opener) -> None:
    desk = begun()
    while desk.shown.stage != "ended":
        desk.bet("Zoë", 2)
        desk.bet("Ben", 4)
        desk.read(FOUR)
        desk.request(PressButton(down=False, button="stop"))
    page = opened(desk)
    assert desk.shown.game is not None
    expect(page.locator("#ending .cause")).to_have_text(desk.shown.game.cause)
    assert desk.shown.game.winners[0] in page.locator("#ending-title").inner_text()
    page.locator("#ending .again").click()
    expect(page.locator("#ending")).to_be_hidden()
    assert desk.said(StartGame)[-1] == StartGame("zoinx", ("Zoë", "Ben"), {})


@pytest.mark.long
def test_the_lobby_refuses_two_players_of_one_name_and_sends_the_chosen_rules(opened: Opener) -> None:
    desk = PlayingBox()
    page = opened(desk)
    page.get_by_label("Player 1", exact=True).fill("Ann")
    page.get_by_label("Player 2", exact=True).fill("ann")
    page.locator("#lobby button.main").click()
    expect(page.locator("#lobby .trouble")).to_have_text(
        "Two players are called ann. Give one of them another name."
    )
    assert desk.asked == []
    page.get_by_label("Player 2", exact=True).fill("<b>Bo</b>")
    page.locator("#lobby .option", has_text="Edition").locator("select").first.select_option("game-factory")
    page.get_by_label("Youngest player").select_option("<b>Bo</b>")
    page.locator("#lobby button.main").click()
    expect(page.locator("#scores-title")).to_have_text("<b>Bo</b>’s turn")
    options = {"edition": "game-factory", "youngest": "<b>Bo</b>"}
    assert desk.said(StartGame) == [StartGame("zoinx", ("Ann", "<b>Bo</b>"), options)]


@pytest.mark.long
def test_phones_find_their_own_page(opened: Opener) -> None:
    page = opened(begun("Zoë", "Ben"))
    page.locator("#open-phones").click()
    expect(page.locator("#phones figcaption")).to_have_text(
        ["The whole table", "A player’s page", "Zoë", "Ben"]
    )
    page.locator("#phones a", has_text="Ben").click()
    expect(page.locator("#bet-title")).to_have_text("Ben: your secret bet")
