"""Several phones, one button: who holds it, so that the pin goes down once and always comes up again.

A phone may vanish with its finger on a button, and its last two messages may arrive in the wrong order. So
each press carries a word of its own: a button is down while any finger holds it, a finger that was lifted
before its press arrived never lands, and whoever owns the clock lifts a finger that holds too long (`app`).
"""

from collections import OrderedDict

REMEMBERED = 256
"""Lifted fingers kept in mind; a late press comes within seconds."""


class Fingers:
    """The fingers on the panel's buttons. Pure: it says what the pin must do, and does nothing itself."""

    def __init__(self) -> None:
        self._holding: dict[str, set[str]] = {}
        self._lifted: OrderedDict[tuple[str, str], None] = OrderedDict()

    def put(self, button: str, finger: str) -> bool:
        """A finger lands; True when the pin must go down now."""
        if finger and (button, finger) in self._lifted:
            return False
        holding = self._holding.setdefault(button, set())
        holding.add(finger)
        return len(holding) == 1

    def lift(self, button: str, finger: str) -> bool:
        """A finger is lifted; True when the pin must come up now."""
        if finger:
            self._lifted[button, finger] = None
            while len(self._lifted) > REMEMBERED:
                self._lifted.popitem(last=False)
        holding = self._holding.get(button, set())
        if finger not in holding:
            return False
        holding.discard(finger)
        return not holding
