"""A journal of a newer Callbox waits aside, and comes back by itself with what was played meanwhile."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from device.journal import Journal, Moment, Storage, open_or_put_aside
from device.journal.aside import Opened
from device.journal.journal import open_reader
from device.journal.rows import OtherNote
from device.journal.verify import verify
from tests.playing import playing, simulated

NOON = Moment(datetime(2026, 11, 20, 12, 0, tzinfo=UTC), 1000)
VERSION_AT = 63
"""The last byte of `user_version` in a SQLite file."""
MOVES = 40


class PowerCut(BaseException):
    """Nothing of this process goes on."""


def play(journal: Journal, name: str, *, ended: bool = True) -> int:
    """A game of that name's."""
    game = journal.begin("zoinx", [name, "Ben"], {}, NOON)
    journal.append(game, [OtherNote({"said": f"{name} {step}"}) for step in range(3)], NOON)
    if ended:
        journal.end(game, f"{name} wins.", NOON)
    return game


def set_form(path: Path, form: int) -> None:
    """The file is one of that form: what another release makes of it, as far as this one can see."""
    content = bytearray(path.read_bytes())
    content[VERSION_AT] = form
    path.write_bytes(content)


def start(folder: Path) -> Opened:
    """A box starts on the folder."""
    with Storage.open(folder) as storage:
        return open_or_put_aside(storage.journal_path, storage.last_game)


def evening(folder: Path, *names: str) -> Opened:
    """A box starts, these games are played, and it ends."""
    opened = start(folder)
    with opened.journal as journal:
        for name in names:
            play(journal, name)
    return opened


