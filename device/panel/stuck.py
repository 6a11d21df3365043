"""Which buttons are down for longer than anybody presses one: stuck, or wired wrongly. Time is passed in."""

from collections.abc import Iterable

from device.wiring import BUTTONS, label
from engine.wording import phrase_count
from engine.words import together

OFF = "off"
"""The button that switches the Pi off."""
STUCK_MS = 30_000.0
"""A long press takes less than a second."""


class Stuck:
    """All buttons of a panel. Not for several threads; edges come as they do to `Presses`."""

    def __init__(self, down_at_start: Iterable[str] = ()) -> None:
        """`down_at_start`: what is down before anybody was asked to press it counts as stuck at once."""
        self._since_ms = dict.fromkeys(down_at_start, float("-inf"))

    def edge(self, button: str, down: bool, time_ms: float) -> None:
        """A contact closed or opened."""
        if not down:
            self._since_ms.pop(button, None)
        else:
            self._since_ms.setdefault(button, time_ms)

    def at(self, time_ms: float) -> tuple[str, ...]:
        """The buttons that count as stuck at `time_ms`, in the panel's order."""
        if not self._since_ms:
            return ()
        held = (name for name in (*BUTTONS, OFF) if name in self._since_ms)
        return tuple(name for name in held if time_ms - self._since_ms[name] >= STUCK_MS)


def sentence(stuck: Iterable[str]) -> str:
    """What to say of stuck buttons; "" for none."""
    names = [label(button) for button in stuck]
    if not names:
        return ""
    return phrase_count(
        "{buttons} is down all the time. Does anything lie on it? If not: look for solder between the wires, "
        "and at pull and pressed in callbox.toml.",
        "{buttons} are down all the time. Does anything lie on them? If not: look for solder between the "
        "wires, and at pull and pressed in callbox.toml.",
        len(names),
        buttons=together(names),
    )
