"""The tournament's page and the bracket on the big screen, in a real Chromium."""

import pytest
from playwright.sync_api import expect

from device.requests import BeginMatch, DrawTournament, PressButton, SaveGame, TakeMatchBack
from device.shown.snapshot import PutAwayShown, SignOffShown
from device.tournaments import TournamentBook, TournamentView, view_tournament
from engine.tournament import TournamentAgreed, TournamentFormat
from tests.device.axe import find_violations
from tests.device.conftest import Opener
from tests.device.console.fake_box import FakeBox, PlayingBox
from tests.device.console.test_big_screen import CUT, SCROLLS
from tests.tiers import short

pytestmark = pytest.mark.chromium

NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Florentine", "Gus", "Maximiliane")


def played(kind: TournamentFormat, count: int, names: tuple[str, ...] = NAMES) -> TournamentView:
    """A tournament of which so many matches were played, each won by who stands first."""
    book = TournamentBook(None, print)
    book.draw(TournamentAgreed("Autumn Cup", kind, names, "end-zone", {"mode": "fast"}))
    for game in range(1, count + 1):
        assert book.record is not None
        match = next(each for each in book.record.matches if each.ready)
        book.begin(match.number, game)
        book.add_result(game, match.players[:1], ((match.players[0], 1135), (match.players[1], 98)))
    assert book.record is not None
    return view_tournament(book.record, 1, 7)


@pytest.mark.parametrize("width", short([390, 1280]))
def test_the_next_match_is_one_touch_away_and_the_bracket_can_be_read(opened: Opener, width: int) -> None:
    desk = FakeBox()
    desk.bracket = played("single", 3)
    desk.show(tournament=7)
    page = opened(desk, "?tournament", width=width, height=844)
    expect(page.locator("#next-title")).to_have_text("Next: match 4")
    ids = page.locator("#play > section:visible").evaluate_all("all => all.map(each => each.id)")
    assert ids == ["bracket", "next", "heats", "standings"]
    expect(page.locator("#bracket h3")).to_have_text(["Quarter-finals", "Semi-finals", "Final"])
    expect(page.locator("#heats b")).to_have_text(
        [
            "Next: Cat against Florentine",
            "Ann against Dan",
            "Bob against the winner of match 4",
            "the winner of match 5 against the winner of match 6",
        ]
    )
    first = page.locator("#bracket li").first
    expect(first.locator(".side").first).to_have_text("Ann1,135")
    expect(first.locator(".side").first).to_have_class("side won")
    assert find_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Begin: Cat against Florentine").click()
    desk.hears(BeginMatch(4))
    desk.show(stage="ended", sign_off=SignOffShown("Cat 5, Florentine 2", "waits"))
    expect(page.locator("#next .why")).to_have_text("The last result waits for the referee’s sign-off.")
    expect(page.locator("#next .begin")).to_be_hidden()
    page.get_by_label("Why it does not count").fill("a die was lost")
    page.get_by_role("button", name="Take the match back").click()
    desk.hears(TakeMatchBack(1, "a die was lost"))


def test_on_paper_nothing_of_64_players_is_cut(opened: Opener) -> None:
    desk = FakeBox()
    long = ("Maximiliane Schaffhausen-Oberkirchinger", "Wolfeschlegelsteinhausenbergerdorffssss")
    desk.bracket = played("single", 37, (*long, *(f"Player {number}" for number in range(3, 65))))
    desk.show(tournament=7)
    page = opened(desk, "?tournament", width=794, height=1123)
    expect(page.locator("#bracket li")).to_have_count(63)
    page.emulate_media(media="print")
    expect(page.locator("#next")).to_be_hidden()
    for part in ("#bracket .rounds", "#heats .heats"):
        whole = "box => box.scrollWidth <= box.clientWidth && box.scrollHeight <= box.clientHeight"
        assert page.locator(part).evaluate(whole), part
    count = "const text = new Range(); text.selectNodeContents(each); return text.getClientRects().length;"
    counts = page.locator("#bracket .points").evaluate_all(f"all => all.map(each => {{ {count} }})")
    assert max(counts) == 1, "points stand in one line"


