"""The set-up in a real Chromium: step by step, on a phone and on a screen; and who may do it."""

import threading
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from starlette.testclient import TestClient

from device.console.app import ConsoleSettings, make_app
from device.languages import speak_language
from device.people.actor import Role, TableKind
from device.setup.step import StepView
from tests.calibration.own_scene import NARROW, own_scene
from tests.device.axe import find_violations
from tests.device.conftest import Opener
from tests.device.console.fake_box import HERE, HOME, FakeBox, begun
from tests.device.console.test_routes import OWN
from tests.device.console.test_who_may import HOST_ALONE, page_of, people_of
from tests.device.setup.test_own_table import OwnTableShop
from tests.device.setup.test_walk import Workshop
from tests.waiting import PATIENCE_S

STEPS = ("camera", "lens", "table", "dice", "panel", "lights", "settings", "doctor")


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    made = Workshop(tmp_path)
    made.show()
    return made


@pytest.mark.chromium
def test_the_steps_are_gone_through_to_the_end_and_what_came_of_them_stays(
    opened: Opener, shop: Workshop
) -> None:
    page = opened(FakeBox(), "setup", sets_up=shop.setting_up)
    expect(page.locator("#hints li")).to_have_count(3)
    expect(page.locator("#live img")).to_be_visible()
    page.get_by_role("button", name="It is good: go on").click()
    expect(page.locator("#step-title")).to_have_text("Lens")
    expect(page.locator("#steps button").first).to_contain_text("edges ")
    expect(page.locator("#hints")).to_contain_text("No board is seen.")
    page.locator("#steps button").nth(2).click()
    expect(page.locator("#say")).to_contain_text("The lens comes first")
    page.locator("#steps button").nth(3).click()
    for kinds in range(1, 5):
        page.get_by_role("button", name="I have none of these").click()
        expect(page.locator("#lines li").filter(has_text="left out")).to_have_count(kinds)
    page.get_by_role("button", name="Go on").click()
    expect(page.locator("#step-title")).to_have_text("Buttons")
    shop.setting_up.press("bet1")
    expect(page.locator("#lines li[data-verdict=ok]")).to_have_count(1)
    page.get_by_role("button", name="Leave the others out").click()
    try_lights(page)
    expect(page.locator("#step-title")).to_have_text("Settings")
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Ask the doctor").click()
    expect(page.locator("#lines li").first).to_contain_text("No camera.")
    page.get_by_role("button", name="Done").click()
    expect(page.locator("#steps [data-done=true]")).to_have_count(len(STEPS) - 2)
    page.locator("#steps button").first.click()
    expect(page.locator("#step-title")).to_have_text("Camera")


