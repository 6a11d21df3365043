"""A short, friendly choice on the keyboard, for who started `callbox play` without naming a game.

The console offers the same choice; whichever is answered first counts.
"""

import select
import sys
from collections.abc import Callable
from typing import TextIO

from engine.game import Rulebook
from engine.wording import phrase
from engine.words import together

POLL_S = 0.3
"""How often a waiting question looks whether the console was faster."""

Ask = Callable[[str], str | None]
"""Puts a question and returns the answer; None when it is no longer needed."""


def asker(done: Callable[[], bool], stream: TextIO, tell: Callable[[str], None]) -> Ask:
    """Asks on the terminal, until `done` says that nobody needs the answer any more."""

    def ask(question: str) -> str | None:
        tell(question)
        while not done():
            if select.select([stream], [], [], POLL_S)[0]:
                line = stream.readline()
                return line.strip() if line else None
        return None

    return ask


Start = Callable[[str, tuple[str, ...], dict[str, str]], str]
"""Begins a game: name, players, options; returns what is wrong, or ""."""


def choose(rulebooks: tuple[Rulebook, ...], ask: Ask, start: Start, tell: Callable[[str], None]) -> None:
    """Ask for a game and its players until `start` takes them or nobody answers any more."""
    games = "\n".join(
        f"  {number}  {book.title} ({_seats(book)})" for number, book in enumerate(rulebooks, 1)
    )
    while (answer := ask(f"What do you play? Type a number, or choose on the console.\n{games}")) is not None:
        chosen = _chosen(rulebooks, answer)
        if chosen is None:
            tell(
                phrase(
                    "That is none of {number}.",
                    number=together([str(number + 1) for number in range(len(rulebooks))]),
                )
            )
        elif ask_players(chosen, {}, ask, start, tell):
            return


def ask_players(
    book: Rulebook, options: dict[str, str], ask: Ask, start: Start, tell: Callable[[str], None]
) -> bool:
    """Ask who plays, and start; False when that did not do and another game may be chosen."""
    names = ask(
        phrase("Who plays {title}? Names from the left, with commas between: Ann, Bea", title=book.title)
    )
    if names is None:
        return True
    players = tuple(name.strip() for name in names.split(",") if name.strip())
    trouble = start(book.name, players, options)
    if trouble:
        tell(trouble)
    return not trouble


def on_a_terminal(stream: TextIO = sys.stdin) -> bool:
    """Whether somebody can type an answer."""
    return stream.isatty()


def _chosen(rulebooks: tuple[Rulebook, ...], answer: str) -> Rulebook | None:
    for number, book in enumerate(rulebooks, 1):
        if answer.casefold() in (str(number), book.name.casefold(), book.title.casefold()):
            return book
    return None


def _seats(book: Rulebook) -> str:
    first, last = book.seats.start, book.seats.stop - 1
    return (
        phrase("{first} to {last} players", first=first, last=last)
        if first != last
        else phrase("{first} players", first=first)
    )
