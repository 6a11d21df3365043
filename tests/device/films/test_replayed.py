"""A film is as good as the throw: a box that is shown it reads what was read at the table."""

from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from calibration.files import save_table
from calibration.table import TableCalibration
from device.cameras.film import Film
from device.cli import callbox
from device.films.filming import TOO_BUSY
from device.journal import Journal
from device.journal.rows import DiceReading, LandingReading
from device.requests import AbandonGame, StartGame
from device.shown.snapshot import Snapshot
from tests.playing import Playing, playing, simulated
from tests.waiting import eventually

pytestmark = pytest.mark.long

MISCHIEF = (("", "throw"), ("hand", "throw"), ("nudge", "cock"))
"""What the hand does before a throw, and how it throws: what came before is in the film, too."""
MOST_THROWS = 20
"""A box that films fewer than three of so many leaves out too much."""


def readings(data: Path) -> list[tuple[list[str], bool]]:
    """The readings in the journal of a box's first game: the faces, and whether anything was unsure. A die
    that leans can be mentioned twice, for a side of it, too: by how much of the picture was read at once."""
    with Journal.open(data / "journal.db") as journal:
        rows = [entry.row for entry in journal.rows(1)]
    return [
        (sorted(f"{die.kind} {die.value}" for die in row.dice), bool(row.unsure))
        for row in rows
        if isinstance(row, DiceReading)
    ]


def is_read(number: int, shown: Snapshot) -> bool:
    return shown.table.reading_id == number


def is_filmed(player: Playing, number: int, left_out: int) -> bool:
    """Whether a throw has its film. A busy box may leave it out and say so, as `left_out` times before."""

    def decided() -> bool:
        return player.box.api.film(number) is not None or player.told.count(TOO_BUSY) > left_out

    eventually(decided, f"film {number}")
    return player.box.api.film(number) is not None


def play(player: Playing, reads: str) -> list[int]:
    """Throw in every way; the readings of the throws that were filmed, one for each way."""
    filmed, number = list[int](), 0
    while len(filmed) < len(MISCHIEF):
        number += 1
        before, act = MISCHIEF[len(filmed)]
        left_out = player.told.count(TOO_BUSY)
        if before:
            assert player.hand.act(before).ok
        player.throw(act)
        if reads == "roll_done":
            player.press("roll_done")
        player.until(partial(is_read, number), f"reading {number}")
        if is_filmed(player, number, left_out):
            filmed.append(number)
        assert number < MOST_THROWS, player.told
    return filmed


def landed(data: Path) -> list[tuple[int | None, int, float, float]]:
    """The dice of the last landing in a journal's first game: value, zone, place in mm."""
    with Journal.open(data / "journal.db") as journal:
        rows = [entry.row for entry in journal.rows(1) if isinstance(entry.row, LandingReading)]
    return [(die.value, die.zone, *die.center_mm) for die in rows[-1].sight.dice]


def test_the_film_of_a_landing_is_measured_as_the_landing_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One small die on a printed sheet: a film has to keep its outline to tenths of a millimetre."""
    table = simulated(31, size_px=(1280, 960), fps=20.0)
    with playing(tmp_path / "table", table, reads="at_rest", films=True) as player:
        assert player.box.api.request(StartGame("end-zone", ("Ann", "Bea"), {"mode": "fast"})).ok
        player.throw()
        player.until(partial(is_read, 1), "the landing")
        film = eventually(partial(player.box.api.film, 1), "its film")
        there = table.calibration()
    assert isinstance(there, TableCalibration)
    save_table(there, tmp_path / "table.json")
    monkeypatch.setattr("device.cameras.film.Film", partial(Film, wait=lambda _ms: None))
    words = ["play", "end-zone", "--players", "Ann,Bea", "--option", "mode=fast", "--camera", film]
    words += ["--calibration", tmp_path / "table.json", "--data", tmp_path / "film"]
    words += ["--port", "0", "--host", "127.0.0.1"]
    shown = CliRunner().invoke(callbox, [str(word) for word in words], catch_exceptions=False)
    assert shown.exit_code == 0, shown.output
    (truth,), (again,) = landed(tmp_path / "table"), landed(tmp_path / "film")
    assert again[:2] == truth[:2]
    assert again[2:] == pytest.approx(truth[2:], abs=0.3)


@pytest.mark.parametrize(("reads", "fps"), [("roll_done", 20.0), ("at_rest", 8.0)])
def test_the_film_of_a_throw_is_read_as_the_throw_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reads: str, fps: float
) -> None:
    """Shown as fast as it is looked at: its own pace takes seconds."""
    with playing(tmp_path / "table", simulated(29, fps=fps), reads=reads, films=True) as player:
        assert player.box.api.request(StartGame("tray", (), {})).ok
        filmed = play(player, reads)
        assert set(player.told) <= {TOO_BUSY}
    truth = readings(tmp_path / "table")
    monkeypatch.setattr("device.cameras.film.Film", partial(Film, wait=lambda _ms: None))
    for number in filmed:
        film, data = tmp_path / f"table/films/1/{number}.mp4", tmp_path / f"film {number}"
        words = ["play", "tray", "--camera", film, "--data", data, "--port", "0", "--host", "127.0.0.1"]
        shown = CliRunner().invoke(callbox, [str(word) for word in words], catch_exceptions=False)
        assert shown.exit_code == 0, shown.output
        assert readings(data) == [truth[number - 1]]


def test_a_film_is_not_filmed_again(tmp_path: Path) -> None:
    with playing(tmp_path / "table", simulated(29), reads="at_rest", films=True) as player:
        assert player.box.api.request(StartGame("tray", (), {})).ok
        player.throw()
        player.until(lambda shown: shown.table.reading_id == 1, "the reading")
        film = eventually(lambda: player.box.api.film(1), "the film")
        words = ["play", "tray", "--camera", film, "--data", tmp_path, "--port", "0", "--host", "127.0.0.1"]
        CliRunner().invoke(callbox, [str(word) for word in words], catch_exceptions=False)
    assert readings(tmp_path) == readings(tmp_path / "table")
    assert not (tmp_path / "films").exists()


def test_pictures_and_films_of_the_game_before_are_still_shown(tmp_path: Path) -> None:
    with playing(tmp_path, simulated(29), reads="at_rest", films=True) as player:
        box = player.box.api
        assert box.request(StartGame("tray", (), {})).ok
        player.throw()
        player.until(lambda shown: shown.table.reading_id == 1, "the reading")
        film = eventually(lambda: box.film(1), "the film")
        picture = box.reading_picture(1)
        assert picture
        assert box.request(AbandonGame(1)).ok
        assert box.request(StartGame("tray", (), {})).ok
        assert player.now.game_id == 2
        assert (box.film(1, 1), box.reading_picture(1, 1)) == (film, picture)
        assert (box.film(1), box.film(1, 3), box.reading_picture(1, 3)) == (None, None, None)


def test_a_box_that_is_told_so_films_nothing(tmp_path: Path) -> None:
    with playing(tmp_path, simulated(29), reads="at_rest", films=False) as player:
        assert player.box.api.request(StartGame("tray", (), {})).ok
        player.throw()
        player.until(lambda shown: shown.table.reading_id == 1, "the reading")
        assert (player.now.films, player.box.api.film(1)) == (None, None)
    assert not (tmp_path / "films").exists()
