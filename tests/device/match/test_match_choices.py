"""Rulebooks that offer more than buttons: Ten Thousand's set-asides, chosen on the console."""

from pathlib import Path

from device.journal import Journal
from device.match import Match
from device.shown.words import trouble_with, wanted_dice
from engine.dice import Die
from engine.game import Wanted
from engine.rulebooks import rulebook
from tests.device.match.test_match import NOW, press, reading


def rolled(match: Match, *values: int) -> None:
    match.read(reading(*values, kind="pip"), "1/1.jpg", NOW)


def test_dice_are_set_aside_by_choice_and_banked_by_cache(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal.db") as journal:
        match = Match.begin(journal, rulebook("ten-thousand"), ("Ann", "Bea"), {}, NOW)
        rolled(match, 6)
        rolled(match, 1)
        assert match.view.active == "Ann"
        rolled(match, 1, 1, 1, 2, 3, 6)
        best = match.show().choices[0]
        assert best.points == 1000
        assert not match.choose(0, "something else", NOW)
        assert match.message.tone == "refused"
        assert match.choose(0, best.words, NOW)
        assert match.show().wanted == "three dice"
        press(match, "cache")
        assert match.view.scores == (1000, 0)
        assert Match.resume(journal, match.game_id).line == match.line


def test_the_cache_button_has_no_use_in_zoinx(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal.db") as journal:
        match = Match.begin(journal, rulebook("zoinx"), ("Ann", "Bea"), {}, NOW)
        press(match, "cache")
        assert match.message.tone == "refused"


def test_dice_of_several_kinds_are_expected_together() -> None:
    wanted = Wanted(kind="pip", count=5, more=(Wanted(kind="d4", count=1),))
    assert wanted_dice(wanted) == "five dice and one four-sided die"
    assert "five dice and one four-sided die" in trouble_with(reading(1, 2, 3, 4, 5, kind="pip"), wanted)
    assert trouble_with(reading(1, 2, 3, 4, 5, kind="pip"), Wanted(kind="pip", count=5)) == ""
    assert trouble_with(reading(1, 2, 3, 4, 5, kind="pip"), Wanted(kind="pip", count=None)) == ""
    assert "no dice" in trouble_with(reading(), Wanted(kind="pip", count=None))


def test_what_was_agreed_and_the_dice_to_correct_are_shown_also_after_a_restart(tmp_path: Path) -> None:
    agreed = {"first": "named", "target": "5000"}
    with Journal.open(tmp_path / "journal.db") as journal:
        match = Match.begin(journal, rulebook("ten-thousand"), ("Ann", "Bea"), agreed, NOW)
        assert match.show().last_dice == ()
        rolled(match, 1, 1, 1, 2, 3, 6)
        assert match.correct(tuple(Die("pip", face) for face in (1, 1, 5, 2, 3, 6)), "", NOW)
        for shown in (match.show(), Match.resume(journal, match.game_id).show()):
            assert shown.last_dice == tuple(("pip", face) for face in (1, 1, 5, 2, 3, 6))
            assert shown.options == {**agreed, "same-roll": "more"}
