"""What lies as it lay: untouched dice are known again, thrown ones are not."""

from itertools import pairwise
from random import Random

import pytest

from tests.vision.watch.test_throws import EDGE, die, reading
from vision.reading import Reading, SeenDie
from vision.watch import keep_thrown

PLACES = ((200, 200, 1), (500, 300, 2), (700, 600, 5), (900, 400, 6))
FOUR = tuple(die(*place) for place in PLACES)


def moved(x_px: float, y_px: float, turn_deg: float = 10.0) -> list[SeenDie]:
    """The four, each moved by so much, now lying at that angle."""
    return [die(x + x_px, y + y_px, value, turn_deg) for x, y, value in PLACES]


def thrown(before: Reading, after: Reading) -> tuple[int, int]:
    """How many dice, and how many unread ones, did not lie there before."""
    found = keep_thrown(before, after)
    return len(found.dice), len(found.unsure)


def test_dice_that_nobody_touched_lay_there_though_readings_differ_a_little() -> None:
    again = moved(2, -1, 13)
    assert thrown(reading(*FOUR), reading(*again)) == (0, 0)
    assert thrown(reading(*FOUR), reading(*again[1:])) == (0, 0)


def test_a_die_that_was_pushed_a_little_lay_there_where_no_other_is_new() -> None:
    assert thrown(reading(*FOUR), reading(die(200, 225, 1), *FOUR[1:])) == (0, 0)


def test_beside_thrown_dice_only_those_lay_there_that_nobody_touched() -> None:
    after = reading(die(300, 700, 3), die(700, 200, 2), die(205, 200, 1), die(900, 425, 6))
    found = keep_thrown(reading(*FOUR), after)
    assert [one.value for one in found.dice] == [3, 2, 6]


def test_an_unread_die_is_known_by_its_place_read_or_not() -> None:
    before = reading(*FOUR[:3], unsure=[(900, 400)])
    new = die(300, 700, 3)
    assert thrown(before, reading(new, unsure=[(905, 405)])) == (1, 0)
    assert thrown(before, reading(new, die(905, 405, 4))) == (1, 0)
    assert thrown(before, reading(new, unsure=[(1000, 405)])) == (1, 1)


@pytest.mark.long
@pytest.mark.parametrize("count", [1, 2, 4, 6])
def test_thrown_dice_are_hardly_ever_taken_for_old_ones(count: int) -> None:
    """On a table of 18 x 14 edges; each throw in which a die seems old costs a press, so few may."""
    rng = Random(3)

    def throw() -> Reading:
        return reading(
            *(
                die(
                    rng.uniform(1, 19) * EDGE,
                    rng.uniform(1, 15) * EDGE,
                    rng.randint(1, 6),
                    rng.uniform(0, 90),
                )
                for _ in range(count)
            )
        )

    throws = [throw() for _ in range(3000)]
    doubted = sum(len(keep_thrown(before, after).dice) < count for before, after in pairwise(throws))
    assert doubted < 0.005 * len(throws)
