"""ZONK's cards by the small tags that are printed on them.

The tags are ArUco, DICT_4X4_50; copies of a card share an id. The mat's corners have 40 to 43.
"""

CARD_TAGS: dict[str, int] = {
    "aura": 0,
    "potion": 1,
    "stare": 2,
    "chance": 3,
    "hot": 4,
    "tonic": 5,
    "swap": 6,
    "fate": 7,
    "rift": 8,
    "money": 9,
}
"""Each card's tag, by the word that the rulebook has for the card."""
CARDS: dict[int, str] = {tag: card for card, tag in CARD_TAGS.items()}

CARD_MM = (63.0, 88.0)
"""A card's width and height: those that common sleeves fit."""
TAG_MM = 18.0
"""The edge of its tag's black square."""
TAG_CENTER_MM = (16.0, 72.0)
"""Where the tag's middle lies, from the card's lower left corner: at the upper left, visible when cards lie
fanned."""
