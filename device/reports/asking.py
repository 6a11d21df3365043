"""What pages ask of the history, and who answers: a process beside the box, so that no press waits for it."""

from pathlib import Path
from typing import Literal, Protocol

import msgspec

from device.helper import ANSWER_S, HelperProcess


class HistoryAsked(msgspec.Struct, frozen=True, kw_only=True):
    """Which games, and told how. With nothing said it is the last evening."""

    form: Literal["page", "file", "pdf", "csv", "picture", "film"] = "page"
    """`file`: one game as a page that brings its pictures along."""
    game: int = 0
    """One game, by its number."""
    evening: str = ""
    """An evening, as ISO date."""
    player: str = ""
    """All games of somebody, by the name."""
    every: bool = False
    """All games."""
    names: bool = True
    """Whether players are named in a file."""
    name: str = ""
    """Which picture or film of the game, as the journal names it: "3", or "3-2"."""


class HistoryTold(msgspec.Struct, frozen=True, kw_only=True):
    """The answer, as it goes out."""

    status: int = 200
    media: str = "text/html; charset=utf-8"
    name: str = ""
    """The file's name, where it is one to be kept."""
    body: bytes = b""
    path: str = ""
    """A file on the disk that is the answer, in place of `body`."""


class TellsHistory(Protocol):
    """Whoever can be asked what was played."""

    def ask(self, question: HistoryAsked, /) -> HistoryTold | None:
        """The answer; None where nobody can tell now."""
        ...


class HistoryProcess:
    """Answers from any thread, one question after the other (`device.reports.worker`)."""

    def __init__(self, journal: Path, calibration: Path | None, *, answer_s: float = ANSWER_S) -> None:
        """`answer_s`: how long an answer may take before another process is begun."""
        sheet = (str(calibration),) if calibration else ()
        self._process = HelperProcess("device.reports.worker", str(journal), *sheet, answer_s=answer_s)

    def ask(self, question: HistoryAsked, /) -> HistoryTold | None:
        """The answer; None where the process falls over it."""
        told = self._process.ask(msgspec.json.encode(question))
        return None if told is None else msgspec.json.decode(told, type=HistoryTold)

    def close(self) -> None:
        """End the process."""
        self._process.close()
