"""What moved dice mean: dice that lie in the places of a mat, held against what the rulebook knows.

How it works. A game says, from the events that count, which dice of the cast should lie free and which in
which place. What lies there now differs by what people moved. So nothing has to be followed from moment to
moment: dice may be carried one by one or all at once, in plain sight or not.
- Dice more than known in this cast's place were set aside: the event is a pocket with just those dice. Where
  they only score together with dice that were set aside a moment before, the earlier event is undone first.
- Dice fewer than known there, and free again, were moved back: an undo, as long as the last thing that counts
  was setting them aside.
- Everything else is against the rules, and is refused with the reason.
Whether something was moved at all, and not thrown, shows in the free dice: they must be dice of this cast.
"""

from abc import ABC, abstractmethod
from collections import Counter

from engine.events import GameEvent, Pocket, Undo
from engine.game import Played, Position
from engine.mat import Carry, Dice, Expected, Moves, OnMat, Verdict
from engine.refusal import Refused
from engine.wording import phrase
from engine.words import together


class SetAside(ABC):
    """Dice that are set aside on a mat: a game says where they should lie, and which event moves them."""

    @abstractmethod
    def expect(self, start: Position, played: Played) -> Expected | None:
        """Where the dice of the turn should lie; None while no cast lies there."""

    @abstractmethod
    def pocketing(self, position: Position, dice: Dice) -> Pocket:
        """The event that sets just these dice aside; grouped so that it is taken if it can be."""

    def lie_still(self, position: Position) -> Dice:  # noqa: ARG002 - a game with such a die has its own
        """Dice of the cast that are left where they lie while a single one is thrown; else none."""
        return Counter()

    def judge(self, start: Position, played: Played, there: OnMat) -> Verdict:
        """What the dice mean as they lie now; an empty verdict where all is as the rulebook knows it."""
        now = self.expect(start, played)
        if now is None:
            return Verdict()
        astray = _astray(now, there)
        if astray is not None:
            return astray
        more, less = _differences(now, there)
        if not more and not less:
            return Verdict()
        # Three dice of a kind may come one by one, and may go back one by one.
        for undone in range(_pocketings(played) + 1):
            before = played[: len(played) - undone]
            then = self.expect(start, before)
            if not before or then is None or then.current != now.current:
                break
            verdict = self._taken(before[-1][1], then, there, undone, all_of_them=bool(less))
            if verdict is not None:
                return verdict
        if less:
            return _missing(now, there, less)
        return self._refused(played[-1][1], now, there)

    def only_moved(self, start: Position, played: Played, there: OnMat) -> bool:
        """Whether exactly the dice of this turn lie there, only elsewhere: then nothing was thrown."""
        now = self.expect(start, played)
        if now is None:
            return False
        known, lying = _faces(now.free), _faces(there.free)
        for faces in now.aside.values():
            known += faces
        for dice in there.aside.values():
            lying += _faces(dice)
        return known == lying and _differences(now, there) != (Counter(), Counter())

    def find_stray(self, start: Position, played: Played, there: OnMat) -> int:
        """The place in which dice lie that the rulebook does not know to be there; 0 where there is none."""
        now = self.expect(start, played)
        if now is None:
            return 0
        strays = (
            number for number, dice in there.aside.items() if _faces(dice) - now.aside.get(number, Counter())
        )
        return next(strays, 0)

    def carry(self, event: Pocket) -> Moves:
        """How hands set these dice aside: they go into the place for dice of this cast."""
        return Moves(moves=(Carry(dice=tuple(die for combo in event.combos for die in combo)),), tells=True)

    def _taken(
        self, position: Position, then: Expected, there: OnMat, undone: int, *, all_of_them: bool
    ) -> Verdict | None:
        """The events that lead to what lies there, from a position some undos back; None where none do."""
        more, less = _differences(then, there)
        dice = _of_faces(there.aside.get(then.current, Counter()), more)
        if less or not (undone or dice):
            return None
        if not _left_over(then.free, dice, there.free, all_of_them=all_of_them):
            return None
        undos: tuple[GameEvent | Undo, ...] = (Undo(),) * undone
        if not dice:
            return Verdict(events=undos, at=then.current)
        event = self.pocketing(position, dice)
        try:
            position.after(event)
        except Refused:
            return None
        return Verdict(events=(*undos, event), at=then.current)

    def _refused(self, position: Position, now: Expected, there: OnMat) -> Verdict:
        """The rulebook's own reason why these dice may not be set aside."""
        more, _ = _differences(now, there)
        dice = _of_faces(there.aside.get(now.current, Counter()), more)
        if there.free - now.free:
            return Verdict()  # another throw lies there: whether it counts is said when it is read
        try:
            position.after(self.pocketing(position, dice))
        except Refused as refusal:
            return Verdict(refused=str(refusal), at=now.current)
        return Verdict()


def one_combo(dice: Dice) -> Pocket:
    """The setting aside of all these dice as one combo."""
    return Pocket(combos=(tuple(sorted(dice.elements(), key=lambda die: (die.kind, str(die.value)))),))


def _astray(now: Expected, there: OnMat) -> Verdict | None:
    """Dice of this cast that lie in another cast's place."""
    for number, dice in there.aside.items():
        more = _of_faces(dice, _faces(dice) - now.aside.get(number, Counter()))
        if number != now.current and more and _left_over(now.free, more, there.free, all_of_them=False):
            return Verdict(refused=now.wrong, at=number)
    return None


def _missing(now: Expected, there: OnMat, less: Counter[int]) -> Verdict:
    """Dice that count in a pocket and were taken out of it."""
    back = there.free - now.free
    if not back or _faces(back) - less:
        return Verdict()  # in somebody's hand, or a new throw: nothing to say
    faces = together([str(face) for face in sorted(less.elements())])
    wrong = phrase("The {faces} count since an earlier cast and stay set aside. Put them back.", faces=faces)
    return Verdict(refused=wrong, at=now.current)


def _left_over(free: Dice, taken: Dice, lying: Dice, *, all_of_them: bool) -> bool:
    """Whether what lies free is what `taken` leaves of the cast; the rest may be in a hand already."""
    if taken - free:
        return False
    left = free - taken
    return lying == left if all_of_them else not lying - left


def _differences(expected: Expected, there: OnMat) -> tuple[Counter[int], Counter[int]]:
    """Faces more and faces fewer than known in this cast's place, and fewer in any other."""
    current = expected.current
    lying, known = _faces(there.aside.get(current, Counter())), expected.aside.get(current, Counter())
    less = known - lying
    for number, faces in expected.aside.items():
        if number != current:
            less += faces - _faces(there.aside.get(number, Counter()))
    return lying - known, less


def _pocketings(played: Played) -> int:
    """How many of the last events set dice aside, one after the other."""
    count = 0
    while count < len(played) and isinstance(played[-1 - count][0], Pocket):
        count += 1
    return count


def _faces(dice: Dice) -> Counter[int]:
    found: Counter[int] = Counter()
    for die, count in dice.items():
        if isinstance(die.value, int):
            found[die.value] += count
    return found


def _of_faces(dice: Dice, faces: Counter[int]) -> Dice:
    """As many of the dice as `faces` counts, by face."""
    found: Dice = Counter()
    for face, count in faces.items():
        same = [die for die in dice.elements() if die.value == face]
        found.update(same[:count])
    return found
