"""What a mat means in ZONK: where dice should lie, and what a card means that is laid down.

Rule numbers are those of `engine.zonk`.
- Dice of one cast lie in that cast's pocket (rule 4b). Pocket 1 is that of the turn's last cast of all dice:
  a hot cast begins anew (rule 7b).
- While cards are due (rules 8, 8d), a card that is laid down was drawn. Otherwise a held item is played
  (rule 10): on the die that lies beside it, on the pocket in which it lies (rule 10e), on the die that was
  moved into an earlier pocket (rule 10a), or where it can only mean one thing. What is left open is asked.
"""

from collections import Counter
from collections.abc import Iterator

from engine.dice import Die
from engine.events import Draw, Play, Pocket, Rolled
from engine.game import Played, Position
from engine.mat import (
    BringDie,
    CardLaid,
    Carry,
    Dice,
    Expected,
    LayCard,
    Moves,
    OnMat,
    TakeUp,
    TurnDie,
    Verdict,
)
from engine.set_aside import SetAside, one_combo
from engine.wording import phrase
from engine.zonk.combos import face
from engine.zonk.items import opposite, playable
from engine.zonk.state import ITEMS, NAMES, Card, ZonkState, card_named, kinds_of


class Pockets(SetAside):
    """Each cast has a pocket, counted from the last cast of all dice (rules 4b, 7b)."""

    def expect(self, start: Position, played: Played) -> Expected | None:
        """Where the dice of the turn should lie; None while no cast lies there."""
        now = _zonk(played[-1][1] if played else start)
        if not now.slots or now.fated:
            return None
        first = first_slot(played)
        aside = {
            number: Counter(slot.values)
            for number, slot in enumerate(now.slots[first:], start=1)
            if slot.values
        }
        current = len(now.slots) - first
        wrong = phrase("This is cast {cast}: its dice go into pocket {cast} (rule 4b).", cast=current)
        return Expected(free=Counter(now.cast), aside=aside, current=current, wrong=wrong, first=first)

    def pocketing(self, position: Position, dice: Dice) -> Pocket:
        """The pocketing of just these dice (rule 4); where it is none, all of them as one combo, to be
        refused (rule 4a)."""
        for each in _zonk(position).pocketings:
            if Counter(each.dice) == dice:
                return Pocket(combos=each.combos)
        return one_combo(dice)

    def lie_still(self, position: Position) -> Dice:
        """With Dictate Fate one die is cast again alone, and the rest of the cast lies still (rule 10c)."""
        state = _zonk(position)
        return Counter(state.cast) if state.fated else Counter()


class Cards:
    """Cards are drawn and played by laying them down."""

    def judge(self, position: Position, played: Played, laid: CardLaid, there: OnMat) -> Verdict:
        """The event of a new card; where it is against the rules the rulebook will say so.

        Raises `ValueError` for a word that is no card's.
        """
        state, card = _zonk(position), card_named(laid.card)
        if card is None:
            raise ValueError(
                phrase("a card is {cards}; got {card}", cards=", ".join(NAMES), card=repr(laid.card))
            )
        name = NAMES[card]
        if state.phase == "draw" or card not in ITEMS:
            return Verdict(events=(Draw(card=name),))
        plays = tuple(play for play, _ in playable(state, (card,)))
        plays = _narrowed(state, plays, first_slot(played), laid, there)
        if len(plays) == 1:
            return Verdict(events=plays)
        if not plays or state.phase not in {"pocket", "choose", "rescue"}:
            # The rulebook has the reason why not, if it is told of something to play it on.
            die = next(iter((*_beside(there), *state.cast)), None)
            return Verdict(events=(Play(card=name, die=None if card == "money" else die),))
        return Verdict(waits=_question(card))

    def holds(self, position: Position, card: str) -> bool:
        """Whether the active player holds that item and has not played it yet (rule 10)."""
        return card_named(card) in _zonk(position).seat.items

    def name(self, card: str) -> str:
        """Its name as it is printed."""
        known = card_named(card)
        return NAMES[known] if known else card

    def play(self, event: Draw | Play) -> Moves:
        """How hands draw or play a card.

        Where it works on a die, hands turn or take that die, and the event has to be told.
        """
        card = card_named(event.card)
        if card is None:
            return Moves()
        if isinstance(event, Draw):
            return Moves(moves=(LayCard(card=card),), tells=True)
        if card == "money":
            return Moves(moves=(LayCard(card=card, pocket=event.pocket),), tells=True)
        return _on_die(card, event.die, event.pocket) if event.die else Moves()


