"""What a die is, and what is none."""

import pytest

from engine.dice import FACES, Die, read_die


@pytest.mark.parametrize("kind", FACES)
def test_each_kind_shows_its_faces(kind: str) -> None:
    known = next(each for each in FACES if each == kind)
    assert [read_die(kind, face).value for face in FACES[known]] == list(FACES[known])


@pytest.mark.parametrize(
    ("kind", "value", "says"),
    [
        ("pip", 7, "a pip die shows one of 1, 2, 3, 4, 5, 6; got 7"),
        ("pip", True, "got True"),
        ("pip", "6", "got '6'"),
        ("pip", None, "got None"),
        ("zoinx", 1, "a zoinx die shows one of dot, square; got 1"),
        ("coin", 1, "a die is pip, zoinx, bet, d4; got 'coin'"),
        (None, 1, "got None"),
    ],
)
def test_what_is_no_die_is_refused_in_words(kind: object, value: object, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        read_die(kind, value)


def test_wrong_dice_die_at_birth() -> None:
    with pytest.raises(ValueError, match="a bet die shows one of 0, 2, 4, 6, 8, 10; got 5"):
        Die("bet", 5)
    with pytest.raises(ValueError, match="got True"):
        Die("pip", value=True)
