"""A process of its own that answers line by line: what takes a core for seconds keeps no table waiting.

It is started with the first question, keeps what it has found out, ends with the box, and if it falls it is
started anew with the next question.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from device.languages import LANGUAGE
from engine.wording import spoken_language

ROOT = Path(__file__).parent.parent
"""Where Python finds the rooms."""


class HelperProcess:
    """`python -m MODULE ARGUMENTS`, which answers each line of its input with a line."""

    def __init__(self, module: str, *arguments: str) -> None:
        self._lock = threading.Lock()
        self._command = (sys.executable, "-m", module, *arguments)
        self._running: subprocess.Popen[bytes] | None = None
        self._closed = False

    def ask(self, line: bytes) -> bytes | None:
        """The answer, without its end of line; from any thread, one after the other.

        None where the process falls over it twice, and once it is closed.
        """
        with self._lock:
            return self._answer(line) or self._answer(line)

    def close(self) -> None:
        """End the process for good; who waits for an answer gets none."""
        self._closed = True
        running = self._running
        if running is not None:
            running.kill()
        with self._lock:
            self._end()

    def _answer(self, line: bytes) -> bytes | None:
        if self._closed:
            return None
        try:
            running = self._running or self._start()
            if running.stdin is None or running.stdout is None:
                return None
            running.stdin.write(line + b"\n")
            running.stdin.flush()
            told = running.stdout.readline()
        except OSError:
            told = b""
        if not told.endswith(b"\n"):
            self._end()
            return None
        return told.removesuffix(b"\n")

    def _start(self) -> "subprocess.Popen[bytes]":
        paths = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        spoken = {LANGUAGE: spoken_language()}
        environment: Mapping[str, str] = {**os.environ, **spoken, "PYTHONPATH": paths}
        self._running = subprocess.Popen(  # noqa: S603 - this Python, and modules of ours
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        )
        return self._running

    def _end(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            running.kill()
            with suppress(OSError):
                running.communicate()
