"""ZONK's cards and deck, its words for dice and pockets, and its position: the facts of one moment.

Rule numbers are those of `engine.zonk`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from typing import Literal, TypeVar

from engine.dice import Die, DieKind
from engine.game import News, Wanted
from engine.wording import phrase, told_number
from engine.words import dice_of, plain_dice, together
from engine.zonk.combos import (
    Modifiers,
    PairsRule,
    Pocketing,
    Values,
    by_face,
    combo_named,
    legal_additions,
    legal_pocketings,
    most_points,
    scores,
    values_of,
)

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


SEATS = range(1, 9)
QUOTAS = (1000, 2000, 3000)
TURNS = 3
"""Turns in a round."""
RUN = TURNS * len(QUOTAS)
DICE = 6
CARDS_A_TURN = 2

QUOTA_RULES = ("round", "run")
WINNERS = ("most", "all")
PAIRS: tuple[PairsRule, ...] = ("any", "different")
SAME_CASTS = ("together", "apart")
SWAPS = ("d6", "all")
IN_PLAY = ("cast", "all")
AURAS = ("set", "cast")
HOT_CASTS = ("all", "six")
MONEYS = ("pocket", "now")
ZONKS = ("waits", "at-once")
COPIES = ("2", "1", "3", "4")
DECKS = ("hand", "box", "none")
YOUNGER = {"same-cast": "apart"}
"""Options that the first written games do not name, and what counted then."""

Phase = Literal["cast", "pocket", "rescue", "choose", "fate", "draw", "ended"]

Kinds = tuple[int, int]
"""How many D6 and how many D4."""


@dataclass(frozen=True, slots=True)
class ZonkAgreement:
    """What was agreed before the game: the options."""

    quota: str
    winner: str
    pairs: PairsRule
    same_cast: str
    swap: str
    in_play: str
    aura: str
    hot_cast: str
    money: str
    zonk: str
    copies: int
    deck: str
    seed: str


@dataclass(frozen=True, slots=True)
class Slot:
    """One cast's pocket: its faces, how often it was doubled, and what money brought it (rule 10e).

    Empty at first.
    """

    values: Values = ()
    doubled: int = 0
    extra: int = 0


@dataclass(frozen=True, slots=True)
class Seat:
    """One player's run."""

    points: tuple[int, ...] = (0,) * len(QUOTAS)
    """Cached, by round."""
    turns: int = 0
    """How many turns of the run have ended."""
    modifiers: tuple[Card, ...] = ()
    items: tuple[Card, ...] = ()
    """Held, not played yet."""
    spent: tuple[Card, ...] = ()
    hot: int = 0
    """Extra dice of this round (rule 9e)."""

    @property
    def score(self) -> int:
        """Cached in the whole run."""
        return sum(self.points)

    @property
    def cards(self) -> tuple[Card, ...]:
        """Everything drawn."""
        return self.modifiers + self.items + self.spent


