"""The short film at the head of README: a throw, its call, a landing, its close-up, the scores.

Both games are played by a whole box on the simulated table. While dice roll the film shows the camera's
pictures as the console gets them, and otherwise the big screen in Chromium.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from benchmarks.pictures.games import EVIDENCE, SCREEN_PX, address_of, await_moment, game_at_table
from benchmarks.pictures.studio import Studio, shot_of, unpacked
from calibration.arrays import Picture
from tests.playing import Playing

FILM = "img/throw.webp"
FILM_PX = (880, 495)
FPS = 15.0
QUALITY = 82
FADES, FADE_MS = 3, 50
CALL_MS, CLOSE_UP_MS, SCORES_MS, STILL_MS = 2400, 3800, 2600, 350
PLAYERS = ("Ann", "Bea")
END_ZONE = {"mode": "first-of-500", "order": "seats"}
ROLL_SEED, LANDING_SEED, BEFORE = 6, 12, 2
"""The seeds of the two tables, and how many landings come before the one that is shown."""
SHEET_SHARE = 0.72
"""How much of the picture's width is shown of the End Zone."""
BLUR_PX, MOVES, LEAD = 9, 20, 4
"""Something moves where a blurred picture changed by so much (of 255); and how many pictures lead to that."""
MOMENT_S = 30
"""No moment of the big screen lasts longer."""

Shot = tuple[Picture, int]
"""A picture, and for how many ms it is seen."""


def make_film(studio: Studio) -> None:
    """The film, as an animated WebP, which browsers play in a README."""
    shots = list[Shot]()
    for shot in (*_roll(studio), *_land(studio)):
        _join(shots, shot)
    film = cv2.Animation()
    film.frames = [cv2.resize(picture, FILM_PX, interpolation=cv2.INTER_AREA) for picture, _ in shots]
    film.durations = [ms for _, ms in shots]
    path = studio.path(FILM)
    if not cv2.imwriteanimation(str(path), film, [cv2.IMWRITE_WEBP_QUALITY, QUALITY]):
        raise OSError(f"{path} cannot be written")


def _join(shots: list[Shot], then: Shot) -> None:
    """Add a shot; where it is no frame of what rolls, it fades in."""
    if shots and then[1] > STILL_MS:
        for step in range(1, FADES + 1):
            share = step / (FADES + 1)
            mixed = cv2.addWeighted(shots[-1][0], 1 - share, then[0], share, 0)
            shots.append((np.asarray(mixed, np.uint8), FADE_MS))
    shots.append(then)


def _roll(studio: Studio) -> list[Shot]:
    """Six dice are thrown, read and called."""
    rules = {"first": "named"}
    with (
        game_at_table(studio, "ten-thousand", PLAYERS, rules, seed=ROLL_SEED, fps=FPS) as player,
        studio.page(address_of(player, "?screen"), SCREEN_PX) as page,
    ):
        await_moment(page, "scores")
        shots = _thrown(player)
        await_moment(page, "throw", "#picture img")
        return [*shots, (shot_of(page), CALL_MS)]


def _land(studio: Studio) -> list[Shot]:
    """A die comes to rest on the sheet; its close-up; the scores."""
    with (
        game_at_table(studio, "end-zone", PLAYERS, END_ZONE, seed=LANDING_SEED, fps=FPS) as player,
        studio.page(address_of(player, "?screen"), SCREEN_PX) as page,
    ):
        page.clock.install()
        for _ in range(BEFORE):
            player.roll()
        page.clock.fast_forward(1000 * MOMENT_S)
        await_moment(page, "scores")
        shots = _thrown(player, SHEET_SHARE)
        await_moment(page, "landing", f"#picture img[src^='{EVIDENCE}']")
        shots.append((shot_of(page), CLOSE_UP_MS))
        page.clock.fast_forward(1000 * MOMENT_S)
        await_moment(page, "scores")
        return [*shots, (shot_of(page), SCORES_MS)]


def _thrown(player: Playing, share: float = 1.0) -> list[Shot]:
    """What the camera sees of a throw, from when something moves; then ROLL DONE is pressed."""
    pictures = list[Picture]()

    def look(_: object) -> bool:
        taken = player.box.api.picture()
        if taken is not None:
            pictures.append(_cut_wide(unpacked(taken[1]), share))
        return player.table.rest_time_ms not in (before, None) and not player.table.busy

    before, reading = player.table.rest_time_ms, player.now.table.reading_id
    said = player.hand.act("throw")
    if not said.ok:
        raise ValueError(said.text)
    player.until(look, "dice at rest")
    player.until(lambda shown: shown.table.state == "still" and player.up_to_date(), "a still table")
    player.press("roll_done")
    player.until(lambda shown: shown.table.reading_id > reading, "a reading")
    each_ms, moving = round(1000 / FPS), _moving(pictures)
    return [*((picture, each_ms) for picture in moving[:-1]), (moving[-1], STILL_MS)]


def _moving(pictures: Sequence[Picture]) -> Sequence[Picture]:
    """The pictures from shortly before something moves in them."""
    first = cv2.blur(pictures[0], (BLUR_PX, BLUR_PX))
    for number, picture in enumerate(pictures):
        if cv2.absdiff(cv2.blur(picture, (BLUR_PX, BLUR_PX)), first).max() > MOVES:
            return pictures[max(0, number - LEAD) :]
    return pictures


def _cut_wide(picture: Picture, share: float) -> Picture:
    """A share of a camera's picture, at its right end and at half its height, as wide as the big screen's."""
    height, width, _ = picture.shape
    wide = round(share * width)
    high = round(wide * SCREEN_PX[1] / SCREEN_PX[0])
    top = (height - high) // 2
    part = picture[top : top + high, width - wide :]
    return np.asarray(cv2.resize(part, SCREEN_PX, interpolation=cv2.INTER_AREA), np.uint8)
