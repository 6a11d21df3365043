"""ZONK's cards as a drawing: each with the small tag by which the camera knows it."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from cv2 import aruco

from device.printing.codes import marker
from device.printing.shapes import SOFT, Area, Drawing, Shape, Words, box, moved, rounded
from engine.wording import phrase, phrase_later
from engine.zonk import CARDS, ITEMS, NAMES, Card
from vision.places import CARD_MM, CARD_TAGS, TAG_CENTER_MM, TAG_MM

DOES: dict[Card, str] = {
    "aura": phrase_later("One D6 more in the set of dice."),
    "potion": phrase_later("A D4 takes a D6's place and counts like one in every combo."),
    "stare": phrase_later("Two 1s of one cast score 500."),
    "chance": phrase_later("A single die that is left and cast may be cast once more."),
    "hot": phrase_later("At the first hot cast of a round one D6 more joins until the round ends."),
    "tonic": phrase_later("A die goes into an earlier pocket where all dice then make combos."),
    "swap": phrase_later("Turn a die to its opposite face: 7 less its value."),
    "fate": phrase_later("Cast one die again, alone. The rest lies still."),
    "rift": phrase_later("Turn an even die to its half; one D6 more joins showing the same."),
    "money": phrase_later("One pocket of this turn counts double."),
}
"""Reminders, shorter than the rules; rules 9a to 10e of `engine.zonk` say it all."""
GAP_MM = 4.0
PER_ROW = 3


def cards_drawings(copies: int) -> tuple[Drawing, ...]:
    """All ten cards, `copies` of each, nine to a sheet."""
    deck = [card for card in CARDS for _ in range(copies)]
    per_sheet = PER_ROW * 3
    return tuple(_sheet(deck[start : start + per_sheet]) for start in range(0, len(deck), per_sheet))


def _sheet(cards: Sequence[Card]) -> Drawing:
    width, height = CARD_MM
    shapes: list[Shape] = []
    for n, card in enumerate(cards):
        column, row = n % PER_ROW, n // PER_ROW
        at = column * (width + GAP_MM / 2), (2 - row) * (height + GAP_MM / 2)
        shapes += moved(tuple(card_shapes(card)), at)
    return Drawing(
        title=phrase("ZONK cards"),
        width_mm=PER_ROW * width + GAP_MM,
        height_mm=3 * height + GAP_MM,
        shapes=tuple(shapes),
    )


def card_shapes(card: Card) -> Iterator[Shape]:
    """One card, its lower left corner at the origin."""
    width, height = CARD_MM
    ink = "#5b3fa0" if card in ITEMS else "#0f6b5c"
    yield Area(points_mm=rounded(0, 0, width, height, 3.0), fill="#fdfcf8", stroke=SOFT)
    yield Area(points_mm=box(0, 22, width, 25), fill=ink)
    (x, y), codes = TAG_CENTER_MM, aruco.getPredefinedDictionary(aruco.DICT_4X4_50)
    yield from marker(codes, CARD_TAGS[card], (x - TAG_MM / 2, y - TAG_MM / 2), TAG_MM)
    kind = phrase("item") if card in ITEMS else phrase("modifier")
    yield Words(text=kind, at_mm=(width - 4, height - 8), size_mm=2.6, color=ink, align="right")
    for n, line in enumerate(wrap(NAMES[card], 16)):
        yield Words(text=line, at_mm=(5, 46 - 7 * n), size_mm=4.2, color=ink, bold=True)
    for n, line in enumerate(wrap(phrase(DOES[card]), 34)):
        yield Words(text=line, at_mm=(5, 15 - 5 * n), size_mm=2.4)
