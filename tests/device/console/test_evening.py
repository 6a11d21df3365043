"""An evening's games on the console: what the lobby opens with, and games that wait."""

import re
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import expect

from device.people.people import People
from device.requests import (
    AbandonGame,
    PauseGame,
    PressButton,
    ResumeGame,
    ResumeSavedGame,
    SaveGame,
    StartGame,
)
from device.shown.snapshot import AgainShown, ProposedShown, PutAwayShown, SignOffShown
from tests.device.axe import find_violations
from tests.device.conftest import Opener
from tests.device.console.fake_box import FakeBox, PlayingBox, rolling
from tests.device.console.test_tournament_page import played


@pytest.mark.chromium
def test_the_lobby_opens_with_the_game_that_was_named(opened: Opener) -> None:
    desk = FakeBox()
    desk.show(proposed=ProposedShown("end-zone", {"mode": "fast"}))
    page = opened(desk)
    expect(page.locator("#lobby [name=game]:checked")).to_have_value("end-zone")
    page.get_by_role("textbox", name="Player 1").fill("Ann")
    page.get_by_role("button", name="Add a player").click()
    page.get_by_role("textbox", name="Player 2").fill("Bea")
    page.get_by_role("button", name="Start the game").click()
    desk.hears(StartGame("end-zone", ("Ann", "Bea"), {"mode": "fast"}))


@pytest.mark.chromium
def test_a_game_is_paused_and_put_away_by_touch_and_abandoned_by_two(opened: Opener) -> None:
    desk = rolling()
    page = opened(desk)
    number = 1
    assert desk.shown.game_id == number
    course = page.locator("#course")
    course.get_by_role("button", name="Pause").click()
    desk.hears(PauseGame(number))
    desk.show(paused=True)
    expect(page.locator("#panel")).to_be_hidden()
    course.get_by_role("button", name="Abandon").click()
    expect(page.locator("#abandon")).to_contain_text("ends without a winner")
    page.get_by_role("button", name="Keep it").click()
    expect(page.locator("#abandon")).to_be_hidden()
    course.get_by_role("button", name="Resume").click()
    desk.hears(PauseGame(number), ResumeGame(number))
    course.get_by_role("button", name="Save for later").click()
    desk.hears(PauseGame(number), ResumeGame(number), SaveGame(number))
    course.get_by_role("button", name="Abandon").click()
    page.get_by_role("button", name="Abandon it").click()
    desk.hears(PauseGame(number), ResumeGame(number), SaveGame(number), AbandonGame(number))


@pytest.mark.chromium
def test_end_zone_asks_for_a_second_player_or_for_solo_play_in_the_words_of_the_page(opened: Opener) -> None:
    desk = FakeBox()
    page = opened(desk)
    page.locator("#lobby [name=game][value=end-zone]").check()
    expect(page.locator("#lobby .seats input")).to_have_count(2)
    page.get_by_label("Player 1", exact=True).fill("Ann")
    page.locator("#lobby button.main").click()
    expect(page.locator("#lobby .trouble")).to_have_text(
        "End Zone needs at least 2 players. Write their names above, or choose Solo Play below."
    )
    page.get_by_label("Player 2", exact=True).fill("Bea")
    page.locator("#lobby .option", has_text="Mode").locator("select").first.select_option("solo")
    page.locator("#lobby button.main").click()
    expect(page.locator("#lobby .trouble")).to_have_text("Solo Play is for 1 player. Remove one.")
    page.get_by_label("Player 2", exact=True).fill("")
    page.locator("#lobby button.main").click()
    expect(page.locator("#lobby .trouble")).to_have_text("")


def test_games_that_wait_stand_in_the_lobby_with_players_scores_and_time(opened: Opener) -> None:
    desk = FakeBox()
    waits = PutAwayShown(3, "End Zone", ("Ann", "Bea"), (1059, 20), "2026-11-20T18:04:05.123Z")
    desk.show(put_away=(waits,))
    page = opened(desk, width=390)
    card = page.locator("#put-away li")
    expect(card.locator(".title")).to_have_text("End Zone")
    expect(card.locator(".standing")).to_have_text("Ann 1,059, Bea 20")
    expect(card.locator(".when")).to_contain_text("Nov 20")
    card.get_by_role("button", name="Resume").click()
    desk.hears(ResumeSavedGame(3))
    desk.show(put_away=())
    expect(page.locator("#put-away")).to_be_hidden()


@pytest.mark.chromium
def test_the_next_game_starts_with_one_touch_and_with_whom_the_rules_say(opened: Opener) -> None:
    desk = PlayingBox()
    assert desk.start("end-zone", ("Ann", "Bea"), {"mode": "fast", "order": "seats"}).ok
    desk.asked.clear()
    desk.show(stage="ended", again=AgainShown(("Bea", "Ann"), {"order": "seats"}))
    page = opened(desk)
    page.get_by_role("button", name="Rematch, Bea first").click()
    desk.hears(StartGame("end-zone", ("Bea", "Ann"), {"mode": "fast", "order": "seats"}))


def over() -> PlayingBox:
    """Ann has won at Pig, with a 6 for her best throw."""
    desk = PlayingBox()
    assert desk.start("pig", ("Ann", "Bea"), {"target": "10"}).ok
    for value in (6, 4):
        desk.read((value,))
    desk.request(PressButton(down=False, button="cache"))
    desk.asked.clear()
    return desk


