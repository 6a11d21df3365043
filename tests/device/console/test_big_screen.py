"""The big screen in a real Chromium: nothing ever scrolls or is cut off, and each moment comes and goes."""

import re
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from device.people.people import People
from device.requests import Choose
from device.shown.snapshot import BestThrowShown, FilmsShown, MessageShown, SignOffShown
from tests.device.axe import find_violations
from tests.device.conftest import Opener
from tests.device.console.drawn import drawn_table
from tests.device.console.fake_box import FOUR, TWO, FakeBox, PlayingBox, begun, rolling
from tests.device.console.test_moments import end_zone
from tests.device.films.test_page import a_film
from tests.device.landings.play import FIVE, EndZoneTable
from tests.tiers import short

pytestmark = pytest.mark.chromium

LONG = "Donaudampfschifffahrtsgesellschaftskapitän"[:40]
NAMES = (LONG, "Bea", "Maximiliane", "Dan", "Ève", "Florentine", "Gus", "Hal", LONG[:39], "Joe", "Kim", "Li")
BEST = BestThrowShown(LONG, "", 12_345, (("pip", 5),) * 6)
SIZES = [(1920, 1080), (1280, 720), (3840, 2160)]
CUT = """() => [...document.querySelectorAll("body *")].filter(node =>
  node.checkVisibility() && node.innerText?.trim() && !node.matches(".unseen, figure, svg *")
  && getComputedStyle(node).overflow !== "visible"
  && (node.scrollHeight > node.clientHeight + 2 || node.scrollWidth > node.clientWidth + 2)
).map(node => `${node.tagName} ${node.className} ${node.innerText}`)"""
"""Whatever holds words and shows not all of them."""
SCROLLS = """() => [document.documentElement.scrollWidth - innerWidth,
  document.documentElement.scrollHeight - innerHeight]"""
LETTERS = """selector => Math.min(...[...document.querySelectorAll(selector)]
  .filter(node => node.checkVisibility()).map(node => parseFloat(getComputedStyle(node).fontSize)))"""


def moment(page: Page, name: str) -> None:
    """This moment is shown, all of it."""
    expect(page.locator("body")).to_have_attribute("data-moment", name)
    assert page.evaluate(SCROLLS) == [0, 0]
    assert page.evaluate(CUT) == []


def pass_s(page: Page, seconds: float) -> None:
    """Time goes by, for the page alone."""
    page.clock.fast_forward(round(1000 * seconds))


def started(desk: PlayingBox, count: int) -> None:
    """A game of End Zone for so many, with large scores."""
    desk.start("end-zone", NAMES[:count], {"mode": "fast" if count > 1 else "solo", "order": "seats"})
    assert desk.shown.game is not None
    scores = tuple(1234 - 7 * seat for seat in range(count))
    desk.show(game=msgspec.structs.replace(desk.shown.game, scores=scores, running=1080))


@pytest.mark.parametrize("size", short(SIZES))
def test_twelve_players_with_long_names_fit_without_scrolling(opened: Opener, size: tuple[int, int]) -> None:
    desk = PlayingBox()
    page = opened(desk, "?screen", *size)
    moment(page, "lobby")
    for count in range(1, len(NAMES) + 1):
        started(desk, count)
        expect(page.locator("#scores .name")).to_have_text(list(NAMES[:count]))
        moment(page, "scores")
        assert page.evaluate(LETTERS, "#scores .name") >= size[1] / 70
        assert page.evaluate(LETTERS, "#scores .score") >= size[1] / 20
        game = desk.shown.game
        assert game is not None
        cause = f"{LONG} wins with 1,234 points, the most (rule 30)."
        desk.show(
            stage="ended", game=msgspec.structs.replace(game, winners=(LONG,), cause=cause, best_throw=BEST)
        )
        expect(page.locator("#winner-title")).to_have_text(f"{LONG} wins")
        moment(page, "winner")
    desk.show(sign_off=SignOffShown("Bea 98", "signed", "the referee Cleo"))
    expect(page.locator("#winner .signed")).to_have_text("Signed off by the referee Cleo")
    moment(page, "winner")


def test_what_zonk_shows_of_eight_players_fits(opened: Opener) -> None:
    desk = PlayingBox()
    desk.start("zonk", NAMES[:8], {})
    desk.read((1, 1, 1, 2, 3, 4))
    page = opened(desk, "?screen", 1920, 1080)
    assert desk.shown.game is not None
    desk.request(Choose(0, desk.shown.game.choices[0].words))
    expect(page.locator("#scores .turn .facts")).to_contain_text("Pocket 1 three 1s")
    expect(page.locator("#scores .players .facts").last).to_contain_text("Quota 0 of 1,000")
    expect(page.locator("#scores .running b")).to_have_text("1,000")
    moment(page, "scores")


