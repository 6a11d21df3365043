"""Who has won by points: the highest score, and a tie by who had it first or by sharing."""

from collections.abc import Sequence

from engine.game import Ending
from engine.words import together


def highest(
    players: tuple[str, ...], scores: Sequence[int], since: Sequence[int], *, shared: bool, when: str
) -> Ending:
    """The ending by rules 10 and 10a, as the rulebooks that use it number them.

    `since` counts for each player when the present score was reached: of those who tie the earliest wins, and
    who came to it at once shares; with `shared` all who tie do. `when` follows "the most": "at the end".
    """
    best = max(scores)
    tied = [seat for seat, score in enumerate(scores) if score == best]
    earliest = min(since[seat] for seat in tied)
    won = tuple(players[seat] for seat in tied if shared or since[seat] == earliest)
    cause = f"{won[0]} wins with {best} points, the most {when} (rule 10)."
    if len(won) > 1:
        cause = f"{together(won)} share the win with {best} points each (rule 10a)."
    elif len(tied) > 1:
        level = together([players[seat] for seat in tied])
        cause = f"{level} have {best} points each; {won[0]} had them first and wins (rule 10a)."
    return Ending(winners=won, cause=cause)
