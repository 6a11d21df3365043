"""The referee's view in a real Chromium: what waits, the likeliest answer first, rulings, zoom, the log."""

from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import expect

from device.people.people import People
from device.requests import (
    Choose,
    Correct,
    Declined,
    Done,
    PressButton,
    PreviewCorrection,
    PreviewRuling,
    ReopenResult,
    SignOffResult,
)
from device.shown.snapshot import (
    ChoiceShown,
    FilmsShown,
    LandingShown,
    MessageShown,
    PutAwayShown,
    SignOffShown,
)
from device.shown.throws import ThrowShown, ThrowsShown, WordShown
from engine.dice import Face
from engine.events import Landed, Refereed
from tests.device.axe import find_violations
from tests.device.conftest import Opener
from tests.device.console.drawn import drawn_table
from tests.device.console.fake_box import FOUR, TWO, PlayingBox, begun, dice_of, preview_of, rolling, rule_of
from tests.tiers import short

pytestmark = pytest.mark.chromium

AT = "2026-11-23T18:00:00.000Z"
FIRST = ThrowShown(
    1,
    AT,
    "Ann",
    "5 × 10 = 50",
    "counts",
    reading=1,
    evidence="1/1-2.jpg",
    said=(WordShown("ruled", "zone 10 (seen)", "the referee Cleo", AT, "Ann 25 -> 50; Bea stays."),),
    landing=1,
    landed={"event": "landed", "value": 5, "zone": 10},
    ruled="the referee: seen",
)
ASKED = ThrowShown(
    2, AT, "Bea", "", "asked", reading=2, asked="Too close: 5 or 10?", likeliest="a third party says 5"
)
WORDS = ("a third party says 10", "a third party says 5", "one die shows 1: 10")


def landings() -> PlayingBox:
    """A game of End Zone with one landing that was ruled on."""
    desk = PlayingBox()
    desk.start("end-zone", ("Ann", "Bea"), {})
    desk.close_ups = {1: drawn_table((5,)), 2: drawn_table((4,))}
    desk.thrown = ThrowsShown(1, 1, (FIRST,))
    desk.show(films=FilmsShown((1,)))
    desk.asked.clear()
    return desk


def asked() -> PlayingBox:
    """The same, with a second landing that is asked about."""
    desk = landings()
    assert desk.shown.game is not None
    game = msgspec.structs.replace(desk.shown.game, choices=tuple(map(ChoiceShown, WORDS)))
    landing = LandingShown(2, "asked", value=4, zone=5, line="5|10", gap="gap 0.1 mm", evidence="1/2-2.jpg")
    desk.thrown = ThrowsShown(1, 2, (ASKED, FIRST))
    desk.readings[2] = drawn_table((4,))
    desk.show(game=game, ask="landing", landing=landing, message=MessageShown(ASKED.asked, "unsure"))
    return desk


def test_what_waits_stands_on_top_with_its_close_up_and_the_likeliest_answer_first(opened: Opener) -> None:
    desk = asked()
    page = opened(desk, "?referee")
    expect(page.locator("#waiting .question")).to_have_text("Too close: 5 or 10?")
    expect(page.locator(".answers button")).to_have_text([WORDS[1], WORDS[0], WORDS[2]])
    assert "evidence/2.jpg" in (page.locator("#landing .evidence img").get_attribute("src") or "")
    page.locator(".answers button").first.click()
    desk.hears(Choose(1, WORDS[1]))


def test_each_throw_stands_there_with_who_said_what_when_and_what_it_changed(opened: Opener) -> None:
    page = opened(asked(), "?referee")
    expect(page.locator("#log h3")).to_have_text(["Throw 2, Bea: not known yet", "Throw 1, Ann: 5 × 10 = 50"])
    said = page.locator("#log .said li")
    expect(said).to_contain_text("Ruled: zone 10 (seen) (the referee Cleo, ")
    expect(said.locator(".changed")).to_have_text("Ann 25 -> 50; Bea stays.")
    expect(page.locator("#log .badge").filter(has_text="ruled")).to_have_count(1)
    expect(page.locator("#log li[data-standing=asked] .dispute")).to_be_hidden()


