"""The box's end of its uplink (`device.venue.publishing`): starts it, and starts it anew when it falls."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from device.languages import LANGUAGE
from engine.wording import spoken_language

AGAIN_S = 30.0
"""One that fell is not started anew sooner."""
GRACE_S = 2.0
ROOT = Path(__file__).parents[2]
"""Where Python finds the rooms."""


class UplinkProcess:
    """The process, looked after by the box's main thread."""

    def __init__(self, data: Path, host: str, word: str = "") -> None:
        """`host`: where the box's own console answers. `word`: by which it lets the process answer there."""
        here = "127.0.0.1" if host in ("", "0.0.0.0", "::") else host  # noqa: S104 - compared only
        self._command = (sys.executable, "-m", "device.venue.publishing", str(data), here)
        self._word = word
        self._running: subprocess.Popen[bytes] | None = None
        self._started_s = float("-inf")

    def look(self, now_s: float, port: int) -> None:
        """Start it where it does not run; `now_s` on a steady clock, `port` the console's."""
        if self._running is not None and self._running.poll() is None:
            return
        if now_s < self._started_s + AGAIN_S:
            return
        self._started_s = now_s
        paths = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        environment = {**os.environ, LANGUAGE: spoken_language(), "PYTHONPATH": paths}
        try:
            self._running = subprocess.Popen(  # noqa: S603 - this Python, and a module of ours
                (*self._command, str(port)), stdin=subprocess.PIPE, env=environment
            )
        except OSError:  # no memory for it now: the box plays on
            self._running = None
            return
        if self._running.stdin is not None:
            with suppress(OSError):  # it fell at once
                self._running.stdin.write(f"{self._word}\n".encode())
                self._running.stdin.flush()

    def close(self) -> None:
        """End it; it says good-bye, or is ended."""
        running, self._running = self._running, None
        if running is None:
            return
        if running.stdin is not None:
            running.stdin.close()
        try:
            running.wait(GRACE_S)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()
