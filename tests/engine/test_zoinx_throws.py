"""All 1,296 throws of four Zoinx dice, two of whose six faces are dots, counted through the rulebook."""

from collections import Counter
from itertools import product
from math import comb

from engine.dice import Die, Face
from engine.events import Rolled
from tests.engine.say import Table

FACES: tuple[Face, ...] = ("dot", "dot", "square", "square", "square", "square")


def test_all_1296_throws_by_dots() -> None:
    table = Table("zoinx", "Ann Zoe")
    table.say("Ann bets 0, Zoe bets 2")
    ready = table.history.position
    counted: Counter[int] = Counter()
    for faces in product(FACES, repeat=4):
        view = ready.after(Rolled(dice=tuple(Die("zoinx", face) for face in faces))).view()
        assert (view.banner == "ZOINX") == (view.running is None)
        counted[view.running or 0] += 1
    assert counted == {dots: comb(4, dots) * 2**dots * 4 ** (4 - dots) for dots in range(5)}
    assert counted == {0: 256, 1: 512, 2: 384, 3: 128, 4: 16}
    assert counted.total() == 1296
