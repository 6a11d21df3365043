"""Has the doctor look in a process of its own: its checks take a core for seconds, and a game goes on."""

import os
import sys
from typing import Any

import msgspec

from device.doctor import examine
from device.doctor.machine import CheckedBox, Finding, Machine
from device.helper import HelperProcess
from device.languages import speak_as_started

ANSWER_S = 300.0
"""How long it may take: a journal of years is read whole."""
NICENESS = 10


class DoctorProcess:
    """Asks the doctor once; `close` may be called meanwhile, from any thread."""

    def __init__(self) -> None:
        self._process = HelperProcess("device.doctor.asking", answer_s=ANSWER_S)

    def examine(self, box: CheckedBox) -> tuple[Finding, ...] | None:
        """All findings; None where the process fell over, took too long, or was closed."""
        told = self._process.ask(msgspec.json.encode(box, enc_hook=str))
        self._process.close()
        return None if told is None else msgspec.json.decode(told, type=tuple[Finding, ...])

    def close(self) -> None:
        """End the process."""
        self._process.close()


def _from_text(kind: type, text: object) -> Any:
    return kind(text)


def main() -> None:
    """Answer each line until nobody asks any more."""
    os.nice(NICENESS)
    speak_as_started()
    for line in sys.stdin.buffer:
        box = msgspec.json.decode(line, type=CheckedBox, dec_hook=_from_text)
        findings = tuple(examine(Machine(), box))
        sys.stdout.buffer.write(msgspec.json.encode(findings) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
