"""The film on the console's page: at half speed, picture by picture, and the throws before it."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from device.films.filming import FilmPicture, make_film
from device.shown.snapshot import FilmsShown, HistoryShown, WayShown
from tests.device.conftest import Opener
from tests.device.console.drawn import drawn_table
from tests.device.console.fake_box import FOUR, TWO, FakeBox, rolling
from tests.device.landings.play import EndZoneTable, lies

pytestmark = pytest.mark.chromium

SHOTS = 20


def a_film(folder: Path) -> Path:
    """A second of a die that crosses the table, then one and a half of it at rest."""
    shots = []
    for number in range(SHOTS):
        picture = np.full((240, 320, 3), (64, 92, 38), np.uint8)
        cv2.rectangle(picture, (12 * number, 100), (12 * number + 30, 130), (214, 232, 238), -1)
        shots.append(FilmPicture(time_ms=50.0 * number, jpeg=bytes(cv2.imencode(".jpg", picture)[1])))
    path = folder / "film.mp4"
    path.write_bytes(make_film(tuple(shots), drawn_table(TWO)))
    return path


def at_ms(page: Page) -> int:
    time_s = page.locator("#film video").evaluate("video => video.currentTime")
    assert isinstance(time_s, float | int)
    return round(1000 * time_s)


def test_a_throw_is_watched_again(opened: Opener, tmp_path: Path) -> None:
    desk = rolling(TWO)
    film = a_film(tmp_path)
    desk.films = {1: film, 2: film}
    page = opened(desk)
    watch, dialog, video = page.locator("#watch"), page.locator("#film"), page.locator("#film video")
    expect(watch).to_be_hidden()
    desk.read(FOUR)
    desk.show(films=FilmsShown((1,)))
    expect(watch).to_have_text("Watch an earlier throw")
    desk.show(films=FilmsShown((1, desk.shown.table.reading_id)))
    expect(watch).to_have_text("Watch the throw")
    watch.click()
    expect(dialog).to_be_visible()
    expect(dialog.locator(".place")).to_have_text("Film 2 of 2 in this game")
    expect(video).to_have_js_property("playbackRate", 0.5)
    expect(video).to_have_js_property("ended", True)
    expect(video).to_have_js_property("videoWidth", 1280)

    dialog.get_by_role("button", name="Play").click()
    dialog.get_by_role("button", name="Pause").click()
    expect(video).to_have_js_property("paused", True)
    video.evaluate("video => { video.currentTime = 0.5; }")
    for name, moves_ms in (("Step ▶", 50), ("Step ▶", 50), ("◀ Step", -50)):
        before_ms = at_ms(page)
        dialog.get_by_role("button", name=name).click()
        assert at_ms(page) == before_ms + moves_ms
    dialog.get_by_role("button", name="Half speed").click()
    expect(video).to_have_js_property("playbackRate", 1)

    dialog.get_by_role("button", name="Earlier throw").click()
    expect(dialog.locator(".place")).to_have_text("Film 1 of 2 in this game")
    expect(dialog.get_by_role("button", name="Earlier throw")).to_be_disabled()
    expect(video).to_have_js_property("playbackRate", 1)
    save = dialog.get_by_role("link", name="Save this film")
    assert save.get_attribute("download") == f"callbox-{desk.shown.game_id}-1.mp4"
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()
    expect(video).not_to_have_attribute("src", "")


def test_the_ways_of_the_dice_are_drawn_over_the_film_of_the_last_throw(
    opened: Opener, tmp_path: Path
) -> None:
    desk = rolling(TWO)
    film = a_film(tmp_path)
    desk.films = {1: film, 2: film}
    page = opened(desk)
    desk.read(FOUR)
    number = desk.shown.table.reading_id
    ways = (
        WayShown("the ivory 3", ((20.0, 400.0), (300.0, 420.0), (500.0, 430.0))),
        WayShown("the red 5", ((40.0, 800.0), (700.0, 700.0))),
    )
    desk.show(films=FilmsShown((1, number)), history=HistoryShown(number, (), 1280, 960, ways))
    page.locator("#watch").click()
    drawing, button = page.locator("#film .drawn"), page.get_by_role("button", name="Ways of the dice")
    expect(drawing).to_be_visible()
    expect(drawing.locator("polyline:not(.halo)")).to_have_count(2)
    expect(drawing.locator("title")).to_have_text(["the ivory 3", "the red 5"])
    expect(page.locator("#film video")).to_have_js_property("videoWidth", 1280)
    # Both at one moment: until its first picture is there, the film is smaller.
    video, over = page.evaluate(
        "[...document.querySelectorAll('#film video, #film .drawn svg')]"
        ".map(each => each.getBoundingClientRect()).map(({x, y, width, height}) => [x, y, width, height])"
    )
    assert video == over, "a place in the drawing is the same place in the film"
    button.click()
    expect(drawing).to_be_hidden()
    button.click()
    expect(drawing).to_be_visible()
    page.get_by_role("button", name="Earlier throw").click()
    expect(drawing).to_be_hidden()
    expect(button).to_be_hidden()


def test_a_throw_without_a_film_says_why(opened: Opener) -> None:
    desk = rolling(TWO)
    page = opened(desk)
    expect(page.locator("#no-film")).to_be_hidden()
    desk.show(films=FilmsShown((), "The film of this throw is not kept (No space left on device)."))
    expect(page.locator("#no-film")).to_contain_text("No space left")
    desk.show(films=None)
    expect(page.locator("#no-film")).to_be_hidden()
    expect(page.locator("#watch")).to_be_hidden()


def test_a_past_landing_is_watched_again(opened: Opener, tmp_path: Path) -> None:
    table = EndZoneTable(tmp_path / "table")
    table.throw(lies(5, 0.0, 200.0))
    desk = FakeBox()
    desk.films, desk.close_ups = {1: a_film(tmp_path)}, {1: drawn_table(TWO)}
    desk.show(stage="playing", game_id=table.game.game_id, game=table.game.show(), films=FilmsShown())
    page = opened(desk)
    table.close()
    page.locator("#landings summary").click()
    watch = page.get_by_role("button", name="Watch landing 1")
    expect(watch).to_be_hidden()
    desk.show(films=FilmsShown((1,)))
    watch.click()
    expect(page.locator("#film")).to_be_visible()
    expect(page.locator("#film video")).to_have_js_property("videoWidth", 1280)
