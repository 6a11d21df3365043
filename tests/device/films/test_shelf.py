"""The shelf: films within a budget, whole or not at all."""

import errno
from collections.abc import Callable
from pathlib import Path

import pytest

from device.films.shelf import FilmNotKept, Shelf

MB = bytes(1_000_000)


def test_a_film_lies_under_the_name_of_its_throw(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "films", 10)
    shelf.keep(12, 3, b"a film")
    assert shelf.path(12, 3) == tmp_path / "films/12/3.mp4"
    assert (tmp_path / "films/12/3.mp4").read_bytes().startswith(b"a film")
    assert (shelf.path(12, 4), shelf.list_readings(12), shelf.list_readings(13)) == (None, (3,), ())


def test_the_oldest_go_for_new_ones_within_the_budget(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, 3.5)
    for game_id, reading in ((9, 2), (10, 1), (10, 2), (10, 10), (11, 1)):
        shelf.keep(game_id, reading, MB)
    assert (shelf.list_readings(9), shelf.list_readings(10), shelf.list_readings(11)) == ((), (2, 10), (1,))
    there = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*"))
    assert there == ["10", "10/10.mp4", "10/2.mp4", "11", "11/1.mp4"]


def test_a_box_that_starts_again_counts_what_is_there(tmp_path: Path) -> None:
    Shelf(tmp_path, 10).keep(1, 1, MB)
    again = Shelf(tmp_path, 1.5)
    assert again.list_readings(1) == (1,)
    again.keep(2, 1, MB)
    assert (again.list_readings(1), again.list_readings(2)) == ((), (1,))


def test_a_reading_has_one_film_the_newest(tmp_path: Path) -> None:
    """After a power cut a number may come a second time: the journal knows one reading of it."""
    shelf = Shelf(tmp_path, 1.5)
    shelf.keep(1, 1, MB)
    shelf.keep(1, 1, b"another")
    path = shelf.path(1, 1)
    assert path is not None
    assert path.read_bytes().startswith(b"another")
    assert shelf.list_readings(1) == (1,)


def test_what_a_power_cut_left_is_removed_and_what_is_no_film_is_left_alone(tmp_path: Path) -> None:
    Shelf(tmp_path, 10).keep(1, 1, b"whole")
    half = tmp_path / "1/.2.mp4.part"
    half.write_bytes(b"ha")
    mine = tmp_path / "1/my own.mp4"
    mine.write_bytes(MB)
    shelf = Shelf(tmp_path, 0.5)
    assert not half.exists()
    assert shelf.list_readings(1) == (1,)
    shelf.keep(1, 3, bytes(400_000))
    shelf.keep(1, 4, bytes(400_000))
    assert (shelf.list_readings(1), mine.exists()) == ((4,), True)


def test_a_full_disk_is_a_sentence_and_leaves_nothing_half(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = Shelf(tmp_path, 10)

    def full(_fd: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("calibration.durable.os.fsync", full)
    with pytest.raises(
        FilmNotKept, match=r"not kept \(No space left on device\); the game goes on. Make room"
    ):
        shelf.keep(1, 1, MB)
    assert (shelf.list_readings(1), shelf.path(1, 1)) == ((), None)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_folder_that_may_not_be_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "films").write_text("a file, where the folder should be")
    shelf = Shelf(tmp_path / "films", 10)
    with pytest.raises(FilmNotKept, match="or fix its permissions"):
        shelf.keep(1, 1, MB)


def test_a_film_larger_than_the_budget_costs_no_other_its_place(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, 2)
    shelf.keep(1, 1, MB)
    with pytest.raises(
        FilmNotKept, match=r"it has 3.0 MB, and all films may have 2. Set films.disk_mb higher"
    ):
        shelf.keep(1, 2, 3 * MB)
    assert shelf.list_readings(1) == (1,)


def test_a_film_that_somebody_deleted_is_not_there(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, 10)
    shelf.keep(1, 1, MB)
    (tmp_path / "1/1.mp4").unlink()
    assert shelf.path(1, 1) is None
    shelf.keep(1, 1, MB)
    assert shelf.path(1, 1) is not None


@pytest.mark.parametrize(
    "spoil",
    [
        lambda film: film[:-1],
        lambda film: film[:30],
        lambda film: b"A" + film[1:],
        lambda film: film[:-1] + b"!",
    ],
    ids=["cut in its seal", "cut", "changed", "seal changed"],
)
def test_a_film_that_is_not_as_it_was_written_is_not_given_out(
    tmp_path: Path, spoil: Callable[[bytes], bytes]
) -> None:
    shelf = Shelf(tmp_path, 10)
    shelf.keep(1, 1, MB)
    film = tmp_path / "1/1.mp4"
    film.write_bytes(spoil(film.read_bytes()))
    with pytest.raises(FilmNotKept, match=r"is damaged: it is not as it was written"):
        shelf.path(1, 1)


def test_a_film_is_read_once_however_often_a_part_of_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf, film, read = Shelf(tmp_path, 10), tmp_path / "1/1.mp4", list[Path]()
    shelf.keep(1, 1, MB)
    read_bytes = Path.read_bytes

    def noted(path: Path) -> bytes:
        read.append(path)
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", noted)
    for _ in range(3):
        assert shelf.path(1, 1) == film
    assert read == [film]
    shelf.keep(1, 1, 2 * MB)
    assert shelf.path(1, 1) == film
    assert read == [film, film]


def test_a_film_that_an_older_callbox_kept_is_given_out_while_it_is_whole(tmp_path: Path) -> None:
    film = tmp_path / "1/1.mp4"
    film.parent.mkdir()
    film.write_bytes(b"\0\0\0\x10ftypisom----" + b"\0\0\0\x0cmdat----")
    assert Shelf(tmp_path, 10).path(1, 1) == film
    film.write_bytes(film.read_bytes()[:-1])
    with pytest.raises(FilmNotKept):
        Shelf(tmp_path, 10).path(1, 1)