@pytest.mark.chromium
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_after_a_game_all_devices_name_winner_best_throw_and_next_match(
    opened: Opener, scheme: Literal["light", "dark"]
) -> None:
    desk = over()
    desk.bracket = played("single", 3)
    desk.show(tournament=7)
    pages = [opened(desk, query, width=390, height=844) for query in ("", "play?player=Bea")]
    pages.append(opened(desk, "?screen", width=1280, height=720))
    for page, box in zip(pages, ("#ending", "#ending", "#winner"), strict=True):
        page.emulate_media(color_scheme=scheme)
        expect(page.locator(f"{box}-title")).to_have_text("Ann wins")
        best = page.locator(f"{box} .best")
        expect(best).to_contain_text("Best throw")
        expect(best.locator(".player")).to_have_text("Ann")
        expect(best.locator(".face")).to_have_attribute("aria-label", "6")
        expect(best.locator("b")).to_have_text("+6")
        expect(page.locator(f"{box} .next")).to_have_text("Next: match 4, Cat against Florentine")
        code = page.locator(f"{box} :is(.code, .join img)")
        expect(code).to_have_attribute("src", re.compile(r"^qr\.svg\?game=1&of="))
        assert code.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
        assert find_violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    desk.show(sign_off=SignOffShown("Ann 10, Bea 0", "waits"))
    for page in pages[:2]:
        expect(page.locator("#ending .next")).to_have_text("The result waits for the referee’s sign-off")


@pytest.mark.chromium
def test_a_rematch_takes_one_press_on_a_players_phone_and_says_that_it_starts(opened: Opener) -> None:
    desk = over()
    page = opened(desk, "play?player=Bea", width=390, height=844)
    expect(page.get_by_role("button", name="Another game")).to_be_hidden()
    page.get_by_role("button", name="Rematch").click()
    desk.hears(StartGame("pig", ("Ann", "Bea"), {"target": "10"}))
    expect(page.locator("#ending")).to_be_hidden()


@pytest.mark.chromium
def test_in_a_club_a_seated_player_asks_for_the_rematch_and_is_offered_no_other_game(
    opened: Opener, tmp_path: Path
) -> None:
    desk = over()
    people = People("club", tmp_path, print)
    assert desk.shown.game is not None
    assert desk.shown.game_id is not None
    seat = people.seats(desk.shown.game_id, desk.shown.game.players)[1]
    desk.show(stage="playing")
    page = opened(desk, f"play#seat={seat.token}&key={people.seal.public}", people=people, width=390)
    expect(page.locator("#me")).to_contain_text("Bea")
    desk.show(stage="ended")
    expect(page.get_by_role("button", name="Another game")).to_be_hidden()
    page.get_by_role("button", name="Rematch").click()
    desk.hears(StartGame("pig", ("Ann", "Bea"), {"target": "10"}))


@pytest.mark.chromium
def test_who_may_begin_no_game_is_offered_no_rematch(opened: Opener, tmp_path: Path) -> None:
    page = opened(over(), people=People("club", tmp_path, print), width=390)
    expect(page.locator("#ending .best")).to_be_visible()
    expect(page.get_by_role("button", name="Rematch")).to_be_hidden()


@pytest.mark.chromium
def test_the_lobby_of_the_next_evening_has_the_last_players_and_rules(opened: Opener) -> None:
    desk = FakeBox()
    desk.show(proposed=ProposedShown("zoinx", {"edition": "game-factory"}, ("Ann", "Bea")))
    page = opened(desk)
    page.get_by_role("button", name="Start the game").click()
    desk.hears(StartGame("zoinx", ("Ann", "Bea"), {"edition": "game-factory"}))


@pytest.mark.chromium
def test_somebody_new_is_remembered_and_seated_with_a_tap(opened: Opener, tmp_path: Path) -> None:
    desk, people = FakeBox(), People("family", tmp_path, print)
    page = opened(desk, people=people, width=390)
    page.get_by_role("button", name="New player").click()
    dialog = page.locator("#person")
    dialog.get_by_label("Name").fill("Ann")
    dialog.get_by_label("teal").check()
    dialog.get_by_label("PIN, if you like").fill("4711")
    assert find_violations(page) == []
    dialog.get_by_role("button", name="Keep").click()
    expect(dialog).to_be_hidden()
    assert [(each.name, each.color) for each in people.persons()] == [("Ann", "teal")]
    page.get_by_role("button", name="Ann", exact=True).click()
    expect(page.get_by_role("button", name="Ann", exact=True)).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("textbox", name="Player 1")).to_have_value("Ann")
    assert find_violations(page) == []
    page.get_by_role("button", name="Ann", exact=True).click()
    expect(page.get_by_role("textbox", name="Player 1")).to_have_value("")
    page.get_by_role("button", name="About Ann").click()
    expect(dialog.get_by_role("link")).to_have_attribute("href", "history?player=Ann")
    dialog.get_by_role("button", name="Forget").click()
    expect(page.locator("#notice")).to_contain_text("Ann has a PIN. Give it.")
    dialog.get_by_label("PIN now").fill("4711")
    dialog.get_by_role("button", name="Forget").click()
    expect(dialog).to_be_hidden()
    assert people.persons() == ()
