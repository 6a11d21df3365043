"""A page calls the throw: each call once, the newest only, and no screen reader hears it twice."""

import pytest
from playwright.sync_api import Page, expect

from device.shown.snapshot import CalledShown
from tests.device.axe import find_violations
from tests.device.conftest import Opener
from tests.device.console.fake_box import TWO, FakeBox, rolling
from tests.waiting import eventually

pytestmark = pytest.mark.chromium

LISTEN = """() => {
  window.heard = [];
  speechSynthesis.speak = (told) => window.heard.push(told.text);
  speechSynthesis.cancel = () => window.heard.push("");
}"""


def calls(desk: FakeBox, number: int, words: str) -> None:
    desk.show(called=CalledShown(number=number, words=words, sound="news"))


def said(page: Page) -> list[str]:
    """What was said since the page listens, without the silences between."""
    return [words for words in page.evaluate("window.heard") if words]


def test_a_page_says_each_call_once_and_no_old_one(opened: Opener) -> None:
    desk = rolling(TWO)
    calls(desk, 7, "Said before the page was there.")
    page = opened(desk)
    page.evaluate(LISTEN)
    page.get_by_label("Calls on this page").select_option("voice")
    calls(desk, 8, "Ann rolls two dots.")
    eventually(lambda: "Ann rolls two dots." in said(page), "the call")
    desk.show(can_undo=True)
    calls(desk, 9, "This one is never said.")
    calls(desk, 10, "Bea rolls.")
    eventually(lambda: "Bea rolls." in said(page), "the newest call")
    assert [words for words in said(page) if "never" not in words] == ["Ann rolls two dots.", "Bea rolls."]
    assert page.evaluate("window.heard.at(-2)") == ""  # whatever was being said was cut off first


def test_mute_and_the_choice_are_remembered_and_silence_at_once(opened: Opener) -> None:
    desk = rolling(TWO)
    page = opened(desk)
    expect(page.get_by_role("button", name="Mute")).to_be_hidden()
    page.get_by_label("Calls on this page").select_option("voice")
    page.evaluate(LISTEN)
    page.locator("h1").click()
    page.keyboard.press("m")
    expect(page.get_by_role("button", name="Mute")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("window.heard") == [""]
    page.reload()
    expect(page.get_by_label("Calls on this page")).to_have_value("voice")
    expect(page.get_by_role("button", name="Mute")).to_have_attribute("aria-pressed", "true")


def test_a_screen_reader_hears_each_message_once(opened: Opener) -> None:
    page = opened(rolling(TWO))
    message = page.locator("#message")
    expect(message).to_have_attribute("aria-live", "polite")
    page.get_by_label("Calls on this page").select_option("voice")
    expect(message).to_have_attribute("aria-live", "off")
    page.get_by_role("button", name="Mute").click()
    expect(message).to_have_attribute("aria-live", "polite")
    page.get_by_label("Calls on this page").select_option("sounds")
    expect(message).to_have_attribute("aria-live", "polite")


def test_the_big_screen_calls_when_its_address_says_so(opened: Opener) -> None:
    desk = rolling(TWO)
    page = opened(desk, "?screen&sound=voice")
    page.evaluate(LISTEN)
    calls(desk, 1, "Ann rolls two dots.")
    eventually(lambda: "Ann rolls two dots." in said(page), "the call")


def test_the_sounds_are_made_of_notes_and_of_no_file(opened: Opener) -> None:
    page = opened(rolling(TWO))
    page.locator("h1").click()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    notes = page.evaluate(
        """async () => {
          const { lasts_ms, play, wake } = await import("/static/voice.js");
          const begun = [];
          const start = OscillatorNode.prototype.start;
          OscillatorNode.prototype.start = function (from) {
            begun.push(this.frequency.value);
            start.call(this, from);
          };
          Object.defineProperty(AudioContext.prototype, "state", { get: () => "running" });
          wake();
          return ["news", "lost", "ask", "win", ""].map((sound) => {
            begun.length = 0;
            play(sound);
            return [begun.length, lasts_ms(sound) < 1000];
          });
        }"""
    )
    assert notes == [[1, True], [2, True], [2, True], [4, True], [0, True]]
    files = {url.rpartition("/")[2] for url in asked if "/static/" in url}
    assert files <= {"voice.js", "dom.js", "icon.svg"}  # the browser asks for the page's icon when it likes


@pytest.mark.parametrize("query", ["", "?player=Ann"])
def test_the_page_with_its_voice_has_no_violation(opened: Opener, query: str) -> None:
    page = opened(rolling(TWO), query)
    page.get_by_label("Calls on this page").select_option("voice")
    assert find_violations(page) == []
