"""A full card: films and pictures go first; the box starts without recording, and goes on with room."""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from device.journal import Journal, Moment, Storage, open_or_put_aside
from device.journal.journal import open_reader
from device.journal.rows import OtherNote
from device.journal.trouble import JournalFull
from device.requests import StartGame
from tests.playing import playing, simulated

NOON = Moment(datetime(2026, 11, 20, 12, 0, tzinfo=UTC), 1000)
SetRoom = Callable[[float], None]


@pytest.fixture
def set_room(monkeypatch: pytest.MonkeyPatch) -> SetRoom:
    """Says how many MB of the card are free."""
    real = os.statvfs

    def set_free(free_mb: float) -> None:
        def counted(path: str) -> os.statvfs_result:
            found = real(path)
            return os.statvfs_result((*found[:4], int(free_mb * 1e6 / found.f_frsize), *found[5:]))

        monkeypatch.setattr("os.statvfs", counted)

    return set_free


def play(journal: Journal) -> int:
    """A game that goes on."""
    game = journal.begin("zoinx", ["Zoë", "Ben"], {}, NOON)
    journal.append(game, [OtherNote({"said": "step"})], NOON)
    return game


def test_on_a_full_card_the_journal_is_looked_at_and_goes_on_once_there_is_room(
    tmp_path: Path, set_room: SetRoom
) -> None:
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        game = play(journal)
        before = journal.rows(game)
    set_room(0)
    opened = open_or_put_aside(path, 0)
    with opened.journal as journal:
        assert (journal.full, journal.unfinished(), journal.rows(game)) == (True, game, before)
        set_room(100)
        journal.append(game, [OtherNote({"said": "again"})], NOON)
        assert (journal.full, len(journal.rows(game))) == (False, 2)
    with open_reader(path) as reader:
        assert len(reader.rows(game)) == 2


def test_a_write_on_a_full_card_is_refused_with_cause_and_fix_and_changes_nothing(
    tmp_path: Path, set_room: SetRoom
) -> None:
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        game = play(journal)
    content = path.read_bytes()
    set_room(0)
    with open_or_put_aside(path, 0).journal as journal:
        with pytest.raises(JournalFull, match=r"is full.*all before it is safe\. Make room"):
            journal.append(game, [OtherNote({"said": "lost"})], NOON)
        with pytest.raises(JournalFull):
            journal.begin("zoinx", ["Zoë", "Ben"], {}, NOON)
        assert len(journal.rows(game)) == 1
    assert path.read_bytes() == content


def test_a_new_box_on_a_full_card_has_an_empty_journal_and_makes_no_file(
    tmp_path: Path, set_room: SetRoom
) -> None:
    set_room(0)
    with open_or_put_aside(tmp_path / "journal.db", 0).journal as journal:
        assert journal.games() == ()
    assert not (tmp_path / "journal.db").exists()


def test_old_films_go_first_then_old_pictures_and_the_newest_game_keeps_its_own(
    tmp_path: Path, set_room: SetRoom
) -> None:
    with Storage.open(tmp_path / "box") as storage:
        for game in (1, 2):
            storage.keep_picture(game, 1, b"a picture")
            film = storage.films / str(game) / "1.mp4"
            film.parent.mkdir(parents=True)
            film.write_bytes(b"a film")
        set_room(100)
        assert storage.make_room() == 0
        set_room(1)
        assert storage.make_room() == 3
        assert sorted(path.name for path in storage.films.iterdir()) == []
        assert (storage.picture("1/1.jpg"), storage.picture("2/1.jpg")) == (None, b"a picture")


def test_a_box_starts_on_a_full_card_says_so_and_plays_once_there_is_room(
    tmp_path: Path, set_room: SetRoom
) -> None:
    set_room(0)
    with playing(tmp_path, simulated(seed=3)) as player:
        assert "The card is full" in player.now.message.text
        assert (player.now.message.tone, player.now.message.shout) == ("alarm", "FULL")
        refused = player.box.api.request(StartGame("zoinx", ("Ann", "Bea"), {}))
        assert "is full" in refused.text
        assert player.now.stage == "lobby"
        set_room(100)
        player.box.keep_room(1e9)
        player.until(lambda shown: "has room again" in shown.message.text, "that there is room")
        player.box.api.request(StartGame("zoinx", ("Ann", "Bea"), {}))
        player.until(lambda shown: shown.stage == "playing", "the game")
