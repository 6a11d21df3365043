"""End Zone, for one to sixteen. Source: the rulebook of the box set, and its official score card.

Rules of every mode
 1   Two to sixteen play; solo play is for one. Where a mode says nothing else, all take part in each
     game.
 2   Before a game everybody rolls one die in the own zone to see who goes first. Only its number counts,
     and off the table it is 0. The lowest goes first, the others follow upwards; ties roll again among
     themselves.
 2a  Option `order=seats`: nobody rolls, the players go in seating order.
 3   A die scores its number times the zone it lies in: 20, 10, 5 or 2 on the sheet, 1 between the sheet
     and the halfway line. Beyond the end zone, outside the side lines, not past halfway or off the table
     it is 0.
 3a  The highest zone that a die touches is its zone, judged from straight above.
 4   Released beyond the near 2 zone, slid instead of rolled, or thrown off the table on purpose: 0
     points, 4a: and no covered dot. The die lies where it lies, and stays worth 0 when another hits it.
 5   The dice of a turn are rolled one at a time and score after the last, every die where it then lies.
 5a  A die that was hit shows what it now shows and stays its player's; knocked off the table it is worth 0
     and costs nobody minus points. 5b: a die off the table stays off.
 6   A die that covers the dot completely, no part of it to be seen, wins instantly, in every mode.
 6a  Option `dot`: `at-once`, or `confirmed` once somebody has looked; until then nothing else counts.
 6b  Option `dot-wins`: with `match` it wins what is played for now (a 3's, a set; in King and King of
     Kings the crown, in a tournament the match), with `mode` the King of Kings, too, with `game` the game
     that is rolled, such as one of three.
 6c  Option `pushed-dot`: only the die just rolled can win (`no`), or a die pushed onto the dot, too
     (`wins`).
 6d  When rolling for who goes first the dot means nothing.
 7   On a tie the tied roll one die each, in the order of the game; the best wins, ties roll again.
 7a  Option `tie`: that die is rolled for `points`, or its `number` alone counts. A foul or off the table
     is 0.
 8   A disputed zone is what a third party says, or one die decides between the zones of the odd and the
     even party. 8a: the landing then counts as lying there, and all that followed is scored again.
 9   The referee may correct any landing, with a reason; all that followed is scored again.
10   Minus points (add-on, option `minus`): a die that goes off the table and is not caught costs so many
     points.
10a  Option `minus-for`: they are the `catcher`'s, who should have caught it (unless told, the next
     opponent in the rolling order), or the `roller`'s. 10b: a die thrown off on purpose costs nothing.
10c  By skill: `minus=5+20` has a number for each player in seating order, and whoever pays pays the own one.
11   Double dice (add-on, option `double`): the numbers of chosen dice count twice. `die2` is the second
     die of every turn, `zone5` every die in that zone, `line7` a line of the score card; several with +
     between them.
12   Shuffle play (option `shuffle`): all roll from the same end with dice of their own colour, and hit
     each other's. Points are added when the last die of all has been rolled.
12a  `turns`: each player rolls all dice of the turn; `dice`: the players alternate, die by die.
13   Teams (option `teams`): two partners at opposing ends, half the table apart in seating order. Rolls
     go round through all players, and the points of partners are added.
13a  With the score card `shared` partners take turns on one margin, with `own` each has one. In First of
     500 a team has one total, and its partners take turns. 13b: for who goes first and on ties the
     partner named first rolls. 13c: teams need four players or more, an even number.
14   After the end nothing counts any more.

The modes' own rules head their files: `solo` 20, `fast` 30 and 40 (3's, 3's Sets), `card` 50,
`five_hundred` 60, `king` 70 and 80 (King of Kings), `tournament` 90. Disputed points: docs/rulings.md.
"""

from engine.end_zone.position import PHASES, EndZonePosition, EndZoneRulebook

__all__ = ["PHASES", "EndZonePosition", "EndZoneRulebook"]
