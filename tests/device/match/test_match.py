"""A game at the table, without threads and clocks: presses and readings in, rows and public views out."""

from collections.abc import Iterator
from datetime import UTC, datetime
from gettext import NullTranslations
from pathlib import Path

import pytest

from device.journal import Journal, Moment
from device.journal.journal import JournalFull
from device.journal.rows import EventRow
from device.languages import speak_language
from device.match import Match
from device.panel import Press
from engine.dice import Die, DieKind, Face
from engine.events import Undo
from engine.refusal import Refused
from engine.rulebooks import rulebook
from engine.wording import speak
from vision.reading import Reading, SeenDie, UnsureDie

NOW = Moment(datetime(2026, 11, 20, 18, 0, tzinfo=UTC), 1000.0)
PLAYERS = ("Ann", "Bea")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "journal.db") as journal:
        yield journal


@pytest.fixture
def match(journal: Journal) -> Match:
    """Bea is nearer to Z, so the first turn is hers; BET 1 is Ann's."""
    return Match.begin(journal, rulebook("zoinx"), PLAYERS, {}, NOW)


def press(match: Match, button: str, times: int = 1, *, long: bool = False) -> bool:
    done = False
    for _ in range(times):
        done = match.press(Press(button, "long" if long else "short", NOW.steady_ms), NOW)
    return done


def reading(*values: Face, kind: DieKind = "zoinx", unsure: str = "") -> Reading:
    dice = tuple(
        SeenDie(
            kind=kind,
            value=value,
            confidence=0.99,
            color="ivory",
            center_px=(100.0 * place, 100.0),
            corners_px=((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)),
        )
        for place, value in enumerate(values)
    )
    doubts = (UnsureDie(center_px=(1.0, 2.0), reason=unsure),) if unsure else ()
    return Reading(width_px=1280, height_px=960, dice=dice, unsure=doubts, elapsed_ms=12.0)


def bets_locked(match: Match) -> None:
    """Ann bets 4, Bea 2, by touch."""
    press(match, "bet1", 2)
    press(match, "bet1", long=True)
    press(match, "bet2", 1)
    press(match, "bet2", long=True)


def test_bets_by_touch_stay_secret_until_all_are_locked(match: Match) -> None:
    press(match, "bet1", 2)
    assert match.view.bets == ("thinking", "thinking")
    press(match, "bet1", long=True)
    assert match.view.bets == ("locked", "thinking")
    assert "4" not in match.message.text
    press(match, "bet2", 1)
    press(match, "bet2", long=True)
    assert match.view.bets == (4, 2)


def test_a_turn_by_buttons_and_readings(match: Match) -> None:
    bets_locked(match)
    assert press(match, "roll_done") is True
    match.read(reading("dot", "square", "square", "square"), "1/1.jpg", NOW)
    assert match.view.running == 1
    assert match.lamps()["stop"] is False
    press(match, "stop")
    assert match.message.tone == "refused"
    match.read(reading("dot", "dot", "square", "square"), "1/2.jpg", NOW)
    assert match.lamps()["stop"] is True
    press(match, "stop")
    # Bea bet 2 and gathered 3: 2 + 3. Ann bet 4: nothing.
    assert match.view.scores == (0, 5)


@pytest.mark.parametrize("code", ["en", "de"])
def test_a_turn_is_told_in_the_language_of_the_house_and_kept_in_none(
    journal: Journal, match: Match, code: str
) -> None:
    told = {"en": "Taken back: Bea's roll of", "de": "Zurückgenommen: der Wurf Farbpunkt, Quadrat"}
    speak_language(code)
    try:
        bets_locked(match)
        match.read(reading("dot", "square", "square", "square"), "1/1.jpg", NOW)
        press(match, "undo")
        assert match.message.text.startswith(told[code])
        match.read(reading("dot", "dot", "square"), "1/2.jpg", NOW)
        assert ("Erwartet: vier Zoinx-Würfel." in match.message.text) == (code == "de")
    finally:
        speak(NullTranslations())
    kept = [entry.row for entry in journal.rows(match.game_id) if entry.kind in ("event", "press")]
    assert [row.event for row in kept if isinstance(row, EventRow)][-1] == Undo()
    assert "Wurf" not in str(kept)


