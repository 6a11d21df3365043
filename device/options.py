"""The options of a game as they are played at a box, and as they may be shown."""

import secrets
from collections.abc import Mapping

from engine.game import Rulebook

SEED = "seed"
"""The option that tells the order of the deck that the box deals."""
HIDDEN = "?"
"""What stands for it while it may not be known, as in a public position line."""


def as_played(book: Rulebook, options: Mapping[str, str]) -> Mapping[str, str]:
    """What was agreed, as it is played here: a covered dot waits for somebody who looks (rule 6a), and a deck
    that the box deals is shuffled by a seed from outside; one that nobody named is drawn here.
    """
    if book.dice.landing:
        return {**options, "dot": "confirmed"}
    if options.get("deck") != "box" or options.get(SEED):
        return options
    return {**options, SEED: secrets.token_hex(8)}


def as_shown(options: Mapping[str, str], *, over: bool) -> dict[str, str]:
    """What may be shown of the options: the seed only once the game is over, for it tells the next cards."""
    return {name: HIDDEN if name == SEED and not over else value for name, value in options.items()}
