"""What no button says, in a real Chromium: choices, facts, dice of several kinds, a lobby of many rules."""

import re

import pytest
from playwright.sync_api import Page, expect

from device.match.showing import choices_shown
from device.requests import Choose, ChooseByHand, Correct, Declined, PressButton, StartGame
from device.shown.snapshot import PlacesShown
from engine.rulebooks import RULEBOOKS
from tests.device.conftest import Opener
from tests.device.console.fake_box import STALE, PlayingBox, dice_of
from tests.device.console.test_page import hold_and_let_go, tab_to
from tests.tiers import short

pytestmark = pytest.mark.chromium

MANY = (1, 1, 1, 5, 5, 3)
"""Eleven set-asides in Ten Thousand, worth 50 to 1,100."""
GROUPED = re.compile(r"^\S.*\+[\d,]+$")


def ten_thousand(*throws: tuple[int, ...], **options: str) -> PlayingBox:
    """Ann and Bea, Ann to roll; ROLL DONE reads the next of the throws."""
    desk = PlayingBox(throws)
    desk.start("ten-thousand", ("Ann", "Bea"), {"first": "named", **options})
    desk.asked.clear()
    return desk


def zonk_with_a_d4() -> PlayingBox:
    """A run of ZONK in its second turn: five pip dice and a four-sided one are cast next."""
    desk = PlayingBox()
    desk.start("zonk", ("Ann",), {})
    desk.read((1, 1, 1, 2, 3, 4))
    take(desk, "three 1s")
    desk.request(PressButton(down=False, button="cache"))
    take(desk, "Potion of Shrinking")
    take(desk, "Chaos Swap")
    desk.asked.clear()
    return desk


def take(desk: PlayingBox, words: str) -> None:
    """One of the choices, by its words."""
    assert desk.shown.game is not None
    place = [choice.words for choice in desk.shown.game.choices].index(words)
    assert desk.request(Choose(place, words)).ok


def in_sight(page: Page) -> list[str]:
    """The choices that can be seen, as words and points."""
    texts = page.locator("#offer li:visible button").evaluate_all(
        "buttons => buttons.map(button => [...button.children].map(part => part.textContent).join(' '))"
    )
    return list(texts)


def expect_in_sight(page: Page, *texts: str) -> None:
    """Just these choices can be seen, in this order."""
    expect(page.locator("#offer li:visible button")).to_have_text(list(texts))


def test_ten_thousand_by_choices_to_a_bank_with_the_keyboard_alone(opened: Opener) -> None:
    desk = ten_thousand(MANY, (1, 2, 3), **{"same-roll": "once"})
    page = opened(desk)
    expect(page.locator("#offer")).to_be_hidden()
    hold_and_let_go(page, desk, "r", "roll_done")
    expect(page.locator("#offer-title")).to_have_text("Ann: Set aside")
    expect(page.locator(".now li").first).to_have_text("Ann: choose on the console what you keep.")
    assert in_sight(page)[:3] == ["three 1s and two 5s +1,100", "three 1s and a 5 +1,050", "three 1s +1,000"]
    tab_to(page, "#offer li:nth-child(3) button")
    page.keyboard.press("Enter")
    expect(page.locator("#offer")).to_be_hidden()
    expect(page.locator(".running b")).to_have_text("1,000")
    assert page.evaluate("document.activeElement.id") == "play"
    expect(page.locator(".now")).to_contain_text("throw three dice")
    hold_and_let_go(page, desk, "r", "roll_done")
    expect_in_sight(page, "a 1+100")
    expect(page.locator(".now")).to_contain_text("or press CACHE to end the turn and keep its points.")
    hold_and_let_go(page, desk, "c", "cache")
    expect(page.locator("#scores-title")).to_have_text("Bea’s turn")
    expect(page.locator(".players .score").first).to_have_text("1,100")
    assert desk.said(Choose) == [Choose(2, "three 1s")]


@pytest.mark.long
def test_the_rest_of_many_choices_waits_behind_a_button(opened: Opener) -> None:
    desk = ten_thousand()
    desk.read(MANY)
    page = opened(desk)
    assert desk.shown.game is not None
    assert len(in_sight(page)) == 8
    more = page.locator("#offer .more")
    expect(more).to_have_text("3 more")
    expect(more).to_have_attribute("aria-expanded", "false")
    tab_to(page, "#offer .more")
    page.keyboard.press("Space")
    expect(more).to_have_attribute("aria-expanded", "true")
    assert len(in_sight(page)) == len(desk.shown.game.choices) == 11
    page.locator("#offer button", has_text="a 5").last.click()
    desk.wait_for(lambda each: each.said(Choose) == [Choose(10, "a 5")])
    expect(page.locator(".running b")).to_have_text("50")


