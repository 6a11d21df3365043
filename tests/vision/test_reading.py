"""The dice as they go to the page and to `callbox read --json`."""

import msgspec
import pytest

from engine.dice import Die
from vision.reading import SeenDie, UnsureDie, tell_unsure

DIE = SeenDie(
    kind="zoinx",
    value="dot",
    confidence=0.97,
    color="ivory",
    center_px=(12.5, 8.0),
    corners_px=((10.0, 6.0), (15.0, 6.0), (15.0, 10.0), (10.0, 10.0)),
)
UNSURE = UnsureDie(center_px=(1.0, 2.25), reason="half hidden")
SMALL = UnsureDie(center_px=(1.0, 2.25), reason="too small in the picture", edge_px=11.6, needed_px=25.0)


def test_on_the_wire_a_die_is_what_it_always_was() -> None:
    assert msgspec.json.encode(DIE) == (
        b'{"kind":"zoinx","value":"dot","confidence":0.97,"color":"ivory","center":[12.5,8.0],'
        b'"corners":[[10.0,6.0],[15.0,6.0],[15.0,10.0],[10.0,10.0]]}'
    )
    assert msgspec.json.encode(UNSURE) == b'{"center":[1.0,2.25],"reason":"half hidden"}'


def test_a_die_that_is_too_small_says_how_small_and_how_large_it_should_be() -> None:
    assert UNSURE.words() == "half hidden"
    assert SMALL.words() == "too small: 12 px, 25 needed"
    assert [one.reason for one in tell_unsure([UNSURE, SMALL])] == [UNSURE.words(), SMALL.words()]
    assert msgspec.json.encode(SMALL) == (
        b'{"center":[1.0,2.25],"reason":"too small in the picture","edge":11.6,"needed":25.0}'
    )


def test_a_read_die_is_the_rulebooks_die() -> None:
    assert DIE.die == Die("zoinx", "dot")


@pytest.mark.parametrize("one", [DIE, UNSURE])
def test_a_die_moves_with_all_its_points(one: SeenDie | UnsureDie) -> None:
    there = one.moved(lambda point: (point[0] + 100, point[1] - 1))
    assert there.center_px == (one.center_px[0] + 100, one.center_px[1] - 1)
    assert there.moved(lambda point: (point[0] - 100, point[1] + 1)) == one