@pytest.mark.parametrize(
    ("seen", "words"),
    [
        (reading("dot", "dot", "square"), ("three Zoinx dice", "four Zoinx dice")),
        (reading("dot", "dot", "square", "dot", "dot"), ("five Zoinx dice", "four Zoinx dice")),
        (reading("dot", "dot", "square", unsure="stacked"), ("one I cannot read (stacked)",)),
        (reading(1, 2, 3, 4, kind="pip"), ("four pip dice", "four Zoinx dice")),
        (reading(), ("no dice", "four Zoinx dice")),
    ],
    ids=["three", "five", "stacked", "pips", "none"],
)
def test_wrong_dice_are_said_and_change_nothing(match: Match, seen: Reading, words: tuple[str, ...]) -> None:
    bets_locked(match)
    before = match.line
    match.read(seen, "1/1.jpg", NOW)
    assert match.line == before
    assert match.message.tone == "unsure"
    assert match.pending == match.message.text
    for word in words:
        assert word in match.message.text


def test_people_may_say_what_a_doubtful_throw_shows(match: Match) -> None:
    bets_locked(match)
    match.read(reading("dot", "dot", "square", unsure="cocked"), "1/1.jpg", NOW)
    dice = tuple(Die("zoinx", face) for face in ("dot", "dot", "square", "square"))
    assert match.correct(dice, "I looked", NOW) is True
    assert (match.pending, match.view.running) == ("", 2)


def test_without_a_doubtful_throw_the_last_roll_is_corrected(match: Match) -> None:
    bets_locked(match)
    match.read(reading("dot", "dot", "square", "square"), "1/1.jpg", NOW)
    dice = tuple(Die("zoinx", face) for face in ("dot", "square", "square", "square"))
    assert match.correct(dice, "misread", NOW) is True
    assert match.view.running == 1


def test_another_throw_replaces_a_doubtful_one(match: Match) -> None:
    bets_locked(match)
    match.read(reading("dot"), "1/1.jpg", NOW)
    match.read(reading("dot", "dot", "dot", "square"), "1/2.jpg", NOW)
    assert (match.pending, match.view.running) == ("", 3)


def test_undo_steps_back_and_deletes_nothing(match: Match, journal: Journal) -> None:
    bets_locked(match)
    rows = len(journal.rows(match.game_id))
    match.read(reading("dot", "dot", "square", "square"), "1/1.jpg", NOW)
    press(match, "undo")
    assert (match.view.phase, match.view.running) == ("roll", 0)
    assert len(journal.rows(match.game_id)) == rows + 4
    press(match, "undo", 2)
    assert match.message.tone == "refused"


def test_bets_that_everybody_has_seen_are_undone_together(match: Match, journal: Journal) -> None:
    bets_locked(match)
    press(match, "undo")
    assert match.view.bets == ("thinking", "thinking")
    assert match.message.text == "Taken back: all bets. They had been shown, so everybody bets again."
    match.bet("Ann", 4, NOW)
    press(match, "undo")
    assert match.view.bets == ("thinking", "thinking")
    assert match.message.text.startswith("Taken back: Ann's bet.")
    assert Match.resume(journal, match.game_id).view.bets == match.view.bets


def test_roll_done_before_all_bets_is_refused_with_who_is_missing(match: Match) -> None:
    press(match, "bet2")
    press(match, "bet2", long=True)
    assert press(match, "roll_done") is False
    assert "Ann still bets" in match.message.text


def test_a_button_without_a_player_says_so(match: Match) -> None:
    press(match, "bet4")
    assert match.message.text == "Nobody plays at BET 4."


def test_a_killed_box_goes_on_at_the_same_position(journal: Journal, match: Match) -> None:
    """Also in the middle of a secret bet, and with a question open."""
    press(match, "bet1", 3)
    again = Match.resume(journal, match.game_id)
    press(again, "bet1", long=True)
    press(again, "bet2", 1)
    press(again, "bet2", long=True)
    assert again.view.bets == (6, 2)
    again.read(reading("dot"), "1/1.jpg", NOW)
    third = Match.resume(journal, match.game_id)
    assert (third.line, third.pending) == (again.line, again.pending)
    assert "one Zoinx die" in third.pending


def test_what_the_disk_does_not_take_is_not_shown(
    match: Match, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    bets_locked(match)
    before = match.line
    working = journal.append

    def full(*args: object, **kwargs: object) -> int:
        raise JournalFull("the disk is full")

    monkeypatch.setattr(journal, "append", full)
    match.read(reading("dot", "dot", "square", "square"), "1/1.jpg", NOW)
    assert (match.line, match.message.tone) == (before, "alarm")
    monkeypatch.setattr(journal, "append", working)
    match.read(reading("dot", "dot", "square", "square"), "1/1.jpg", NOW)
    assert match.view.running == 2


def test_wrong_players_are_refused(journal: Journal) -> None:
    for players in (("Ann",), ("Ann", "Ann"), ("A", "B", "C", "D", "E")):
        with pytest.raises(Refused):
            Match.begin(journal, rulebook("zoinx"), players, {}, NOW)
    assert journal.games() == ()
