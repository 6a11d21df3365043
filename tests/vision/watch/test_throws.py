"""Throws: which readings are asked for, what becomes of dice between rests, how unsure rests are voted on."""

from collections.abc import Sequence
from dataclasses import replace
from math import cos, radians, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.reading import Reading, SeenDie, UnsureDie
from vision.watch.change import compare_readings
from vision.watch.throws import Rest, Throws, ThrowSettings, vote
from vision.watch.watch import FrameState

EDGE = 40.0


def die(x: float, y: float, value: int, turn_deg: float = 10.0, confidence: float = 0.99) -> SeenDie:
    """A pip die lying at (x, y)."""
    half = EDGE / 2**0.5
    corners = [
        (x + half * cos(radians(turn_deg + 45 + 90 * i)), y + half * sin(radians(turn_deg + 45 + 90 * i)))
        for i in range(4)
    ]
    return SeenDie(
        kind="pip",
        value=value,
        confidence=confidence,
        color="ivory",
        center_px=(x, y),
        corners_px=(corners[0], corners[1], corners[2], corners[3]),
    )


def reading(*dice: SeenDie, unsure: Sequence[tuple[float, float]] = ()) -> Reading:
    """A reading of a 1280x960 picture."""
    return Reading(
        width_px=1280,
        height_px=960,
        dice=dice,
        unsure=tuple(UnsureDie(center_px=place, reason="cocked") for place in unsure),
        elapsed_ms=10.0,
    )


def look(
    scene: int, time_ms: float, settled: bool = True, hand: bool = False, tumbled_ms: float = 800.0
) -> FrameState:
    """A look at a table that has been still for 150 ms."""
    return FrameState(
        time_ms=time_ms,
        state="still" if settled else "moving",
        still_since_ms=time_ms - 150,
        settled=settled,
        scene=scene,
        hand_before_scene=hand,
        tumbled_ms=tumbled_ms,
        hand_since_scene=False,
        trouble="",
    )


class Game:
    """Feeds looks and readings to `Throws`, and counts how often it asks."""

    def __init__(self, settings: ThrowSettings | None = None) -> None:
        """An empty game."""
        self.throws = Throws(settings)
        self.time_ms = 0.0
        self.asked = 0

    def see(self, scene: int, seen: Reading | None, **more: bool | float) -> Rest | None:
        """One frame; None as reading: it must not be asked for."""
        self.time_ms += 50

        def read() -> Reading:
            self.asked += 1
            assert seen is not None, "read without need"
            return seen

        return self.throws.see(look(scene, self.time_ms, **more), read)  # type: ignore[arg-type]


BEFORE = reading(die(300, 300, 4), die(600, 500, 1), die(900, 300, 6))


def test_a_still_table_is_read_once() -> None:
    game = Game()
    first = game.see(1, BEFORE)
    assert first is not None
    assert (first.change, first.sure, first.scene) == ("found", True, 1)
    for _ in range(20):
        assert game.see(1, None) is None
    assert game.asked == 1
    assert game.throws.lying == first


def test_nothing_is_read_and_nothing_lies_while_something_moves() -> None:
    game = Game()
    assert game.see(0, None, settled=False) is None
    game.see(1, BEFORE)
    assert game.see(1, None, settled=False) is None
    assert game.throws.lying is None
    assert game.see(1, None) is None
    assert game.throws.lying is not None


@pytest.mark.parametrize(
    ("after", "change"),
    [
        (reading(die(350, 700, 4), die(200, 200, 2), die(1000, 300, 6)), "thrown"),
        (reading(die(300, 300, 4), die(600, 500, 1), die(800, 700, 2)), "thrown"),
        (reading(*BEFORE.dice, die(800, 700, 2)), "thrown"),
        (reading(die(300, 300, 3), die(600, 500, 1), die(900, 300, 6)), "thrown"),
        (reading(die(325, 310, 4), die(600, 500, 1), die(900, 300, 6)), "nudged"),
        (reading(die(600, 500, 1)), "taken"),
        (reading(), "taken"),
        (reading(*(die(d.center_px[0] + 5, d.center_px[1] + 3, int(d.value)) for d in BEFORE.dice)), None),
        (reading(*(die(d.center_px[0] + 90, d.center_px[1] - 70, int(d.value)) for d in BEFORE.dice)), None),
    ],
    ids=["all", "one again", "one more", "turned", "pushed", "two taken", "cleared", "lamp", "camera pushed"],
)
def test_what_a_new_scene_means(after: Reading, change: str | None) -> None:
    game = Game(ThrowSettings(votes=1))
    game.see(1, BEFORE)
    rest = game.see(2, after, hand=True)
    assert (rest.change if rest else None) == change
    lying = game.throws.lying
    assert lying is not None
    assert (lying.reading, lying.scene) == (after, 2)


def test_a_die_that_falls_over_by_itself_corrects_the_last_throw() -> None:
    game = Game()
    game.see(1, reading())
    game.see(1, reading())
    thrown = game.see(2, reading(die(300, 300, 4)), hand=True)
    toppled = game.see(3, reading(die(320, 300, 5)), tumbled_ms=150.0)
    assert thrown is not None
    assert toppled is not None
    assert (thrown.change, toppled.change) == ("thrown", "toppled")
    for _ in range(30):
        game.see(3, None)
    later = game.see(4, reading(die(320, 300, 6)), tumbled_ms=150.0)
    assert later is not None
    assert later.change == "thrown", "after a long rest nothing falls over by itself"