def test_a_landing_is_ruled_on_by_keyboard_after_its_change_was_said(opened: Opener) -> None:
    desk = landings()
    desk.replies[PreviewRuling] = Done("Ann 50 -> 25; Bea stays.")
    page = opened(desk, "?referee")
    page.get_by_role("button", name="Dispute throw 1").focus()
    page.keyboard.press("Enter")
    form = page.locator("#landing form")
    form.locator("[name=zone]:visible").select_option("5")
    expect(form.locator(".foresight")).to_have_text("Ann 50 -> 25; Bea stays.")
    form.locator("[name=reason]").fill("it rolled on")
    page.keyboard.press("Enter")
    lower = Landed(value=5, zone=5)
    desk.hears(rule_of(Refereed(landed=lower, reason="it rolled on", landing=1)))
    expect(page.locator("#landing")).to_be_hidden()


def test_a_ruling_that_cannot_be_says_so_and_needs_no_reason(opened: Opener) -> None:
    desk = landings()
    desk.replies[PreviewRuling] = Declined("The next die would be somebody else's.")
    page = opened(desk, "?referee")
    page.get_by_role("button", name="Dispute throw 1").click()
    form = page.locator("#landing form")
    form.locator("[name=foul]").select_option("slid")
    expect(form.locator(".foresight")).to_have_text("The next die would be somebody else's.")
    expect(form.locator(".foresight")).to_have_attribute("data-ok", "false")
    assert desk.said(PreviewRuling) == [
        preview_of(
            Refereed(landed=Landed(value=5, zone=10, foul="slid"), reason="as the referee saw it", landing=1)
        )
    ]


def test_throws_that_do_not_count_stand_apart_and_the_log_is_filtered(opened: Opener) -> None:
    desk = rolling(FOUR)
    told = (WordShown("corrected", "dot", "the referee Cleo", AT, ""),)
    missed = msgspec.structs.replace(rolled(3, *TWO), standing="refused", reading=1)
    corrected = msgspec.structs.replace(rolled(2, *TWO, player="Ben"), said=told, reading=1)
    desk.thrown = ThrowsShown(1, 3, (missed, corrected, rolled(1, *FOUR)))
    page = opened(desk, "?referee", width=390, height=844)
    counted = page.locator("#log .counted h3")
    expect(counted).to_have_text(
        ["Throw 2, Ben: dot, square, dot, square", "Throw 1, Zoë: dot, dot, dot, dot"]
    )
    expect(page.locator("#log .refused summary")).to_have_text("Throws that do not count (1)")
    expect(page.locator("#log .refused h3")).to_be_hidden()
    page.locator("#log .refused summary").click()
    expect(page.locator("#log .refused h3")).to_contain_text("Throw 3, Zoë")
    assert find_violations(page) == []
    page.locator("#log [name=kind]").select_option("corrected")
    expect(counted).to_have_count(1)
    expect(page.locator("#log .refused")).to_be_hidden()
    page.locator("#log [name=kind]").select_option("all")
    page.locator("#log [name=player]").select_option("Zoë")
    expect(counted).to_have_text(["Throw 1, Zoë: dot, dot, dot, dot"])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_picture_is_looked_at_closer_with_keys_buttons_and_wheel(opened: Opener) -> None:
    page = opened(landings(), "?referee")
    page.get_by_role("button", name="Look closer at throw 1").click()
    scale = page.locator("#zoom .scale")
    expect(scale).to_have_text("100 %")
    page.keyboard.press("+")
    expect(scale).to_have_text("150 %")
    page.get_by_role("button", name="Larger").click()
    expect(scale).to_have_text("225 %")
    page.locator("#zoom .glass").hover()
    page.mouse.wheel(0, 100)
    expect(scale).to_have_text("188 %")
    page.keyboard.press("0")
    expect(scale).to_have_text("100 %")
    page.keyboard.press("Escape")
    expect(page.locator("#zoom")).to_be_hidden()


def rolled(throw: int, *faces: Face, player: str = "Zoë") -> ThrowShown:
    """A roll of the log that counts, as many rolls as throws before it."""
    dice = tuple((die.kind, die.value) for die in dice_of(faces))
    words = ", ".join(map(str, faces))
    return ThrowShown(throw, AT, player, words, "counts", reading=throw, roll=throw, dice=dice)


