"""A table with a mat, spoken to: what lies in its places, and what the rulebook makes of it, in words.

    table = MatTable("zonk", "Ann", deck="none")
    table.say("casts 1 2 3 4 6 6")
    table.sees("2 3 4 6 6", p1="1") == "pockets 1"

`p1` are the dice in place 1, `by` those by the cards. Answers: events as `tests.engine.say` tells them, or
`refused at 1: WHY`, or `waits: FOR WHAT`, or nothing.
"""

from collections import Counter

from engine.dice import Die
from engine.events import Bet, Draw, GameEvent, Play, Pocket, Undo
from engine.game import CardsOnMat, DiceOnMat, MatRules
from engine.mat import CardLaid, Dice, OnMat, Verdict
from tests.engine.say import Table, shown


def counted(faces: str) -> Dice:
    """`1 5^`: a pip die and a D4."""
    return Counter(shown(faces))


def on_mat(free: str, by: str = "", **places: str) -> OnMat:
    """Dice that lie free, by the cards, and in places: p1="1 5"."""
    aside = {int(place.removeprefix("p")): counted(faces) for place, faces in places.items()}
    return OnMat(free=counted(free), aside=aside, by_cards=shown(by))


def face_of(die: Die) -> str:
    return f"{die.value}^" if die.kind == "d4" else f"{die.value}"


def told(event: GameEvent | Undo) -> str:
    """An event in words."""
    match event:
        case Undo():
            return "undo"
        case Bet(player=player, dots=dots):
            return f"{player} bets {dots}"
        case Draw(card=card):
            return f"draws {card}"
        case Play(card=card, die=die, pocket=pocket):
            return (
                f"plays {card}" + (f" on {face_of(die)}" if die else "") + (f" into {pocket}" * bool(pocket))
            )
        case Pocket(combos=combos):
            return "pockets " + " + ".join(" ".join(map(face_of, combo)) for combo in combos)
        case _:
            raise TypeError(f"no words for {event}")


def answer(verdict: Verdict) -> str:
    """What a verdict says."""
    if verdict.refused:
        return f"refused at {verdict.at}: {verdict.refused}"
    return f"waits: {verdict.waits}" if verdict.waits else ", ".join(map(told, verdict.events))


class MatTable(Table):
    """One game on its mat."""

    @property
    def mat(self) -> MatRules:
        assert self.book.mat is not None
        return self.book.mat

    @property
    def dice(self) -> DiceOnMat:
        assert self.mat.dice is not None
        return self.mat.dice

    @property
    def cards(self) -> CardsOnMat:
        assert self.mat.cards is not None
        return self.mat.cards

    def sees(self, free: str, **places: str) -> str:
        """What dice mean that lie so."""
        return answer(self.dice.judge(self.history.start, self.history.played, on_mat(free, **places)))

    def takes(self, free: str, **places: str) -> str:
        """The same, and it counts."""
        verdict = self.dice.judge(self.history.start, self.history.played, on_mat(free, **places))
        for event in verdict.events:
            self.history.take(event)
        return answer(verdict)

    def lays(self, card: str, pocket: int = 0, by: str = "", **places: str) -> str:
        """What a card means that is laid down, on the card place or into a pocket."""
        laid, there = CardLaid(card=card, pocket=pocket), on_mat("", by, **places)
        return answer(self.cards.judge(self.history.position, self.history.played, laid, there))
