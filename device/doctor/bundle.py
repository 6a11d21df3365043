"""What one sends along with a question: a ZIP file with the doctor's findings and faults from the log.

Nothing goes in that could name anybody, tell a bet, a PIN or a key. So what goes in is chosen, never what
stays out: numbers and Callbox's own words from the settings, lines of the log whose form is known, sizes of
folders. Of the journal's rows, of people and PINs nothing goes in; pictures only when asked for.
"""

import json
import os
import re
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect as shape

from device.config import Config, parse
from device.doctor.machine import CheckedBox, Finding, Machine
from engine.wording import phrase

OWN = "(your own)"
"""Stands for whatever is no word of Callbox's."""
WELL_KNOWN_USERS = {"callbox", "root"}
CAMERA = re.compile(r"(?:picamera2|usb)(:\d{1,3})?|table", re.ASCII)
HOMES = re.compile(r"/(?:home|media|mnt|run/media)/[^\s:;,)'\"]+")
ADDRESSES = re.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}\b|\[?\b[0-9a-fA-F]{0,4}(?::[0-9a-fA-F]{0,4}){2,7}\]?")
FOLDERS = ("journal.db", "journal.db-wal", "pictures", "films", "lessons", "aside")
LOG = ["journalctl", "-u", "callbox", "-n", "3000", "-o", "json", "--no-pager"]
OF_SYSTEMD = re.compile(
    r"callbox\.service: [\w ,.=/()!-]+|(?:Start|Stopp)(?:ed|ing|ped) callbox\.service\b[\w ,.-]*", re.ASCII
)
OF_CAMERA = re.compile(r"No picture\b.*?(Cause: [\w ,.;'-]+)", re.ASCII)
PLACE = re.compile(r'\s+File "([^"]+)", line (\d+), in ([\w<>]+)', re.ASCII)
CODE = ("device", "vision", "engine", "calibration", "models", "site-packages", "dist-packages")
"""Folders whose files bear names that nobody at a table gave."""
NEWEST_PICTURES = 3


class BundleError(Exception):
    """The bundle cannot be written. `str(error)` names cause and fix."""


def bundle(
    machine: Machine, box: CheckedBox, findings: Sequence[Finding], to: Path, *, pictures: bool
) -> int:
    """Write the ZIP file `to`, readable by its owner alone; returns how many files are in it.

    `to` gets its name once it is whole. Raises `BundleError` where it cannot be written.
    """
    entries: dict[str, bytes] = {
        "findings.jsonl": _lines(msgspec.to_builtins(each) for each in faceless(findings, box)),
        "settings.json": _pretty(settings_words(box.config) if box.config else {}),
        "versions.json": _pretty({**machine.distributions(), "python": list(machine.interpreter.version)}),
        "sizes.json": _pretty(sizes(box.data)),
        "log.jsonl": _lines(log_lines(machine)),
    }
    newest = _newest(box.data / "pictures") if pictures else []
    try:
        for number, path in enumerate(newest):
            entries[f"pictures/{number}.jpg"] = path.read_bytes()
        with tempfile.NamedTemporaryFile(dir=to.parent, prefix=".bundle", delete=False) as file:
            try:
                with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as whole:
                    for name, content in entries.items():
                        whole.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
                file.flush()
                os.replace(file.name, to)  # noqa: PTH105 - both are of one folder
            except BaseException:
                os.unlink(file.name)  # noqa: PTH108 - it has no other name yet
                raise
    except OSError as error:
        raise BundleError(
            phrase("{to} cannot be written: {why}. Name another place.", to=to, why=error.strerror or error)
        ) from error
    return len(entries)


def faceless(findings: Iterable[Finding], box: CheckedBox) -> Iterator[Finding]:
    """The findings without what names somebody: users, folders, addresses, and the settings' own words."""
    own = [str(box.data), box.config_file, *_own_words(box.config)]
    if box.user not in WELL_KNOWN_USERS:
        own.append(box.user)
    names = sorted((name for name in own if len(name) > 1), key=len, reverse=True)

    def clean(text: str) -> str:
        for name in names:
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", OWN, text)
        return ADDRESSES.sub(OWN, HOMES.sub(OWN, text))

    for each in findings:
        quotes = box.trouble and box.trouble in each.text
        yield replace(each, text=OWN if quotes else clean(each.text), fix=clean(each.fix))


