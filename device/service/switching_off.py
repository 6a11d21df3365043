"""Switches the machine off, when its off button was held and the box has ended.

The box may not do that itself: it runs without any right over the machine. It leaves a file in its own folder
under /run, and systemd, which watches for that (systemd/callbox-off.path), does the one thing that goes with
it.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from engine.wording import phrase, phrase_later

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
