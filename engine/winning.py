"""Who has won by points: the highest score, and a tie by who had it first or by sharing."""

from collections.abc import Callable, Sequence

from engine.game import Ending
from engine.wording import phrase
from engine.words import together


def highest(
    players: tuple[str, ...],
    scores: Sequence[int],
    since: Sequence[int],
    most: Callable[[str, int], str],
    *,
    shared: bool,
) -> Ending:
    """The ending by rules 10 and 10a, as the rulebooks that use it number them.

    `since` counts for each player when the present score was reached: of those who tie the earliest wins, and
    who came to it at once shares; with `shared` all who tie do. `most` says in a sentence
    that this player won with so many points, for the case that nobody ties.
    """
    best = max(scores)
    tied = [seat for seat, score in enumerate(scores) if score == best]
    earliest = min(since[seat] for seat in tied)
    won = tuple(players[seat] for seat in tied if shared or since[seat] == earliest)
    if len(won) > 1:
        cause = phrase(
            "{players} share the win with {points} points each (rule 10a).",
            players=together(won),
            points=best,
        )
    elif len(tied) > 1:
        cause = phrase(
            "{players} have {points} points each; {winner} had them first and wins (rule 10a).",
            players=together([players[seat] for seat in tied]),
            points=best,
            winner=won[0],
        )
    else:
        cause = most(won[0], best)
    return Ending(winners=won, cause=cause)
