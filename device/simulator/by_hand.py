"""A choice told by hand: dice are carried on the mat and cards laid down, so that the camera sees it."""

from collections.abc import Sequence

from device.simulator.table import SimulatedTable
from device.snapshot import PlaceShown
from engine.dice import Die
from engine.events import Draw, Event, Play, Pocket
from engine.zonk.cards import Card, card_named


def carry_out(table: SimulatedTable, places: Sequence[PlaceShown], event: Event) -> bool:
    """Move dice and cards as the event says; whether the pictures will tell of it.

    Raises `ValueError`, in a sentence, where the dice do not lie so.
    """
    match event:
        case Pocket(combos=combos):
            return _set_aside(table, places, [die for combo in combos for die in combo])
        case Draw(card=name) if (card := card_named(name)) and (place := _card_place(places)):
            table.lay_card(card, place.label)
            return True
        case Play(card=name) if card := card_named(name):
            return _play(table, places, card, event)
        case _:
            return False


def _set_aside(table: SimulatedTable, places: Sequence[PlaceShown], dice: Sequence[Die]) -> bool:
    place = next((each for each in places if each.due), None)
    if place is None:
        return False
    table.carry(dice, place.label)
    return True


def _play(table: SimulatedTable, places: Sequence[PlaceShown], card: Card, play: Play) -> bool:
    """Lay an item down where the camera understands it. Where it works on a die, the hand turns or takes that
    die, and the choice itself tells the rulebook."""
    cards = _card_place(places)
    pocket = next((each for each in places if play.pocket and each.pocket == play.pocket), None)
    if card == "money" and pocket:
        table.lay_card(card, pocket.label)
        return True
    die = play.die
    if die is None or not isinstance(die.value, int):
        return False
    match card:
        case "tonic" if pocket and cards:
            table.lay_card(card, cards.label)
            table.carry([die], pocket.label)
            return True
        case "swap":
            table.turn(die, (5 if die.kind == "d4" else 7) - die.value)
        case "rift":
            table.turn(die, die.value // 2)
            table.bring(Die("pip", die.value // 2))
        case "fate":
            table.take_up(die)
        case _:
            pass
    return False


def _card_place(places: Sequence[PlaceShown]) -> PlaceShown | None:
    return next((each for each in places if each.kind == "cards"), None)