def first_slot(played: Played) -> int:
    """The slot, from 0, whose dice lie in pocket 1: that of the turn's last cast of all dice (rule 7b)."""
    for event, after in reversed(played):
        state = _zonk(after)
        everything = kinds_of(event.dice) == state.dice if isinstance(event, Rolled) else False
        if everything and (state.agreed.aura == "set" or _empty_before(played, after)):
            return max(0, len(state.slots) - 1)
    return 0


def _empty_before(played: Played, after: Position) -> bool:
    """Whether nothing lay there before: with `aura=cast` a recast may have as many dice as all."""
    place = next(place for place, (_, position) in enumerate(played) if position is after)
    return not place or not _zonk(played[place - 1][1]).cast


def _on_die(card: Card, die: Die, pocket: int) -> Moves:
    """What hands do with the die on which an item is played (rules 10a to 10d)."""
    if pocket and card != "tonic":
        return Moves()  # a die that is pocketed: said on the console
    match card:
        case "tonic":
            return Moves(moves=(LayCard(card=card), Carry(dice=(die,), pocket=pocket)), tells=True)
        case "swap":
            return Moves(moves=(TurnDie(die=die, value=opposite(die)),))
        case "rift":
            half = face(die) // 2
            return Moves(moves=(TurnDie(die=die, value=half), BringDie(die=Die("pip", half))))
        case "fate":
            return Moves(moves=(TakeUp(die=die),))
        case _:
            return Moves()


def _question(card: Card) -> str:
    """What has to be said or done before the item is played."""
    name = NAMES[card]
    match card:
        case "money":
            return phrase("Which pocket? Lay {card} on it, or choose on the console.", card=name)
        case "tonic":
            return phrase(
                "Which die? Move it into the earlier pocket, and {card} is played; or choose on the console.",
                card=name,
            )
        case _:
            return phrase(
                "Which die? Set it beside {card} on the card place, or choose on the console.", card=name
            )


def _narrowed(
    state: ZonkState, plays: tuple[Play, ...], first: int, laid: CardLaid, there: OnMat
) -> tuple[Play, ...]:
    """The plays that fit what lies where; `first` is the slot, from 0, whose dice lie in pocket 1."""
    if laid.pocket:
        plays = tuple(play for play in plays if play.pocket == first + laid.pocket)
    if beside := _beside(there):
        plays = tuple(play for play in plays if play.die in beside)
    elif any(play.die and play.pocket for play in plays):
        moved = {(first + number, die) for number, die in _moved(state, first, there)}
        plays = tuple(play for play in plays if (play.pocket, play.die) in moved) or plays
    return plays


def _beside(there: OnMat) -> tuple[Die, ...]:
    """The dice of ZONK on the place for cards."""
    return tuple(die for die in there.by_cards if kinds_of((die,)))


def _moved(state: ZonkState, first: int, there: OnMat) -> Iterator[tuple[int, Die]]:
    """Pocket and die of those that lie in a pocket and do not count there yet."""
    for number, slot in enumerate(state.slots[first:], start=1):
        counted = Counter(slot.values)
        for die in there.aside.get(number, Counter()).elements():
            if counted[face(die)] > 0:
                counted[face(die)] -= 1
            elif kinds_of((die,)):
                yield number, die


def _zonk(position: Position) -> ZonkState:
    """The position as ZONK's own; raises `TypeError` for another game's."""
    if not isinstance(position, ZonkState):
        raise TypeError(f"this is ZONK's mat; the position is a {type(position).__name__}")
    return position