@pytest.mark.long
def test_a_snapshot_that_changes_no_choice_leaves_the_focus_where_it_is(opened: Opener) -> None:
    desk = ten_thousand()
    desk.read(MANY)
    page = opened(desk)
    page.locator("#offer .more").click()
    last = "#offer li:nth-child(11) button"
    page.locator(last).focus()
    page.evaluate("selector => { window.kept = document.querySelector(selector) }", last)
    desk.show(reads="at_rest")
    expect(page.locator(".now")).to_contain_text("the box reads them when they lie still")
    assert page.evaluate("document.activeElement === window.kept && window.kept.isConnected")
    expect(page.locator(last)).to_be_visible()
    desk.request(PressButton(down=False, button="undo"))
    desk.read((1, 2, 2, 3, 3, 4))
    expect(page.locator("#offer li")).to_have_count(1)
    assert page.evaluate("document.activeElement.id") in ("offer-title", "play")


@pytest.mark.long
def test_a_stale_choice_is_refused_with_its_sentence(opened: Opener) -> None:
    desk = ten_thousand()
    desk.read(MANY)
    page = opened(desk)
    seen = desk.shown
    desk.request(Choose(0, "three 1s and two 5s"))
    desk.asked.clear()
    expect(
        page.locator("#offer")
    ).to_be_hidden()  # else the click may fall on a page that is just being redrawn
    desk.listeners[0](seen)  # a slow phone: it shows again what was
    expect(page.locator("#offer")).to_be_visible()
    before = desk.shown
    page.locator("#offer button").first.click()
    expect(page.locator("#notice")).to_contain_text(STALE)
    assert desk.said(Choose) == [Choose(0, "three 1s and two 5s")]
    assert desk.shown == before


@pytest.mark.long
def test_a_double_click_chooses_once(opened: Opener) -> None:
    desk = zonk_with_a_d4()
    desk.read((5, 5, 2, 3, 4, 4), d4=1)
    page = opened(desk)
    single = page.locator("#offer button", has=page.get_by_text("5", exact=True))
    single.dblclick()
    expect(page.locator(".running b")).to_have_text("50")
    page.locator("#offer button", has=page.get_by_text("5", exact=True)).click()
    expect(page.locator(".running b")).to_have_text("100")
    assert desk.said(Choose) == [Choose(1, "5"), Choose(0, "5")]


def test_facts_stand_with_the_table_and_with_the_player(opened: Opener) -> None:
    desk = zonk_with_a_d4()
    desk.read((5, 5, 2, 3, 4, 4), d4=1)
    take(desk, "5 and 5")
    page = opened(desk)
    facts = "facts => facts.map(fact => fact.textContent)"
    table = page.locator("#scores > .facts > div").evaluate_all(facts)
    assert table == ["Pocket 15 and 5, 100", "Cast2, 3, 4, 4"]
    mine = page.locator(".players li .facts > div").evaluate_all(facts)
    assert mine[2:] == ["Quota1,000 of 1,000", "ModifiersPotion of Shrinking", "ItemsChaos Swap"]
    plays = [words for words in in_sight(page) if not GROUPED.match(words)]
    assert plays
    assert all(words.startswith("Chaos Swap: ") for words in plays)


@pytest.mark.long
def test_a_phone_is_asked_for_no_bet_where_nobody_bets(opened: Opener) -> None:
    page = opened(zonk_with_a_d4(), "play?player=Ann", 390, 800)
    expect(page.locator("#turn-title")).to_have_text("Your turn")
    expect(page.locator("#bet")).to_be_hidden()


def test_cards_are_drawn_from_the_list(opened: Opener) -> None:
    desk = PlayingBox()
    desk.start("zonk", ("Ann",), {})
    desk.read((1, 1, 1, 2, 3, 4))
    desk.request(PressButton(down=False, button="cache"))
    page = opened(desk)
    expect(page.locator("#offer-title")).to_have_text("Ann: Which card was drawn?")
    expect(page.locator("#offer li:visible")).to_have_count(10)
    page.get_by_role("button", name="Magic Aura").click()
    expect(page.locator(".players .facts")).to_contain_text("Magic Aura")


