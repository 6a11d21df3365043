"""ZONK's cards, read from the mat: a card laid on the card place is drawn, or played.

While cards are due, a new card is drawn. During a turn, a held item that is laid down is played: on the die
that lies on the card place too, on the pocket in which the card lies, or where it can only mean one thing.
What is left open is asked, and may be chosen on the console.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from device.mat.books import first_pocket
from device.mat.set_aside import Played
from engine.dice import Die
from engine.events import Draw, GameEvent, Play
from engine.zonk import ZonkPosition
from engine.zonk.cards import ITEMS, NAMES, Card, card_named
from engine.zonk.combos import face
from engine.zonk.items import playable
from vision.places import MatReading, Placed
from vision.reading import SeenDie


@dataclass(frozen=True, slots=True, kw_only=True)
class CardVerdict:
    """What a new card means."""

    event: GameEvent | None = None
    asks: str = ""
    """What must be said or done first; empty when the event is to be taken."""


def new_cards(placed: MatReading, told: Counter[str]) -> tuple[Placed[str], ...]:
    """The cards that were laid down since: of copies of one card, those that `told` does not count."""
    left = Counter(told)
    found = []
    for card in sorted(placed.cards, key=lambda one: one.at_mm):
        if card.region is None or card.region.kind not in {"cards", "pocket"}:
            continue
        if left[card.thing] > 0:
            left[card.thing] -= 1
        else:
            found.append(card)
    return tuple(found)


def card_means(position: ZonkPosition, played: Played, laid: Placed[str], placed: MatReading) -> CardVerdict:
    """The event of a card that was laid down; where it is against the rules the rulebook will say so."""
    card = card_named(laid.thing)
    assert card is not None  # noqa: S101 - every tag is a card of the game, which a test checks
    name = NAMES[card]
    if position.phase == "draw" or card not in ITEMS:
        return CardVerdict(event=Draw(card=name))
    ways = tuple(play for play, _ in playable(position, (card,)))
    ways = _narrowed(position, ways, first_pocket(played), placed, laid)
    if len(ways) == 1:
        return CardVerdict(event=ways[0])
    if not ways or position.phase not in {"pocket", "choose", "rescue"}:
        # The rulebook has the reason why not, if it is told of something to play it on.
        die = next(iter((*_dice_beside(placed), *position.cast)), None)
        return CardVerdict(event=Play(card=name, die=None if card == "money" else die))
    return CardVerdict(asks=_question(card))


def _question(card: Card) -> str:
    name = NAMES[card]
    match card:
        case "money":
            return f"Which pocket? Lay {name} on it, or choose on the console."
        case "tonic":
            return (
                f"Which die? Move it into the earlier pocket, and {name} is played; or choose on the console."
            )
        case _:
            return f"Which die? Set it beside {name} on the card place, or choose on the console."


def _narrowed(
    position: ZonkPosition, ways: tuple[Play, ...], first: int, placed: MatReading, laid: Placed[str]
) -> tuple[Play, ...]:
    """The plays that fit what lies where; `first` is the slot, from 0, whose dice lie in pocket 1."""
    if laid.region and laid.region.kind == "pocket":
        ways = tuple(way for way in ways if way.pocket == first + laid.region.number)
    if beside := _dice_beside(placed):
        ways = tuple(way for way in ways if way.die in beside)
    elif any(way.die and way.pocket for way in ways):
        moved = {(first + number, die) for number, die in _moved(position, first, placed)}
        ways = tuple(way for way in ways if (way.pocket, way.die) in moved) or ways
    return ways


def _dice_beside(placed: MatReading) -> tuple[Die, ...]:
    """Dice on the card place."""
    return tuple(die for one in placed.lie_in("cards") if (die := _die(one)))


def _moved(position: ZonkPosition, first: int, placed: MatReading) -> Iterator[tuple[int, Die]]:
    """Pocket and die of those that lie in a pocket and do not count there yet."""
    counted = {number: Counter(slot.values) for number, slot in enumerate(position.slots[first:], start=1)}
    for one in placed.lie_in("pocket"):
        die, number = _die(one), one.region.number if one.region else 0
        if die is None or number not in counted:
            continue
        if counted[number][face(die)] > 0:
            counted[number][face(die)] -= 1
        else:
            yield number, die


def _die(one: Placed[SeenDie]) -> Die | None:
    """The die as the engine knows it; None for one that ZONK is not played with."""
    return one.thing.die if one.thing.kind in {"pip", "d4"} else None
