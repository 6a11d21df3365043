"""A game's throws in order, as pages get them: what came to lie, what was asked, what people said to it."""

from typing import Literal

import msgspec

from engine.dice import DieKind, Face

Standing = Literal["counts", "asked", "undone", "refused"]
"""It counts; it waits for people; it was taken back, or thrown again; the box said why it does not count."""
WordKind = Literal["answered", "corrected", "ruled", "confirmed", "undone"]
"""A question's answer; other faces; another landing; looked at, and it stays; taken back."""


class WordShown(msgspec.Struct, frozen=True):
    """What somebody said to a throw."""

    kind: WordKind
    text: str
    by: str
    """Whose word it was: "the referee Cleo"; "" for whoever stood at the box."""
    at: str
    """When: ISO in UTC."""
    changed: str = ""
    """What it changed: "Ann 59 -> 135; Bea stays."; "" for what changed nothing that counted before."""


class ThrowShown(msgspec.Struct, frozen=True):
    """One throw."""

    throw: int
    """Throws of the game count from 1, those that did not count among them."""
    at: str
    """When it was read: ISO in UTC."""
    player: str
    words: str
    """What it is now: "5 × 10 = 50", "4 and 1"; "" while nobody knows."""
    standing: Standing
    reading: int = 0
    """/reading/READING.jpg is the picture that was read, /film/READING.mp4 its film; 0 for none."""
    evidence: str = ""
    """The close-up's name; /evidence/READING.jpg is it. Empty when there is none."""
    asked: str = ""
    """What the box asked about it, or why it did not count."""
    likeliest: str = ""
    """The answer that the measurement makes likeliest, in its option's words; "" where none is."""
    said: tuple[WordShown, ...] = ()
    """In the order in which it was said."""
    landing: int = 0
    """As a ruling names it; 0 for a roll, and for a landing that does not count."""
    roll: int = 0
    """As a correction names it; 0 for a landing, and for a roll that does not count."""
    dice: tuple[tuple[DieKind, Face], ...] = ()
    """What the dice of a roll show, as it counts."""
    landed: dict[str, object] = {}
    """The landing as an event, for a ruling that confirms it or changes a part."""
    lying: tuple[str, ...] = ()
    """The dice of the turn that lay there before, by their numbers: "die 1: 5 x 20"."""
    zones: tuple[int, ...] = ()
    """Where a die was measured: the zones beside the line that decides, the measured one first."""
    ruled: str = ""
    """Who has ruled on it last, and why; empty when nobody has."""


class ThrowsShown(msgspec.Struct, frozen=True):
    """Some of a game's throws, the newest first."""

    game_id: int | None = None
    count: int = 0
    """How many throws there are in all."""
    throws: tuple[ThrowShown, ...] = ()
    trouble: str = ""
    """Why later ones cannot be told; empty when all are."""