def test_dice_of_several_kinds_are_told_by_the_players(opened: Opener) -> None:
    desk = zonk_with_a_d4()
    desk.read((1, 1, 5, 2), ["stacked", "cocked"])
    page = opened(desk)
    dice = page.locator("#correct .die")
    expect(dice).to_have_count(6)
    expect(page.locator("#correct .check-words")).to_have_text("2 dice still have no face.")
    kinds = dice.locator("select").evaluate_all("all => all.map(each => each.value)")
    assert sorted(kinds) == ["d4", *["pip"] * 5]
    small = dice.nth(kinds.index("d4"))
    expect(small.locator("input")).to_have_count(4)
    other = page.locator("#correct .die.open").filter(has=page.locator("input[value='6']"))
    other.locator("select").select_option("d4")
    expect(page.locator("#correct .check-words")).to_contain_text(
        "The game wants five dice and one four-sided die; here are 4 dice and 2 four-sided dice."
    )
    page.locator("#correct .die.open select").first.select_option("pip")
    page.locator("#correct .die.open input[value='6']").check()
    page.locator("#correct .die.open input[value='4']").check()
    expect(page.locator("#correct .check-words")).to_have_text("")
    confirm = page.locator("#correct .confirm")
    at_once = confirm.bounding_box()
    expect(page.locator("#correct .foresight")).to_have_text("All scores stay. This turn: 0 -> 0.")
    assert confirm.bounding_box() == at_once, "what comes late moves no button from under a finger"
    confirm.click()
    expect(page.locator("#correct")).to_be_hidden()
    meant = list(dice_of((1, 6, 1, 5, 2, 4), d4=1))
    assert desk.said(Correct) == [Correct(tuple(meant), "")]
    expect(page.locator(".faces [aria-label='4'] path.body")).to_have_count(1)


@pytest.mark.long
def test_on_a_simulated_mat_the_hand_is_asked_first(opened: Opener) -> None:
    desk = ten_thousand(MANY)
    desk.request(PressButton(down=False, button="roll_done"))
    desk.show(simulated=True, places=PlacesShown(title="Ten Thousand mat"))
    assert desk.shown.game is not None
    words = [choice.words for choice in desk.shown.game.choices]
    page = opened(desk)
    page.locator("#offer button", has_text=words[0]).first.click()
    desk.hears(ChooseByHand(0, words[0]))
    assert desk.said(Choose) == []
    desk.replies[ChooseByHand] = Declined("No free die shows 1.")
    page.locator("#offer li button").nth(1).click()
    desk.hears(Choose(1, words[1]))
    desk.hears(ChooseByHand(0, words[0]), ChooseByHand(1, words[1]))
    expect(page.locator("#notice")).to_be_hidden()


def test_at_a_real_mat_a_click_is_a_choice(opened: Opener) -> None:
    desk = ten_thousand(MANY)
    desk.request(PressButton(down=False, button="roll_done"))
    desk.show(places=PlacesShown(title="Ten Thousand mat"))
    page = opened(desk)
    page.locator("#offer li button").first.click()
    expect(page.locator("#offer")).to_be_hidden()
    assert len(desk.said(Choose)) == 1
    assert desk.said(ChooseByHand) == []


def test_correcting_by_hand_replaces_the_dice_thrown_and_keeps_their_kinds(opened: Opener) -> None:
    desk = zonk_with_a_d4()
    desk.read((5, 5, 2, 3, 4, 4), d4=1)
    take(desk, "Chaos Swap: The 3 becomes 4")  # what lies there is no longer what was thrown
    page = opened(desk)
    page.keyboard.press("e")
    page.locator("#correct .die").first.locator("input[value='1']").check()
    page.locator("#correct .confirm").click()
    expect(page.locator("#correct")).to_be_hidden()
    meant = list(dice_of((1, 5, 2, 3, 4, 4), d4=1))
    assert desk.said(Correct) == [Correct(tuple(meant), "")]


def test_the_lobby_folds_many_rules_away_and_sends_what_was_set(opened: Opener) -> None:
    desk = PlayingBox()
    page = opened(desk)
    offered = page.locator("input[name=game]").evaluate_all("all => all.map(each => each.value)")
    assert offered == [choice.name for choice in desk.shown.choices]
    page.locator("input[value='ten-thousand']").check()
    expect(page.get_by_label("Three pairs")).to_be_hidden()
    page.get_by_label("Player 1", exact=True).fill("Ann")
    page.get_by_label("Player 2", exact=True).fill("Bea")
    page.get_by_label("First turn").select_option("The first name begins")
    page.get_by_label("Points to reach").fill("5000")
    page.locator(".more-rules summary").click()
    page.get_by_label("Three pairs").fill("0")
    page.get_by_label("Last round for").select_option("Nobody: the game ends at once")
    page.locator("#lobby button.main").click()
    expect(page.locator("#scores-title")).to_have_text("Ann’s turn")
    options = {"first": "named", "target": "5000", "three-pairs": "0", "last": "none"}
    assert desk.said(StartGame) == [StartGame("ten-thousand", ("Ann", "Bea"), options)]


