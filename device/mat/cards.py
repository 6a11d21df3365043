"""Cards laid down on the mat, from one arrangement to the next: which are new, and which have been told.

What a card means is the rulebook's to say (`engine.game.CardsOnMat`). A card that lies there when the game
begins was there before, and means nothing. One about which the rulebook had to ask is asked about once: when
it is not held any more, the question was answered on the console.
"""

from collections import Counter

from engine.game import CardsOnMat, Position
from engine.mat import CardLaid
from vision.places import MatReading, Placed

CARD_PLACES = frozenset({"cards", "pocket"})
"""The kinds of places in which a card means something."""


class LaidCards:
    """Remembers the cards that lie there, for one game."""

    def __init__(self, cards: CardsOnMat) -> None:
        """Nothing was seen yet."""
        self._cards = cards
        self._told: Counter[str] | None = None
        self._asked: Counter[str] = Counter()

    def see(self, placed: MatReading) -> tuple[Placed[str], ...]:
        """The cards that were laid down since, one after the other as they lie."""
        lying = placed.cards_lying
        self._told = lying if self._told is None else self._told & lying
        self._asked &= lying
        return new_cards(placed, self._told)

    def answered(self, laid: Placed[str], position: Position) -> bool:
        """Whether a card was asked about, and the answer came on the console; then it is told."""
        if not self._asked[laid.thing] or self._cards.holds(position, laid.thing):
            return False
        self.told(laid)
        return True

    def told(self, laid: Placed[str]) -> None:
        """The match has heard of that card."""
        if self._told is not None:
            self._told[laid.thing] += 1

    def asked(self, laid: Placed[str]) -> None:
        """People were asked what that card means."""
        self._asked[laid.thing] = 1


def new_cards(placed: MatReading, told: Counter[str]) -> tuple[Placed[str], ...]:
    """The cards that were laid down since: of copies of one card, those that `told` does not count."""
    left = Counter(told)
    found = []
    for card in sorted(placed.cards, key=lambda one: one.at_mm):
        if card.region is None or card.region.kind not in CARD_PLACES:
            continue
        if left[card.thing] > 0:
            left[card.thing] -= 1
        else:
            found.append(card)
    return tuple(found)


def card_laid(card: Placed[str]) -> CardLaid:
    """A card in the rulebook's words."""
    in_pocket = card.region is not None and card.region.kind == "pocket"
    return CardLaid(card=card.thing, pocket=card.region.number if card.region and in_pocket else 0)