@pytest.mark.chromium
def test_a_step_that_is_asked_for_while_the_box_is_busy_opens_afterwards(
    opened: Opener, shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    free, open_step = threading.Event(), shop.setting_up.open

    def open_when_free(step: str) -> StepView:
        assert free.wait(PATIENCE_S)
        return open_step(step)

    monkeypatch.setattr(shop.setting_up, "open", open_when_free)
    page = opened(FakeBox(), "setup", sets_up=shop.setting_up)
    steps = page.locator("#steps button")
    for place in (1, 2, 3):
        steps.nth(place).click()
    expect(page.locator("#step")).to_have_attribute("aria-busy", "true")
    free.set()
    expect(steps.nth(3)).to_have_attribute("aria-current", "step")
    expect(page.locator("#step")).not_to_have_attribute("aria-busy", "true")


def try_lights(page: Page) -> None:
    """All glow but some segments of the board, and it is to be brighter."""
    expect(page.locator("#lamps li[data-lit=true]")).to_have_text("BET 1lamp lit")
    for _ in range(11):
        before = page.locator("#count-words").inner_text()
        page.get_by_role("button", name="Yes", exact=True).click()
        expect(page.locator("#count-words")).not_to_have_text(before)
    expect(page.locator("#board svg .lit")).to_have_count(64)
    page.get_by_role("button", name="No: some stay dark").click()
    page.get_by_role("button", name="Brighter").click()
    expect(page.locator("#lines code:not([hidden])")).to_have_text("[scoreboard]\nbrightness = 5")
    page.get_by_role("button", name="Yes", exact=True).click()
    expect(page.locator("#board")).to_be_hidden()
    page.get_by_role("button", name="Go on").click()


@pytest.mark.chromium
@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 800)])
def test_each_step_can_be_seen_heard_and_touched(
    opened: Opener, shop: Workshop, width: int, height: int
) -> None:
    page = opened(FakeBox(), "setup", width, height, sets_up=shop.setting_up)
    for place, step in enumerate(STEPS):
        page.locator("#steps button").nth(place).click()
        expect(page.locator("#steps button").nth(place)).to_have_attribute("aria-current", "step")
        # Whatever was chosen is there to be read, on a phone too.
        expect(page.locator("#live" if step == "dice" else "#step-title")).to_be_in_viewport()
        if step == "doctor":
            page.get_by_role("button", name="Ask the doctor").click()
            expect(page.locator("#lines li")).to_have_count(2)
        link = page.get_by_role("link", name="Change the settings")
        expect(link).to_have_count(1 if step == "settings" else 0)
        assert find_violations(page) == []
        assert small_targets(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.chromium
@pytest.mark.parametrize(
    ("language", "dice", "lamp"),
    [
        ("de", "Wirf fünf oder sechs Würfel mit Augen", "Leuchtet jetzt die Lampe von BET 1 (Pin 18)"),
        ("fr", "Lance cinq ou six dés à points", "La lampe de BET 1 (broche 18) est-elle allumée"),
    ],
)
def test_dice_and_lamps_are_asked_for_in_each_language(
    opened: Opener, shop: Workshop, language: str, dice: str, lamp: str
) -> None:
    speak_language(language)
    page = opened(FakeBox(), "setup", 390, 844, sets_up=shop.setting_up)
    for step, question in (("dice", dice), ("lights", lamp)):
        page.locator("#steps button").nth(STEPS.index(step)).click()
        expect(page.locator("#say")).to_contain_text(question)
        assert find_violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.long
@pytest.mark.chromium
@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 800)])
def test_a_measured_table_is_shown_line_by_line_and_taken(
    opened: Opener, tmp_path: Path, width: int, height: int
) -> None:
    box = OwnTableShop(own_scene(NARROW), tmp_path)
    box.bare()
    page = opened(FakeBox(), "setup", width, height, sets_up=box.setting_up)
    page.get_by_role("button", name="My table is another: measure it").click()
    expect(page.locator("#say")).to_contain_text("Measured: zone lines at")
    expect(page.locator("#lines li").first).to_contain_text("on the classic table 304.8 mm")
    expect(page.locator("#marks [data-kind=line]").first).to_be_attached()
    assert find_violations(page) == []
    assert small_targets(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Take it: this is my table").click()
    expect(page.locator("#say")).to_contain_text("This is what was found.")
    expect(page.locator("#lines")).to_contain_text("measured from your sheet")
    assert (tmp_path / "table.toml").exists()


ANY_SCREEN = pytest.mark.parametrize(
    ("scheme", "language", "width", "height"),
    [
        ("light", "en", 1280, 800),
        ("dark", "en", 390, 844),
        ("light", "de", 390, 844),
        ("dark", "fr", 390, 844),
    ],
)
"""A page in both schemes and all languages, on a table's screen and on phones."""


def small_targets(page: Page) -> list[str]:
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("main button, main a")].filter((each) => {
          const { width, height } = each.getBoundingClientRect();
          return width > 0 && (width < 44 || height < 44);
        }).map((each) => each.textContent)"""
    )
    return found


@pytest.mark.chromium
def test_while_a_game_goes_on_the_page_says_that_it_has_the_camera(opened: Opener, shop: Workshop) -> None:
    shop.playing = True
    page = opened(FakeBox(), "setup", sets_up=shop.setting_up)
    expect(page.locator("#trouble")).to_contain_text("A game is using the camera")
    expect(page.locator("#step")).to_be_hidden()
    shop.playing = False
    expect(page.locator("#step")).to_be_visible()


@HOST_ALONE
def test_only_the_host_sets_up_a_club_or_a_tournament(
    shop: Workshop, tmp_path: Path, kind: TableKind, role: Role, may: bool
) -> None:
    desk, people = begun(), people_of(tmp_path, kind)
    settings = ConsoleSettings(people=people, sets_up=shop.setting_up)
    client = TestClient(make_app(desk, settings), base_url=HOME, client=HERE)
    page = page_of(role, people, client, desk)
    for path, body in (("/setup/look", {}), ("/setup/do", {"step": "camera", "act": "keep"})):
        answer = page.post(path, body)
        assert (page.status == 200) is may
        assert ("steps" in answer) is may
        if not may:
            assert answer["text"].startswith("Only the host may set up the box here.")


def test_a_console_without_a_set_up_says_what_does_it() -> None:
    client = TestClient(make_app(FakeBox()), base_url=HOME, client=HERE)
    answer = client.post("/setup/look", json={}, headers=OWN)
    assert (answer.status_code, answer.json()["ok"]) == (404, False)
    assert "callbox setup" in answer.json()["text"]
