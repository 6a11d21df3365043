"""ZONK's cards on the mat: drawn when they are due, played on what lies beside them, else asked."""

from collections import Counter

import pytest

from device.mat.game import LaidCards, card_laid, new_cards, on_mat
from engine.dice import Die
from engine.events import Cache, Draw, Event, Play, Pocket, Rolled, Undo
from engine.game import CardsOnMat
from engine.history import History
from engine.mat import CardLaid, Verdict
from engine.refusal import AgainstTheRules
from engine.rulebooks import rulebook
from vision.places import MatReading, Placed, load_packaged
from vision.reading import Reading, SeenDie

LAYOUT = load_packaged("zonk")
SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
READING = Reading(width_px=1280, height_px=960, dice=(), unsure=(), elapsed_ms=1.0)


def pips(*faces: int) -> tuple[Die, ...]:
    return tuple(Die("pip", face) for face in faces)


def card(word: str, place: str = "cards", shift_mm: float = 0.0) -> Placed[str]:
    region = LAYOUT.named(place)
    assert region is not None
    x, y = region.center_mm
    return Placed(thing=word, at_mm=(x + shift_mm, y), region=region)


def die(value: int, place: str) -> Placed[SeenDie]:
    seen = SeenDie(
        kind="pip", value=value, confidence=1.0, color="white", center_px=(0.0, 0.0), corners_px=SQUARE
    )
    region = LAYOUT.named(place)
    assert region is not None
    return Placed(thing=seen, at_mm=region.center_mm, region=region)


def holding(*cards: str) -> list[Event]:
    """Ann's first turn, at whose end she draws these two."""
    first: list[Event] = [Rolled(dice=pips(1, 2, 3, 4, 6, 6)), Cache()]
    return [*first, *(Draw(card=name) for name in cards)]


def zonks_cards() -> CardsOnMat:
    mat = rulebook("zonk").mat
    assert mat is not None
    assert mat.cards is not None
    return mat.cards


def means(events: list[Event], laid: Placed[str], *dice: Placed[SeenDie]) -> Verdict:
    history = History(rulebook("zonk").start(("Ann",), {}))
    for event in events:
        history.take(event)
    there = on_mat(MatReading(reading=READING, dice=dice, cards=(laid,)))
    return zonks_cards().judge(history.position, history.played, card_laid(laid), there)


def test_a_card_that_is_due_is_drawn() -> None:
    turn: list[Event] = [Rolled(dice=pips(1, 2, 3, 4, 6, 6)), Cache()]
    assert means(turn, card("aura")).events == (Draw(card="Magic Aura"),)
    assert means(turn, card("fate")).events == (Draw(card="Dictate Fate"),)


def test_a_card_is_new_once() -> None:
    both = MatReading(reading=READING, cards=(card("fate"), card("aura", shift_mm=9)))
    assert [one.thing for one in new_cards(both, Counter())] == ["fate", "aura"]
    assert [one.thing for one in new_cards(both, Counter({"fate": 1}))] == ["aura"]
    copies = MatReading(reading=READING, cards=(card("fate"), card("fate", shift_mm=9)))
    assert len(new_cards(copies, Counter({"fate": 1}))) == 1


def test_a_card_is_told_with_the_pocket_in_which_it_lies() -> None:
    assert card_laid(card("money")) == CardLaid(card="money")
    assert card_laid(card("money", "pocket 2")) == CardLaid(card="money", pocket=2)


def test_cards_that_lay_there_before_mean_nothing_until_they_are_laid_down_again() -> None:
    laid = LaidCards(zonks_cards())
    there, nothing = MatReading(reading=READING, cards=(card("fate"),)), MatReading(reading=READING)
    assert laid.find_new(there) == ()
    assert laid.find_new(nothing) == ()
    assert laid.find_new(there) == there.cards
    laid.mark_handled(card("fate"))
    assert laid.find_new(there) == ()


