"""Text for seven-segment digits, from the alphabet drawn in segments.txt.

A digit is a bit mask: bit 0 is segment a (top), then clockwise b, c, d (bottom), e, f, bit 6 is g (middle),
bit 7 the point. A point in a text lights the point of the digit before it: "12.5" takes three digits.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

Digit = int
A, B, C, D, E, F, G, POINT = (1 << bit for bit in range(8))
ALL = A | B | C | D | E | F | G | POINT
BLANK = 0

ALPHABET = Path(__file__).with_name("segments.txt")
_CELL = 5
_WHERE: Mapping[tuple[int, int], tuple[str, int]] = {
    (0, 1): ("_", A),
    (1, 0): ("|", F),
    (1, 1): ("_", G),
    (1, 2): ("|", B),
    (2, 0): ("|", E),
    (2, 1): ("_", D),
    (2, 2): ("|", C),
    (2, 3): (".", POINT),
}
"""(line, column) in a drawing to the sign that stands there and the segment that it lights."""


class Undrawable(ValueError):
    """A character that seven segments cannot show; the alphabet does not have it."""


def read_alphabet(text: str) -> dict[str, Digit]:
    """Character to digit, from drawings as segments.txt describes them; raises ValueError for a bad one."""
    alphabet: dict[str, Digit] = {" ": BLANK}
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    at = 0
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        labels, drawing = lines[at], [*lines[at + 1 : at + 4], "", "", ""][:3]
        width = max(map(len, (labels, *drawing)))
        for left in range(0, width, _CELL):
            name = labels[left : left + _CELL].strip()
            if len(name) != 1 or name in alphabet:
                raise ValueError(f"a drawing needs one character above it, and its own; got {name!r}")
            alphabet[name] = _digit(name, [line[left : left + _CELL] for line in drawing])
        at += 4
    return alphabet


def _digit(name: str, drawing: list[str]) -> Digit:
    mask = BLANK
    for row, line in enumerate(drawing):
        for column, sign in enumerate(line):
            if sign == " ":
                continue
            wanted, segment = _WHERE.get((row, column), ("nothing", BLANK))
            if sign != wanted:
                raise ValueError(
                    f"the drawing of {name!r} has {sign!r} in line {row + 1}, column {column + 1}; "
                    f"expected {wanted}"
                )
            mask |= segment
    return mask


@cache
def alphabet() -> Mapping[str, Digit]:
    """The characters that can be shown, as drawn in segments.txt."""
    return read_alphabet(ALPHABET.read_text(encoding="utf-8"))


def digits(text: str) -> tuple[Digit, ...]:
    """The digits that show `text`; raises `Undrawable` for a character that has no drawing in either case."""
    shown: list[Digit] = []
    for sign in text:
        if sign in ".,":
            if shown and not shown[-1] & POINT:
                shown[-1] |= POINT
            else:
                shown.append(POINT)
            continue
        drawn = next((alphabet()[form] for form in (sign, sign.swapcase()) if form in alphabet()), None)
        if drawn is None:
            raise Undrawable(f"{sign!r} cannot be shown on seven segments (in {text!r})")
        shown.append(drawn)
    return tuple(shown)


def drawable(text: str) -> bool:
    """Whether `digits` can show the whole text."""
    try:
        digits(text)
    except Undrawable:
        return False
    return True


def drawn(row: Iterable[Digit]) -> str:
    """Digits as a picture of three lines, as in segments.txt: for the command line, the manual and tests."""
    shown = tuple(row)
    lines = []
    for line in range(3):
        cells = []
        for digit in shown:
            signs = (_WHERE.get((line, column), (" ", BLANK)) for column in range(4))
            cells.append("".join(sign if digit & segment else " " for sign, segment in signs))
        lines.append("".join(cells).rstrip())
    return "\n".join(lines)
