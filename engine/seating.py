"""Who sits at the table and what was agreed: names and options, checked for every rulebook alike."""

import re
import unicodedata
from collections.abc import Mapping, Sequence

from engine.lines import unpack, whole
from engine.refusal import AgainstTheRules, Refused, Unreadable
from engine.wording import phrase, phrase_count
from engine.words import either, number, plain, together

NAME_LENGTH = 40
"""The longest name, in characters."""
UNSHOWN = {"Cc", "Cs", "Zl", "Zp"}
"""Unicode categories: control characters, halves of characters, line and paragraph ends."""
TURNS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
"""Unicode's marks that turn the direction of the text after them, and so the scores beside a name."""


WIDTHLESS = frozenset("\u00ad\u034f\u115f\u1160\u180e\u200b\u2060\u2061\u2062\u2063\u2064\u3164\ufeff\uffa0")
"""Characters that take no room or show nothing: with one of them two names would look like one."""
_JOINER_ALONE = re.compile(r"(?<![^\x00-\x7f])[\u200c\u200d]+|[\u200c\u200d]+(?![^\x00-\x7f])")
"""Joiners that join nothing: between others they make one emoji of two, or part Persian letters."""


def tidy(name: str) -> str:
    """The name as the engine keeps it: composed characters, no space around it, none that shows nothing."""
    shown = "".join(char for char in name if char not in WIDTHLESS)
    return unicodedata.normalize("NFC", _JOINER_ALONE.sub("", shown)).strip()


def tidy_name(name: str) -> str:
    """The tidy name; raises `Unreadable` for one that no table could show."""
    kept = tidy(name)
    if not any(unicodedata.category(char)[0] in "LNPS" for char in kept):
        raise Unreadable(phrase("A player's name is empty. Give every player a name."))
    if len(kept) > NAME_LENGTH:
        raise Unreadable(
            phrase(
                "The name {start}... is too long: {most} characters are the most.",
                start=kept[:12],
                most=NAME_LENGTH,
            )
        )
    if any(
        unicodedata.category(char) in UNSHOWN or unicodedata.bidirectional(char) in TURNS for char in kept
    ):
        raise Unreadable(
            phrase("The name {name} holds a character that cannot be shown. Leave it out.", name=ascii(kept))
        )
    return kept


def seat_players(players: tuple[str, ...], seats: range, title: str, rule: str) -> tuple[str, ...]:
    """The tidy names in seating order; raises `Refused` when they cannot sit down together.

    Two names that differ only in capital letters are one name: a scoreboard has only one kind of letters.
    """
    names = tuple(tidy_name(name) for name in players)
    if len(names) not in seats:
        least, most = seats[0], seats[-1]
        wrong = phrase_count(
            "{game} is for {least} to {most} players; one player came.",
            "{game} is for {least} to {most} players; {number} players came.",
            len(names),
            game=title,
            least=number(least),
            most=number(most),
            number=number(len(names)),
        )
        raise AgainstTheRules(wrong, rule)
    taken: dict[str, str] = {}
    for name in names:
        if other := taken.get(name.casefold()):
            if other == name:
                raise Refused(
                    phrase("Two players are both called {name}. Give each a name of their own.", name=name)
                )
            pair = phrase(
                "Two players are called {name} and {other}. Give each a name of their own.",
                name=other,
                other=name,
            )
            raise Refused(pair)
        taken[name.casefold()] = name
    return names


def seat_of(players: tuple[str, ...], name: str, rule: str) -> int:
    """The player's place in seating order, from 0; raises `AgainstTheRules` for a stranger."""
    try:
        return players.index(tidy(name))
    except ValueError:
        raise AgainstTheRules(
            phrase(
                "Nobody at this table is called {name}; here sit {players}.",
                name=plain(name),
                players=together(players),
            ),
            rule,
        ) from None


def agree_on_options(
    known: Mapping[str, tuple[str, ...]], given: Mapping[str, str], title: str
) -> dict[str, str]:
    """Every option of `known` with its value: the given one or the default, "" for free text not given.

    Raises `Unreadable` for an option or a value that the rulebook does not have.
    """
    for key, value in given.items():
        if key not in known:
            raise Unreadable(_unknown_option(plain(key), known, title))
        if known[key] and value not in known[key]:
            wrong = phrase(
                "The option {option} is {values}; got {value}.",
                option=key,
                values=either(known[key]),
                value=plain(value),
            )
            raise Unreadable(wrong)
    return {key: given.get(key, values[0] if values else "") for key, values in known.items()}


def _unknown_option(option: str, known: Mapping[str, tuple[str, ...]], game: str) -> str:
    if not known:
        return phrase("{game} has no option called {option}; it has none.", game=game, option=option)
    return phrase(
        "{game} has no option called {option}; it has {options}.",
        game=game,
        option=option,
        options=together(list(known)),
    )


def read_seats(
    words: Sequence[str], active: str, seats: range, title: str
) -> tuple[tuple[str, ...], tuple[int, ...], int]:
    """Players, their scores, and the seat of `active`, from a position line's words such as `Ann:30`.

    Raises `Unreadable` for what cannot sit at that table.
    """
    pairs = [word.rpartition(":") for word in words]
    try:
        names = seat_players(tuple(unpack(name, "seat") for name, _, _ in pairs), seats, title, "1")
    except Refused as refused:
        raise Unreadable(str(refused)) from None
    name = unpack(active, "active")
    if name not in names:
        raise Unreadable(phrase("active: {name} is none of the players.", name=plain(name)))
    scores = tuple(whole(score, phrase("{player}'s score", player=who)) for who, _, score in pairs)
    return names, scores, names.index(name)
