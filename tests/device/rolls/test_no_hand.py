"""What is no hand blocks no game: another mat, one laid down in a game, a book at the border."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from calibration.arrays import Picture
from calibration.ends import End
from device.match.throw_detector import NO_HAND
from device.requests import IgnoreHand, StartGame
from tests.playing import LONGEST_MS, Playing, SteppedTable, TableTime, playing, simulated
from vision.places import load_packaged

SOON_MS = 3000.0
"""Nobody who waits so long thinks that the box hangs."""


class WithBook(SteppedTable):
    """A simulated table on whose near border a red book may lie, as broad as an arm."""

    book = False

    def _pictures(
        self, time_ms: float, last: Mapping[End, Picture]
    ) -> tuple[dict[End, Picture], Picture | None]:
        found, sharp = super()._pictures(time_ms, last)
        if self.book:
            picture = found["near"].copy()
            picture[-260:, 380:560] = (40, 40, 160)
            found["near"] = picture
            return found, None
        return found, sharp


def with_book(seed: int) -> WithBook:
    return WithBook(seed, TableTime(), None, (960, 720))


def start(player: Playing, game: str) -> None:
    options = {"first": "named", "opening": "0"} if game == "ten-thousand" else {}
    assert player.box.api.request(StartGame(game, ("Ann", "Bea"), options)).ok


@pytest.mark.long
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("tray", "ten-thousand"),
        *(
            pytest.param(*pair, marks=pytest.mark.long)
            for pair in (("zonk", "tray"), ("ten-thousand", "zonk"))
        ),
    ],
)
def test_after_another_game_with_another_mat_the_first_throw_is_read(
    tmp_path: Path, first: str, second: str
) -> None:
    with playing(tmp_path, simulated(3), layout="auto") as player:
        start(player, first)
        player.roll()
        while player.now.can_undo:
            player.press("undo")
        start(player, second)
        before_ms = player.table.rest_time_ms or 0.0
        shown = player.roll()
        assert (shown.ask, shown.message.tone) == ("", "info")
        assert shown.table.dice
        assert (player.table.rest_time_ms or 0.0) - before_ms < 2 * SOON_MS


@pytest.mark.parametrize("layout", ["zonk", pytest.param("zoinx", marks=pytest.mark.long)])
def test_a_mat_laid_down_in_a_game_is_soon_the_table(tmp_path: Path, layout: str) -> None:
    with playing(tmp_path, simulated(3)) as player:
        start(player, "tray")
        player.until(lambda now: now.table.state == "still", "an empty table")
        player.table.spread(load_packaged(layout))
        player.until(lambda now: now.table.state == "hand", "something comes in from the border")
        assert player.sees(lambda now: now.table.state == "still", SOON_MS)


@pytest.mark.long
def test_people_say_that_it_is_no_hand_on_the_console_or_by_holding_roll_done(tmp_path: Path) -> None:
    with playing(tmp_path, camera := with_book(5)) as player:
        start(player, "tray")
        player.roll()
        assert not player.box.api.request(IgnoreHand()).ok
        camera.book = True
        player.until(lambda now: now.table.state == "hand", "the book")
        assert not player.now.table.doubtful_hand
        player.until(lambda now: now.table.doubtful_hand, "that it may be none")
        assert player.box.api.request(IgnoreHand()).ok
        assert player.sees(lambda now: now.table.state == "still", SOON_MS)
        camera.book = False
        player.sees(lambda _: False, 500)
        assert player.now.table.state == "still", "its leaving is no hand's coming"
        camera.book = True
        player.until(lambda now: now.table.state == "hand", "the book again")
        player.press("roll_done")
        player.until(lambda now: now.message.text.endswith(NO_HAND), "what to do if it is none")
        player.press("roll_done", long=True)
        player.until(lambda now: "counted already" in now.message.text, "the dice beside it are read")


@pytest.mark.long
def test_a_book_is_no_hand_for_long_though_nobody_says_so(tmp_path: Path) -> None:
    with playing(tmp_path, camera := with_book(5)) as player:
        start(player, "tray")
        player.until(lambda now: now.table.state == "still", "an empty table")
        camera.book = True
        player.until(lambda now: now.table.state == "hand", "the book")
        assert not player.sees(lambda now: now.table.state == "still", SOON_MS)
        assert player.sees(lambda now: now.table.state == "still", LONGEST_MS / 3)
