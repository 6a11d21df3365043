"""Tournament.

Rules
90   Sides meet two by two in seating order; the winner of each match moves on to play other winners,
     until one is left: the tournament's winner. Option `game`: the mode of the matches.
90a  Of an odd number the last goes on without a match, and has the first one of the next bracket.
91   A covered dot moves on to the next bracket at once; in the last match it wins.
"""

from dataclasses import replace

from engine.end_zone.state import Contest


def opened(sides: int) -> Contest:
    """The first match, and the others of the first bracket."""
    return Contest(match=(0, 1), queue=tuple(range(2, sides)), crowns=(0,) * sides)


def advanced(contest: Contest, winner: int) -> Contest | None:
    """The next match; None when one side is left (rules 90, 90a)."""
    through, queue = (*contest.through, winner), contest.queue
    if len(queue) < 2:
        through, queue = (), (*queue, *through)
    if len(queue) < 2:
        return None
    return replace(contest, match=queue[:2], queue=queue[2:], through=through)
