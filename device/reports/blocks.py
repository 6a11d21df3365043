"""What a report is made of, before it is a page or a paper: headings, sentences, tables and drawings."""

from dataclasses import dataclass

from device.printing.shapes import Drawing


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading, of level 1 to 3."""

    text: str
    level: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A paragraph."""

    text: str
    quiet: bool = False
    """What explains, in smaller type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table: its rows have as many cells as its head."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[int] = frozenset()
    """The columns that hold numbers, from 0."""
    links: tuple[str, ...] = ()
    """For each row where its first cell leads: an address below the console's, or "#throw-3"."""
    folded: bool = False
    """Whether it is opened by its caption: long lists that other parts of the page tell already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A drawing, and what it shows in a sentence."""

    drawing: Drawing
    words: str
    seen: str = ""
    """What somebody who cannot see it is told instead; the same where nothing is said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowStep:
    """One throw of a game that is stepped through."""

    title: str
    """Whose throw it was, and what was thrown."""
    gain: str
    """What it brought: "+250"; empty where it could bring nothing."""
    after: str
    """What everybody has after it."""
    picture: str = ""
    """The name under which its picture was kept; empty for none."""
    film: str = ""
    """The same of its film."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowSteps:
    """A game throw by throw, one at a time."""

    caption: str
    steps: tuple[ThrowStep, ...]


Block = Heading | Sentence | Grid | Figure | ThrowSteps