def test_a_hand_never_topples() -> None:
    game = Game()
    game.see(1, reading(die(300, 300, 4)))
    turned = game.see(2, reading(die(320, 300, 5)), tumbled_ms=50.0, hand=True)
    assert turned is not None
    assert turned.change == "thrown"


def test_an_unsure_rest_is_read_again_and_voted_on() -> None:
    game = Game()
    assert game.see(1, reading(die(300, 300, 4, confidence=0.8))) is None
    rest = game.see(1, reading(die(301, 300, 4, confidence=0.7)))
    assert rest is not None
    assert rest.sure
    assert [d.value for d in rest.reading.dice] == [4]


def test_what_stays_unsure_is_told_once_as_not_sure() -> None:
    game = Game(ThrowSettings(votes=3))
    unsure = reading(die(300, 300, 4), unsure=[(700, 500)])
    assert game.see(1, unsure) is None
    assert game.see(1, unsure) is None
    rest = game.see(1, unsure)
    assert rest is not None
    assert not rest.sure
    assert [d.value for d in rest.reading.dice] == [4]
    assert [u.reason for u in rest.reading.unsure] == ["cocked"]
    assert game.see(1, None) is None
    assert game.asked == 3


def test_dice_taken_up_before_they_were_read_are_told_as_not_sure() -> None:
    game = Game()
    assert game.see(1, reading(die(300, 300, 4), unsure=[(700, 500)])) is None
    told = [rest for rest in (game.see(1, None, settled=False) for _ in range(10)) if rest]
    assert [(rest.sure, rest.change, rest.scene) for rest in told] == [(False, "found", 1)]
    assert game.throws.lying is None


def test_votes_of_one_scene_do_not_count_in_the_next() -> None:
    game = Game()
    assert game.see(1, reading(die(300, 300, 4, confidence=0.8))) is None
    assert game.see(2, reading(die(300, 300, 4, confidence=0.8))) is None


def test_a_contradiction_is_never_guessed_away() -> None:
    votes = [reading(die(300, 300, value, confidence=0.9)) for value in (4, 4, 5)]
    together = vote(votes, 0.97)
    assert together.dice == ()
    assert [u.reason for u in together.unsure] == ["the pictures disagree"]
    votes.append(reading(die(300, 300, 4, confidence=0.9)))
    assert [d.value for d in vote(votes, 0.97).dice] == [4]


@pytest.mark.parametrize(("values", "likely"), [((4, 4, 4), 0.75), ((4, 4, 5), None)])
def test_an_undecided_place_keeps_the_middle_one_of_its_guesses(
    values: Sequence[int], likely: float | None
) -> None:
    guesses = [die(300, 300, value, confidence=0.7 + 0.05 * n) for n, value in enumerate(values)]
    votes = [
        replace(reading(), unsure=(UnsureDie(center_px=(300, 300), reason="faint", likely=guess),))
        for guess in guesses
    ]
    (one,) = vote(votes, 0.97).unsure
    assert (one.likely and one.likely.confidence) == likely
    (one,) = vote([*votes, reading(unsure=[(300, 300)])], 0.97).unsure
    assert one.likely is None, "one picture said nothing"


def test_a_die_read_in_one_picture_only_of_five_is_no_die() -> None:
    votes = [reading(die(300, 300, 4)) for _ in range(4)] + [reading(die(300, 300, 4), die(800, 800, 1))]
    assert [d.value for d in vote(votes, 0.97).dice] == [4]


def test_a_die_once_unsure_and_once_read_lies_where_it_lay() -> None:
    before = reading(die(300, 300, 4), die(600, 500, 1))
    assert compare_readings(before, reading(die(300, 300, 4), unsure=[(601, 501)])) == "same"
    assert compare_readings(before, reading(die(300, 300, 4), unsure=[(900, 200)])) == "other"
    assert (
        compare_readings(reading(die(300, 300, 4), unsure=[(600, 500)]), reading(die(300, 300, 4))) == "taken"
    )


@given(
    st.lists(
        st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(1, 6), st.floats(0, 89)),
        max_size=8,
        unique_by=lambda one: one[:2],
    )
)
def test_a_reading_is_the_same_as_itself_and_never_more_than_taken_when_dice_go(
    places: list[tuple[int, int, int, float]],
) -> None:
    whole = reading(*(die(60 + 110 * x, 60 + 90 * y, value, turn) for x, y, value, turn in places))
    assert compare_readings(whole, whole) == "same"
    for i in range(len(places)):
        assert compare_readings(whole, reading(*whole.dice[:i], *whole.dice[i + 1 :])) == "taken"


def test_wrong_settings_die_at_birth() -> None:
    for wrong in ({"votes": 0}, {"sure": 0.0}, {"sure": 1.5}):
        with pytest.raises(ValueError, match=r"votes|sure"):
            ThrowSettings(**wrong)
    with pytest.raises(ValueError, match="nothing was read"):
        vote([], 0.9)
