"""Ten Thousand, for one to sixteen. Source: a how-to text of the folk game, and its house rules by name.

Rules
 1   One to sixteen play. Turns go to the left: on through the players in seating order. 1a: who plays alone
     rolls off with nobody, and the game ends with the points of rule 9.
 2   Roll-off: everybody rolls one die, in seating order; the highest has the first turn. 2a: those who tie
     for it roll again, until one is left. 2b: with option `first=named` the player named first begins.
 3   A turn begins with a roll of all six dice. Then, roll by roll: set dice aside, and bank or roll the rest.
 3a  Option `dice=5`: five dice. Combos of six are left out, and both straights of five score what the
     straight of six does, unless their own options say otherwise.
 4   What scores:
 4a  each 1 scores 100, each 5 scores 50;
 4b  three of a kind a hundred times its face, three 1s 1,000 (option `three-ones`);
 4c  four, five and six of a kind: each die beyond three doubles (option `kinds`: `printed` pays for six of a
     kind three times the three; `add` adds the three once for each die beyond; `fixed` pays 1,000, 2,000 and
     3,000);
 4d  the straight 1 to 6 scores 1,500 (option `straight`); 1 to 5 and 2 to 6 score only where it is agreed
     (options `low-straight`, `high-straight`);
 4e  three pairs of three faces 1,500 (option `three-pairs`); four of a kind and a pair of another face 1,500
     (option `four-and-pair`); two threes of a kind as such only where it is agreed (option `two-threes`).
 4f  A combo lies in one roll: dice of earlier rolls never add to it.
 4g  Option `all-ones`: all six dice that show 1 in one roll are worth so many points, or `win` the game at
     once.
 5   After a roll at least one combo is set aside; nothing may be set aside that does not score.
 5a  Dice set aside at once are worth the most that combos of them can make.
 5b  Scoring dice may stay in the hand: nobody has to set aside all that scores.
 5c  Rolling fewer dice than lie there says that the others were set aside: the best-scoring so many of them.
     What would cost points (rule 5d) has to be told.
 5d  After setting dice aside, more of the same roll may be added before the next roll; together they are
     worth what they would be at once, even if that is less. With option `same-roll=once` the others count
     no more.
 6   Farkle: a roll in which nothing scores. The turn ends and its points are lost.
 6a  Option `three-farkles`: a player's third turn in a row that ends in a farkle costs so many points, but no
     score falls below 0. Then counting begins anew, as after any turn that ends otherwise.
 7   Hot dice: when all six are set aside, the player may roll all six again and the turn goes on. 7a: rolling
     all six while fewer lie there says that these were set aside.
 7b  Option `hot-dice=must`: they are rolled again before the player may bank.
 8   Bank: the turn ends and its points are the player's. Dice still lying there are set aside first, as well
     as they score.
 8a  The first bank needs 750 in one turn (option `opening`). 8b: option `minimum` asks for so many each time.
 8c  With fewer the player rolls on. With option `below=nothing` the turn may be ended, and brings nothing.
 8d  Option `piggyback`: after a bank the next player may take over its points and roll the dice that were
     left, all six after hot dice. Whoever banked keeps the points. 8e: rolling just the dice that were left
     says that they are taken over. 8f: whoever takes over rolls before banking.
 9   Whoever banks to 10,000 or more (option `target`) begins the last round: each other player has one turn.
 9a  Option `last=none`: the game ends at once instead. 9b: option `last=one-roll`: each other player has a
     single roll, and its points with all that scores are banked, where rule 8 allows so many.
 9c  Option `exact`: nobody may pass the 10,000. Dice that would are not set aside, a roll that has no others
     is a farkle, and a bank that comes to exactly 10,000 needs no least points.
10   Then the most points win. 10a: on a tie, whoever had the points first; option `ties=shared`: they share.
11   After the end nothing counts any more.

Editions by name (option `edition`) are starting points; each option changes one thing of it. Points are
multiples of 50. Disputed and garbled points: docs/rulings.md.
"""

from engine.ten_thousand.combos import Combos, Keep, best_keep, legal_keeps
from engine.ten_thousand.game import PHASES, PIGGYBACK, TenThousandPosition, TenThousandRulebook, taking_words
from engine.ten_thousand.line import FARKLES

__all__ = [
    "FARKLES",
    "PHASES",
    "PIGGYBACK",
    "Combos",
    "Keep",
    "TenThousandPosition",
    "TenThousandRulebook",
    "best_keep",
    "combos",
    "legal_keeps",
    "taking_words",
]