def test_the_tray_tells_who_threw_last(opened: Opener) -> None:
    desk = PlayingBox()
    desk.start("tray", ("Ann", "Bea"), {})
    desk.read((3, 4))
    page = opened(desk, "?screen", 1920, 1080)
    expect(page.locator("#whose")).to_have_text("Bea")
    expect(page.get_by_text("Ann’s last roll").first).to_be_visible()
    expect(page.locator("#scores .running")).to_be_hidden()


def test_bets_and_throws_come_and_go(opened: Opener) -> None:
    desk = begun()
    page = opened(desk, "?screen", 1920, 1080)
    page.clock.install()
    desk.bet("Zoë", 6)
    expect(page.locator("#scores .players .bet")).to_have_text(["locked", "thinking…"])
    expect(page.locator("#scores .running")).to_contain_text("1 of 2 locked")
    moment(page, "scores")
    desk.bet("Ben", 2)
    expect(page.locator("#bets b")).to_have_text(["6", "2"])
    moment(page, "bets")
    pass_s(page, 8)
    expect(page.locator("#scores .players .bet")).to_have_text(["bet 6", "bet 2"])
    moment(page, "scores")
    desk.read(TWO)
    expect(page.locator("#called")).to_have_text("Zoë rolls 2 dots.")
    expect(page.locator("#picture .glass img")).to_have_js_property("naturalWidth", 1280)
    expect(page.locator("#picture .tag text")).to_have_text(["dot", "square", "dot", "square"])
    moment(page, "throw")
    pass_s(page, 6)
    expect(page.locator("#scores .running b")).to_have_text("2")
    expect(page.locator("#whose")).to_have_text("Zoë")
    moment(page, "scores")
    desk.read(("square",) * 4)
    expect(page.locator("#called")).to_have_text("ZOINX!")
    moment(page, "throw")


def test_dice_that_nobody_can_read_are_shown_until_they_are_told(opened: Opener) -> None:
    desk = rolling()
    page = opened(desk, "?screen", 1920, 1080)
    desk.read(("dot", "square", "square"), ["one die leans against another and cannot be read"])
    expect(page.locator("#called")).to_have_text("What do the dice show?")
    expect(page.locator("#picture .more")).to_contain_text("one die leans against another")
    expect(page.locator("#picture .tag.doubt text")).to_have_text("?")
    moment(page, "question")


def test_a_landing_fills_the_screen_with_close_up_and_film(opened: Opener, tmp_path: Path) -> None:
    table = EndZoneTable(tmp_path / "table")
    desk = FakeBox(end_zone(table, ()))
    desk.films, desk.close_ups = {1: a_film(tmp_path)}, {1: drawn_table(TWO)}
    desk.readings = {1: drawn_table(TWO)}
    page = opened(desk, "?screen", 1920, 1080)
    page.clock.install()
    table.throw(FIVE)
    landed = end_zone(table, (1,))
    table.close()
    desk.show(**{name: getattr(landed, name) for name in ("game", "table", "landing", "films")})
    expect(page.locator("#called")).to_have_text("5 × 5 = 25")
    expect(page.locator("#picture .player")).to_have_text("Ann")
    expect(page.locator("#picture .certainty")).to_have_text("certain")
    expect(page.locator("#picture img")).to_have_js_property("naturalWidth", 1280)
    place = page.locator("#picture figure").bounding_box()
    assert place
    assert (place["x"], place["y"], place["height"]) == (0, 0, 1080)
    moment(page, "landing")
    pass_s(page, 7)
    expect(page.locator("#picture video")).to_have_js_property("playbackRate", 0.5)
    moment(page, "replay")
    pass_s(page, 16)
    expect(page.locator("#picture video")).to_have_count(0)
    moment(page, "scores")


def test_axe_finds_nothing_in_any_moment(opened: Opener) -> None:
    desk = begun()
    page = opened(desk, "?screen", 1920, 1080)
    page.emulate_media(reduced_motion="reduce")  # what is half faded in has no contrast yet

    def clean(name: str) -> None:
        expect(page.locator("body")).to_have_attribute("data-moment", name)
        assert find_violations(page) == [], name

    clean("scores")
    desk.bet("Zoë", 6)
    desk.bet("Ben", 2)
    clean("bets")
    desk.read(TWO)
    clean("throw")
    desk.read(("dot",), ["leans"])
    clean("question")
    started(desk, 12)
    desk.show(camera=MessageShown("No picture comes. Plug the camera in.", "alarm"))
    clean("scores")
    assert desk.shown.game is not None
    over = msgspec.structs.replace(desk.shown.game, winners=("Bea",), cause="Bea wins.")
    desk.show(stage="ended", game=over)
    clean("winner")
    desk.show(stage="lobby", game=None)
    clean("lobby")
    page.goto(page.url.replace("screen", "overlay"))
    started(desk, 12)
    expect(page.locator("#strip .name")).to_have_count(12)
    assert find_violations(page) == []


