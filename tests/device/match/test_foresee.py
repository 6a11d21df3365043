"""What a correction of dice would change is told before it is done, and without a secret."""

from dataclasses import replace
from itertools import product

import pytest

from device.journal import Journal
from device.match import Match
from engine.dice import Die, Face
from engine.events import Bet, Corrected
from engine.refusal import Refused
from engine.rulebooks import rulebook
from tests.device.match.test_match import NOW, PLAYERS, bets_locked, journal, match, press, reading

__all__ = ["journal", "match"]

FACES: tuple[Face, Face] = ("dot", "square")


def shows(*faces: Face) -> Corrected:
    return Corrected(dice=tuple(Die("pip" if isinstance(face, int) else "zoinx", face) for face in faces))


def test_what_a_correction_changes_is_said_before_and_the_same_after_it(match: Match) -> None:
    bets_locked(match)
    match.read(reading("dot", "dot", "dot", "dot"), "1/1.jpg", NOW)
    press(match, "stop")
    rows, line = match.readings, match.line
    word = shows("dot", "dot", "dot", "square")
    told = match.foresee(word)
    assert (match.line, match.readings) == (line, rows), "nothing was taken yet"
    assert match.correct(word.dice, "one die is a square", NOW)
    assert match.message.text == told
    assert " -> " in told


def test_of_a_throw_in_question_it_is_said_what_it_would_be_as_a_roll(match: Match) -> None:
    bets_locked(match)
    match.read(reading("dot", "dot", "square", unsure="cocked"), "1/1.jpg", NOW)
    assert match.foresee(shows("dot", "dot", "square", "square")) == "All scores stay. This turn: 0 -> 2."
    assert match.pending, "it is still asked"


@pytest.mark.parametrize(
    ("word", "why"),
    [
        (shows("dot", "dot", "square"), "A roll is four Zoinx dice; this is three Zoinx dice."),
        (shows(1, 2, 3, 4), "A roll is four Zoinx dice; this is four pip dice."),
    ],
)
def test_a_correction_that_the_rules_refuse_is_told_with_the_reason(
    match: Match, word: Corrected, why: str
) -> None:
    bets_locked(match)
    match.read(reading("dot", "dot", "square", "square"), "1/1.jpg", NOW)
    with pytest.raises(Refused) as refused:
        match.foresee(word)
    assert str(refused.value).startswith(why)


def test_before_the_first_roll_there_is_nothing_to_correct(match: Match) -> None:
    with pytest.raises(Refused, match="There is no roll to correct yet"):
        match.foresee(shows("dot", "dot", "dot", "dot"))


def test_an_older_roll_is_corrected_in_the_words_that_were_foreseen(match: Match) -> None:
    bets_locked(match)
    for _ in range(2):
        match.read(reading("dot", "dot", "dot", "square"), "", NOW)
    press(match, "stop")
    word = replace(shows("dot", "dot", "square", "square"), roll=1)
    told = match.foresee(word)
    assert told == "Ann stays; Bea 8 -> 7."
    assert match.correct(word.dice, "film", NOW, 1)
    assert match.message.text == told
    press(match, "undo")
    assert match.message.text.startswith(
        "Taken back: the correction of roll 1 to dot, dot, square and square."
    )


def test_an_older_roll_waits_until_the_throw_in_question_is_answered(match: Match) -> None:
    bets_locked(match)
    match.read(reading("dot", "dot", "dot", "square"), "", NOW)
    match.read(reading("dot", "dot", "square", unsure="cocked"), "", NOW)
    asks, word = match.pending, replace(shows("dot", "dot", "square", "square"), roll=1)
    with pytest.raises(Refused, match="First answer what is asked about the last throw"):
        match.foresee(word)
    assert not match.correct(word.dice, "film", NOW, 1)
    assert match.message.text == "First answer what is asked about the last throw."
    assert match.pending == asks, "and it is still asked"


def told_of(game: Match) -> list[str]:
    """What is said beforehand of each four faces that each roll may have shown; 0 is the last."""
    told = []
    for roll, faces in product((0, 1, 2), product(FACES, repeat=4)):
        try:
            told.append(game.foresee(replace(shows(*faces), roll=roll)))
        except Refused as refused:
            told.append(str(refused))
    return told


@pytest.mark.parametrize("ended", ["zoinx", "stopped"])
def test_no_secret_bet_changes_a_word_of_what_is_foreseen(journal: Journal, ended: str) -> None:
    """The turn before is over, and one player has locked a bet that nobody else may know."""
    said = set[tuple[str, ...]]()
    for dots in (0, 2, 4, 6, 8, 10):
        game = Match.begin(journal, rulebook("zoinx"), PLAYERS, {}, NOW)
        for player, bet in (("Ann", 2), ("Bea", 2)):
            assert game.take((Bet(player=player, dots=bet),), [], NOW)
        game.read(reading("dot", "square", "square", "square"), "", NOW)
        last: tuple[Face, ...] = ("square",) * 4 if ended == "zoinx" else ("dot", "dot", "square", "square")
        game.read(reading(*last), "", NOW)
        if ended == "stopped":
            press(game, "stop")
        assert game.bet("Bea", dots, NOW), "Ann rolls now, so Bea may bet anything"
        assert game.view.bets == ("thinking", "locked")
        said.add(tuple(told_of(game)))
    assert len(said) == 1
    assert len(set(*said)) > 1, "and yet it says something"
