"""A choice told by hand: dice are carried on the mat and cards laid down, so that the camera sees it.

What hands do for an event is the rulebook's to say (`engine.game.MatRules.act`). Here is only where that is,
by the places that the box shows.
"""

from collections.abc import Callable, Sequence
from functools import partial

from device.shown.snapshot import PlaceShown
from device.simulator.table import SimulatedTable
from engine.mat import BringDie, Carry, LayCard, Move, Moves, TakeUp, TurnDie


def carry_out(table: SimulatedTable, places: Sequence[PlaceShown], moves: Moves) -> bool:
    """Move dice and cards; whether the pictures will tell of it.

    Raises `ValueError`, in a sentence, where the dice do not lie so. Where the mat lacks a place for one of
    the moves, none is made.
    """
    found = [_act(table, places, move) for move in moves.moves]
    acts = [act for act in found if act is not None]
    if len(acts) < len(found):
        return False
    for act in acts:
        act()
    return moves.tells


def _act(table: SimulatedTable, places: Sequence[PlaceShown], move: Move) -> Callable[[], None] | None:
    """One move of the hand, to be made; None where the mat has no such place."""
    match move:
        case Carry(dice=dice, pocket=pocket):
            place = _pocket(places, pocket) if pocket else next((each for each in places if each.due), None)
            return partial(table.carry, dice, place.label) if place else None
        case LayCard(card=card, pocket=pocket):
            place = _pocket(places, pocket) if pocket else _card_place(places)
            return partial(table.lay_card, card, place.label) if place else None
        case TurnDie(die=die, value=value):
            return partial(table.turn, die, value)
        case BringDie(die=die):
            return partial(table.bring, die)
        case TakeUp(die=die):
            return partial(table.take_up, die)


def _pocket(places: Sequence[PlaceShown], pocket: int) -> PlaceShown | None:
    """The place that is that pocket of the turn now."""
    return next((each for each in places if each.pocket == pocket), None)


def _card_place(places: Sequence[PlaceShown]) -> PlaceShown | None:
    return next((each for each in places if each.kind == "cards"), None)
