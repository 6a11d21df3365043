"""ZONK, looked for by chance: choices keep their word, casts without words are pocketings, no die is lost."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dice import FACES, Die
from engine.events import GameEvent, Pocket, Rolled
from engine.refusal import Refused
from engine.zonk import ZonkPosition, ZonkRulebook
from engine.zonk.state import kinds_of
from tests.engine.legal import legal_event

STARTS = st.builds(
    lambda copies, swap, pairs, seats: ZonkRulebook().start(
        ("Ann", "Bob", "Cat")[:seats], {"copies": copies, "swap": swap, "pairs": pairs}
    ),
    st.sampled_from(["1", "2", "4"]),
    st.sampled_from(["d6", "all"]),
    st.sampled_from(["any", "different"]),
    st.integers(1, 3),
)
CHANCE = st.integers(0, 2**32).map(Random)


def of_kinds(d6: int, d4: int, chance: Random) -> Rolled:
    """A cast of so many dice."""
    return Rolled(
        dice=(
            *(Die("pip", chance.choice(FACES["pip"])) for _ in range(d6)),
            *(Die("d4", chance.choice(FACES["d4"])) for _ in range(d4)),
        )
    )


def without_words(position: ZonkPosition, chance: Random) -> tuple[Pocket, Rolled] | None:
    """Some dice cast on without a word, and the pocketing that it stands for."""
    lying = kinds_of(position.cast) or (0, 0)
    seen = set()
    found = []
    for each in position.gains:
        taken = kinds_of(each.dice) or (0, 0)
        left = (lying[0] - taken[0], lying[1] - taken[1])
        if any(left) and taken not in seen:
            found.append((Pocket(combos=each.combos), of_kinds(*left, chance)))
        seen.add(taken)
    return chance.choice(found) if found else None


def steps(start: ZonkPosition, chance: Random) -> list[tuple[ZonkPosition, GameEvent, ZonkPosition]]:
    """A whole game, mostly with words, at times without."""
    told = []
    position = start
    while position.phase != "ended":
        event = legal_event(position.view(), chance)
        silent = without_words(position, chance) if position.phase == "pocket" else None
        if silent and chance.random() < 0.3:
            event = silent[1]
        after = position.after(event)
        told.append((position, event, after))
        position = after
    return told


@pytest.mark.long
@given(start=STARTS, chance=CHANCE)
def test_every_choice_keeps_its_word(start: ZonkPosition, chance: Random) -> None:
    for position, _, _ in steps(start, chance):
        for choice in position.view().choices:
            after = position.after(choice.event)
            if choice.points is not None:
                assert after.running - position.running == choice.points


@given(start=STARTS, chance=CHANCE)
def test_rule_4c_a_cast_without_words_is_the_pocketing_and_the_cast(
    start: ZonkPosition, chance: Random
) -> None:
    for position, _, _ in steps(start, chance):
        silent = without_words(position, chance) if position.phase in {"pocket", "choose"} else None
        if silent is None:
            continue
        pocketing, cast = silent
        again = position.lone and position.phase == "pocket"
        assert again or position.after(cast) == position.after(pocketing).after(cast)


@given(start=STARTS, chance=CHANCE)
def test_no_die_is_lost_and_none_scores_that_does_not_lie_there(start: ZonkPosition, chance: Random) -> None:
    """All dice of the player are in the cast, in the hand of Dictate Fate, or pocketed since the hot cast."""
    before_hot = 0
    for position, event, after in steps(start, chance):
        if not after.slots:
            before_hot = 0
            continue
        if isinstance(event, Rolled) and not position.fated and len(event.dice) == sum(after.dice):
            before_hot = sum(len(slot.values) for slot in after.slots)
        pocketed = sum(len(slot.values) for slot in after.slots) - before_hot
        more = after.hot_dice - after.seat.hot
        assert pocketed + len(after.cast) + bool(after.fated) == sum(after.dice) - more
        if isinstance(event, Pocket):
            taken = Counter(die for combo in event.combos for die in combo)
            assert Counter(position.cast) - taken == Counter(after.cast)


@given(start=STARTS, chance=CHANCE, dice=st.lists(st.sampled_from(FACES["pip"]), min_size=1, max_size=9))
def test_what_lies_there_is_all_that_can_be_pocketed(
    start: ZonkPosition, chance: Random, dice: list[int]
) -> None:
    told = Pocket(combos=(tuple(Die("pip", face) for face in dice),))
    for position, _, _ in steps(start, chance):
        try:
            after = position.after(told)
        except Refused:
            continue
        assert Counter(told.combos[0]) <= Counter(position.cast)
        assert after.running > position.running
