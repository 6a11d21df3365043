"""What the console's page shows, at every size, and that it comes back when the box does."""

import msgspec
import pytest
from playwright.sync_api import Browser, expect

from device.console.app import make_app
from device.console.server import ConsoleServer
from device.requests import Choose, Correct, PressButton
from device.shown.snapshot import MessageShown, TableShown
from engine.dice import Die
from tests.device.axe import find_violations
from tests.device.conftest import Opener
from tests.device.console.fake_box import FOUR, TWO, PlayingBox, rolling
from tests.loopback import own_loopback
from tests.tiers import short
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.chromium


def test_the_scoreboard_is_drawn_from_the_frame_buffer(opened: Opener) -> None:
    desk = rolling(TWO)
    desk.show(segments=((0b00000110, 0b10000000, 0, 0, 0, 0, 0, 0xFF),))
    page = opened(desk)
    lit = page.evaluate(
        "[...document.querySelectorAll('#board g')].map(digit => [...digit.children]"
        ".reduce((mask, part, bit) => mask | (part.getAttribute('class') === 'lit' ? 1 << bit : 0), 0))"
    )
    assert lit == [0b00000110, 0b10000000, 0, 0, 0, 0, 0, 0xFF]


def test_lamps_and_camera_trouble_are_shown_and_said(opened: Opener) -> None:
    desk = rolling(TWO)
    page = opened(desk)
    expect(page.locator('[data-button="stop"]')).to_have_attribute("data-lit", "true")
    expect(page.locator('[data-button="stop"] .glow')).to_have_text("lamp lit")
    expect(page.locator('[data-button="bet1"] .glow')).to_have_text("lamp dark")
    expect(page.locator('[data-button="cache"]')).to_have_count(0)  # Zoinx has no use for it
    expect(page.locator("#camera")).to_be_hidden()
    desk.show(blinks=("stop",))
    expect(page.locator('[data-button="stop"]')).to_have_attribute("data-lit", "false")
    expect(page.locator('[data-button="stop"] .glow')).to_have_text("lamp lit")  # a blink is not said
    desk.show(camera=MessageShown("No picture comes. Plug the camera in.", "alarm"), lamps={}, blinks=())
    expect(page.locator("#camera")).to_have_text("No picture comes. Plug the camera in.")
    expect(page.locator('[data-button="stop"]')).to_have_attribute("data-lit", "false")


def test_outlines_lie_on_the_live_picture_only_until_something_moves(opened: Opener) -> None:
    desk = rolling(TWO)
    page = opened(desk)
    expect(page.locator("#read .seen")).to_have_count(4)
    expect(page.locator("#live .seen")).to_have_count(4)
    desk.read(FOUR)
    expect(page.locator("#live .tag text")).to_have_text(["dot"] * 4)
    desk.show(table=msgspec.structs.replace(desk.shown.table, state="moving", fresh=False))
    expect(page.locator("#live .seen")).to_have_count(0)
    expect(page.locator("#read .seen")).to_have_count(4)
    expect(page.locator("#read img")).to_have_js_property("naturalWidth", 1280)


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
def test_one_picture_stands_beside_the_last_roll_and_how_far_everybody_is(
    opened: Opener, size: tuple[int, int]
) -> None:
    desk = PlayingBox()
    assert desk.start("zoinx", ("Ann", "Bea"), {}).ok
    page = opened(desk, "", *size)
    expect(page.locator("#scores .to-go")).to_have_text(["30 to go"] * 2)
    for name, dots in (("Bea", 4), ("Ann", 0)):
        desk.bet(name, dots)
    desk.read(FOUR)
    desk.request(PressButton(down=False, button="stop"))
    expect(page.locator("#scores .to-go")).to_have_text(["30 to go", "26 to go"])
    expect(page.locator("#race")).to_have_text("▶ Ann 0 · Bea 4 · to 30")
    assert page.locator("#race").is_visible() == (size[0] < 960)
    assert page.locator("#hero svg").first.bounding_box()["width"] > 45  # type: ignore[index]
    assert page.locator("#table .picture:visible").count() == 1
    page.get_by_role("button", name="As read").click()
    assert page.locator("#table .picture:visible").get_attribute("id") == "read"
    assert find_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_the_last_roll_is_cut_out_of_its_picture_and_drawn_where_there_is_none(opened: Opener) -> None:
    desk = PlayingBox()
    assert desk.start("ten-thousand", ("Ann", "Bea"), {"first": "named"}).ok
    page = opened(desk)
    hero, pictures = page.locator("#hero"), list[str]()
    page.on("request", lambda request: pictures.append(request.url) if "/reading/" in request.url else None)
    expect(hero).to_have_text("No roll yet")
    height = pytest.approx(hero.bounding_box(), abs=0.1)
    for faces, came_to in (((1, 1, 1, 5, 2, 3), "+1,050"), ((2, 3), "FARKLE!")):
        desk.read(faces)
        expect(hero.locator(".came-to")).to_have_text(came_to)
        expect(hero.locator(".crop")).to_have_count(len(faces))
        expect(hero.locator("image")).to_have_count(len(faces))
        shown = hero.get_by_role("img").evaluate_all("all => all.map(each => each.ariaLabel)")
        assert shown == [str(face) for face in faces]
        assert find_violations(page) == []
    assert len(pictures) == 2, "one for each throw, however many dice"
    assert hero.bounding_box() == height
    desk.request(Correct((Die("pip", 2), Die("pip", 2)), ""))  # the picture shows something else
    expect(hero.locator(".face")).to_have_count(2)
    expect(hero.locator(".crop")).to_have_count(0)
    assert hero.bounding_box() == height
    desk.show(table=TableShown())  # as after a restart of the box
    expect(hero.locator(".face")).to_have_count(2)
    page.get_by_role("button", name="As read").click()
    expect(page.locator("#read .none")).to_have_text("This picture is not kept")
    assert len(pictures) == 2


