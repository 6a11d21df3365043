"""The pages in German and French, in a real browser: told so, none wider than a phone, fit for everybody."""

from collections.abc import Iterator
from gettext import NullTranslations

import pytest
from playwright.sync_api import expect

from device.languages import speak_language
from engine.wording import speak
from tests.device.axe import find_violations
from tests.device.conftest import Opener
from tests.device.console.fake_box import TWO, rolling

pytestmark = pytest.mark.chromium


@pytest.fixture(autouse=True)
def german() -> Iterator[None]:
    speak_language("de")
    yield
    speak(NullTranslations())


def test_numbers_decide_the_form_as_in_each_language(opened: Opener) -> None:
    """French says one for 0, too."""
    count = "import('/static/dom.js').then(it => [0, 1, 2].map(n => it.phraseCount('dot', 'dots', n)))"
    assert opened(rolling(TWO)).evaluate(count) == ["Farbpunkte", "Farbpunkt", "Farbpunkte"]
    speak_language("fr")
    assert opened(rolling(TWO)).evaluate(count) == [
        "point de couleur",
        "point de couleur",
        "points de couleur",
    ]


def test_a_turn_is_told_in_german(opened: Opener) -> None:
    page = opened(rolling(TWO))
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("#scores-title")).to_have_text("Zoë ist am Zug")
    expect(page.locator("#scores .running")).to_have_text("2Farbpunkte")
    expect(page.locator("#live .tag text").first).to_have_text("Farbpunkt")
    expect(page.get_by_text("Zoë: Oder STOP beendet den Zug und zählt ihn.")).to_be_visible()


@pytest.mark.parametrize("view", ["", "play?player=Ben", "?referee", "?tournament"])
def test_longer_words_fit_a_phone(opened: Opener, view: str) -> None:
    page = opened(rolling(TWO), view, 390, 844)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert find_violations(page) == []
