"""A player's page in a real Chromium, as wide as a phone: what is needed at this moment, and no more."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from device.requests import Choose, Done, PressButton, StartGame
from device.shown.snapshot import LandingShown, MessageShown
from engine.dice import Face
from tests.device.axe import find_violations
from tests.device.conftest import Opener
from tests.device.console.fake_box import PlayingBox, begun
from tests.device.console.test_choices import MANY, take, ten_thousand, zonk_with_a_d4
from tests.device.console.test_page import hold_and_let_go, tab_to
from tests.playing import Playing, playing, simulated
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.chromium

WIDE, HIGH = 390, 844
SIZES = """selector => [...document.querySelectorAll(selector)].filter(each => each.checkVisibility())
.map(node => {
  const { x, y, width, height } = node.getBoundingClientRect();
  return [node.outerHTML.slice(0, 80), x, y, width, height];
})"""
PRESSED = "button, summary, select, a, input:not([type=radio], [type=checkbox])"
NEAR = ((600, 500, 0), (656, 500, 0), (600, 556, 0), (656, 556, 3), (712, 530, 7), (1200, 900, 7))


def fits_a_finger_and_the_phone(page: Page) -> None:
    """Whatever is to be tapped has 44 px each way, and nothing runs off the side."""
    sizes = page.evaluate(SIZES, PRESSED)
    assert [each for each in sizes if min(each[3], each[4]) < 43.9 and "skip" not in each[0]] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDE


def visible_parts(page: Page) -> set[str]:
    """The parts of the page that can be seen, by their ids."""
    ids = "all => all.filter(each => each.checkVisibility()).map(each => each.id)"
    return set(page.locator("main section[id], #bet").evaluate_all(ids))


def keys(page: Page) -> list[str]:
    """The buttons of the bar."""
    return list(page.locator("#panel .key:visible .what").all_inner_texts())


def press(page: Page, player: Playing, button: str) -> None:
    """Hold a button of the bar for a moment of the table's time."""
    page.locator(f'[data-button="{button}"]').hover()
    with page.expect_response(f"**/pins/{button}"):
        page.mouse.down()
    player.sees(lambda _: False, 200)
    with page.expect_response(f"**/pins/{button}"):
        page.mouse.up()


def roll_and_keep(page: Page, player: Playing) -> int:
    """Throw, and keep what the first way says; returns its points, 0 where the turn was lost."""
    player.throw()
    read = player.now.table.reading_id
    press(page, player, "roll_done")
    game = player.until(lambda shown: shown.table.reading_id > read, "a reading").game
    assert game is not None
    if game.active != "Ann":
        return 0
    best = game.choices[0]
    page.locator("#pick ol button").first.click()
    expect(page.locator("#confirm")).to_contain_text(best.words)
    page.locator("#confirm").click()
    before = game.running
    player.until(lambda shown: shown.game and shown.game.running != before, "dice set aside")
    return best.points or 0


def test_who_opens_the_page_says_it_once(opened: Opener) -> None:
    page = opened(ten_thousand(), "play", WIDE, HIGH)
    expect(page.locator("#who button")).to_have_text(["I am Ann", "I am Bea"])
    assert visible_parts(page) == {"who", "rules"}
    fits_a_finger_and_the_phone(page)
    page.get_by_role("button", name="I am Bea").click()
    expect(page.locator("#turn-title")).to_have_text("Ann’s turn")
    page.goto(page.url.partition("?")[0])
    expect(page.locator("#name")).to_have_text("Bea")
    page.get_by_role("button", name="I am not Bea").click()
    expect(page.locator("#who")).to_be_visible()


def test_in_anothers_turn_there_is_nothing_to_press(opened: Opener) -> None:
    desk = ten_thousand()
    desk.read(MANY)
    page = opened(desk, "play?player=Bea", WIDE, HIGH)
    expect(page.locator("#turn-title")).to_have_text("Ann’s turn")
    assert visible_parts(page) == {"play", "hero", "table", "standing", "rules"}
    assert keys(page) == []
    fits_a_finger_and_the_phone(page)
    desk.request(PressButton(down=False, button="cache"))
    expect(page.locator("#turn-title")).to_have_text("Your turn")
    assert keys(page) == ["Read the dice", "Bank", "Undo"]
    expect(page.locator(".players .me")).to_contain_text("Bea")
    fits_a_finger_and_the_phone(page)