AREAS = """selector => [...document.querySelectorAll(selector)].map(node => {
  const { left, right, top, bottom } = node.getBoundingClientRect();
  return [left, right, top, bottom];
})"""


def test_words_on_the_picture_hide_no_die_and_one_another_neither(
    opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    close = ((600, 500, 0), (660, 500, 0), (600, 560, 0), (660, 560, 3), (720, 530, 7), (1250, 930, 7))
    monkeypatch.setattr("tests.device.console.fake_box.PLACES_PX", close)
    desk = rolling()
    desk.read(TWO, ["leans", "is half hidden"])
    page = opened(desk)
    page.get_by_role("button", name="As read").click()
    # The outlines are hidden until the picture that they belong to has come: then nothing has a place.
    expect(page.locator("#read .tag rect").first).to_be_visible()
    expect(page.locator("#read .tag")).to_have_count(6)
    # At one moment: the page may be laid out anew between two questions.
    asked = ["#read .seen polygon.halo, #read .unsure circle.halo", "#read .tag rect", "#read .glass"]
    dice, words, [(left, right, top, bottom), *_] = page.evaluate(f"asked => asked.map({AREAS})", asked)
    assert (len(dice), len(words)) == (6, 6)
    for place, (low, high, upper, lower) in enumerate(words):
        assert left <= low < high <= right
        assert top <= upper < lower <= bottom
        for other in (*dice, *words[:place]):
            beside = high <= other[0] + 1 or low >= other[1] - 1
            assert beside or lower <= other[2] + 1 or upper >= other[3] - 1


@pytest.mark.parametrize("size", short([(390, 844), (1280, 800), (1920, 1080)]))
def test_buttons_and_message_stay_in_sight_wherever_the_page_is(
    opened: Opener, size: tuple[int, int]
) -> None:
    width, height = size
    desk = rolling(TWO)
    page = opened(desk, width=width, height=height)
    places = []
    for down in (0, 300, 9999):
        page.evaluate("down => window.scrollTo(0, down)", down)
        key = page.locator('[data-button="roll_done"]').bounding_box()
        said = page.locator("#message").bounding_box()
        assert key
        assert said
        assert 0 <= said["y"] < height / 3
        places.append((key["x"], key["y"]))
        assert key["y"] + key["height"] <= height
    assert len(set(places)) == 1
    # Nothing lies under the bar for good: the last thing on the page ends above it.
    last, bar = page.locator("#board").bounding_box(), page.locator("#panel").bounding_box()
    assert last
    assert bar
    assert last["y"] + last["height"] <= bar["y"]


def test_why_a_button_is_dark_is_said(opened: Opener) -> None:
    desk = PlayingBox()
    desk.start("ten-thousand", ("Ann", "Bea"), {"first": "named", "opening": "750"})
    desk.read((1, 2, 3, 4, 4, 6))
    page = opened(desk)
    expect(page.locator(".now")).to_contain_text(
        "CACHE is dark: With these dice Ann would have 100 in this turn, "
        "and the first bank is 750 or more: roll on. (rule 8a)"
    )
    desk.read((1, 1, 1, 1, 1))
    desk.request(Choose(0, desk.shown.game.choices[0].words if desk.shown.game else ""))
    expect(page.locator(".now")).not_to_contain_text("is dark")


def test_the_page_comes_back_when_the_box_does(chromium: Browser) -> None:
    desk = rolling(TWO)
    server = ConsoleServer(make_app(desk), own_loopback(), 0)
    server.start()
    page = chromium.new_page()
    page.set_default_timeout(1000 * PATIENCE_S)
    page.goto(server.address)
    expect(page.locator("#link")).to_have_attribute("data-link", "up")
    server.stop()
    expect(page.locator("#link")).to_have_attribute("data-link", "down")
    page.keyboard.press("s")
    expect(page.locator("#notice")).to_contain_text("The box did not answer")
    again = ConsoleServer(make_app(desk), own_loopback(), server.port)
    again.start()
    expect(page.locator("#link")).to_have_attribute("data-link", "up")
    page.close()
    again.stop()


LONG = "Donaudampfschifffahrtsgesellschaftskapitän"[:40]


@pytest.mark.parametrize("query", short(["", f"play?player={LONG}"]))
def test_nothing_runs_off_the_side(opened: Opener, query: str) -> None:
    def runs_off() -> list[int]:
        found = []
        for width in (320, 360, 768, 1024, 1920):
            page.set_viewport_size({"width": width, "height": 800})
            page.wait_for_function("width => innerWidth === width", arg=width)
            if page.evaluate("document.documentElement.scrollWidth") > width:
                found.append(width)
        return found

    desk = PlayingBox()
    page = opened(desk, query)
    assert runs_off() == []
    desk.start("zoinx", (LONG, "Ben", "Ann", "Zoë"), {})
    expect(page.locator(".players")).to_be_visible()
    assert runs_off() == []
    for name in (LONG, "Ben", "Ann", "Zoë"):
        desk.bet(name, 2)
    desk.read(("dot", "square", "dot"), ["one die leans against another and cannot be read"])
    expect(page.locator("#message")).to_have_attribute("data-tone", "unsure")
    assert runs_off() == []
