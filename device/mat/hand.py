"""The simulated players' hand on the mat: what a choice on the console means where dice can be carried.

On a real table people move dice and cards, and the camera sees them. On the simulated one a choice on the
page moves the simulated hand, so that there too the rulebook hears of it through the pictures alone.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from device.mat.books import BOOKS, first_pocket
from device.match import Match
from device.parts import World
from engine.dice import Die, DieKind
from engine.events import Draw, GameEvent, Play, Pocket
from engine.game import Wanted
from engine.zonk.cards import Card, card_named
from vision.places import Layout


@runtime_checkable
class HandOnMat(Protocol):
    """The simulated table, where a mat can lie on it."""

    def spread(self, layout: Layout | None) -> None:
        """Lay this mat on the table, or take it away."""
        ...

    def carry(self, dice: Sequence[Die], label: str) -> None:
        """Carry dice that lie free to a place; raises ValueError, in a sentence, where they do not lie."""
        ...

    def lay_also(self, kind: DieKind, count: int) -> None:
        """Have dice of another kind thrown with the others."""
        ...

    def turn(self, die: Die, value: int) -> None:
        """Turn a free die to another face."""
        ...

    def bring(self, die: Die) -> None:
        """Set down one more die that shows this."""
        ...

    def take_up(self, die: Die) -> None:
        """Throw only this free die next time, and leave the others."""
        ...

    def lay_card(self, card: str, label: str) -> None:
        """Lay a card, by its word, face up in a place."""
        ...


def spread(world: object, layout: Layout | None) -> None:
    """Lay the mat of the game on the simulated table, if that is where it is played."""
    if isinstance(world, HandOnMat):
        world.spread(layout)


def lay(world: World, wanted: Wanted, count: int) -> None:
    """Have so many dice in the simulated hand, and those of further kinds where a mat lies."""
    world.lay(wanted.kind, count)
    if isinstance(world, HandOnMat):
        for more in wanted.more:
            world.lay_also(more.kind, more.count or 0)


def by_hand(world: object, layout: Layout | None, match: Match, choice: int, words: str) -> bool:
    """Let the simulated hand carry out a choice; False where it cannot, and the choice is just taken."""
    choices = match.view.choices
    if layout is None or not isinstance(world, HandOnMat) or not 0 <= choice < len(choices):
        return False
    return choices[choice].words == words and _carried_out(world, layout, match, choices[choice].event)


def _carried_out(world: HandOnMat, layout: Layout, match: Match, event: GameEvent) -> bool:
    try:
        match event:
            case Pocket(combos=combos):
                return _set_aside(world, layout, match, [die for combo in combos for die in combo])
            case Draw(card=name) if (card := card_named(name)) and (places := layout.of("cards")):
                world.lay_card(card, places[0].label)
                return True
            case Play(card=name) if card := card_named(name):
                return _play(world, layout, match, card, event)
            case _:
                return False
    except ValueError:
        return False


def _play(world: HandOnMat, layout: Layout, match: Match, card: Card, play: Play) -> bool:
    """Lay an item down where the camera understands it. Where it works on a die, the hand turns or takes that
    die, and the choice itself tells the rulebook."""
    places, number = layout.of("cards"), play.pocket - first_pocket(match.played)
    pocket = next((place for place in layout.of("pocket") if place.number == number), None)
    if card == "money" and pocket:
        world.lay_card(card, pocket.label)
        return True
    die = play.die
    if die is None or not isinstance(die.value, int):
        return False
    match card:
        case "tonic" if pocket and places:
            world.lay_card(card, places[0].label)
            world.carry([die], pocket.label)
            return True
        case "swap":
            world.turn(die, (5 if die.kind == "d4" else 7) - die.value)
        case "rift":
            world.turn(die, die.value // 2)
            world.bring(Die("pip", die.value // 2))
        case "fate":
            world.take_up(die)
        case _:
            pass
    return False


def _set_aside(world: HandOnMat, layout: Layout, match: Match, dice: list[Die]) -> bool:
    book = BOOKS.get(match.rulebook.name)
    expected = book and book.expected(match.start, match.played)
    if not expected or Counter(dice) - expected.free:
        return False
    places = (*layout.of("pocket"), *layout.of("aside"))
    place = next((one for one in places if (one.number or 1) == expected.current), None)
    if place is None:
        return False
    world.carry(dice, place.label)
    return True
