"""Small words for sentences to people: counts, lists of names, dice."""

from collections import Counter
from collections.abc import Sequence

from engine.dice import DieKind, Face
from engine.wording import phrase, phrase_count, phrase_later

NUMBERS = (
    phrase_later("no"),
    phrase_later("one"),
    phrase_later("two"),
    phrase_later("three"),
    phrase_later("four"),
    phrase_later("five"),
    phrase_later("six"),
    phrase_later("seven"),
    phrase_later("eight"),
    phrase_later("nine"),
    phrase_later("ten"),
    phrase_later("eleven"),
    phrase_later("twelve"),
)


def number(count: int) -> str:
    """0 to 12 as a word, more as digits."""
    return phrase(NUMBERS[count]) if 0 <= count < len(NUMBERS) else str(count)


def plain(text: str, most: int = 40) -> str:
    """Somebody's text as it may stand in a sentence: short, on one line, nothing that steers a terminal."""
    told = text if text.isprintable() else ascii(text)
    return (told if len(told) <= most else f"{told[: most - 3]}...") or phrase("nothing")


def capital(text: str) -> str:
    """The text as a sentence begins: with a capital letter, unless it begins with a path or a file's name."""
    first = text.split(maxsplit=1)[0] if text.strip() else ""
    is_file = "/" in first or "." in first.rstrip(".,;:")
    return text if is_file else text[:1].upper() + text[1:]


def together(names: Sequence[str]) -> str:
    """ "Ann", "Ann and Bob", "Ann, Bob and Cat"."""
    if len(names) < 2:
        return "".join(names)
    return phrase("{names} and {last}", names=", ".join(names[:-1]), last=names[-1])


def either(names: Sequence[str]) -> str:
    """ "2", "2 or 4", "2, 4 or 6"."""
    if len(names) < 2:
        return "".join(names)
    return phrase("{names} or {last}", names=", ".join(names[:-1]), last=names[-1])


def dice_of(count: int, kind: DieKind) -> str:
    """`dice_of(4, "zoinx")` is "four Zoinx dice"."""
    many = number(count)
    match kind:
        case "pip":
            return phrase_count("one pip die", "{number} pip dice", count, number=many)
        case "zoinx":
            return phrase_count("one Zoinx die", "{number} Zoinx dice", count, number=many)
        case "bet":
            return phrase_count("one bet die", "{number} bet dice", count, number=many)
        case "d4":
            return phrase_count("one four-sided die", "{number} four-sided dice", count, number=many)


def alike(count: int, face: int) -> str:
    """Two dice or more of one face: `alike(3, 6)` is "three 6s"."""
    return phrase("{number} {face}s", number=number(count), face=face)


def plain_dice(count: int) -> str:
    """Dice that nobody takes for others: `plain_dice(1)` is "one die", `plain_dice(6)` is "six dice"."""
    return phrase_count("one die", "{number} dice", count, number=number(count))


def dice_named(kinds: Sequence[DieKind]) -> str:
    """Dice of several kinds, counted: "three Zoinx dice and one pip die"; "no dice"."""
    counted = Counter(kinds)
    return together([dice_of(count, kind) for kind, count in counted.items()]) or phrase("no dice")


def face_word(value: Face) -> str:
    """A face for people: "dot", "square", "6"."""
    match value:
        case "dot":
            return phrase_count("dot", "dots", 1)
        case "square":
            return phrase("square")
        case _:
            return str(value)


def faces(values: Sequence[Face]) -> tuple[str, ...]:
    """Faces as they are shown, by which pages know them: "dot", "square", "6"."""
    return tuple(str(value) for value in values)
