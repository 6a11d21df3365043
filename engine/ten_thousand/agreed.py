"""What is agreed before a game of Ten Thousand: its editions, and options that change one thing of them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from engine.lines import whole
from engine.refusal import Unreadable
from engine.ten_thousand.combos import DICE, Combos
from engine.wording import phrase
from engine.words import plain

STEP = 50
"""All points are multiples of this."""
MOST = 1_000_000
"""The most that any amount may be set to."""

Ties = Literal["first", "shared"]
Last = Literal["others", "none", "one-roll"]
Below = Literal["roll", "nothing"]
SameRoll = Literal["more", "once"]
HotDice = Literal["may", "must"]
Piggyback = Literal["no", "yes"]
Exact = Literal["no", "yes"]
NUMBERS_OF_DICE = (DICE, 5)
"""How many dice are played with (rule 3a)."""
WIN = "win"
"""The word of option `all-ones` by which such a roll wins at once (rule 4g)."""
YOUNGER = {"same-roll": "once"}
"""Options that the first written games do not name, and what counted then."""


CLASSIC = Combos()


@dataclass(frozen=True, slots=True, kw_only=True)
class TenThousandAgreement:
    """What was agreed before the first roll."""

    edition: str = "classic"
    target: int = 10_000
    opening: int = 750
    minimum: int = 0
    combos: Combos = CLASSIC
    ties: Ties = "first"
    last: Last = "others"
    below: Below = "roll"
    same_roll: SameRoll = "more"
    hot_dice: HotDice = "may"
    three_farkles: int = 0
    piggyback: Piggyback = "no"
    exact: Exact = "no"
    all_ones_win: bool = False

    @property
    def dice(self) -> int:
        """How many dice are played with (rule 3a)."""
        return self.combos.dice

    @property
    def all_ones(self) -> str:
        """The option `all-ones` as options and lines have it."""
        return WIN if self.all_ones_win else str(self.combos.all_ones)


EDITIONS = {
    "classic": TenThousandAgreement(),
    "farkle": TenThousandAgreement(
        edition="farkle", opening=500, combos=Combos(kinds="fixed", three_ones=300, two_threes=2500)
    ),
    "tavern": TenThousandAgreement(
        edition="tavern",
        opening=0,
        combos=Combos(low_straight=500, high_straight=750, three_pairs=0, four_and_pair=0),
    ),
    "plain": TenThousandAgreement(
        edition="plain", opening=0, combos=Combos(straight=0, three_pairs=0, four_and_pair=0)
    ),
}
"""House rules by name."""

AMOUNTS = {"target": STEP, "opening": 0, "minimum": 0}
"""Amounts that are agreed, and the least each may be."""
YOUNGER_AMOUNTS = {"three_farkles": 0}
"""The same, of options that the first lines do not name."""
COMBO_AMOUNTS = (
    "three_ones",
    "straight",
    "low_straight",
    "high_straight",
    "three_pairs",
    "four_and_pair",
    "two_threes",
)
"""Points of combos that are agreed; 0 leaves the combo out."""


def amount(text: str, key: str, least: int) -> int:
    """Points of an option or a line; raises `Unreadable`."""
    value = whole(text, key)
    if value % STEP or not least <= value <= MOST:
        raise Unreadable(
            phrase(
                "{key} is a multiple of {step} from {least} to {most}; got {amount}.",
                key=key,
                step=STEP,
                least=least,
                most=MOST,
                amount=plain(text),
            )
        )
    return value


def all_ones_of(text: str) -> tuple[int, bool]:
    """Points and instant win of option `all-ones`; raises `Unreadable`."""
    return (0, text == WIN) if text in {"", WIN} else (amount(text, "all-ones", 0), False)


def keyed(name: str) -> str:
    """A field's name as options and lines have it: `three-ones`."""
    return name.replace("_", "-")


def agree(chosen: Mapping[str, str]) -> TenThousandAgreement:
    """The edition with each option that was given."""
    base = EDITIONS[chosen["edition"]]

    def points(key: str, otherwise: int, least: int = 0) -> int:
        return amount(chosen[key], key, least) if chosen[key] else otherwise

    kinds = base.combos.kinds if chosen["kinds"] == "edition" else chosen["kinds"]
    dice = int(chosen["dice"])
    usual = (
        base.combos
        if dice == DICE
        else _straights_of_five(base.combos, points("straight", base.combos.straight))
    )
    amounts = {key: points(keyed(key), getattr(usual, key)) for key in COMBO_AMOUNTS}
    all_ones, all_ones_win = all_ones_of(chosen["all-ones"])
    return TenThousandAgreement(
        edition=base.edition,
        target=points("target", base.target, AMOUNTS["target"]),
        opening=points("opening", base.opening, AMOUNTS["opening"]),
        minimum=points("minimum", base.minimum, AMOUNTS["minimum"]),
        combos=Combos(kinds=kinds, all_ones=all_ones, dice=dice, **amounts),  # type: ignore[arg-type]
        ties=chosen["ties"],  # type: ignore[arg-type]
        last=chosen["last"],  # type: ignore[arg-type]
        below=chosen["below"],  # type: ignore[arg-type]
        same_roll=chosen["same-roll"],  # type: ignore[arg-type]
        hot_dice=chosen["hot-dice"],  # type: ignore[arg-type]
        three_farkles=points("three-farkles", base.three_farkles),
        piggyback=chosen["piggyback"],  # type: ignore[arg-type]
        exact=chosen["exact"],  # type: ignore[arg-type]
        all_ones_win=all_ones_win,
    )


def _straights_of_five(combos: Combos, straight: int) -> Combos:
    """Five dice have no straight of six: both of five score what it does, unless they have their own."""
    return replace(
        combos, low_straight=combos.low_straight or straight, high_straight=combos.high_straight or straight
    )
