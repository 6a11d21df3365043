"""A fixed camera's pictures are read again only where they changed."""

from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import pytest

from calibration.arrays import Floats, Picture
from vision.incremental_reader import IncrementalReader
from vision.reading import DiceChoice, Reading, SeenDie, UnsureDie, Window

WIDTH, HEIGHT, EDGE = 640, 480, 40
Spots = dict[tuple[int, int], int]


def table(spots: Spots, *, light: float = 1.0, noise: int = 0) -> Picture:
    """A grainy table with a bright square for each die, its value as so many dark bars."""
    picture = np.repeat(_normal(3, 90, 6, 1), 3, axis=2)
    for (x, y), value in spots.items():
        picture[y - EDGE // 2 : y + EDGE // 2, x - EDGE // 2 : x + EDGE // 2] = 210
        for bar in range(value):
            left = x - 17 + 6 * bar
            picture[y - 15 : y + 15, left : left + 3] = 30
    picture = picture * light + _normal(noise, 0, 3, 3)
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


@lru_cache(maxsize=8)
def _normal(seed: int, mean: float, sigma: float, channels: int) -> Floats:
    """Chance for each pixel: the table's grain, or a frame's noise."""
    return np.random.default_rng(seed).normal(mean, sigma, (HEIGHT, WIDTH, channels))


class Bars:
    """Reads such dice: bright squares, by their bars; notes what it was shown."""

    def __init__(self) -> None:
        self.shown: list[tuple[int, ...]] = []
        self.seen: list[int] = []
        self.sharp: list[bool] = []
        self.unsure_of: int | None = None

    def read(
        self,
        picture: Picture,
        dice: DiceChoice,  # noqa: ARG002 - a reader's own
        sharp: Picture | None,
        window: Window | None,
    ) -> Reading:
        self.sharp.append(sharp is not None)
        if window is not None:
            left, top, right, bottom = window
            picture = picture[top:bottom, left:right]
        self.shown.append(picture.shape[:2])
        grey = cv2.medianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), 5)
        bright = cv2.morphologyEx(
            np.asarray(grey > 150, np.uint8), cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8)
        )
        _, _, stats, middles = cv2.connectedComponentsWithStats(bright)
        seen, unsure = [], []
        for (_, _, _, _, area), (x, y) in zip(stats[1:].tolist(), middles[1:].tolist(), strict=True):
            if area < 0.8 * EDGE**2:
                continue
            row = grey[round(y) - 2 : round(y) + 3, max(0, round(x) - 19) : round(x) + 19].mean(axis=0) < 110
            value = int(np.count_nonzero(np.diff(row.astype(int)) == 1))
            corners = tuple((x + a * 20, y + b * 20) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)))
            if value == self.unsure_of:
                unsure.append(UnsureDie(center_px=(x, y), reason="doubtful"))
            else:
                seen.append(SeenDie(kind="pip", value=value, confidence=0.99, color="white",
                                    center_px=(x, y), corners_px=corners))  # fmt: skip
        self.seen.append(len(seen))
        height, width = picture.shape[:2]
        return Reading(
            width_px=width, height_px=height, dice=tuple(seen), unsure=tuple(unsure), elapsed_ms=1.0
        )


def values(reading: Reading) -> Spots:
    return {
        (round(die.center_px[0] / 10) * 10, round(die.center_px[1] / 10) * 10): int(die.value)
        for die in reading.dice
    }


BEGIN: Spots = {(100, 100): 1, (200, 200): 2, (230, 80): 3, (300, 150): 4, (560, 420): 5}


@pytest.fixture
def bars() -> Bars:
    return Bars()


@pytest.fixture
def reader(bars: Bars) -> IncrementalReader:
    made = IncrementalReader(bars.read)
    assert values(made.read(table(BEGIN), "pip")) == BEGIN
    return made


def test_a_still_table_is_not_read_again(reader: IncrementalReader, bars: Bars) -> None:
    for noise in range(1, 6):
        assert values(reader.read(table(BEGIN, noise=noise), "pip")) == BEGIN
    assert len(bars.shown) == 1


@pytest.mark.parametrize("light", [0.75, 1.15])
def test_a_lamp_changes_nothing(reader: IncrementalReader, bars: Bars, light: float) -> None:
    assert values(reader.read(table(BEGIN, light=light), "pip")) == BEGIN
    assert len(bars.shown) == 1


@pytest.mark.parametrize(
    "now",
    [
        BEGIN | {(200, 200): 4},
        {spot: value for spot, value in BEGIN.items() if value != 2} | {(160, 230): 2},
        {spot: value for spot, value in BEGIN.items() if value != 2},
        BEGIN | {(100, 240): 5},
        BEGIN | {(260, 200): 5},
    ],
    ids=["turned", "pushed", "taken", "added", "set beside another"],
)
def test_only_what_changed_is_read(reader: IncrementalReader, bars: Bars, now: Spots) -> None:
    assert values(reader.read(table(now, noise=2), "pip")) == now
    (height, width) = bars.shown[1]
    assert height * width < 0.4 * WIDTH * HEIGHT
    assert len(bars.shown) == 2
    assert bars.seen[1] >= 3, "a reader needs company to tell a leaning die"