def games_in(path: Path) -> dict[int, tuple[str, int]]:
    """Whose each game is, and how many rows can be read of it."""
    with open_reader(path) as reader:
        return {game.id: (game.players[0], len(reader.rows(game.id))) for game in reader.games()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A box on which a newer release played two games, the present one two more, and the newer is back."""
    folder = tmp_path / "box"
    evening(folder, "Ann", "Bea")
    set_form(folder / "journal.db", 9)
    assert "comes back by itself" in evening(folder, "Cleo", "Dora").put_aside
    set_form(folder / "aside/1/journal.db", 2)
    return folder


def test_games_of_a_newer_release_come_back_with_those_played_meanwhile(folder: Path) -> None:
    waited, meanwhile = ((folder / name).read_bytes() for name in ("aside/1/journal.db", "journal.db"))
    opened = evening(folder, "Emma")
    assert (opened.put_aside, len(opened.remarks)) == ("", 1)
    assert "are back" in opened.remarks[0]
    assert games_in(folder / "journal.db") == {
        number: (name, 3) for number, name in enumerate(("Ann", "Bea", "Cleo", "Dora", "Emma"), 1)
    }
    verdict = verify(folder / "journal.db")
    assert (verdict.damages, verdict.remarks) == ([], [])
    assert (folder / "aside/1/journal.db").read_bytes() == waited
    assert (folder / "aside/2/journal.db").read_bytes() == meanwhile
    assert evening(folder).remarks == (), "it comes back once"


def test_a_newer_journal_waits_at_every_start_until_it_can_be_read(folder: Path) -> None:
    set_form(folder / "aside/1/journal.db", 9)
    for _ in range(2):
        opened = evening(folder)
        assert (opened.put_aside, opened.remarks) == ("", ())
    assert games_in(folder / "journal.db") == {3: ("Cleo", 3), 4: ("Dora", 3)}


def test_the_journals_of_two_newer_releases_come_back_in_the_order_of_their_games(folder: Path) -> None:
    set_form(folder / "aside/1/journal.db", 9)
    set_form(folder / "journal.db", 8)
    evening(folder, "Emma")
    for number in (1, 2):
        set_form(folder / f"aside/{number}/journal.db", 2)
    evening(folder)
    assert games_in(folder / "journal.db") == {
        number: (name, 3) for number, name in enumerate(("Ann", "Bea", "Cleo", "Dora", "Emma"), 1)
    }


def test_a_game_played_on_in_both_journals_is_in_the_new_one_twice(tmp_path: Path) -> None:
    folder = tmp_path / "box"
    with start(folder).journal as journal:
        game = play(journal, "Ann", ended=False)
    older = {name: (folder / name).read_bytes() for name in ("journal.db", "journal.mark")}
    with start(folder).journal as journal:
        journal.append(game, [OtherNote({"said": "on"})], NOON)
    set_form(folder / "journal.db", 9)
    evening(folder)
    for name, content in older.items():  # a copy of the folder was put back, and the game goes on from there
        (folder / name).write_bytes(content)
    with start(folder).journal as journal:
        journal.append(game, [OtherNote({"said": "differently"})] * 2, NOON)
    set_form(folder / "aside/1/journal.db", 2)
    evening(folder)
    assert games_in(folder / "journal.db") == {1: ("Ann", 4), 2: ("Ann", 5)}


def test_a_game_that_a_restored_copy_has_too_is_in_the_new_journal_once(folder: Path) -> None:
    for name in ("journal.db", "journal.mark"):
        (folder / name).write_bytes((folder / "aside/1" / name).read_bytes())
    evening(folder)
    assert games_in(folder / "journal.db") == {1: ("Ann", 3), 2: ("Bea", 3)}


def test_a_newer_journal_that_is_damaged_stays_aside_and_is_told(folder: Path) -> None:
    path = folder / "aside/1/journal.db"
    content = path.read_bytes()
    path.write_bytes(content.replace(b"Bea 1", b"Bee 1"))
    assert path.read_bytes() != content
    opened = evening(folder)
    assert "row 2 of game 2 was changed" in opened.remarks[0]
    assert games_in(folder / "journal.db") == {3: ("Cleo", 3), 4: ("Dora", 3)}


def test_a_journal_that_was_damaged_never_comes_back_by_itself(tmp_path: Path) -> None:
    folder = tmp_path / "box"
    evening(folder, "Ann", "Bea")
    path, whole = folder / "journal.db", (folder / "journal.db").read_bytes()
    path.write_bytes(whole.replace(b"Bea 1", b"Bee 1"))
    evening(folder, "Cleo")
    (folder / "aside/1/journal.db").write_bytes(whole)
    assert evening(folder).remarks == ()
    assert games_in(path) == {1: ("Ann", 3), 2: ("Bea", 1), 3: ("Cleo", 3)}


def cut_at(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The power goes before the so-manieth time that something is moved or removed."""
    steps = iter(range(1000))

    def cutting(do: Callable[..., object]) -> Callable[..., object]:
        def did(*words: object, **more: object) -> object:
            if next(steps) == step:
                raise PowerCut
            return do(*words, **more)

        return did

    for name in ("rename", "replace", "unlink"):
        monkeypatch.setattr(Path, name, cutting(getattr(Path, name)))


@pytest.mark.long
@pytest.mark.parametrize("form", [2, 9], ids=["back", "put aside"])
def test_a_power_cut_at_any_step_loses_no_game(
    folder: Path, form: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A journal comes back, or it is put aside first and comes back later."""
    if form != 2:
        set_form(folder / "aside/1/journal.db", form)
        set_form(folder / "journal.db", form)
    original = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for step in range(MOVES):
        for path in folder.rglob("*"):
            if path.is_file():
                path.unlink()
        for path, content in original.items():
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
        with monkeypatch.context() as cutting:
            cut_at(step, cutting)
            try:
                evening(folder)
                done = True
            except PowerCut:
                done = False
        evening(folder)
        for path in folder.glob("aside/*/journal.db"):
            set_form(path, 2)
        evening(folder)
        assert games_in(folder / "journal.db") == {
            number: (name, 3) for number, name in enumerate(("Ann", "Bea", "Cleo", "Dora"), 1)
        }
        assert verify(folder / "journal.db").damages == []
        assert not (folder / "restore").exists()
        if done:
            assert step > 5, "every move was cut off once"
            return
    pytest.fail("it never came to its end")


def test_a_box_shows_the_games_that_came_back(folder: Path) -> None:
    with playing(folder, simulated(seed=3)) as player:
        assert player.now.aside is None
        assert [game.players[0] for game in player.box.journal.games()] == ["Ann", "Bea", "Cleo", "Dora"]
