"""The mat on the console: its places on the live picture, what lies in them, and what may not."""

import pytest
from playwright.sync_api import expect

from device.shown.snapshot import PlaceShown, PlacesShown
from tests.device.conftest import Opener
from tests.device.console.fake_box import TWO, rolling

pytestmark = [pytest.mark.chromium, pytest.mark.long]

SQUARE = ((100.0, 100.0), (300.0, 100.0), (300.0, 300.0), (100.0, 300.0))
BESIDE = tuple((x + 300.0, y) for x, y in SQUARE)


def mat(*, wrong: bool) -> PlacesShown:
    return PlacesShown(
        title="ZONK mat",
        width=1280,
        height=960,
        places=(
            PlaceShown(label="pocket 1", kind="pocket", corners=SQUARE, lies=("1", "5")),
            PlaceShown(label="pocket 2", kind="pocket", corners=BESIDE, lies=("2",), wrong=wrong),
        ),
    )


def test_places_and_what_lies_in_them_are_shown(opened: Opener) -> None:
    desk = rolling(TWO)
    page = opened(desk)
    expect(page.locator("#live .mat")).to_have_count(0)
    desk.show(places=mat(wrong=True))
    expect(page.locator("#live .mat .place")).to_have_count(2)
    expect(page.locator("#live .mat .wrong text")).to_have_text(["pocket 2"])
    expect(page.locator("#places")).to_have_text("ZONK mat. pocket 1: 1, 5; pocket 2: 2 (may not lie there).")
    desk.show(places=mat(wrong=False))
    expect(page.locator("#live .mat .wrong")).to_have_count(0)
    desk.show(places=None)
    expect(page.locator("#live .mat")).to_have_count(0)
    expect(page.locator("#places")).to_be_hidden()


def test_a_mat_that_is_not_seen_is_said(opened: Opener) -> None:
    desk = rolling(TWO)
    page = opened(desk)
    desk.show(places=PlacesShown(title="ZONK mat", trouble="I do not see the mat's corner tags 40."))
    expect(page.locator("#places")).to_have_text("I do not see the mat's corner tags 40.")
    expect(page.locator("#live .mat")).to_have_count(0)
