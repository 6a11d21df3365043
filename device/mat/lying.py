"""What lies on the mat, in the rulebook's words: dice by the numbers of their places."""

from collections import Counter

from engine.dice import Die
from engine.mat import Dice, OnMat
from vision.places import MatReading, Placed, Region
from vision.reading import SeenDie


def on_mat(placed: MatReading) -> OnMat:
    """Dice that lie free, those set aside, and those by the cards."""
    aside: dict[int, Dice] = {}
    for one in (*placed.lie_in("pocket"), *placed.lie_in("aside")):
        if one.region:
            aside.setdefault(number_of(one.region), Counter())[die_of(one)] += 1
    return OnMat(
        free=Counter(die_of(one) for one in placed.dice if not (one.region and one.region.sets_aside)),
        aside=aside,
        by_cards=tuple(map(die_of, placed.lie_in("cards"))),
    )


def number_of(place: Region) -> int:
    """The number by which the rulebook knows a place where dice are set aside; a single one is the first."""
    return place.number or 1


def die_of(one: Placed[SeenDie]) -> Die:
    """The die without its place."""
    return one.thing.die
