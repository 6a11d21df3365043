"""What betting dice mean in Zoinx that are shown on a mat: the bets, taken together (rule 3).

Rule numbers are those of `engine.zoinx`.
"""

from collections.abc import Mapping, Sequence

from engine.events import Bet
from engine.game import GameView, Position
from engine.mat import Verdict
from engine.refusal import Refused
from engine.wording import phrase, phrase_count
from engine.words import together


class Bets:
    """Bets stay secret until all are locked, so none is taken before everybody who still bets shows a die."""

    def judge(self, position: Position, shown: Mapping[int, int]) -> Verdict:
        """What the dice mean that were set down for this turn: the dots, by seat from 0.

        A bet that the rules forbid is refused with the rulebook's reason, and then none is locked.
        """
        view = position.view()
        seats = [view.players.index(each.player) for each in view.allowed if each.button == "bet"]
        fresh = [seat for seat in seats if seat in shown]
        if len(fresh) < len(seats):
            return Verdict(waits=_missing(view, fresh, seats))
        bets = tuple(Bet(player=view.players[seat], dots=shown[seat]) for seat in seats)
        for bet in bets:
            try:
                position = position.after(bet)
            except Refused as refusal:
                return Verdict(refused=str(refusal))
        return Verdict(events=bets)


def _missing(view: GameView, fresh: Sequence[int], seats: Sequence[int]) -> str:
    """Whose dice are there, and whose are not; "" where there is none yet."""
    if not fresh:
        return ""
    there = together([view.players[seat] for seat in fresh])
    missing = [view.players[seat] for seat in seats if seat not in fresh]
    waiting = phrase_count(
        "{players} still has to show one that was set down for this turn.",
        "{players} still have to show one that was set down for this turn.",
        len(missing),
        players=together(missing),
    )
    seen = phrase("I see the betting dice of {players}.", players=there)
    return f"{seen} {waiting}"