@dataclass(frozen=True, slots=True, kw_only=True)
class ZonkState:
    """One moment of one game. Seats count from 0 in seating order."""

    agreed: ZonkAgreement
    players: tuple[str, ...]
    seats: tuple[Seat, ...]
    active: int = 0
    """Whose turn it is, or who draws; after the end whose turn was the last."""
    slots: tuple[Slot, ...] = ()
    """One for each cast of the turn."""
    cast: tuple[Die, ...] = ()
    """What lies there and is not pocketed, sorted."""
    scored: bool = False
    """Whether something of this cast went into a pocket."""
    fated: DieKind | None = None
    """The kind of the die that is cast again (rule 10c)."""
    fated_pocket: int = 0
    """The pocket, from 1, that it lay in and goes back into; 0 for a die of the cast."""
    lone: bool = False
    """Whether the single die may be cast a second time (rule 9d)."""
    rifts: int = 0
    """Temporary dice of this turn (rule 10d)."""
    due: int = 0
    """How many cards the active player still has to draw."""
    said: News = field(default=News(), compare=False)

    @property
    def seat(self) -> Seat:
        """The active player's run."""
        return self.seats[self.active]

    @property
    def rules(self) -> Modifiers:
        """The combos as they are for the active player."""
        return Modifiers("stare" in self.seat.modifiers, self.agreed.pairs)

    @property
    def phase(self) -> Phase:
        """What the table is doing."""
        if self.due:
            return "draw"
        if not self.slots:
            return "ended" if self.over(self.active) else "cast"
        if self.fated:
            return "fate"
        if self.scored:
            return "choose"
        return "pocket" if scores(values_of(self.cast), self.rules) else "rescue"

    @property
    def pocketings(self) -> tuple[Pocketing, ...]:
        """What of this cast may be pocketed, with the points that it adds, the best first (rules 4, 4b)."""
        slot = self.slots[-1] if self.slots else Slot()
        if not slot.values or self.agreed.same_cast == "apart":
            return legal_pocketings(self.cast, self.rules)
        found = legal_additions(slot.values, self.cast, self.rules)
        return tuple(replace(each, points=each.points << slot.doubled) for each in found)

    @property
    def gains(self) -> tuple[Pocketing, ...]:
        """Those that add points: what is pocketed without a word costs none (rules 4c, 7a)."""
        return tuple(each for each in self.pocketings if each.points > 0)

    @property
    def items_too_late(self) -> bool:
        """Whether nothing scores and items no longer help, though Final Chance may (rule 6a)."""
        return self.agreed.zonk == "at-once" and self.phase == "rescue"

    @property
    def dice(self) -> Kinds:
        """All dice: of a turn's first cast or, during it, of a hot cast (rules 3, 7b, 9a, 9b, 9e, 10d)."""
        modifiers = self.seat.modifiers
        base = DICE + modifiers.count("aura")
        d4 = min(modifiers.count("potion"), base)
        return base - d4 + self.rifts + (self.hot_dice if self.slots else self.seat.hot), d4

    @property
    def hot_dice(self) -> int:
        """The extra dice of this round once a hot cast is made (rule 9e)."""
        return self.seat.hot or self.seat.modifiers.count("hot")

    @property
    def again(self) -> Kinds:
        """The dice of a recast: those that lie there, with `aura=cast` one more for each Aura (rule 9a)."""
        d6, d4 = kinds_of(self.cast) or (0, 0)
        return d6 + (self.seat.modifiers.count("aura") if self.agreed.aura == "cast" else 0), d4

    @property
    def may_hot_cast(self) -> bool:
        """Whether all dice may be cast again though some of them are not pocketed (rule 7c)."""
        on_table = DICE + self.seat.modifiers.count("aura") + self.rifts + self.seat.hot
        enough = self.scored and bool(self.cast) and on_table - len(self.cast) >= DICE
        return self.agreed.hot_cast == "six" and enough

    @property
    def running(self) -> int:
        """The points of the turn's pockets."""
        return sum(self.worth(slot) for slot in self.slots)

    @property
    def cached(self) -> int:
        """The points of the turn once the best that lies there is pocketed (rule 7a)."""
        if not self.gains:
            return self.running
        slot = self.slots[-1]
        values = tuple(sorted((*slot.values, *values_of(self.gains[0].dice))))
        whole = replace(slot, values=values)
        return self.running - self.worth(slot) + self.worth(whole)

    def worth(self, slot: Slot) -> int:
        """The points of a pocket (rules 4b, 10, 10e)."""
        return (most_points(slot.values, self.rules) << slot.doubled) + slot.extra

    def counted(self, seat: int, rounds: int) -> int:
        """The points that count towards the quota of that round, from 0 (rule 2b)."""
        points = self.seats[seat].points
        return points[rounds] if self.agreed.quota == "round" else sum(points[: rounds + 1])

    def missed(self, seat: int) -> int | None:
        """The round, from 0, whose quota was missed at its end (rule 2c)."""
        for rounds in range(self.seats[seat].turns // TURNS):
            if self.counted(seat, rounds) < QUOTAS[rounds]:
                return rounds
        return None

    def over(self, seat: int) -> bool:
        """Whether that run is won or lost."""
        return self.seats[seat].turns == RUN or self.missed(seat) is not None

    def won(self, seat: int) -> bool:
        """Rule 2d."""
        return self.seats[seat].turns == RUN and self.missed(seat) is None

    def next_seat(self) -> int | None:
        """Who has the next turn: the next in seating order whose run goes on; None after the last."""
        count = len(self.players)
        for step in range(1, count + 1):
            seat = (self.active + step) % count
            if not self.over(seat):
                return seat
        return None

    def drawn(self) -> list[Card]:
        """Every card that has left the deck."""
        return [card for seat in self.seats for card in seat.cards]


State = TypeVar("State", bound=ZonkState)


def kinds_of(dice: Iterable[Die]) -> Kinds | None:
    """How many D6 and D4; None where another kind is among them."""
    d6 = d4 = 0
    for die in dice:
        if die.kind == "pip":
            d6 += 1
        elif die.kind == "d4":
            d4 += 1
        else:
            return None
    return d6, d4


def wanted(kinds: Kinds) -> Wanted:
    """These dice, for the view."""
    d6, d4 = kinds
    four_sided = Wanted(kind="d4", count=d4)
    if not d6:
        return four_sided
    return Wanted(kind="pip", count=d6, more=(four_sided,) if d4 else ())


def sorted_dice(dice: Iterable[Die]) -> tuple[Die, ...]:
    """The dice as a position keeps them."""
    return tuple(sorted(dice, key=by_face))


def less(dice: tuple[Die, ...], taken: Iterable[Die]) -> tuple[Die, ...] | None:
    """The dice that are left; None where not all of `taken` lie there."""
    left = list(dice)
    for die in taken:
        if die not in left:
            return None
        left.remove(die)
    return tuple(left)


def thousands(points: int) -> str:
    """1,050"""
    return told_number(points, ",")


def die_named(die: Die) -> str:
    """A 3, and a 3 of the D4."""
    return f"{die.value}" if die.kind == "pip" else phrase("{face} of the D4", face=die.value)


def faces_of(dice: Iterable[Die]) -> tuple[str, ...]:
    """The faces as digits."""
    return tuple(str(die.value) for die in dice)


def combos_named(combos: Iterable[tuple[Die, ...]]) -> str:
    """Combos in words: "three 4s, 1 and 5"; one that holds a D4 says so: "1 (D4)"."""
    return together([_combo_named(combo) for combo in combos])


def _combo_named(combo: tuple[Die, ...]) -> str:
    count = sum(die.kind == "d4" for die in combo)
    return combo_named(values_of(combo)) + (f" ({'D4' if count == 1 else f'{count} D4'})" if count else "")


def values_named(combos: Iterable[Values]) -> str:
    """Combos of a pocket, where the kinds of dice no longer matter."""
    return together([combo_named(values) for values in combos])


def cards_named(cards: Sequence[Card]) -> str:
    """The cards' names, in a list."""
    return together([NAMES[card] for card in cards])


def kinds_named(kinds: Kinds) -> str:
    """Five dice and one four-sided die."""
    d6, d4 = kinds
    parts = ([plain_dice(d6)] if d6 else []) + ([dice_of(d4, "d4")] if d4 else [])
    return together(parts) or phrase("no dice")
