"""The options of a game as they are played at a box."""

import secrets
from collections.abc import Mapping

from engine.game import Rulebook


def as_played(book: Rulebook, options: Mapping[str, str]) -> Mapping[str, str]:
    """What was agreed, as it is played here: a covered dot waits for somebody who looks (rule 6a), and a deck
    that the box deals is shuffled by a seed from outside; one that nobody named is drawn here.
    """
    if book.dice.landing:
        return {**options, "dot": "confirmed"}
    if options.get("deck") != "box" or options.get("seed"):
        return options
    return {**options, "seed": secrets.token_hex(8)}
