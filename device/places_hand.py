"""The simulated players' hand on the mat: what a choice on the console means where dice can be carried.

On a real table people move dice and cards, and the camera sees them. On the simulated one a choice on the
page moves the simulated hand, so that there too the rulebook hears of it through the pictures alone.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from device.match import Match
from device.parts import World
from device.places_books import BOOKS
from engine.events import Die, DieKind, Draw, GameEvent, Pocket
from engine.game import Wanted
from engine.zonk.cards import card_named
from vision.places.layout import Layout


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
            case _:
                return False
    except ValueError:
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