def test_after_a_match_the_next_one_is_one_touch_away_where_the_winner_stands(opened: Opener) -> None:
    """Above the saved games; and a game that holds the table is put away from the tournament's page."""
    desk = PlayingBox()
    desk.bracket = played("single", 3)
    desk.start("pig", ("Ann", "Bob"), {"target": "10"})
    desk.read((6,))
    desk.read((4,))
    desk.request(PressButton(down=False, button="cache"))
    saved = PutAwayShown(9, "Pig", ("Cat", "Dan"), (4, 2), "2027-05-03T19:30:00Z")
    desk.show(tournament=7, put_away=(saved,))
    page = opened(desk, width=390, height=844)
    expect(page.locator("#ending-title")).to_have_text("Ann wins")
    ids = page.locator("main > section:visible").evaluate_all("all => all.map(each => each.id)")
    assert ids.index("ending") < ids.index("put-away")
    desk.show(sign_off=SignOffShown("Ann 10, Bob 0", "waits"))
    expect(page.locator("#ending .next-match")).to_be_hidden()
    desk.show(sign_off=None)
    page.get_by_role("button", name="Begin: Cat against Florentine").click()
    desk.hears(PressButton(down=False, button="cache"), BeginMatch(4))
    desk.show(stage="playing", match="")
    page = opened(desk, "?tournament", width=390, height=844)
    expect(page.locator("#next .why")).to_have_text("Another game is at the table.")
    page.locator("#next").get_by_role("button", name="Save for later").click()
    desk.wait_for(lambda each: each.said(SaveGame) == [SaveGame(1)])


def test_a_tournament_is_drawn_with_taps_and_names(opened: Opener) -> None:
    desk = FakeBox()
    page = opened(desk, "?tournament", width=390, height=844)
    page.get_by_label("Its name").fill("Autumn Cup")
    page.get_by_label("How it goes").select_option("round-robin")
    expect(page.locator("#draw .ties")).to_contain_text("Who still shares first place plays for it")
    page.get_by_label("How it goes").select_option("double")
    expect(page.locator("#draw .ties")).to_be_hidden()
    page.get_by_role("button", name="Draw the matches").click()
    expect(page.locator("#draw .trouble")).to_contain_text("two or more")
    for name in ("Ann", "Bob", "Cat"):
        page.get_by_label("Another player").fill(name)
        page.keyboard.press("Enter")
    page.get_by_role("button", name="Cat earlier").click()
    expect(page.get_by_label("Mode")).to_be_hidden()
    page.get_by_text("Rules of each match").click()
    page.get_by_label("Mode").select_option("fast")
    assert find_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Draw the matches").click()
    names = ("Ann", "Cat", "Bob")
    desk.hears(DrawTournament("Autumn Cup", "double", names, "end-zone", {"mode": "fast"}))


@pytest.mark.parametrize("size", short([(1920, 1080), (1280, 720)]))
def test_between_matches_the_big_screen_shows_the_bracket_and_cuts_nothing_off(
    opened: Opener, size: tuple[int, int]
) -> None:
    desk = FakeBox()
    desk.bracket = played("single", 3)
    desk.show(tournament=7)
    page = opened(desk, "?screen", *size)
    expect(page.locator("body")).to_have_attribute("data-moment", "bracket")
    sixteen = tuple(f"Maximiliane {number}" for number in range(16))
    shown = [played("double", 5), played("round-robin", 9), played("king", 4), played("single", 4, sixteen)]
    for number, bracket in enumerate(shown, 8):
        desk.bracket = bracket
        desk.show(tournament=number)
        expect(page.locator("#bracket .next")).to_contain_text("Next: match")
        assert page.evaluate(SCROLLS) == [0, 0]
        assert page.evaluate(CUT) == []
        assert find_violations(page) == []
