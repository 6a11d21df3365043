"""The options of a game as they are played at a box, and as they may be shown."""

import secrets
from collections import Counter
from collections.abc import Mapping

from engine.game import SEED, Rulebook
from engine.refusal import Refused
from engine.wording import phrase, told_number

CHANCE_BYTES = 8
HIDDEN = "?"
"""What stands for it while it may not be known, as in a public position line."""


def as_played(book: Rulebook, options: Mapping[str, str]) -> Mapping[str, str]:
    """What was agreed, completed by the rulebook for a box that watches; chance is drawn here."""
    return book.complete(options, secrets.token_hex(CHANCE_BYTES))


def check_options(book: Rulebook, options: Mapping[str, str]) -> None:
    """Options of a game whose players are not known yet; raises `Refused` where they fit no players."""
    if SEED in options and SEED in book.options:
        raise Refused(
            phrase(
                "A seed tells the next cards, so the lobby must not show it. Name the players too: "
                "--players Ann,Bea."
            )
        )
    # What is free text may be a player's name, such as that of the youngest.
    named = tuple(dict.fromkeys(value for key, value in options.items() if book.options.get(key) == ()))
    names = named + tuple(phrase("Player {number}", number=number) for number in range(1, book.seats.stop))
    why: Counter[str] = Counter()
    for count in book.seats:
        try:
            book.start(names[:count], options)
        except Refused as refusal:
            why[str(refusal)] += 1
        else:
            return
    # What is said most often is not about the number of players.
    raise Refused(why.most_common(1)[0][0])


def as_shown(options: Mapping[str, str], *, over: bool) -> dict[str, str]:
    """What may be shown of the options: the seed only once the game is over, for it tells the next cards."""
    return {name: HIDDEN if name == SEED and not over else value for name, value in options.items()}


def agreed_values(book: Rulebook, line: str, options: Mapping[str, str]) -> dict[str, str]:
    """Every option's value in a running game: by its position line, else as chosen, else the default."""
    written = dict(word.split("=", 1) for word in line.split(" ") if "=" in word)
    return {
        name: written.get(name) or options.get(name) or (values[0] if values else "")
        for name, values in book.options.items()
    }


def describe_agreement(book: Rulebook, agreed: Mapping[str, str]) -> list[tuple[str, str]]:
    """Name and value, in words, of each option that means something in this game."""
    found = []
    for name, option in book.option_words.items():
        value = agreed[name]
        matters = all(agreed[other] in values for other, values in option.only_with.items())
        if matters and option.free != "once" and value not in {"", "0", "-"}:
            words = told_number(int(value), ",") if value.isdigit() else option.values.get(value, value)
            found.append((phrase(option.name), phrase(words)))
    return found
