"""What is called aloud: the message for the ear, never a secret bet, and nothing twice."""

from collections.abc import Sequence

import pytest

from device.match.showing import game_shown
from device.shown.calls import LONGEST, after, call_for, spoken
from device.shown.snapshot import CalledShown, MessageShown, Snapshot
from engine.dice import Die, Face
from engine.events import Bet, Event, Rolled, Stop, Undo
from engine.history import History
from engine.rulebooks import rulebook


def dots(count: int) -> Rolled:
    faces: list[Face] = ["dot"] * count
    faces += ["square"] * (4 - count)
    return Rolled(dice=tuple(Die("zoinx", face) for face in faces))


def zoinx_after(*events: Event, message: str = "", tone: str = "info") -> Snapshot:
    """What is shown after these events, while the box says this."""
    position = rulebook("zoinx").start(("Ann", "Bea"), {"edition": "game-factory", "youngest": "Ann"})
    history = History(position)
    for event in events:
        history.take(event)
    view = history.position.view()
    said = MessageShown(message or view.news, tone)  # type: ignore[arg-type] # a test's own word
    return Snapshot(stage="playing", game_id=1, game=game_shown(view, None, {}), message=said)


ANN, BEA = Bet(player="Ann", dots=4), Bet(player="Bea", dots=2)


def test_the_roll_is_called_as_it_is_shown() -> None:
    called = call_for(zoinx_after(ANN, BEA, dots(3)))
    assert called.words == "Ann rolls 3 dots. 1 to go to the bet of 4."
    assert called.sound == "news"
    lost = call_for(zoinx_after(ANN, BEA, dots(0)))
    assert (lost.words, lost.sound) == ("ZOINX! Ann loses the turn. No points for anybody.", "lost")


def test_while_bets_are_secret_the_message_is_never_said() -> None:
    answer = "Ann rolls this turn and cannot bet 0."
    before = call_for(zoinx_after(message=answer, tone="refused"))
    assert before.words == "Ann rolls this turn. Everybody bets."
    one_locked = zoinx_after(BEA, message=answer, tone="refused")
    assert call_for(one_locked) == CalledShown()
    shown = call_for(zoinx_after(BEA, ANN))
    assert shown.words == "The bets: Ann 4, Bea 2. Ann rolls."


def test_a_locked_bet_calls_nothing_and_repeats_nothing() -> None:
    stops: Sequence[Event] = (ANN, BEA, dots(4), Stop())
    first = after(CalledShown(), zoinx_after(*stops))
    assert (first.number, first.words) == (1, "Ann stops at 4 dots. Points: Ann 4, Bea 2.")
    assert after(first, zoinx_after(*stops, BEA)) is first
    assert after(first, zoinx_after(*stops, BEA, Undo())) is first


def test_the_same_throw_twice_is_called_twice_and_the_same_picture_once() -> None:
    once = after(CalledShown(), zoinx_after(ANN, BEA, dots(1), message="One dot."))
    assert after(once, zoinx_after(ANN, BEA, dots(1), message="One dot.")) is once
    twice = after(once, zoinx_after(ANN, BEA, dots(1), dots(1), message="One dot."))
    assert (twice.number, twice.words) == (2, once.words)


def test_a_question_has_a_sound_of_its_own_and_so_has_the_winner() -> None:
    asked = zoinx_after(ANN, BEA, message="I see three Zoinx dice.", tone="unsure")
    assert call_for(asked).sound == "ask"


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Bea throws 5 x 10 = 50.", "Bea throws 5 times 10 makes 50."),
        ("Ann has 1,050 points. (rule 8a)", "Ann has 1050 points."),
        ("Ann 59 -> 135; Bea stays.", "Ann 59 to 135; Bea stays."),
        ("Ann x Bea: 3.2 ± 0.4 mm", "Ann x Bea: 3.2 plus or minus 0.4 mm"),
        ("", ""),
    ],
)
def test_what_is_written_is_said_as_people_say_it(written: str, said: str) -> None:
    assert spoken(written) == said


def test_long_texts_end_with_a_whole_sentence() -> None:
    told = spoken("This is said once more. " * 40)
    assert told.endswith("once more.")
    assert LONGEST - 30 < len(told) <= LONGEST
