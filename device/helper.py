"""A process of its own that answers line by line: what takes a core for seconds keeps no table waiting.

It is started with the first question, keeps what it has found out, ends with the box, and if it falls it is
started anew with the next question. One that does not answer within its time is killed, stopped or not.
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


ANSWER_S = 60.0
"""How long an answer may take: many times what the largest report of a year takes."""


class HelperProcess:
    """`python -m MODULE ARGUMENTS`, which answers each line of its input with a line."""

    def __init__(self, module: str, *arguments: str, answer_s: float = ANSWER_S) -> None:
        self.answer_s = answer_s
        """A process that takes longer for an answer is ended, and the next question begins a new one."""
        self._lock = threading.Lock()
        self._command = (sys.executable, "-m", module, *arguments)
        self._running: subprocess.Popen[bytes] | None = None
        self._closed = False

    def ask(self, line: bytes) -> bytes | None:
        """The answer, without its end of line; from any thread, one after the other.

        None where the process falls over it twice or takes too long, and once it is closed.
        """
        with self._lock:
            late = threading.Event()
            told = self._answer(line, late)
            return told if told or late.is_set() else self._answer(line, late)

    def close(self) -> None:
        """End the process for good; who waits for an answer gets none."""
        self._closed = True
        running = self._running
        if running is not None:
            running.kill()
        with self._lock:
            self._end()

    def _answer(self, line: bytes, late: threading.Event) -> bytes | None:
        """One try; `late` is set where it took too long."""
        if self._closed:
            return None
        try:
            running = self._running or self._start()
            told = self._ask_within(running, line, late)
        except OSError:
            told = b""
        if not told.endswith(b"\n"):
            self._end()
            return None
        return told.removesuffix(b"\n")

    def _ask_within(self, running: "subprocess.Popen[bytes]", line: bytes, late: threading.Event) -> bytes:
        """Ask, and read until the end of the line or of the process; raises OSError."""

        def end() -> None:
            late.set()
            running.kill()

        assert running.stdin is not None and running.stdout is not None  # noqa: S101, PT018 - asked for below
        timer = threading.Timer(self.answer_s, end)
        timer.daemon = True
        timer.start()
        try:
            running.stdin.write(line + b"\n")
            running.stdin.flush()
            return running.stdout.readline()
        finally:
            timer.cancel()

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
