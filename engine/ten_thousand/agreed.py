"""What is agreed before a game of Ten Thousand: its editions, and options that change one thing of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from engine.lines import whole
from engine.refusal import Unreadable
from engine.ten_thousand.combos import Combos
from engine.wording import phrase
from engine.words import plain

STEP = 50
"""All points are multiples of this."""
MOST = 1_000_000
"""The most that any amount may be set to."""

Ties = Literal["first", "shared"]
Last = Literal["others", "none"]
Below = Literal["roll", "nothing"]
SameRoll = Literal["more", "once"]
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


def keyed(name: str) -> str:
    """A field's name as options and lines have it: `three-ones`."""
    return name.replace("_", "-")


def agree(chosen: Mapping[str, str]) -> TenThousandAgreement:
    """The edition with each option that was given."""
    base = EDITIONS[chosen["edition"]]

    def points(key: str, otherwise: int, least: int = 0) -> int:
        return amount(chosen[key], key, least) if chosen[key] else otherwise

    kinds = base.combos.kinds if chosen["kinds"] == "edition" else chosen["kinds"]
    amounts = {key: points(keyed(key), getattr(base.combos, key)) for key in COMBO_AMOUNTS}
    return TenThousandAgreement(
        edition=base.edition,
        target=points("target", base.target, AMOUNTS["target"]),
        opening=points("opening", base.opening, AMOUNTS["opening"]),
        minimum=points("minimum", base.minimum, AMOUNTS["minimum"]),
        combos=Combos(kinds=kinds, **amounts),  # type: ignore[arg-type]
        ties=chosen["ties"],  # type: ignore[arg-type]
        last=chosen["last"],  # type: ignore[arg-type]
        below=chosen["below"],  # type: ignore[arg-type]
        same_roll=chosen["same-roll"],  # type: ignore[arg-type]
    )
