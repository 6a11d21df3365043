"""ZONK, solo or for several. Source: the playtest rules, version 2.

Rules
 1   One to eight play. Each has a run of their own; turns go on in seating order, one at a time.
 2   A run has three rounds of three turns. At the end of a round its quota must be met: 1,000, 2,000,
     3,000.
 2a  A round has all its three turns, also when its quota is met before.
 2b  Option `quota`: with `round` the points cached in the round's own turns count towards it, with `run`
     all points cached in the run.
 2c  A quota that is missed ends the run: it is lost, and the others go on. 2d: who meets all three has won
     it.
 3   A turn begins with a cast of all dice: six D6, and what modifiers make of them.
 4   Of each cast at least one combo is pocketed. The player chooses which, and may pocket more of the same
     cast until the next one. 4a: nothing may be pocketed that is in no combo.
 4b  Dice of one cast lie in that cast's pocket, and are worth the most that combos of all of them can make,
     in whatever steps they came there: a fourth 4 joins three. They never add to a combo in another pocket.
     With option `same-cast=apart` later dice of a cast must be combos, and are chosen, by themselves.
 4c  Casting fewer dice says that the others were pocketed: those so many that add the most points. Casting
     all dice again says that all were, unless as many lie there: that could be the same cast read twice. A
     step that costs points (a pair beside four 6s makes three pairs) has to be told.
 5   Combos:
 5a  a single 1 scores 100, 5b: a single 5 scores 50;
 5c  three of a kind 100 times the face, but three 1s 1,000; 5d: four of a kind 200 times the face;
 5e  five of a kind 400 times the face; 5f: six of a kind 600 times the face;
 5g  three pairs 750; four of a kind holds two pairs and six of a kind three, but with option
     `pairs=different` the three must differ; 5h: a rainbow, 1 to 6, scores 2,500.
 6   Zonk: a cast without any combo. The turn ends and its points are lost.
 6a  While the player holds an item that can be played on the cast, or Final Chance allows a second cast,
     the table waits; STOP takes the zonk. With option `zonk=at-once` items are too late, then as well.
 7   After pocketing: recast the dice left, or cache. Caching ends the turn and its points are the player's.
     7a: what still scores in the last cast is cached with them.
 7b  Hot cast: once all dice are pocketed within one turn, all may be cast again; the points stay.
 7c  Option `hot-cast`: with more than six dice, `all` of them have to be pocketed for it, or with `six` any
     six; then all may be cast again although others lie there.
 8   At the end of each turn, cached or zonked, its player draws two cards from the one deck of the table.
 8a  Nobody draws at the end of a run. 8b: played cards do not come back; an empty deck gives none.
 8c  Option `copies`: how often each card is in the deck.
 8d  Option `deck`: with `hand` the real deck is drawn from, and each card is told; with `box` the box
     draws; with `none` there are no cards.
 8e  The box's deck: for each copy of each card write SEED/WORD/NUMBER, such as lucky/aura/1, SEED being
     option `seed` and NUMBER counting the copies from 1, and take its SHA-256. The smallest lies on top.
 9   Modifiers apply at once, from the next turn, to the run of the player who drew them, to its end. Copies
     add up, except where a rule says otherwise.
 9a  Magic Aura: one D6 more in the set of dice. With option `aura=cast` one more joins each cast, recasts
     too; a hot cast then has to be said, and takes all dice (no `hot-cast=six`).
 9b  Potion of Shrinking: a D4 takes a D6's place. It counts like a D6 in every combo. Extra D6 of rules 9e
     and 10d are never replaced.
 9c  Serpent's Stare: two 1s of one cast score 500. A second copy adds nothing.
 9d  Final Chance: when a single die is left and cast, it may be cast once more, scoring or not; what it
     then shows counts. Each time that one die is left. A second copy adds nothing.
 9e  Hot Hot Hot!: at the first hot cast of a round one D6 more joins, until the end of the round. Later hot
     casts of the round add none. Drawn after a hot cast of the round, it works at the next one.
 10  Items are held, and played once each in an own turn while a cast lies. One die means a die of this cast
     that is not pocketed; with option `in-play=all` Chaos Swap and Dictate Fate also take one out of a
     pocket. It goes back there, and the pocket counts what its dice then make.
 10a Time Warp Tonic: the die goes into an earlier pocket of the turn that is not empty, if all dice there are
     then in combos. It counts as having pocketed from this cast.
 10b Chaos Swap: the die is turned to its opposite face, 7 less its value. A D4 has none; with option
     `swap=all` it is turned to 5 less its value.
 10c Dictate Fate: the die is cast again alone. It is no cast of its own: the rest lies still, and rule 9d
     does not apply.
 10d Dimensional Rift: an even die is turned to its half, and one D6 more joins showing the same, until the
     end of the turn.
 10e Shadow Wizard's Money: one pocket of the turn counts double, with what still comes into it; twice
     doubled is fourfold. With option `money=now` only what lies there counts double: the order of the cards
     matters.
 11  The game is over when every run is. Of those who won their runs the most points win; with option
     `winner=all` they all do. 11a: a tie is shared. 11b: when every run is lost, nobody wins.
 12  After the end nothing counts any more.

Disputed points: docs/rulings.md. `state` holds the position, `line` its text, `game` what happens, `items`
the cards that are played, `telling` the public view, `combos` the table of points.
"""

from engine.zonk.combos import Modifiers, Pocketing, legal_pocketings
from engine.zonk.game import PHASES, ZonkPosition, ZonkRulebook
from engine.zonk.state import CARDS, ITEMS, NAMES, Card, card_named

__all__ = [
    "CARDS",
    "ITEMS",
    "NAMES",
    "PHASES",
    "Card",
    "Modifiers",
    "Pocketing",
    "ZonkPosition",
    "ZonkRulebook",
    "card_named",
    "combos",
    "legal_pocketings",
    "state",
]
