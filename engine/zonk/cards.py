"""ZONK's ten cards, and the deck that the box shuffles. Rule numbers are those of `engine.zonk`."""

from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from typing import Literal

Card = Literal["aura", "potion", "stare", "chance", "hot", "tonic", "swap", "fate", "rift", "money"]

NAMES: dict[Card, str] = {
    "aura": "Magic Aura",
    "potion": "Potion of Shrinking",
    "stare": "Serpent's Stare",
    "chance": "Final Chance",
    "hot": "Hot Hot Hot!",
    "tonic": "Time Warp Tonic",
    "swap": "Chaos Swap",
    "fate": "Dictate Fate",
    "rift": "Dimensional Rift",
    "money": "Shadow Wizard's Money",
}
"""The names as they are printed, by the word that stands in position lines."""
CARDS: tuple[Card, ...] = tuple(NAMES)
MODIFIERS: tuple[Card, ...] = CARDS[:5]
"""They apply at once and for the rest of the run (rule 9)."""
ITEMS: tuple[Card, ...] = CARDS[5:]
"""They are held and played once (rule 10)."""


def _letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


_KNOWN: dict[str, Card] = {_letters(text): card for card, name in NAMES.items() for text in (card, name)}


def card_named(text: str) -> Card | None:
    """The card of that name or word, whatever its capitals and signs; None where there is none."""
    return _KNOWN.get(_letters(text))


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards as the list above has them."""
    return tuple(sorted(cards, key=CARDS.index))


@lru_cache(maxsize=64)
def shuffle(seed: str, copies: int) -> tuple[Card, ...]:
    """The deck from its top by rule 8e."""
    deck = [(card, number) for card in CARDS for number in range(1, copies + 1)]
    return tuple(card for card, _ in sorted(deck, key=lambda each: _ticket(seed, *each)))


def _ticket(seed: str, card: Card, number: int) -> str:
    return sha256(f"{seed}/{card}/{number}".encode()).hexdigest()