def test_any_roll_of_the_game_is_corrected_beside_the_picture_that_was_read_then(opened: Opener) -> None:
    """An old one: nobody needs UNDO, and what it changes is said first."""
    desk = begun()
    for _ in range(2):
        desk.bet("Zoë", 2)
        desk.bet("Ben", 2)
        desk.read(FOUR)
        desk.request(PressButton(down=False, button="stop"))
    desk.thrown = ThrowsShown(1, 2, (rolled(2, *FOUR, player="Ben"), rolled(1, *FOUR)))
    page = opened(desk, "?referee", width=390, height=844)
    page.get_by_role("button", name="Dispute throw 1").click()
    expect(page.locator("#correct-title")).to_have_text("Correct throw 1, Zoë")
    picture = page.locator("#correct .whole img")
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 1280
    assert "reading/1.jpg" in (picture.get_attribute("src") or "")
    page.locator("#correct").get_by_role("button", name="Look closer at throw 1").click()
    expect(page.locator("#zoom-title")).to_have_text("Correct throw 1, Zoë")
    page.keyboard.press("Escape")
    page.locator("#correct .die").first.locator("input[value='square']").check()
    expect(page.locator("#correct .foresight")).to_have_text("Zoë 8 -> 7; Ben stays.")
    assert find_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("#correct [name=reason]").fill("the film shows it")
    page.locator("#correct .confirm").click()
    expect(page.locator("#correct")).to_be_hidden()
    dice = list(dice_of(("square", "dot", "dot", "dot")))
    desk.hears(Correct(tuple(dice), "the film shows it", 1))


def test_a_new_roll_leaves_the_form_of_an_older_one_open_and_a_word_on_that_one_closes_it(
    opened: Opener,
) -> None:
    desk = rolling(FOUR)
    desk.thrown = ThrowsShown(1, 1, (rolled(1, *FOUR),))
    page = opened(desk, "?referee")
    page.get_by_role("button", name="Dispute throw 1").click()
    page.locator("#correct .die").first.locator("input[value='square']").check()
    desk.thrown = ThrowsShown(1, 2, (rolled(2, *TWO), rolled(1, *FOUR)))
    desk.read(TWO)
    expect(page.locator("#log h3")).to_have_count(2)
    expect(page.locator("#correct-title")).to_have_text("Correct throw 1, Zoë")
    expect(page.locator("#correct .die").first.locator("input[value='square']")).to_be_checked()
    desk.thrown = ThrowsShown(1, 2, (rolled(2, *TWO), rolled(1, *TWO)))
    desk.show(message=MessageShown("Corrected."))
    expect(page.locator("#correct")).to_be_hidden()


def test_a_roll_in_question_is_answered_before_an_older_one_is_corrected(opened: Opener) -> None:
    desk = rolling(FOUR)
    desk.thrown = ThrowsShown(1, 1, (rolled(1, *FOUR),))
    page = opened(desk, "?referee")
    desk.read(("dot", "square", "square"), ["stacked"])
    expect(page.locator("#correct-title")).to_have_text("What do the dice show?")
    page.get_by_role("button", name="Dispute throw 1").click()
    expect(page.locator("#notice")).to_contain_text("First answer what is asked about the last throw.")
    expect(page.locator("#correct-title")).to_have_text("What do the dice show?")


def test_a_landing_of_long_ago_has_the_whole_form_with_its_picture(opened: Opener) -> None:
    """It is none of the last landings of the snapshot: the log has it."""
    desk = landings()
    assert desk.shown.game is not None
    assert desk.shown.game.landings == ()
    desk.readings[1] = drawn_table((5,))
    desk.thrown = ThrowsShown(1, 1, (msgspec.structs.replace(FIRST, evidence=""),))
    page = opened(desk, "?referee")
    page.get_by_role("button", name="Dispute throw 1").click()
    expect(page.locator("#landing-title")).to_have_text("Landing 1, Ann: 5 × 10 = 50")
    image = page.locator("#landing .evidence img")
    assert image.evaluate("image => image.decode().then(() => image.naturalWidth)") == 1280
    form = page.locator("#landing form")
    expect(form.locator("[name=zone]:visible")).to_have_value("10")
    form.locator("[name=foul]").select_option("slid")
    form.locator("[name=reason]").fill("it slid")
    expect(form.locator(".foresight")).to_contain_text("No die has landed yet")
    assert find_violations(page) == []
    form.locator("button").click()
    desk.hears(rule_of(Refereed(landed=Landed(value=5, zone=10, foul="slid"), reason="it slid", landing=1)))


