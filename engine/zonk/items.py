"""Item cards: what each does to the table when it is played. Rule numbers are those of `engine.zonk`."""

from collections.abc import Iterator
from dataclasses import replace

from engine.dice import FACES, Die, DieKind
from engine.events import Play
from engine.refusal import AgainstTheRules
from engine.wording import phrase, phrase_later
from engine.words import either, plain, together
from engine.zonk.combos import Values, face, grouped, most_points, values_of, without
from engine.zonk.state import (
    ITEMS,
    NAMES,
    Card,
    Slot,
    State,
    ZonkState,
    card_named,
    die_named,
    in_order,
    kinds_of,
    less,
    sorted_dice,
    thousands,
)

RULES: dict[Card, str] = {"tonic": "10a", "swap": "10b", "fate": "10c", "rift": "10d", "money": "10e"}
RESCUES: tuple[Card, ...] = ("tonic", "swap", "fate", "rift")
"""Items that can turn a cast without combos into another (rule 6a)."""
ON_POCKETED: tuple[Card, ...] = ("swap", "fate")
"""Items that work on pocketed dice, too, where that is agreed (rule 10)."""


def played(state: State, event: Play) -> tuple[State, str]:
    """The table after the card, and what it did; raises `AgainstTheRules`."""
    card = _held(state, event)
    if reason := _misplayed(state, card, event):
        raise AgainstTheRules(reason, RULES[card])
    spent, die = _spend(state, card), event.die
    if die is None:
        return _money(spent, event.pocket)
    if event.pocket and card != "tonic":
        return _in_pocket(spent, card, die, event.pocket)
    rest = less(state.cast, (die,))
    if rest is None:
        raise AgainstTheRules(
            phrase("No {die} of this cast lies there unpocketed.", die=die_named(die)), "10"
        )
    match card:
        case "tonic":
            return _tonic(spent, die, rest, event.pocket)
        case "swap":
            return _swap(spent, die, rest)
        case "fate":
            told = phrase("The {die} is cast again", die=die_named(die))
            return replace(spent, cast=rest, fated=die.kind), told
        case _:
            return _rift(spent, die, rest)


def playable(state: ZonkState, cards: tuple[Card, ...] = ITEMS) -> Iterator[tuple[Play, str]]:
    """Every play of a held card among `cards` that the rules allow now, with what it would do."""
    if not state.slots or state.fated or state.items_too_late:
        return
    for card in dict.fromkeys(card for card in state.seat.items if card in cards):
        for play in _plays(state, card):
            try:
                _, told = played(state, play)
            except AgainstTheRules:
                continue
            yield play, told


def opposite(die: Die) -> int:
    """The face to which Chaos Swap turns a die (rule 10b)."""
    return (5 if die.kind == "d4" else 7) - face(die)


def rescues(state: ZonkState) -> bool:
    """Whether a cast without combos waits for an item (rule 6a)."""
    plays = playable(state, RESCUES)
    return state.agreed.zonk == "waits" and any(_changes_cast(play) for play, _ in plays)


def _changes_cast(play: Play) -> bool:
    """Whether it works on a die of the cast, and not on one that is pocketed."""
    return not play.pocket or card_named(play.card) == "tonic"


def _plays(state: ZonkState, card: Card) -> Iterator[Play]:
    """The ways to play it, allowed or not."""
    pockets = range(1, len(state.slots) + 1)
    if card == "money":
        yield from (Play(card=NAMES[card], pocket=pocket) for pocket in pockets)
        return
    for die in dict.fromkeys(state.cast):
        if card == "tonic":
            yield from (Play(card=NAMES[card], die=die, pocket=pocket) for pocket in pockets[:-1])
        else:
            yield Play(card=NAMES[card], die=die)
    if state.agreed.in_play == "all" and card in ON_POCKETED:
        for place, slot in enumerate(state.slots, start=1):
            for value in dict.fromkeys(slot.values):
                for kind in _kinds_pocketed(state):
                    if value in FACES[kind]:
                        yield Play(card=NAMES[card], die=Die(kind, value), pocket=place)


def _held(state: ZonkState, event: Play) -> Card:
    """The item that the event names, which must be in the active player's hand."""
    card = card_named(event.card)
    name = state.players[state.active]
    if card is None:
        raise AgainstTheRules(phrase("No card is called {name}.", name=plain(event.card)), "10")
    if card not in ITEMS:
        raise AgainstTheRules(
            phrase("{card} is a modifier: it is in force by itself.", card=NAMES[card]), "9"
        )
    if card not in state.seat.items:
        held = together([NAMES[item] for item in state.seat.items])
        lacks = phrase_later("{card} is not there to be played: {player} holds no item.")
        if held:
            lacks = phrase_later("{card} is not there to be played: {player} holds {items}.")
        raise AgainstTheRules(phrase(lacks, card=NAMES[card], player=name, items=held), "10")
    return card


def _misplayed(state: ZonkState, card: Card, event: Play) -> str:
    """What the event lacks or has too much, or nothing."""
    name = NAMES[card]
    if card == "money":
        return phrase("{card} is played on a pocket, not on a die.", card=name) if event.die else ""
    if event.die is None:
        return phrase("{card} is played on a die of the cast: say which.", card=name)
    pocketed = state.agreed.in_play == "all" and card in ON_POCKETED
    if event.pocket and card != "tonic" and not pocketed:
        return phrase("{card} is played on a die of the cast, not on a pocket.", card=name)
    return ""


