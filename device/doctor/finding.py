"""What a check says, and what it knows of the box beforehand."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from device.config import Config

Verdict = Literal["ok", "warn", "fail", "not here"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One check's outcome: a sentence, and the command or act that mends it."""

    name: str
    verdict: Verdict
    text: str
    fix: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedBox:
    """What this box is set to."""

    config: Config | None
    """None when the settings cannot be used; `trouble` then says why."""
    trouble: str
    config_file: str
    data: Path
    user: str
    """Who runs the box: callbox where it is installed as a service, else whoever asks."""


def ok(name: str, text: str) -> Finding:
    """All is well."""
    return Finding(name=name, verdict="ok", text=text)


def warn(name: str, text: str, fix: str) -> Finding:
    """The box plays, but not as well as it could."""
    return Finding(name=name, verdict="warn", text=text, fix=fix)


def fail(name: str, text: str, fix: str) -> Finding:
    """Something that the box needs is missing."""
    return Finding(name=name, verdict="fail", text=text, fix=fix)


def absent(name: str, text: str) -> Finding:
    """This machine cannot have it, so nothing is wrong."""
    return Finding(name=name, verdict="not here", text=text)
