"""The landing on the console's page: the call and its close-up, answers to a question, the referee's word."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from playwright.sync_api import expect

from device.match.showing import acts_shown
from device.requests import ApplyRuling, Choose, Done, PreviewRuling
from device.shown.snapshot import MessageShown
from device.shown.throws import ThrowShown, ThrowsShown
from device.simulator.end_zone.world import ACTS
from engine.events import DieRuled, Landed, Moved, Refereed, Ruled
from tests.device.conftest import Opener
from tests.device.console.fake_box import FakeBox, dice_of, preview_of, rule_of, table_of
from tests.device.landings.play import NOW, EndZoneTable, lies

pytestmark = pytest.mark.chromium


@pytest.fixture
def table(tmp_path: Path) -> Iterator[EndZoneTable]:
    found = EndZoneTable(tmp_path)
    yield found
    found.close()


def desk_of(table: EndZoneTable) -> FakeBox:
    """What the console would be given of that table."""
    desk = FakeBox()
    close_up = np.full((150, 120, 3), 180, np.uint8)
    desk.close_ups = dict.fromkeys((1, 2), bytes(cv2.imencode(".jpg", close_up)[1]))
    asks = "landing" if table.match.questions.pending else ""
    desk.show(
        stage="playing",
        game_id=table.game.game_id,
        game=table.game.show(),
        message=table.game.message,
        landing=table.detector.state.landing,
        lamps=table.game.lamps(),
        ask=asks,
        simulated=True,
        acts=acts_shown(ACTS),
    )
    return desk


def test_a_certain_landing_with_its_close_up(table: EndZoneTable, opened: Opener) -> None:
    table.throw(lies(5, 0.0, 200.0))
    page = opened(desk_of(table))
    expect(page.locator("#landing h2")).to_have_text("5 × 5 = 25")
    expect(page.locator("#landing .sure")).to_have_text("certain")
    expect(page.locator("#landing .gap")).to_contain_text("Chance of zone 5")
    image = page.locator("#landing .evidence img")
    expect(image).to_have_js_property("naturalWidth", 120)
    assert page.locator("#landing .evidence a").get_attribute("download") == "end-zone-1-1-2.jpg"
    page.locator("#hand summary").click()
    for name in ACTS:
        place = "#panel" if name == "throw" else "#hand"
        expect(page.locator(f'{place} [data-act="{name}"]')).to_be_visible()


def test_a_roll_for_who_goes_first_is_shown_as_a_number_also_when_it_is_taken_back(
    table: EndZoneTable, opened: Opener, tmp_path: Path
) -> None:
    table.close()
    rolling = EndZoneTable(tmp_path / "rolling", order="roll")
    rolling.throw(lies(5, 0.0, 200.0))
    desk = desk_of(rolling)
    page = opened(desk)
    expect(page.locator("#landing h2")).to_have_text("rolls 5")
    rolling.press("undo")
    desk.show(game=rolling.game.show())
    expect(page.locator("#landings")).to_be_hidden()
    expect(page.locator("#landing h2")).to_have_text("rolls 5")
    expect(page.locator("#landing .sure")).to_have_text("")
    rolling.close()


def test_the_card_shows_what_a_throw_counts_once_it_was_ruled_a_foul(
    table: EndZoneTable, opened: Opener
) -> None:
    table.throw(lies(5, 0.0, 200.0))
    slid = Refereed(landed=Landed(value=5, zone=5, foul="slid"), reason="seen by all")
    assert table.match.rule(slid, NOW)
    page = opened(desk_of(table))
    expect(page.locator("#landing h2")).to_have_text("a foul: slid")
    expect(page.locator("#landing .sure")).to_have_text("ruled")
    expect(page.locator("#landing .gap")).to_contain_text("As measured: 5 × 5 = 25. Ruled by the referee")
    alt = page.locator("#landing .evidence img").get_attribute("alt")
    assert alt is not None
    assert "a foul: slid" in alt


def test_a_ruling_is_stamped_on_every_close_up_that_says_otherwise(
    table: EndZoneTable, opened: Opener
) -> None:
    table.throw(lies(5, 0.0, 200.0))
    desk = desk_of(table)
    at, words = "2026-11-23T18:00:00.000Z", "5 × 10 = 50"
    past = ThrowShown(1, at, "Ann", words, "counts", 1, "1/1-2.jpg", landing=1, ruled="Cleo")
    desk.thrown = ThrowsShown(1, 1, (past,))
    desk.readings[1] = desk.close_ups[0] = desk.close_ups[1]
    page, wall, referee = opened(desk), opened(desk, "?screen"), opened(desk, "?referee")
    expect(page.locator("#landing .stamp")).to_be_hidden()
    assert table.match.rule(Ruled(zone=10, by="Cleo"), NOW)
    desk.show(game=table.game.show())
    expect(page.locator("#landing h2")).to_have_text("5 × 10 = 50")
    expect(page.locator("#landing .stamp")).to_have_text("Ruled: 5 × 10 = 50")
    landing = table.detector.state.landing
    assert landing is not None
    earlier = msgspec.structs.replace(landing, number=0)
    desk.show(landing=earlier, table=table_of(dice_of((5,)), 1), message=MessageShown("Before it."))
    expect(wall.locator("#said")).to_have_text("Before it.")
    desk.show(landing=landing)
    expect(wall.locator("#called")).to_have_text("5\u00a0×\u00a010 =\u00a050")
    expect(wall.locator("#picture .stamp")).to_be_in_viewport()
    referee.locator("#log .thumb").click()
    expect(referee.locator("#zoom .stamp")).to_have_text("Ruled: 5 × 10 = 50")


def test_too_close_is_asked_and_answered(table: EndZoneTable, opened: Opener) -> None:
    table.throw(lies(4, 20.0, 465.55))
    desk = desk_of(table)
    page = opened(desk)
    expect(page.locator("#message p")).to_contain_text("Too close to call")
    expect(page.locator("#landing .sure")).to_have_text("to be decided")
    expect(page.locator('#panel [data-button="cache"]')).to_have_attribute("data-lit", "true")
    expect(page.locator('#panel [data-button="cache"] .what')).to_have_text("It is in 2")
    expect(page.locator('#panel [data-button="stop"] .what')).to_have_text("It is in 1")
    assert table.match.questions.pending
    words = [option.words for option in table.match.questions.pending.options]
    third, one_die = (0, "a third party says 2"), (words.index("one die shows 3: 2"), "one die shows 3: 2")
    page.get_by_role("button", name=third[1]).click()
    desk.hears(Choose(*third))
    expect(page.locator("#offer")).to_have_attribute("aria-busy", "false")
    page.get_by_role("button", name=one_die[1]).click()
    desk.hears(Choose(*third), Choose(*one_die))


def test_disputes_and_the_referees_word(table: EndZoneTable, opened: Opener) -> None:
    table.throw(lies(5, 0.0, 200.0))
    desk = desk_of(table)
    page = opened(desk)

    details = page.locator("#landing details")
    form = details.locator("form")

    def fill_ruling(way: str, **values: str) -> None:
        details.evaluate("node => { node.open = true; }")
        page.get_by_label("Decided by").select_option(way)
        for name, value in values.items():
            field = form.locator(f"[name={name}]:visible")
            if field.evaluate("node => node.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
        # The form closes with its answer: the next one opens it only then.
        with page.expect_response(lambda response: response.url.endswith("/rulings")):
            page.get_by_role("button", name="Apply ruling").click()
        expect(details).not_to_have_attribute("open", "")

    fill_ruling("A third party", zone="10", by="Cleo")
    fill_ruling("One die", odd="20", even="2", value="3")
    fill_ruling("The referee", off="missed", foul="thrown", reason="seen by all")
    assert desk.said(ApplyRuling) == [
        rule_of(Ruled(zone=10, by="Cleo")),
        rule_of(DieRuled(odd=20, even=2, value=3)),
        rule_of(Refereed(landed=Landed(off="missed", foul="thrown"), reason="seen by all")),
    ]


def test_an_earlier_landing_is_confirmed_or_changed_by_keyboard(table: EndZoneTable, opened: Opener) -> None:
    five = lies(5, 0.0, 200.0)
    table.throw(five)
    table.throw(five, lies(2, 100.0, 420.0))
    desk = desk_of(table)
    page = opened(desk)
    section = page.locator("#landings")
    section.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(section.locator("li .words")).to_have_text(
        ["Landing 2, Ann: 2 × 2 = 4", "Landing 1, Ann: 5 × 5 = 25"]
    )
    expect(section.locator("li img").nth(1)).to_have_js_property("naturalWidth", 120)
    for _ in range(5):  # the first one's close-up and buttons, then the second one's
        page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Confirm landing 1")).to_be_focused()
    page.keyboard.press("Enter")
    desk.wait_for(lambda desk: len(desk.said(ApplyRuling)) == 1)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    details = page.locator("#landing details")
    expect(details.locator(".target b")).to_have_text("Landing 1, Ann: 5 × 5 = 25")
    referee = details.locator("fieldset:visible")
    expect(referee.locator("[name=zone]")).to_have_value("5")
    referee.locator("[name=foul]").select_option("slid")
    referee.locator("[name=reason]").fill("it slid")
    page.keyboard.press("Enter")
    expect(details.locator(".target b")).to_have_text("The last landing")
    slid = Landed(value=5, zone=5, foul="slid")
    assert desk.said(ApplyRuling) == [
        rule_of(Refereed(landed=Landed(value=5, zone=5), reason="confirmed", landing=1)),
        rule_of(Refereed(landed=slid, reason="it slid", landing=1)),
    ]


@pytest.mark.long
def test_what_a_landing_hit_stays_hit_when_the_referee_changes_it(
    table: EndZoneTable, opened: Opener
) -> None:
    table.throw(lies(5, 0.0, 200.0))
    table.throw(lies(5, 0.0, 40.0), lies(1, 0.0, 205.0, "red"))
    desk = desk_of(table)
    page = opened(desk)
    details = page.locator("#landing details")
    details.evaluate("node => { node.open = true; }")
    details.locator("[name=reason]").fill("slid")
    details.get_by_role("button", name="Apply ruling").click()
    desk.wait_for(lambda desk: len(desk.said(ApplyRuling)) == 1)
    (ruling,) = desk.said(ApplyRuling)
    assert isinstance(ruling, ApplyRuling)
    event = ruling.ruling
    assert isinstance(event, Refereed)
    assert [(each.die, each.zone) for each in event.landed.moved] == [(1, 20)]


@pytest.mark.long
def test_a_throw_in_question_comes_before_earlier_landings(table: EndZoneTable, opened: Opener) -> None:
    table.throw(lies(5, 0.0, 200.0))
    table.throw(lies(5, 0.0, 200.0), lies(4, 20.0, 465.55))
    desk = desk_of(table)
    page = opened(desk)
    page.locator("#landings summary").click()
    expect(page.get_by_role("button", name="Confirm landing 1")).to_be_disabled()


@pytest.mark.long
def test_after_a_restart_earlier_landings_can_still_be_ruled_on(table: EndZoneTable, opened: Opener) -> None:
    table.throw(lies(5, 0.0, 200.0))
    table.again()
    page = opened(desk_of(table))
    expect(page.locator("#landing")).to_be_hidden()
    page.locator("#landings summary").click()
    page.get_by_role("button", name="Dispute landing 1").click()
    expect(page.locator("#landing .target b")).to_have_text("Landing 1, Ann: 5 × 5 = 25")
    expect(page.locator("#landing .referee")).to_have_attribute("open", "")


@pytest.mark.long
def test_the_landing_names_its_end(table: EndZoneTable, opened: Opener) -> None:
    table.throw(lies(5, 0.0, 200.0))
    desk = desk_of(table)
    shown = table.detector.state.landing
    assert shown is not None
    desk.show(landing=msgspec.structs.replace(shown, end="far"))
    expect(opened(desk).locator("#landing .end")).to_have_text("far end")


def test_a_camera_that_was_bumped_is_said_loudly(table: EndZoneTable, opened: Opener) -> None:
    desk = desk_of(table)
    desk.show(camera=MessageShown("The camera was bumped by 3 mm.", "alarm", "drIFt"))
    page = opened(desk)
    expect(page.locator("#camera")).to_have_attribute("data-tone", "alarm")
    desk.show(camera=MessageShown("The camera was bumped; it was taken into account."))
    expect(page.locator("#camera")).to_have_attribute("data-tone", "info")


def test_nothing_is_chosen_beforehand_but_what_was_measured(table: EndZoneTable, opened: Opener) -> None:
    table.throw(lies(5, 0.0, 200.0))
    page = opened(desk_of(table))
    details = page.locator("#landing details")
    details.evaluate("node => { node.open = true; }")
    fields = details.locator("fieldset:visible")
    for name in ("value", "zone"):
        expect(fields.locator(f"[name={name}]")).to_have_value("5")
    for way, names in (("A third party", ("zone",)), ("One die", ("odd", "even", "value"))):
        page.get_by_label("Decided by").select_option(way)
        expect(fields).to_have_count(1)
        for name in names:
            expect(fields.locator(f"[name={name}]")).to_have_value("")
        page.get_by_role("button", name="Apply ruling").click()
        assert details.locator("form").evaluate("form => form.checkValidity()") is False


def test_before_a_ruling_is_done_the_page_says_what_it_changes(table: EndZoneTable, opened: Opener) -> None:
    table.throw(lies(5, 0.0, 200.0))
    desk = desk_of(table)
    desk.replies[PreviewRuling] = Done(table.game.foresee(Ruled(zone=10, by="")))
    page = opened(desk)
    page.locator("#landing details").evaluate("node => { node.open = true; }")
    form = page.locator("#landing form")
    page.get_by_label("Decided by").select_option("A third party")
    form.locator("[name=zone]:visible").select_option("10")
    expect(form.locator(".foresight")).to_have_text("All scores stay. This turn: 25 -> 50.")
    assert desk.said(PreviewRuling) == [preview_of(Ruled(zone=10))]
    assert desk.said(ApplyRuling) == []


def test_changing_an_old_landing_shows_its_own_title_and_picture(table: EndZoneTable, opened: Opener) -> None:
    five = lies(5, 0.0, 200.0)
    table.throw(five)
    table.throw(five, lies(2, 100.0, 420.0))
    page = opened(desk_of(table))
    expect(page.locator("#landing h2")).to_have_text("2 × 2 = 4")
    page.locator("#landings details").evaluate("node => { node.open = true; }")
    page.get_by_role("button", name="Dispute landing 1").click()
    expect(page.locator("#landing h2")).to_have_text("Landing 1, Ann: 5 × 5 = 25")
    expect(page.locator("#landing .evidence img")).to_have_attribute(
        "src", "evidence/1.jpg?of=1%2F1%2F1-2.jpg"
    )
    page.get_by_role("button", name="The last one instead").click()
    expect(page.locator("#landing h2")).to_have_text("2 × 2 = 4")


def test_a_ruled_landing_is_no_question_any_more(table: EndZoneTable, opened: Opener) -> None:
    table.throw(lies(4, 20.0, 465.55))
    table.press("cache")
    page = opened(desk_of(table))
    expect(page.locator("#landing h2")).not_to_contain_text("?")
    expect(page.locator("#landing .sure")).to_have_text("ruled")


def test_a_die_that_was_knocked_off_by_the_throw_is_told_on_the_form(
    table: EndZoneTable, opened: Opener
) -> None:
    five = lies(5, 0.0, 200.0)
    table.throw(five)
    table.throw(five, lies(2, 100.0, 420.0))
    desk = desk_of(table)
    page = opened(desk)
    page.locator("#landing details").evaluate("node => { node.open = true; }")
    form = page.locator("#landing form")
    form.get_by_label("Die 1: 5 x 5").select_option("off")
    form.locator("[name=reason]").fill("seen by all")
    form.locator("button").click()
    word = Refereed(landed=Landed(value=2, zone=2, moved=(Moved(die=1, off=True),)), reason="seen by all")
    desk.hears(rule_of(word))
    assert table.match.rule(word, NOW)
    assert table.game.view.running == 4