def _spend(state: State, card: Card) -> State:
    """The card turned upside down."""
    items = list(state.seat.items)
    items.remove(card)
    seat = replace(state.seat, items=tuple(items), spent=in_order((*state.seat.spent, card)))
    return replace(state, seats=(*state.seats[: state.active], seat, *state.seats[state.active + 1 :]))


def _slot(state: ZonkState, pocket: int, last: int, rule: str) -> Slot:
    """The pocket of that number, which must have dice and be one of the first `last`."""
    if not 1 <= pocket <= last or not state.slots[pocket - 1].values:
        full = [str(place) for place, slot in enumerate(state.slots[:last], start=1) if slot.values]
        wrong = phrase_later("That needs a pocket with dice in it: this turn has none.")
        if full:
            wrong = phrase_later("That needs a pocket with dice in it: say pocket {pockets}.")
        raise AgainstTheRules(phrase(wrong, pockets=either(full)), rule)
    return state.slots[pocket - 1]


def filled(state: State, pocket: int, slot: Slot) -> State:
    """The table with that pocket, from 1, as it now is."""
    return replace(state, slots=(*state.slots[: pocket - 1], slot, *state.slots[pocket:]))


def _money(state: State, pocket: int) -> tuple[State, str]:
    slot = _slot(state, pocket, len(state.slots), "10e")
    if state.agreed.money == "now":
        doubled = replace(slot, extra=slot.extra + state.worth(slot))
    else:
        doubled = replace(slot, doubled=slot.doubled + 1)
    after = filled(state, pocket, doubled)
    worth = thousands(after.worth(after.slots[pocket - 1]))
    return after, phrase("Pocket {pocket} now counts {points}", pocket=pocket, points=worth)


def _tonic(state: State, die: Die, rest: tuple[Die, ...], pocket: int) -> tuple[State, str]:
    slot = _slot(state, pocket, len(state.slots) - 1, "10a")
    values = tuple(sorted((*slot.values, *values_of((die,)))))
    if not _joins(state, slot, values):
        others = " ".join(map(str, slot.values))
        wrong = phrase("The {die} is in no combo with {others}.", die=die_named(die), others=others)
        raise AgainstTheRules(wrong, "10a")
    after = filled(state, pocket, replace(slot, values=values))
    after = replace(after, cast=rest, scored=True, lone=False)
    told = phrase(
        "The {die} goes into pocket {pocket}, which now counts {points}",
        die=die_named(die),
        pocket=pocket,
        points=after.worth(after.slots[pocket - 1]),
    )
    return after, told


def _joins(state: ZonkState, slot: Slot, values: Values) -> bool:
    """Whether a die that comes into a pocket is in a combo there: all are, or it counts for more."""
    if grouped(values, state.rules) is not None or state.agreed.in_play == "cast":
        return grouped(values, state.rules) is not None
    return most_points(values, state.rules) > most_points(slot.values, state.rules)


def _kinds_pocketed(state: ZonkState) -> Iterator[DieKind]:
    """The kinds of which dice are pocketed; which die is which is not kept."""
    lying, everything = kinds_of(state.cast) or (0, 0), state.dice
    if everything[0] > lying[0]:
        yield "pip"
    if everything[1] > lying[1]:
        yield "d4"


def _in_pocket(state: State, card: Card, die: Die, pocket: int) -> tuple[State, str]:
    """Chaos Swap or Dictate Fate on a die that is pocketed (rule 10, `in-play=all`)."""
    slot = _slot(state, pocket, len(state.slots), RULES[card])
    left = without(slot.values, values_of((die,)))
    if left is None or die.kind not in _kinds_pocketed(state):
        raise AgainstTheRules(
            phrase("No {die} lies in pocket {pocket}.", die=die_named(die), pocket=pocket), "10"
        )
    if card == "fate":
        after = replace(
            filled(state, pocket, replace(slot, values=left)), fated=die.kind, fated_pocket=pocket
        )
        told = phrase("The {die} of pocket {pocket} is cast again", die=die_named(die), pocket=pocket)
        return after, told
    turned = _opposite_of(state, die)
    after = filled(state, pocket, replace(slot, values=tuple(sorted((*left, face(turned))))))
    told = phrase(
        "The {die} becomes {face}, and pocket {pocket} counts {points}",
        die=die_named(die),
        face=turned.value,
        pocket=pocket,
        points=after.worth(after.slots[pocket - 1]),
    )
    return after, told


def _opposite_of(state: ZonkState, die: Die) -> Die:
    """The die, turned by Chaos Swap (rule 10b)."""
    if die.kind == "d4" and state.agreed.swap != "all":
        raise AgainstTheRules(phrase("A D4 has no opposite face: turn a D6."), "10b")
    return Die(die.kind, opposite(die))


def _swap(state: State, die: Die, rest: tuple[Die, ...]) -> tuple[State, str]:
    turned = _opposite_of(state, die)
    told = phrase("The {die} becomes {face}", die=die_named(die), face=turned.value)
    return replace(state, cast=sorted_dice((*rest, turned))), told


def _rift(state: State, die: Die, rest: tuple[Die, ...]) -> tuple[State, str]:
    if face(die) % 2:
        raise AgainstTheRules(
            phrase("Only an even die can be split; this is a {die}.", die=die_named(die)), "10d"
        )
    half = face(die) // 2
    halves = (Die(die.kind, half), Die("pip", half))
    after = replace(state, cast=sorted_dice((*rest, *halves)), rifts=state.rifts + 1, lone=False)
    return after, phrase("The {die} becomes two {face}s", die=die_named(die), face=half)
