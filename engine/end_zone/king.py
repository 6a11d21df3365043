"""King and King of Kings.

Rules
70   Everybody rolls one die. The two highest play first, ties for these places roll again; of the two
     the lower goes first, and when they tie both roll again.
71   The winner of each game stays as the King, the next in line challenges. 71a: the line is the seating
     order of those who did not play first; a loser goes to its end. 71b: for who goes first in later
     games King and challenger roll as the game's mode says.
71c  Option `game`: King is played in any mode; a win of that mode is what makes the King.
71d  Option `king-chooses` (add-on): the King chooses the mode of the next game.
72   King goes on as long as you like: STOP before a game's first die ends it, and the King then wins.
80   King of Kings: so many wins as King (option `wins`, unless told five) win it.
80a  Option `king-wins`: a win is marked when the King wins (`as-king`), or for every won game (`all`).
"""

from dataclasses import replace

from engine.end_zone.agreed import EndZoneAgreement
from engine.end_zone.state import Contest


def first_two(agreed: EndZoneAgreement, contest: Contest, two: tuple[int, ...]) -> Contest:
    """The first match and the line behind it (rules 70, 71a)."""
    queue = tuple(side for side in range(len(agreed.sides)) if side not in two)
    return replace(contest, match=two, queue=queue)


def crowned(agreed: EndZoneAgreement, contest: Contest, winner: int) -> Contest:
    """The King, the challenger and the line after a match (rules 71, 80)."""
    crowns = contest.crowns
    if agreed.every_win or winner == contest.king:
        crowns = (*crowns[:winner], crowns[winner] + 1, *crowns[winner + 1 :])
    line = (*contest.queue, *(side for side in contest.match if side != winner))
    return Contest(match=(winner, line[0]), queue=line[1:], king=winner, crowns=crowns)


def king_of_kings(agreed: EndZoneAgreement, contest: Contest) -> bool:
    """Whether somebody has all the wins of rule 80."""
    return agreed.mode == "king-of-kings" and max(contest.crowns) >= agreed.wins