@pytest.mark.long
def test_an_amount_that_cannot_be_is_refused_in_the_rulebooks_words(opened: Opener) -> None:
    desk = PlayingBox()
    page = opened(desk)
    page.locator("input[value='ten-thousand']").check()
    page.get_by_label("Player 1", exact=True).fill("Ann")
    page.get_by_label("Player 2", exact=True).fill("Bea")
    page.get_by_label("Points to reach").fill("5001")
    page.locator("#lobby button.main").click()
    expect(page.locator("#notice")).to_contain_text("target is a multiple of 50")
    expect(page.locator("#lobby")).to_be_visible()


def ended(desk: PlayingBox) -> PlayingBox:
    """Ann reaches 1,000 in one turn, and that is the end."""
    desk.read(MANY)
    desk.request(PressButton(down=False, button="cache"))
    assert desk.shown.stage == "ended"
    desk.asked.clear()
    return desk


@pytest.mark.long
def test_play_again_on_another_page_keeps_what_was_agreed(opened: Opener) -> None:
    desk = ended(ten_thousand(target="1000", last="none"))
    page = opened(desk)
    page.locator("#ending .again").click()
    expect(page.locator("#ending")).to_be_hidden()
    agreed = {"first": "named", "target": "1000", "last": "none"}
    assert desk.said(StartGame) == [StartGame("ten-thousand", ("Ann", "Bea"), agreed)]


@pytest.mark.long
def test_another_game_begins_from_what_was_agreed(opened: Opener) -> None:
    page = opened(ended(ten_thousand(target="1000", last="none")))
    page.locator("#ending .other").click()
    expect(page.get_by_label("Points to reach")).to_have_value("1000")
    expect(page.get_by_label("Last round for")).to_have_value("none")
    expect(page.get_by_label("Last round for")).to_be_visible()
    expect(page.get_by_label("Player 2", exact=True)).to_have_value("Bea")


def test_the_box_deals_other_cards_each_game(opened: Opener) -> None:
    """For a rematch, which players may begin, it shuffles by a word that no page knows."""
    desk = PlayingBox()
    page = opened(desk)
    page.locator("input[value='zonk']").check()
    page.get_by_label("Player 1", exact=True).fill("Ann")
    expect(page.get_by_label("Shuffled by the word")).to_have_count(0)
    page.locator(".option", has_text="Cards").locator("select").select_option("The box deals")
    expect(page.get_by_label("Shuffled by the word")).to_have_value("")
    page.locator("#lobby button.main").click()
    expect(page.locator("#scores-title")).to_have_text("Ann’s turn")
    seed = desk.options.pop("seed")
    assert desk.options == {"deck": "box"}
    assert len(seed) > 8
    desk.show(stage="ended")
    page.locator("#ending .again").click()
    expect(page.locator("#ending")).to_be_hidden()
    assert desk.options == {"deck": "box"}


@pytest.mark.parametrize("game", RULEBOOKS)
def test_every_rule_that_the_lobby_offers_has_its_words(game: str) -> None:
    (offered,) = choices_shown([RULEBOOKS[game]])
    words = RULEBOOKS[game].option_words
    assert set(words) == set(offered.options)
    for option, choices in offered.options.items():
        unsaid = [value for value in choices if value not in words[option].values]
        assert not unsaid or option in ("edition", "copies"), option  # names and numbers of their own
        assert set(words[option].only_with) <= set(offered.options)


@pytest.mark.parametrize("width", short([320, 1920, 375, 768, 1280]))
def test_a_game_of_many_choices_and_facts_runs_off_no_side(opened: Opener, width: int) -> None:
    desk = zonk_with_a_d4()
    desk.read((5, 5, 1, 3, 4, 4), d4=1)
    page = opened(desk, "", width, 800)
    expect(page.locator("#offer")).to_be_visible()
    page.keyboard.press("e")
    expect(page.locator("#correct .die")).to_have_count(6)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
