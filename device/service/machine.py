"""Gives spare memory back to the machine, and switches it off when the off button was held."""

import ctypes
import os
from collections.abc import Callable, Mapping
from pathlib import Path

from engine.wording import phrase, phrase_later

# Memory that holds nothing any more goes back to the machine.
#
# Pictures of some megabytes come and go in several threads, and smaller things stay between them. glibc
# keeps the gaps for later: after a few hundred throws they are a third of what a box has of the machine's
# memory. They are given back now and then, and asked for again where they are needed.

EVERY_S = 60.0
"""How often: it takes some 5 ms, and the gaps of a minute are no harm."""


class SpareMemory:
    """Gives it back. Not for several threads."""

    def __init__(self) -> None:
        """Where the C library is not glibc, nothing is done."""
        self._trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        self._given_s = float("-inf")

    def look(self, now_s: float) -> None:
        """Give it back when it is time to; to be called again and again, with a steady clock's seconds."""
        if self._trim is not None and now_s - self._given_s >= EVERY_S:
            self._given_s = now_s
            self._trim(0)


# Switches the machine off, when its off button was held and the box has ended.
#
# The box may not do that itself: it runs without any right over the machine. It leaves a file in its own
# folder under /run, and systemd, which watches for that (systemd/callbox-off.path), does the one thing that
# goes with it.

ASKS = "off"
"""The file's name; systemd/callbox-off.path has it, too."""
PATIENCE_S = 10.0
"""systemd ends the box within a second or two, once it switches off."""
NOT_HERE = phrase_later(
    "The box has ended, and everything is kept, but only an installed box "
    "(systemd/install.sh) switches the machine off. By hand: sudo poweroff"
)
NOBODY = phrase_later(
    "Nobody switches the machine off: is callbox-off.path there (systemctl status "
    "callbox-off.path)? Fix: sudo systemd/install.sh. By hand: sudo poweroff"
)


def switch_off(
    ended: Callable[[float], bool],
    tell: Callable[[str], None],
    environment: Mapping[str, str] = os.environ,
) -> None:
    """Ask for it and wait until systemd ends this process. To be called when the journal is closed.

    `ended(seconds)` waits so long, and says whether the end was asked for meanwhile. Where nobody heeds it,
    that is told, and the box ends all the same; as a service it is then started anew.
    """
    folder = environment.get("RUNTIME_DIRECTORY", "")
    if not folder:
        tell(phrase(NOT_HERE))
        return
    try:
        Path(folder, ASKS).touch()
    except OSError as error:
        tell(f"{phrase(NOBODY)} ({error.strerror or error})")
        return
    # The folder goes with this process, so it stays until systemd has seen the file and says the end.
    if not ended(PATIENCE_S):
        tell(phrase(NOBODY))
