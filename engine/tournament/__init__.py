"""Tournaments: who meets whom, in which order, and who came where, by the results alone.

Pure like the rulebooks: no clock, no chance, no file. A tournament is what was agreed and the steps since
(`record.TournamentRecord`); all else follows from the winners of its matches (`bracket`). So a corrected
winner moves on by itself, and what others have played already stands in its way (`bracket.why_not`).

Rules
T1   Book: rule 90 and 90a of End Zone's tournament. Sides meet two by two in the order in which they were
     named; an odd last one goes on without a match, and has the first one of the next round.
T2   Single and double elimination: players stand in the order of their seeds, the best first. First and
     second can meet in the last match alone; where the number is no power of two the best seeds have a bye.
T3   Double elimination: who has lost twice is out. Whoever comes from the losers' side has to win the last
     match twice: the second time it is played only where that side has won the first.
T4   Round robin: everybody meets everybody once, in the order of the Berger tables. Wins
     decide; T4a breaks ties.
T4a  Among equal wins, the matches among those players alone: wins, then points made less points conceded;
     those who are still equal are compared anew by their own matches. Who still shares first place plays for
     it, single elimination in the order in which they were named. Other places may be shared.
T5   King: the winner stays on as the King, the next in line steps up, the loser goes to the end of the line.
     Agreed on a number of wins as King, the first who has them is the King of Kings; else it goes on for
     as long as people like.
T6   Who withdraws loses each match that is not played yet, and whoever would have met them goes on without a
     match. Where both have withdrawn the first one named goes on.
T7   Chance: the first players may keep the place in which they were named. The others stand in the order of
     the SHA-256 of a number, a blank and their name, so whoever knows the number can draw again.
"""

from engine.tournament.bracket import (
    DRAW_VERSION,
    FORMATS,
    BracketMatch,
    BracketSide,
    FinalPlace,
    Tournament,
    TournamentFormat,
    champion,
    matches,
    rank,
    tie_break_words,
    why_not,
)
from engine.tournament.record import (
    NONE,
    Lot,
    MatchesSoFar,
    TournamentAgreed,
    TournamentRecord,
    TournamentStep,
)

__all__ = [
    "DRAW_VERSION",
    "FORMATS",
    "NONE",
    "BracketMatch",
    "BracketSide",
    "FinalPlace",
    "Lot",
    "MatchesSoFar",
    "Tournament",
    "TournamentAgreed",
    "TournamentFormat",
    "TournamentRecord",
    "TournamentStep",
    "champion",
    "matches",
    "rank",
    "tie_break_words",
    "why_not",
]
