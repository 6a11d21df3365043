"""The options of a game as they are played at a box, and as they may be shown."""

import secrets
from collections.abc import Mapping

from engine.game import SEED, Rulebook

CHANCE_BYTES = 8
HIDDEN = "?"
"""What stands for it while it may not be known, as in a public position line."""


def as_played(book: Rulebook, options: Mapping[str, str]) -> Mapping[str, str]:
    """What was agreed, completed by the rulebook for a box that watches; chance is drawn here."""
    return book.complete(options, secrets.token_hex(CHANCE_BYTES))


def as_shown(options: Mapping[str, str], *, over: bool) -> dict[str, str]:
    """What may be shown of the options: the seed only once the game is over, for it tells the next cards."""
    return {name: HIDDEN if name == SEED and not over else value for name, value in options.items()}
