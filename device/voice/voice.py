"""Says each call with espeak-ng, a process for each; a newer call ends the one before at once."""

import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress

from device.config import VoiceConfig
from device.shown.snapshot import Snapshot
from engine.wording import phrase, spoken_language

PROGRAM = "espeak-ng"
ACCENTS = {"en": "en-gb", "de": "de", "fr": "fr"}
"""espeak-ng's voice for each language of the house."""
HANGS_S = 30.0
"""A program that speaks for so long hangs: the longest call takes half of it."""
LOOKS_S = 0.05
"""How often it is looked whether a newer call has come while one is said."""
LEVEL = 19
"""The program's niceness: a score comes first."""


class Silence:
    """No voice: nothing runs, and nothing is to be ended."""

    def close(self) -> None:
        """It is silent already."""


class Voice:
    """Speaks in a thread of its own. `follow` is the table's, and returns at once."""

    def __init__(self, command: Sequence[str], tell: Callable[[str], None], hangs_s: float = HANGS_S) -> None:
        """`command` says what comes on its standard input, and ends; `tell` gets a line where it does not."""
        self._command = tuple(command)
        self._tell = tell
        self._hangs_s = hangs_s
        self._called = 0
        self._newest: str | None = None
        self._closed = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._speak_on, name="voice", daemon=True)
        self._thread.start()

    def follow(self, snapshot: Snapshot) -> None:
        """Say what is called now, unless that was said; what was not said yet never will be."""
        if snapshot.called.number == self._called:
            return
        self._called = snapshot.called.number
        with self._changed:
            self._newest = snapshot.called.words
            self._changed.notify()

    def close(self) -> None:
        """Fall silent, for good."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join()

    def _speak_on(self) -> None:
        while (words := self._next()) is not None:
            try:
                self._say(words)
            except OSError as error:
                self._tell(
                    phrase(
                        "The voice is silent: {program} does not start: {strerror}.",
                        program=self._command[0],
                        strerror=error.strerror,
                    )
                )
                return

    def _next(self) -> str | None:
        """The newest words, once there are any; None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._newest is not None)
            words, self._newest = self._newest, None
            return None if self._closed else words

    def _say(self, words: str) -> None:
        speaking = subprocess.Popen(  # noqa: S603 - the words go in by its standard input
            self._command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            with suppress(BrokenPipeError), speaking.stdin or nullcontext() as ear:
                if ear is not None:
                    ear.write(f"{words}\n".encode())
            self._wait(speaking)
        finally:
            speaking.kill()
            speaking.wait()

    def _wait(self, speaking: "subprocess.Popen[bytes]") -> None:
        """Until it is said, or something newer is to be said, or it hangs."""
        ends_s = time.monotonic() + self._hangs_s
        while speaking.poll() is None:
            with self._changed:
                if self._changed.wait_for(lambda: self._closed or self._newest is not None, LOOKS_S):
                    return
            if time.monotonic() > ends_s:
                self._tell(
                    phrase(
                        "The voice hung and was ended: {program}. Is there a loudspeaker?",
                        program=self._command[0],
                    )
                )
                return


def accent_of(config: VoiceConfig) -> str:
    """The voice that the settings name, or that of the language that the box speaks."""
    return ACCENTS[spoken_language()] if config.accent == "auto" else config.accent


def open_voice(
    config: VoiceConfig,
    tell: Callable[[str], None],
    listen: Callable[[Callable[[Snapshot], None]], object],
    find: Callable[[str], str | None] = shutil.which,
) -> Voice | Silence:
    """The voice that the settings ask for, told of each snapshot from now on.

    Silence where they ask for none, or where its program is not there. `listen` has it told.
    """
    if config.speaks == "none":
        return Silence()
    program = find(PROGRAM)
    if program is None:
        tell(
            phrase(
                "The voice is silent: there is no {program}. Get it with: sudo apt install {program}",
                program=PROGRAM,
            )
        )
        return Silence()
    told = ("-v", accent_of(config), "-s", str(config.words_a_minute), "-a", str(config.loudness))
    nice = find("nice")
    first = (nice, "-n", str(LEVEL)) if nice else ()
    voice = Voice((*first, program, *told, "--stdin"), tell)
    listen(voice.follow)
    return voice