def test_before_dice_are_corrected_the_page_says_what_that_changes(opened: Opener) -> None:
    desk = rolling(FOUR)
    desk.thrown = ThrowsShown(1, 1, (rolled(1, *FOUR),))
    page = opened(desk, "?referee", width=390, height=844)
    page.get_by_role("button", name="Dispute throw 1").click()
    told = page.locator("#correct .foresight")
    expect(page.locator("#correct .die")).to_have_count(4)
    expect(told).to_have_text("")
    page.locator("#correct .die").first.locator("input[value='square']").check()
    expect(told).to_have_text("All scores stay. This turn: 4 -> 3.")
    expect(told).to_have_attribute("data-ok", "true")
    assert find_violations(page) == []
    page.get_by_role("button", name="Not a die").first.click()
    expect(told).to_contain_text("A roll is four Zoinx dice; this is three Zoinx dice.")
    expect(told).to_have_attribute("data-ok", "false")
    assert find_violations(page) == []
    page.get_by_role("button", name="Add a die").click()
    expect(told).to_have_text("")
    page.locator("#correct .die").last.locator("input[value='square']").check()
    expect(told).to_have_text("All scores stay. This turn: 4 -> 3.")
    desk.request(PressButton(down=False, button="stop"))
    expect(told).to_have_text("Zoë 6 -> 5; Ben stays.")
    assert desk.said(Correct) == []
    page.locator("#correct .confirm").click()
    expect(page.locator("#correct")).to_be_hidden()
    desk.hears(Correct(dice_of(("dot", "dot", "dot", "square")), "", 1))


def test_nobody_is_asked_what_would_change_while_no_die_is_touched(opened: Opener) -> None:
    desk = rolling()
    desk.read(("dot", "square", "square"), ["stacked"])
    page = opened(desk, "?referee")
    expect(page.locator("#correct .die")).to_have_count(4)
    page.locator("#correct .die.open input[value='dot']").check()
    expect(page.locator("#correct .foresight")).to_have_text("All scores stay. This turn: 0 -> 2.")
    dice = dice_of(("dot", "square", "square", "dot"))
    assert desk.said(PreviewCorrection) == [PreviewCorrection(dice=dice)]


@pytest.mark.parametrize("width", short([390, 1280]))
def test_nothing_runs_off_the_side_buttons_are_large_enough_and_axe_finds_nothing(
    opened: Opener, width: int
) -> None:
    page = opened(asked(), "?referee", width=width, height=844)
    page.get_by_role("button", name="Dispute throw 1").click()
    expect(page.locator("#landing form")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    small = page.evaluate(
        "[...document.querySelectorAll('#waiting button, #log button, #log summary')]"
        ".map(each => [each.textContent, each.getBoundingClientRect()])"
        ".filter(([, box]) => box.width && (box.height < 43.9 || box.width < 43.9)).map(([text]) => text)"
    )
    assert small == []
    assert find_violations(page) == []


def test_who_may_not_judge_sees_the_log_and_no_button_that_rules(opened: Opener, tmp_path: Path) -> None:
    page = opened(landings(), "?referee", people=People("club", tmp_path, print))
    expect(page.locator("#watching")).to_be_visible()
    expect(page.locator("#log h3")).to_have_count(1)
    for hidden in (".dispute", ".confirm"):
        expect(page.locator(f"#log {hidden}")).to_be_hidden()


def test_a_result_is_signed_off_and_opened_again_with_a_reason(opened: Opener) -> None:
    desk = landings()
    waits = PutAwayShown(3, "End Zone", ("Cat", "Dan"), (40, 1059), AT)
    desk.show(stage="ended", sign_off=SignOffShown("Ann 135, Bea 98", "waits"), unsigned=(waits,))
    page = opened(desk, "?referee", width=390, height=844)
    card = page.locator("#sign-off")
    expect(card.locator(".stands")).to_have_text("The result stands: Ann 135, Bea 98.")
    expect(card.locator(".earlier li p")).to_have_text("Game 3, End Zone: Cat 40, Dan 1,059")
    assert find_violations(page) == []
    card.locator(".sign").click()
    desk.hears(SignOffResult(1))
    desk.show(sign_off=SignOffShown("Ann 135, Bea 98", "signed", "the referee Cleo", AT))
    expect(card.locator(".stands")).to_contain_text("Signed off by the referee Cleo")
    expect(card.locator(".sign")).to_be_hidden()
    card.get_by_text("Open it again").first.click()
    card.get_by_label("Why, for the journal").first.fill("a die was misread")
    page.keyboard.press("Enter")
    desk.hears(ReopenResult(1, "a die was misread"))
    assert find_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_who_may_not_judge_reads_how_the_result_stands_and_signs_nothing(
    opened: Opener, tmp_path: Path
) -> None:
    desk = landings()
    desk.show(stage="ended", sign_off=SignOffShown("Ann 135, Bea 98", "waits"))
    page = opened(desk, "?referee", people=People("tournament", tmp_path, print))
    expect(page.locator("#sign-off .stands")).to_be_visible()
    expect(page.locator("#sign-off .sign")).to_be_hidden()