def test_a_card_that_was_asked_about_is_told_once_it_is_not_held_any_more() -> None:
    history = History(rulebook("zonk").start(("Ann",), {}))
    for event in [*holding("Dictate Fate", "Chaos Swap"), Rolled(dice=pips(1, 2, 3, 4, 6, 6))]:
        history.take(event)
    laid, there = LaidCards(zonks_cards()), MatReading(reading=READING, cards=(card("fate"),))
    laid.find_new(MatReading(reading=READING))
    laid.find_new(there)
    assert not laid.take_answer(card("fate"), history.position)
    laid.mark_asked(card("fate"))
    assert not laid.take_answer(card("fate"), history.position)
    history.take(Play(card="Dictate Fate", die=Die("pip", 3)))
    assert laid.find_new(there) == there.cards
    assert laid.take_answer(card("fate"), history.position)
    assert laid.find_new(there) == ()


def test_cards_outside_the_places_are_only_lying_about() -> None:
    assert new_cards(MatReading(reading=READING, cards=(card("fate", "cast"),)), Counter()) == ()


def test_an_item_is_played_on_the_die_beside_it() -> None:
    turn = [*holding("Dictate Fate", "Chaos Swap"), Rolled(dice=pips(1, 2, 3, 4, 6, 6))]
    found = means(turn, card("fate"), die(3, "cards"))
    assert found.events == (Play(card="Dictate Fate", die=Die("pip", 3)),)
    found = means(turn, card("swap"), die(6, "cards"))
    assert found.events == (Play(card="Chaos Swap", die=Die("pip", 6)),)


def test_an_item_that_could_mean_several_dice_asks() -> None:
    turn = [*holding("Dictate Fate", "Chaos Swap"), Rolled(dice=pips(1, 2, 3, 4, 6, 6))]
    found = means(turn, card("fate"))
    assert found.events == ()
    assert found.waits == "Which die? Set it beside Dictate Fate on the card place, or choose on the console."


def test_an_item_that_can_mean_one_thing_is_played() -> None:
    turn = [*holding("Dimensional Rift", "Chaos Swap"), Rolled(dice=pips(1, 1, 3, 5, 5, 6))]
    assert means(turn, card("rift")).events == (Play(card="Dimensional Rift", die=Die("pip", 6)),)


def test_the_doubling_card_is_played_on_the_pocket_in_which_it_lies() -> None:
    turn = [
        *holding("Shadow Wizard's Money", "Chaos Swap"),
        Rolled(dice=pips(1, 2, 3, 4, 6, 6)),
        Pocket(combos=(pips(1),)),
        Rolled(dice=pips(5, 2, 3, 4, 6)),
        Pocket(combos=(pips(5),)),
    ]
    assert means(turn, card("money")).waits.startswith("Which pocket?")
    assert means(turn, card("money", "pocket 1")).events == (Play(card="Shadow Wizard's Money", pocket=1),)
    assert means(turn, card("money", "pocket 2")).events == (Play(card="Shadow Wizard's Money", pocket=2),)


def test_a_tonic_is_played_by_the_die_that_went_into_an_earlier_pocket() -> None:
    turn = [
        *holding("Time Warp Tonic", "Chaos Swap"),
        Rolled(dice=pips(4, 4, 4, 2, 3, 6)),
        Pocket(combos=(pips(4, 4, 4),)),
        Rolled(dice=pips(4, 1, 5)),
    ]
    pocketed = [die(4, "pocket 1")] * 3
    assert means(turn, card("tonic"), *pocketed).waits.startswith(
        "Which die? Move it into the earlier pocket"
    )
    found = means(turn, card("tonic"), *pocketed, die(4, "pocket 1"))
    assert found.events == (Play(card="Time Warp Tonic", die=Die("pip", 4), pocket=1),)


def test_what_nobody_holds_is_left_to_the_rulebook_to_refuse() -> None:
    turn: list[Event] = [Rolled(dice=pips(1, 2, 3, 4, 6, 6))]
    history = History(rulebook("zonk").start(("Ann",), {}))
    history.take(turn[0])
    for word, said in (
        ("fate", "Ann holds no item"),
        ("money", "Ann holds no item"),
        ("aura", "at the end of"),
    ):
        (event,) = means(turn, card(word)).events
        assert not isinstance(event, Undo)
        with pytest.raises(AgainstTheRules, match=said):
            history.take(event)
