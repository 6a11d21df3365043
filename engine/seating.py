"""Who sits at the table and what was agreed: names and options, checked for every rulebook alike."""

import unicodedata
from collections.abc import Mapping

from engine.refusal import AgainstTheRules, Refused, Unreadable
from engine.words import number, plain, together

NAME_LENGTH = 40
"""The longest name, in characters."""
UNSHOWN = {"Cc", "Cs", "Zl", "Zp"}
"""Unicode categories: control characters, halves of characters, line and paragraph ends."""
TURNS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
"""Unicode's marks that turn the direction of the text after them, and so the scores beside a name."""


def tidy(name: str) -> str:
    """The name as the engine keeps it: composed characters, no space around it."""
    return unicodedata.normalize("NFC", name).strip()


def tidy_name(name: str) -> str:
    """The tidy name; raises `Unreadable` for one that no table could show."""
    kept = tidy(name)
    if not any(unicodedata.category(char)[0] in "LNPS" for char in kept):
        raise Unreadable("A player's name is empty. Give every player a name.")
    if len(kept) > NAME_LENGTH:
        raise Unreadable(f"The name {kept[:12]}... is too long: {NAME_LENGTH} characters are the most.")
    if any(
        unicodedata.category(char) in UNSHOWN or unicodedata.bidirectional(char) in TURNS for char in kept
    ):
        raise Unreadable(f"The name {kept!a} holds a character that cannot be shown. Leave it out.")
    return kept


def seat_players(players: tuple[str, ...], seats: range, title: str, rule: str) -> tuple[str, ...]:
    """The tidy names in seating order; raises `Refused` when they cannot sit down together.

    Two names that differ only in capital letters are one name: a scoreboard has only one kind of letters.
    """
    names = tuple(tidy_name(name) for name in players)
    if len(names) not in seats:
        least, most = seats[0], seats[-1]
        came = f"{number(len(names))} {'player' if len(names) == 1 else 'players'} came"
        raise AgainstTheRules(f"{title} is for {number(least)} to {number(most)} players; {came}.", rule)
    taken: dict[str, str] = {}
    for name in names:
        if other := taken.get(name.casefold()):
            pair = f"are both called {name}" if other == name else f"are called {other} and {name}"
            raise Refused(f"Two players {pair}. Give each a name of their own.")
        taken[name.casefold()] = name
    return names


def seat_of(players: tuple[str, ...], name: str, rule: str) -> int:
    """The player's place in seating order, from 0; raises `AgainstTheRules` for a stranger."""
    try:
        return players.index(tidy(name))
    except ValueError:
        raise AgainstTheRules(
            f"Nobody at this table is called {plain(name)}; here sit {together(players)}.", rule
        ) from None


def agree_on_options(
    known: Mapping[str, tuple[str, ...]], given: Mapping[str, str], title: str
) -> dict[str, str]:
    """Every option of `known` with its value: the given one or the default, "" for free text not given.

    Raises `Unreadable` for an option or a value that the rulebook does not have.
    """
    for key, value in given.items():
        if key not in known:
            has = f"it has {together(list(known))}" if known else "it has none"
            raise Unreadable(f"{title} has no option called {plain(key)}; {has}.")
        if known[key] and value not in known[key]:
            raise Unreadable(f"The option {key} is {together(known[key], 'or')}; got {plain(value)}.")
    return {key: given.get(key, values[0] if values else "") for key, values in known.items()}