def test_who_wants_little_motion_gets_none(opened: Opener) -> None:
    page = opened(begun(), "?screen", 1920, 1080)
    page.emulate_media(reduced_motion="no-preference")
    page.reload()
    expect(page.locator("#scores")).to_be_visible()
    moving = "document.querySelector('#scores').getAnimations().length"
    named = "getComputedStyle(document.querySelector('#scores')).animationName"
    assert page.evaluate(named) == "come"
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(named) == "none"
    assert page.evaluate(moving) == 0


def test_trouble_stands_over_every_moment(opened: Opener) -> None:
    desk = rolling()
    page = opened(desk, "?screen", 1920, 1080)
    desk.read(TWO)
    desk.show(camera=MessageShown("No picture comes. Plug the camera in.", "alarm"))
    expect(page.locator("#trouble")).to_have_text("No picture comes. Plug the camera in.")
    moment(page, "throw")
    desk.show(camera=MessageShown(), films=FilmsShown())
    expect(page.locator("#trouble")).to_be_hidden()


def test_a_code_to_join_is_always_there_with_the_scores(opened: Opener) -> None:
    desk = PlayingBox()
    desk.show(address="http://192.168.1.20:8080/")
    page = opened(desk, "?screen", 1280, 720)
    for view in ("#lobby", "#scores"):
        code = page.locator(f"{view} .join img")
        expect(code).to_be_visible()
        expect(code).to_have_js_property("complete", True)
        expect(page.locator(f"{view} .join span")).to_have_text("192.168.1.20:8080")
        side = code.bounding_box()
        assert side
        assert side["width"] >= 110, "a phone reads it from the sofa"
        started(desk, 12)


def test_the_code_leads_to_where_its_words_say(opened: Opener, tmp_path: Path) -> None:
    """To where a game is begun; while one is played to one's own page; to watch where seats are dealt."""
    family = PlayingBox()
    page = opened(family, "?screen", 1280, 720)
    code, words = page.locator("#lobby .join img"), page.locator("#lobby .join b")
    expect(page.locator("#lobby .lead")).to_have_text("Scan the code, choose a game, and throw.")
    expect(words).to_have_text("Begin a game")
    expect(code).to_have_attribute("src", re.compile(r"^qr\.svg\?of="))
    started(family, 2)
    expect(page.locator("#scores .join b")).to_have_text("Join in")
    expect(page.locator("#scores .join img")).to_have_attribute("src", re.compile(r"^qr\.svg\?play&of="))
    cup = PlayingBox()
    page = opened(cup, "?screen", 1280, 720, people=People("tournament", tmp_path, print))
    expect(page.locator("#lobby .join b")).to_have_text("Watch")
    expect(page.locator("#lobby .lead")).to_contain_text("Scan to watch.")
    started(cup, 2)
    expect(page.locator("#scores .join b")).to_have_text("Watch")
    expect(page.locator("#scores .join img")).to_have_attribute("src", re.compile(r"^qr\.svg\?of="))


@pytest.mark.parametrize("count", short([12, 4, 1]))
def test_the_strip_for_streaming_leaves_the_rest_transparent(opened: Opener, count: int) -> None:
    desk = PlayingBox()
    page = opened(desk, "?overlay", 1920, 1080)
    started(desk, count)
    expect(page.locator("#strip .name")).to_have_count(count)
    shot = cv2.imdecode(np.frombuffer(page.screenshot(omit_background=True), np.uint8), cv2.IMREAD_UNCHANGED)
    assert shot is not None
    assert shot.shape == (1080, 1920, 4)
    assert not shot[:800, :, 3].any()
    assert shot[900:, :, 3].any()
    assert page.evaluate(SCROLLS) == [0, 0]


def test_the_strip_tells_bets_and_throws_in_a_line(opened: Opener) -> None:
    desk = begun()
    page = opened(desk, "?overlay", 1920, 1080)
    desk.bet("Zoë", 6)
    expect(page.locator("#strip .bet")).to_have_text(["locked", "thinking…"])
    expect(page.locator("#strip .call")).to_be_hidden()
    desk.bet("Ben", 2)
    expect(page.locator("#strip .call")).to_have_text("The bets Zoë 6 · Ben 2")
    desk.read(FOUR)
    expect(page.locator("#strip .call")).to_contain_text("Zoë rolls 4 dots.")
    expect(page.locator("#strip .turn")).to_have_text("4dots")


def test_the_console_leads_to_the_big_screen(opened: Opener) -> None:
    page = opened(begun())
    page.locator("#big").click()
    expect(page.locator("#scores .players .name")).to_have_text(["Zoë", "Ben"])
    assert page.url.endswith("/?screen")