def test_dice_are_tapped_in_the_picture_and_set_aside_with_one_button(opened: Opener) -> None:
    desk = ten_thousand()
    desk.read(MANY)
    page = opened(desk, "play?player=Ann", WIDE, HIGH)
    dice = page.locator("#pick .target")
    expect(dice).to_have_text(["1", "5", "1", "1", "5"])
    expect(page.locator("#confirm")).to_be_hidden()
    fits_a_finger_and_the_phone(page)
    dice.nth(0).click()
    dice.nth(1).click()
    expect(page.locator("#pick .sum")).to_have_text("a 1 and a 5: 150 points")
    dice.nth(2).click()
    expect(page.locator("#confirm")).to_have_text("Set aside two 1s and a 5: +250")
    page.locator("#confirm").click()
    expect(page.locator(".running b")).to_have_text("250")
    assert "two 1s and a 5" in str(desk.said(Choose))
    expect(dice).to_have_text(["1", "5"])
    where = page.locator("#pick .taken, #pick .seen, #pick .idle").evaluate_all(
        "all => all.map(each => each.className.baseVal)"
    )
    assert where.count("seen") == 2, "those that are set aside are no longer offered"


def test_a_choice_is_made_with_the_keyboard_alone(opened: Opener) -> None:
    desk = ten_thousand()
    desk.read(MANY)
    page = opened(desk, "play?player=Ann", WIDE, HIGH)
    expect(page.locator("#pick ol li:visible")).to_have_count(3)
    tab_to(page, "#pick .target")
    page.keyboard.press("Space")
    tab_to(page, "#pick ol li:nth-child(3) button")
    page.keyboard.press("Enter")
    expect(page.locator("#pick [aria-pressed=true].target")).to_have_text(["1", "1", "1"])
    tab_to(page, "#confirm")
    page.keyboard.press("Enter")
    desk.hears(Choose(2, "three 1s"))
    expect(page.locator("#confirm")).to_be_hidden()
    assert page.evaluate("document.activeElement.id") == "play"
    tab_to(page, '[data-button="cache"]')
    hold_and_let_go(page, desk, "Space", "cache")
    expect(page.locator("#turn-title")).to_have_text("Bea’s turn")


@pytest.mark.parametrize(
    ("faces", "tapped", "words"), [((2, 2, 2, 3, 4, 6), 1, "Not yet: it takes three 2s for 200.")]
)
def test_dice_that_do_not_score_yet_say_what_they_want(
    opened: Opener, faces: tuple[Face, ...], tapped: int, words: str
) -> None:
    desk = ten_thousand()
    desk.read(faces)
    page = opened(desk, "play?player=Ann", WIDE, HIGH)
    page.locator("#pick .target").nth(tapped).click()
    expect(page.locator("#pick .sum")).to_have_text(words)
    expect(page.locator("#confirm")).to_be_hidden()


