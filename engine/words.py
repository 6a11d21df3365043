"""Small words for sentences to people: counts, lists of names, dice."""

from collections import Counter
from collections.abc import Sequence

from engine.dice import DieKind, Face

NUMBERS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
DIE_NAMES: dict[DieKind, str] = {"pip": "pip", "zoinx": "Zoinx", "bet": "bet", "d4": "four-sided"}


def number(count: int) -> str:
    """0 to 12 as a word, more as digits."""
    return NUMBERS[count] if 0 <= count < len(NUMBERS) else str(count)


def plain(text: str, most: int = 40) -> str:
    """Somebody's text as it may stand in a sentence: short, on one line, nothing that steers a terminal."""
    told = text if text.isprintable() else ascii(text)
    return (told if len(told) <= most else f"{told[: most - 3]}...") or "nothing"


def some(count: int, thing: str) -> str:
    """`some(1, "dot")` is "1 dot", `some(4, "dot")` is "4 dots"."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def together(names: Sequence[str], last: str = "and") -> str:
    """ "Ann", "Ann and Bob", "Ann, Bob and Cat"."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


def dice_of(count: int, kind: DieKind) -> str:
    """`dice_of(4, "zoinx")` is "four Zoinx dice"."""
    return f"{number(count)} {DIE_NAMES[kind]} {'die' if count == 1 else 'dice'}"


def plain_dice(count: int) -> str:
    """Dice that nobody takes for others: `plain_dice(1)` is "one die", `plain_dice(6)` is "six dice"."""
    return f"{number(count)} {'die' if count == 1 else 'dice'}"


def dice_named(kinds: Sequence[DieKind]) -> str:
    """Dice of several kinds, counted: "three Zoinx dice and one pip die"; "no dice"."""
    counted = Counter(kinds)
    return together([dice_of(count, kind) for kind, count in counted.items()]) or "no dice"


def faces(values: Sequence[Face]) -> tuple[str, ...]:
    """Faces as they are shown: "dot", "square", "6"."""
    return tuple(str(value) for value in values)