def settings_words(config: Config) -> dict[str, Any]:
    """All settings; texts that are no words of Callbox's own are named `OWN`."""
    known = _known_words()

    def mask_words(value: object) -> Any:
        match value:
            case dict():
                return {key: mask_words(each) for key, each in value.items()}
            case list() | tuple():
                return [mask_words(each) for each in value]
            case str() if value not in known and not CAMERA.fullmatch(value):
                return OWN
        return value

    whole: dict[str, Any] = mask_words(msgspec.to_builtins(config))
    return whole


def _known_words() -> set[str]:
    """The texts of the shipped settings, and those that a setting may choose from."""
    return set(_texts(msgspec.to_builtins(parse("")))) | set(_choices(shape.type_info(Config)))


def _own_words(config: Config | None) -> set[str]:
    """The texts of the settings that are none of Callbox's own."""
    return set(_texts(msgspec.to_builtins(config))) - _known_words() if config else set()


def _texts(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for each in value.values():
                yield from _texts(each)
        case list() | tuple():
            for each in value:
                yield from _texts(each)
        case _:
            return


def _choices(kind: shape.Type) -> Iterator[str]:
    match kind:
        case shape.Metadata(type=inner):
            yield from _choices(inner)
        case shape.StructType(fields=fields):
            for field in fields:
                yield from _choices(field.type)
        case shape.UnionType(types=kinds):
            for each in kinds:
                yield from _choices(each)
        case shape.LiteralType(values=values):
            yield from (value for value in values if isinstance(value, str))
        case _:
            return


def sizes(data: Path) -> dict[str, Any]:
    """How many files and bytes each known part of the data folder has; all the rest together is "other"."""
    found: dict[str, list[int]] = {}
    for path in data.rglob("*") if data.is_dir() else ():
        try:
            if not path.is_file() or path.is_symlink():
                continue
            taken = path.stat().st_size
        except OSError:
            continue
        first = path.relative_to(data).parts[0]
        part = found.setdefault(first if first in FOLDERS else "other", [0, 0])
        part[0] += 1
        part[1] += taken
    return {name: {"files": files, "bytes": taken} for name, (files, taken) in sorted(found.items())}


def log_lines(machine: Machine) -> Iterator[Mapping[str, Any]]:
    """The service's log: what systemd says of it, what is said of the camera, where mistakes were made.

    All other lines are counted: the box tells its table there what people play. Of an error its name stays.
    """
    ran = machine.run(LOG)
    left_out, in_traceback = 0, False
    for line in (ran.out if ran and ran.status == 0 else "").splitlines():
        try:
            entry = json.loads(line)
            text, at_us = str(entry["MESSAGE"]), int(entry["__REALTIME_TIMESTAMP"])
        except (ValueError, KeyError, TypeError):
            left_out += 1
            continue
        kept = _keep_line(text, in_traceback=in_traceback)
        in_traceback = text.startswith("Traceback ") or (in_traceback and text[:1].isspace())
        if kept:
            yield {"at_s": at_us // 1_000_000, "text": kept}
        else:
            left_out += 1
    yield {"left_out": left_out}


def _keep_line(text: str, *, in_traceback: bool) -> str:
    """What of a line of the log goes in; "" for nothing."""
    if text == "Traceback (most recent call last):" or OF_SYSTEMD.fullmatch(text):
        return text
    if found := OF_CAMERA.match(text):
        return "No picture. " + found[1].partition(" Fix")[0]
    if in_traceback and (place := PLACE.fullmatch(text)):
        parts = Path(place[1]).parts
        at = max((index for index, part in enumerate(parts) if part in CODE), default=None)
        return f"  {OWN if at is None else '/'.join(parts[at:])}, line {place[2]}, in {place[3]}"
    name = text.partition(":")[0]
    ends = in_traceback and not text[:1].isspace() and re.fullmatch(r"[A-Za-z_][\w.]*", name, re.ASCII)
    return name if ends else ""


def _newest(folder: Path) -> list[Path]:
    """The newest pictures that were read."""
    found = [path for path in folder.glob("*/*.jpg") if path.is_file() and not path.is_symlink()]
    return sorted(found, key=lambda path: path.stat().st_mtime)[-NEWEST_PICTURES:]


def _pretty(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=1)


def _lines(values: Iterable[object]) -> bytes:
    return b"".join(msgspec.json.encode(value) + b"\n" for value in values)