def test_dice_that_touch_have_targets_that_do_not(opened: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.device.console.fake_box.PLACES_PX", NEAR)
    desk = ten_thousand()
    desk.read((1, 1, 1, 5, 5, 5))
    page = opened(desk, "play?player=Ann", WIDE, HIGH)
    expect(page.locator("#pick .target")).to_have_count(6)
    boxes = [each[1:] for each in page.evaluate(SIZES, "#pick .target")]
    for place, (x, y, width, height) in enumerate(boxes):
        for other_x, other_y, *_ in boxes[place + 1 :]:
            assert abs(x - other_x) >= width - 0.1 or abs(y - other_y) >= height - 0.1
    glass = page.locator("#pick .glass").bounding_box()
    assert glass
    assert all(
        glass["x"] - 1 <= x and x + width <= glass["x"] + glass["width"] + 1 for x, _, width, _ in boxes
    )
    expect(page.locator("#pick .leads line").first).to_be_attached()


def test_where_other_dice_lie_there_the_list_alone_is_offered(opened: Opener) -> None:
    desk = ten_thousand()
    desk.read(MANY)
    desk.show(table=begun(throws=()).shown.table)
    page = opened(desk, "play?player=Ann", WIDE, HIGH)
    expect(page.locator("#pick")).to_be_hidden()
    page.locator("#offer button", has_text="three 1s and two 5s").click()
    desk.hears(Choose(0, "three 1s and two 5s"))


def test_a_refused_choice_says_why_and_can_be_made_again(opened: Opener) -> None:
    desk = ten_thousand()
    desk.read(MANY)
    desk.full = True
    page = opened(desk, "play?player=Ann", WIDE, HIGH)
    page.locator("#pick .target").first.click()
    page.locator("#confirm").click()
    expect(page.locator("#notice")).to_contain_text("The disk is full")
    desk.full = False
    page.locator("#confirm").click()
    expect(page.locator(".running b")).to_have_text("100")


def test_why_a_button_is_dark_stands_with_the_buttons(opened: Opener) -> None:
    desk = ten_thousand(opening="750")
    desk.read((1, 2, 3, 4, 4, 6))
    page = opened(desk, "play?player=Ann", WIDE, HIGH)
    expect(page.locator("#why")).to_have_text(
        "CACHE is dark: With these dice Ann would have 100 in this turn, "
        "and the first bank is 750 or more: roll on."
    )
    page.locator("#rules summary").click()
    expect(page.locator("#rules")).to_contain_text("Your first bank needs 750 in one turn.")
    fits_a_finger_and_the_phone(page)


def test_own_cards_say_what_they_do_and_are_played_there(opened: Opener) -> None:
    desk = zonk_with_a_d4()
    desk.read((5, 5, 2, 3, 4, 4), d4=1)
    take(desk, "5 and 5")
    page = opened(desk, "play?player=Ann", WIDE, HIGH)
    cards = page.locator("#cards li")
    expect(cards).to_have_count(2)
    expect(cards.nth(1)).to_contain_text("Turn a die to its opposite face.")
    expect(page.locator("#offers")).to_be_hidden()
    fits_a_finger_and_the_phone(page)
    page.get_by_role("button", name="Chaos Swap: The 2 becomes 5").click()
    expect(page.locator("#cards li")).to_have_count(1)
    assert "Chaos Swap: The 2 becomes 5" in str(desk.said(Choose))


def test_a_bet_stands_alone_on_its_page(opened: Opener) -> None:
    desk = begun("Zoë", "Ben")
    page = opened(desk, "play?player=Ben", WIDE, HIGH)
    expect(page.locator("#bet .choice")).to_have_count(6)
    assert visible_parts(page) == {"play", "bet", "standing", "rules"}
    assert keys(page) == []
    fits_a_finger_and_the_phone(page)
    page.locator("#bet input[value='4']").check()
    page.get_by_role("button", name="Lock my bet").click()
    expect(page.locator("#play .now")).to_have_text("Zoë still bets.")
    desk.bet("Zoë", 2)
    expect(page.locator("#turn-title")).to_have_text("Zoë’s turn")
    expect(page.locator("#bet")).to_be_hidden()


@pytest.mark.long
def test_no_word_of_the_page_moves_a_bet_from_under_a_finger(opened: Opener) -> None:
    desk = begun("Zoë", "Ben", "Cid")
    page = opened(desk, "play?player=Ben", WIDE, HIGH)
    chip = page.locator("#bet .choice").first
    before = chip.bounding_box()
    desk.bet("Zoë", 2)
    expect(page.locator("#play .now")).to_have_text("Ben and Cid still bet.")
    page.evaluate("document.querySelector('#message').append('A long word from the box. '.repeat(9))")
    assert chip.bounding_box() == before


def test_what_others_have_bet_reaches_no_other_page(opened: Opener) -> None:
    def page_of_zoe(dots: int) -> str:
        desk = begun("Zoë", "Ben", "Cid")
        desk.bet("Ben", dots)
        page = opened(desk, "play?player=Zoë", WIDE, HIGH)
        expect(page.locator("#play .now")).to_have_text("Zoë and Cid still bet.")
        page.evaluate("document.querySelector('#glance').remove()")
        return re.sub(r"blob:[^\"]*|127\.0\.0\.1:\d+", "", page.content())

    assert page_of_zoe(2) == page_of_zoe(8)


def test_a_landing_in_question_is_answered_by_who_may(opened: Opener) -> None:
    page = opened(asked_about_a_landing(), "play?player=Bea", WIDE, HIGH)
    expect(page.locator("#turn-title")).to_have_text("What counts?")
    expect(page.locator("#landing-title")).to_have_text("5 in 5 or 10?")
    expect(page.locator("#landing .referee")).to_be_hidden()
    assert keys(page) == ["Read the dice", "STOP", "CACHE"]
    fits_a_finger_and_the_phone(page)


def test_before_and_after_a_game_and_in_a_pause_the_page_says_so(opened: Opener) -> None:
    desk = PlayingBox()
    page = opened(desk, "play?player=Ann", WIDE, HIGH)
    expect(page.locator("#wait-title")).to_have_text("No game yet")
    assert visible_parts(page) == {"wait"}
    desk.start("ten-thousand", ("Ann", "Bea"), {"first": "named", "target": "1000", "last": "none"})
    expect(page.locator("#turn-title")).to_have_text("Your turn")
    desk.show(paused=True)
    expect(page.locator("#turn-title")).to_have_text("The game waits")
    assert keys(page) == []
    desk.show(paused=False)
    desk.read(MANY)
    desk.request(PressButton(down=False, button="cache"))
    expect(page.locator("#ending-title")).to_have_text("Ann wins")
    assert visible_parts(page) == {"ending", "rules"}
    assert keys(page) == []
    fits_a_finger_and_the_phone(page)


def test_dice_that_cannot_be_read_are_told_on_the_own_page(opened: Opener) -> None:
    desk = ten_thousand()
    desk.read((1, 1, 5, 2), ["stacked", "cocked"])
    page = opened(desk, "play?player=Ann", WIDE, HIGH)
    expect(page.locator("#correct .die")).to_have_count(6)
    fits_a_finger_and_the_phone(page)
    for _ in range(2):
        page.locator("#correct .die.open input[value='6']").first.check()
    page.locator("#correct .confirm").click()
    expect(page.locator("#pick")).to_be_visible()


def asked_about_a_landing() -> PlayingBox:
    """A die at the End Zone lies too close to call."""
    desk = PlayingBox()
    desk.start("end-zone", ("Ann", "Bea"), {"order": "seats", "mode": "fast"})
    asked = LandingShown(3, "asked", value=5, zone=10, line="5|10", gap="0.2 mm, plus or minus 0.5 mm.")
    desk.show(ask="landing", landing=asked, message=MessageShown("5 or 10? Somebody looks.", "unsure"))
    desk.show(lamps={**desk.shown.lamps, "stop": True, "cache": True})
    return desk


def test_axe_finds_nothing_in_any_moment(opened: Opener) -> None:
    roll, cards, unread = ten_thousand(), zonk_with_a_d4(), ten_thousand()
    roll.read(MANY)
    cards.read((5, 5, 2, 3, 4, 4), d4=1)
    unread.read((1, 1, 5, 2), ["stacked", "cocked"])
    wrong = {}
    for name, desk, query in (
        ("lobby", PlayingBox(), ""),
        ("who", ten_thousand(), ""),
        ("pick", roll, "?player=Ann"),
        ("another's turn", roll, "?player=Bea"),
        ("cards", cards, "?player=Ann"),
        ("not read", unread, "?player=Ann"),
        ("bet", begun(), "?player=Ben"),
        ("asked", asked_about_a_landing(), "?player=Bea"),
    ):
        page = opened(desk, f"play{query}", WIDE, HIGH)
        expect(page.locator("body")).not_to_have_attribute("data-stage", "waiting")
        for summary in page.locator("summary:visible").all():
            summary.click()
        wrong[name] = find_violations(page)
    assert not any(wrong.values()), wrong


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "options"), [("ten-thousand", {"first": "named"}), ("zonk", {"deck": "none"})]
)
def test_a_whole_turn_is_played_from_the_phone(
    tmp_path: Path, chromium: Browser, game: str, options: dict[str, str]
) -> None:
    """Throws, tapped dice, ROLL DONE and CACHE on the simulated table; the box has what was tapped."""
    with playing(tmp_path, simulated(7)) as player:
        assert player.box.api.request(StartGame(game, ("Ann", "Bea"), options)) == Done()
        page = chromium.new_page(viewport={"width": WIDE, "height": HIGH})
        page.set_default_timeout(1000 * PATIENCE_S)
        page.goto(f"http://127.0.0.1:{player.box.console.port}/play?player=Ann")
        gained = [roll_and_keep(page, player) for _ in range(2)]
        if all(gained):
            press(page, player, "cache")
        player.until(lambda shown: shown.game and shown.game.active == "Bea", "the turn's end")
        assert player.now.game is not None
        assert player.now.game.scores[0] == (sum(gained) if all(gained) else 0)
        expect(page.locator("#turn-title")).to_have_text("Bea’s turn")
        page.close()