def test_what_was_unsure_is_read_again(bars: Bars) -> None:
    reader = IncrementalReader(bars.read)
    bars.unsure_of = 2
    assert len(reader.read(table(BEGIN), "pip").unsure) == 1
    bars.unsure_of = None
    again = reader.read(table(BEGIN, noise=1), "pip")
    assert values(again) == BEGIN
    assert again.unsure == ()
    assert bars.shown[1] < (HEIGHT, WIDTH)


@pytest.mark.parametrize("spots", [{(200, 200): 2}, {(50, 430): 2, (600, 60): 2}], ids=["one", "far apart"])
def test_what_stays_unsure_is_read_three_times_and_then_left(bars: Bars, spots: Spots) -> None:
    reader = IncrementalReader(bars.read)
    bars.unsure_of = 2
    for noise in range(6):
        assert len(reader.read(table(BEGIN | spots, noise=noise), "pip").unsure) == len(BEGIN | spots) - 4
    assert len(bars.shown) == 3


def test_what_was_left_unsure_is_read_again_in_more_pixels(bars: Bars) -> None:
    reader = IncrementalReader(bars.read)
    bars.unsure_of = 2
    for noise in range(4):
        reader.read(table(BEGIN, noise=noise), "pip")
    bars.unsure_of = None
    picture = table(BEGIN, noise=4)
    assert reader.read(picture, "pip").unsure, "nothing changed, and three looks told nothing"
    larger = np.asarray(cv2.resize(picture, None, fx=2, fy=2), np.uint8)
    assert values(reader.read(picture, "pip", larger)) == BEGIN
    assert bars.sharp == [False, False, False, True]


def test_what_changed_since_the_larger_picture_may_be_read_three_times_in_the_next_one(bars: Bars) -> None:
    reader = IncrementalReader(bars.read)
    first = table(BEGIN)
    larger = np.asarray(cv2.resize(first, None, fx=2, fy=2), np.uint8)
    reader.read(first, "pip", larger)
    bars.unsure_of = 5
    changed = BEGIN | {(100, 240): 5}
    reader.read(table(changed, noise=1), "pip")
    for noise in range(2, 7):
        reader.read(table(changed, noise=noise), "pip", larger)
    assert bars.sharp == [True, False, True, True, True]


def test_what_was_left_unsure_is_read_again_when_it_changes(bars: Bars) -> None:
    reader = IncrementalReader(bars.read)
    bars.unsure_of = 2
    for noise in range(4):
        reader.read(table(BEGIN, noise=noise), "pip")
    reader.read(table(BEGIN | {(100, 240): 5}, noise=4), "pip")
    assert len(bars.shown) == 4, "elsewhere something changed"
    now = BEGIN | {(100, 240): 5, (200, 200): 4}
    assert values(reader.read(table(now, noise=5), "pip")) == now


def test_another_throw_is_read_whole(reader: IncrementalReader, bars: Bars) -> None:
    now: Spots = {(x, y): 1 + (x // 80 + y // 80) % 5 for x in range(80, 600, 80) for y in range(80, 440, 80)}
    assert values(reader.read(table(now), "pip")) == {
        (round(x, -1), round(y, -1)): v for (x, y), v in now.items()
    }
    assert bars.shown[-1] == (HEIGHT, WIDTH)


def test_other_dice_or_another_size_are_read_whole(reader: IncrementalReader, bars: Bars) -> None:
    reader.read(table(BEGIN), "auto")
    reader.read(np.ascontiguousarray(table(BEGIN)[:400]), "auto")
    assert bars.shown == [(HEIGHT, WIDTH), (HEIGHT, WIDTH), (400, WIDTH)]


def test_slow_changes_add_up(bars: Bars) -> None:
    reader = IncrementalReader(bars.read)
    first, last = table({(300, 200): 2}), table({(300, 200): 5})
    for share in np.linspace(0, 1, 12):
        mixed = np.asarray(cv2.addWeighted(first, 1 - share, last, share, 0), np.uint8)
        reading = reader.read(mixed, "pip")
    assert values(reading) == {(300, 200): 5}


def test_a_reading_keeps_the_size_of_its_picture(reader: IncrementalReader) -> None:
    now = reader.read(table(BEGIN | {(100, 240): 5}), "pip")
    assert (now.width_px, now.height_px) == (WIDTH, HEIGHT)
    assert now == replace(now, dice=tuple(sorted(now.dice, key=lambda die: die.center_px)))


def test_dice_on_an_empty_table_are_read_whole(bars: Bars) -> None:
    """A window about a lone die would show nothing else, as at the edge of the picture."""
    reader = IncrementalReader(bars.read)
    reader.read(table({}))
    assert values(reader.read(table({(300, 200): 4}))) == {(300, 200): 4}
    assert bars.shown == [(HEIGHT, WIDTH)] * 2
    assert values(reader.read(table({(300, 200): 4, (100, 100): 1}))) == {(300, 200): 4, (100, 100): 1}
    assert bars.shown[-1] != (HEIGHT, WIDTH)
