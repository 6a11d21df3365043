"""What ZONK says to each event of a turn. Rule numbers are those of `engine.zonk`."""

from collections.abc import Iterable, Sequence

from engine.dice import Die
from engine.game import Ending
from engine.wording import phrase, phrase_count
from engine.words import number
from engine.zonk.cards import MODIFIERS, NAMES, Card
from engine.zonk.combos import Pocketing
from engine.zonk.state import ZonkState
from engine.zonk.words import cards_named, combos_named, faces_of, kinds_named, thousands


def row(dice: Iterable[Die]) -> str:
    """The faces as they lie: "1 4 5"."""
    return " ".join(faces_of(dice))


def cast_told(name: str, dice: tuple[Die, ...], *, hot: bool) -> str:
    """What was cast."""
    if hot:
        return phrase("Hot cast! {player} casts {dice}.", player=name, dice=row(dice))
    return phrase("{player} casts {dice}.", player=name, dice=row(dice))


def casts_told(state: ZonkState) -> str:
    """Who casts now, and how many dice."""
    return phrase("{player} casts {dice}.", player=state.players[state.active], dice=kinds_named(state.dice))


def pockets_told(name: str, pocketing: Pocketing, running: int) -> str:
    """What was pocketed by casting the others (rule 4c)."""
    return phrase(
        "{player} pockets {combos}: {points} so far.",
        player=name,
        combos=combos_named(pocketing.combos),
        points=thousands(running),
    )


def pocketed_told(state: ZonkState, pocketing: Pocketing, *, may_hot_cast: bool) -> str:
    """What was pocketed, and what may follow (rules 7, 7b, 7c)."""
    values = {
        "player": state.players[state.active],
        "combos": combos_named(pocketing.combos),
        "points": thousands(state.running),
    }
    if may_hot_cast:
        return phrase(
            "{player} pockets {combos}: {points} so far; "
            "recast the rest, make a hot cast of all dice, or cache.",
            **values,
        )
    if state.cast:
        return phrase("{player} pockets {combos}: {points} so far; recast or cache.", **values)
    return phrase(
        "{player} pockets {combos}: {points} so far; all dice are pocketed: a hot cast, or cache.", **values
    )


def cached_told(name: str, pocketing: Pocketing | None, points: int) -> str:
    """What the turn brought, and what was pocketed before (rule 7a)."""
    if pocketing is None:
        return phrase("{player} caches {points}.", player=name, points=thousands(points))
    return phrase(
        "{player} pockets {combos} and caches {points}.",
        player=name,
        combos=combos_named(pocketing.combos),
        points=thousands(points),
    )


def zonk_told(told: str, lost: int) -> str:
    """The cast or the choice that `told` is a sentence of, and that it was a zonk (rule 6)."""
    sentences = [told, phrase("ZONK!")]
    if lost:
        sentences.append(phrase("{points} points are lost.", points=thousands(lost)))
    return " ".join(sentences)


def draws_told(name: str, due: int) -> str:
    """How many cards have to be drawn (rule 8)."""
    return phrase_count(
        "{player} draws one card.",
        "{player} draws {number} cards.",
        due,
        player=name,
        number=number(due),
    )


def dealt_told(name: str, cards: Sequence[Card]) -> str:
    """Which cards the box has dealt (rule 8e)."""
    return phrase("{player} draws {cards}.", player=name, cards=cards_named(cards))


def drawn_told(name: str, card: Card) -> str:
    """Which card was drawn, and what for (rules 9, 10)."""
    if card in MODIFIERS:
        return phrase("{player} draws {card}, in force from now on.", player=name, card=NAMES[card])
    return phrase("{player} draws {card}, to be held and played once.", player=name, card=NAMES[card])


def gone_told(card: Card, copies: int) -> str:
    """Why a card cannot be drawn: each copy was (rule 8c)."""
    return phrase_count(
        "The only copy of {card} left the deck before.",
        "All {count} copies of {card} left the deck before.",
        copies,
        card=NAMES[card],
    )


def ending_banner(ending: Ending) -> str:
    """Who has won, in a word for the board."""
    if not ending.winners:
        return phrase("LOST")
    return ending.winners[0] if len(ending.winners) == 1 else phrase("SHARED")
