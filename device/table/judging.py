"""What people say of throws (other dice, another landing), and what that would change."""

from collections.abc import Sequence

from device.games.evening import PAUSED
from device.lessons import keep_to_learn
from device.table.table import Table
from engine.dice import Die
from engine.events import Corrected, Rolled, Ruling
from engine.refusal import Refused
from engine.wording import phrase


class Judging:
    """One table's."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def correct(self, dice: Sequence[Die], reason: str, roll: int = 0) -> str:
        """Take people's word for the dice of that roll, 0 for the last; returns why not, or ""."""
        said, parts, play = tuple(dice), self._table.parts, self._table.play
        taken = play.umpire.shown.taken if play else None
        why = self._table.asked(lambda match: match.correct(said, reason, parts.now(), roll))
        rolls = sum(isinstance(event, Rolled) for event, _ in play.match.played) if play and roll else 0
        if not why and roll == rolls and taken is not None and play is not None:
            trouble = keep_to_learn(parts.storage, parts.lessons, taken.reading, taken.picture, said)
            if trouble:
                play.match.say(trouble, "refused")
        return why

    def rule(self, event: Ruling) -> str:
        """A ruling on a landing, or the referee's word on one in question; returns why not, or ""."""
        landings = self._table.play.landings if self._table.play else None
        if landings is None:
            return phrase("There are no landings to rule on in this game.")
        return self._table.asked(lambda _: landings.rule(event, self._table.parts.now()))

    def foresee(self, event: Ruling | Corrected) -> str:
        """What that ruling or correction would change, in a sentence; raises `Refused`."""
        play = self._table.play
        if play is None or play.paused:
            raise Refused(phrase(PAUSED) if play else phrase("No game is going on."))
        if isinstance(event, Corrected):
            return play.match.foresee(event)
        if play.landings is None:
            raise Refused(phrase("There are no landings to rule on in this game."))
        return play.landings.foresee(event)
