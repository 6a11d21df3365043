"""Takes a release in as a file, hands it to the machine's installer, and says how that goes.

The box has no right over the machine. It writes the release below its data folder and leaves a file in its
folder under /run; systemd, which watches for that (systemd/callbox-update.path), runs systemd/update.sh as
root. That trusts nothing in the release before its signature holds, and writes how it goes where the box
may read it.
"""

import os
import secrets
import shutil
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal

import msgspec

from device.requests import Declined, Done, ReceiveRelease, ReleaseAwaited, Reply
from engine.wording import phrase, phrase_later

MB = 1_000_000
MOST_MB = 500
"""A release with all its packages has half of that."""
NEEDED_MB = 900
"""What an installed release takes, as systemd/release.sh has it."""
MOST_SAID = 2000
"""Characters of what the installer said last."""

NOT_INSTALLED = phrase_later(
    "This Callbox was not installed as a service, so it takes no release here: fetch the new one, and start "
    "it from its own folder."
)
NO_SIGNERS = phrase_later(
    "This box trusts no makers yet, so it takes its first signed release at the box alone: sudo "
    "/opt/callbox/current/systemd/install.sh --from FILE"
)
BUSY = phrase_later("A release is being taken in already. Wait until that has ended.")
NOT_ASKED = phrase_later("The box does not wait for this file. Choose it on the page Maintenance once more.")
BEGINS = phrase_later(
    "The installer is about to begin. If it does not, see on the box: systemctl status callbox-update.path"
)
STEPS = {
    "": phrase_later("The installer begins."),
    "unpack": phrase_later("The file is being unpacked."),
    "check": phrase_later("The box checks that the release is whole."),
    "sign": phrase_later("The box checks who signed the release."),
    "ready": phrase_later(
        "Callbox {version} is signed by makers whom this box trusts. It is being made ready; that takes some "
        "minutes, and a game goes on meanwhile."
    ),
    "try": phrase_later("Callbox {version} is being tried. The box is away for about a minute."),
    "change": phrase_later("The box switches over to Callbox {version}."),
}
"""What is said while systemd/install.sh is at that step."""
FAILED = {
    "": phrase_later(
        "The installer could not begin, and nothing was changed. Restart the box, and try it once more."
    ),
    "unpack": phrase_later(
        "The file cannot be unpacked: it is broken or no release. Nothing was changed; fetch it again."
    ),
    "check": phrase_later(
        "The release is damaged, or was changed on its way. Nothing was changed here; fetch it again."
    ),
    "sign": phrase_later(
        "The release is not signed by makers whom this box trusts. Nothing was changed; fetch it from where "
        "the first one came from."
    ),
    "ready": phrase_later(
        "Callbox {version} could not be made ready, and the box keeps {running}. Is the network there, and "
        "room on the card? Then try it once more."
    ),
    "try": phrase_later(
        "Callbox {version} was not well when it was tried, so the box keeps {running}. On the box, "
        "journalctl -u callbox-trial says why; the makers want to know."
    ),
    "change": phrase_later(
        "Callbox {version} was not well as a service, so the box runs {running}. On the box, journalctl -u "
        "callbox says why; the makers want to know."
    ),
}
"""What is said where the installer failed at that step."""
NOT_BACK = phrase_later("Going back failed, and the box runs {running}. On the box: journalctl -u callbox")


class UpdateShown(msgspec.Struct, frozen=True, kw_only=True):
    """Whether releases may come in by the page, and how it goes with the last one."""

    why_not: str = ""
    """Why none may; "" where they may."""
    previous: str = ""
    """The version that the box can go back to; "" for none."""
    busy: bool = False
    """Whether one is on its way, or being installed."""
    text: str = ""
    """How it goes, or how it ended; "" where nothing was done since the machine started."""
    tone: Literal["info", "good", "refused"] = "info"
    said: str = ""
    """What the installer said last, in English, where it failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdatePlaces:
    """The folders of an installed box, and of its installer."""

    app: Path = Path("/opt/callbox")
    signers: Path = Path("/etc/callbox/signers")
    asks: Path | None
    """The box's own folder under /run; None for a box that is no service."""
    told: Path = Path("/run/callbox-update")
    taken: Path
    """Where the release is written that comes in."""


def places_of(data: Path, environment: Mapping[str, str] = os.environ) -> UpdatePlaces:
    """Those of this box, by its data folder."""
    asks = environment.get("RUNTIME_DIRECTORY", "")
    return UpdatePlaces(asks=Path(asks) if asks else None, taken=data / "update")


class ReleaseRefused(Exception):
    """A file that is not taken in. `str(error)` says why, and what helps."""


class Incoming:
    """A release as it comes in. Ends with `finish`, or with `close` alone, which leaves nothing."""

    def __init__(self, updates: "Updates", file: Path, size_bytes: int) -> None:
        self._updates, self._path = updates, file
        self._left = size_bytes
        file.parent.mkdir(mode=0o700, exist_ok=True)
        self._file: BinaryIO = file.open("wb")

    def write(self, chunk: bytes) -> None:
        """Take in the next bytes; raises `ReleaseRefused` for more than were announced."""
        self._left -= len(chunk)
        if self._left < 0:
            raise ReleaseRefused(phrase("More came than the file has. Choose it once more."))
        try:
            self._file.write(chunk)
        except OSError as error:
            raise ReleaseRefused(_unwritten(error)) from None

    def finish(self) -> None:
        """Hand it to the installer; raises `ReleaseRefused`, also where a part is missing."""
        if self._left:
            raise ReleaseRefused(phrase("The file did not come to its end. Choose it once more."))
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._path.replace(self._path.with_suffix(""))
            self._updates.ask("install")
        except OSError as error:
            raise ReleaseRefused(_unwritten(error)) from None

    def close(self) -> None:
        """Let it go; what was not handed over is gone."""
        with suppress(OSError):
            self._file.close()
        self._path.unlink(missing_ok=True)
        self._updates.end()


def _unwritten(error: OSError) -> str:
    return phrase(
        "The file cannot be written to the card ({reason}). See what the check of the box finds.",
        reason=error.strerror or error,
    )


class Updates:
    """One box's. For any thread."""

    def __init__(self, places: UpdatePlaces, release: str, *, free_mb: int | None = None) -> None:
        """`release`: the name of the installed one that runs, "" for none; `free_mb`: None asks the card."""
        self.places = places
        self._release, self._free_mb = release, free_mb
        self._lock = threading.Lock()
        self._awaited: tuple[str, int] | None = None
        """The ticket of the file that may come, and its bytes."""
        self._coming = False

    def show(self) -> UpdateShown:
        """How it stands."""
        if why_not := self._why_not():
            return UpdateShown(why_not=why_not)
        previous = self.places.app / "previous"
        kept = _version(previous.readlink().name) if previous.is_symlink() else ""
        busy, text, tone, said = self._course()
        return UpdateShown(previous=kept, busy=busy, text=text, tone=tone, said=said)

    def expect(self, asked: ReceiveRelease) -> ReleaseAwaited | Declined:
        """Let a file come in; the answer has the ticket that it is sent with."""
        if trouble := self._why_not() or self._not_this(asked):
            return Declined(trouble)
        with self._lock:
            if self._is_busy():
                return Declined(phrase(BUSY))
            self._awaited = secrets.token_urlsafe(16), asked.size_bytes
            return ReleaseAwaited(self._awaited[0])

    def receive(self, ticket: str) -> Incoming:
        """The file that was expected, to be written to; raises `ReleaseRefused`."""
        with self._lock:
            awaited, self._awaited = self._awaited, None
            if awaited is None or not secrets.compare_digest(awaited[0].encode(), ticket.encode()):
                self._awaited = awaited
                raise ReleaseRefused(phrase(NOT_ASKED))
            if self._is_busy():
                raise ReleaseRefused(phrase(BUSY))
            try:
                incoming = Incoming(self, self.places.taken / "release.tar.gz.part", awaited[1])
            except OSError as error:
                raise ReleaseRefused(_unwritten(error)) from None
            self._coming = True
            return incoming

    def roll_back(self) -> Reply:
        """Have the installer go back to the release before."""
        shown = self.show()
        if shown.why_not:
            return Declined(shown.why_not)
        if not shown.previous:
            return Declined(phrase("No release is kept that the box could go back to."))
        with self._lock:
            if self._is_busy():
                return Declined(phrase(BUSY))
            try:
                self.ask("roll-back")
            except OSError as error:
                return Declined(_unwritten(error))
        return Done()

    def ask(self, what: Literal["install", "roll-back"]) -> None:
        """Leave the file that systemd watches for."""
        assert self.places.asks is not None  # noqa: S101 - for the type checker
        (self.places.asks / what).touch()

    def end(self) -> None:
        """The file that came in has come, or comes no more."""
        with self._lock:
            self._coming = False

    def _why_not(self) -> str:
        if not self._release or self.places.asks is None:
            return phrase(NOT_INSTALLED)
        return "" if self.places.signers.exists() else phrase(NO_SIGNERS)

    def _not_this(self, asked: ReceiveRelease) -> str:
        """Why this file cannot be a release, or finds no room."""
        if not asked.name.endswith(".tar.gz"):
            return phrase("{name} is no release. Choose a file callbox-VERSION.tar.gz.", name=asked.name)
        size_mb = -(-asked.size_bytes // MB)
        if size_mb > MOST_MB:
            return phrase(
                "The file has {size} MB, and a release has at most {most} MB. Choose another file.",
                size=size_mb,
                most=MOST_MB,
            )
        free_mb, needed_mb = self._free(), 2 * size_mb + NEEDED_MB
        if free_mb < needed_mb:
            return phrase(
                "The card has {free} MB free, and this release needs {needed} MB: make room, or take a "
                "larger card.",
                free=free_mb,
                needed=needed_mb,
            )
        return ""

    def _free(self) -> int:
        if self._free_mb is not None:
            return self._free_mb
        return shutil.disk_usage(self.places.taken.parent).free // MB

    def _is_asked(self) -> bool:
        asks = self.places.asks
        return asks is not None and any((asks / each).exists() for each in ("install", "roll-back"))

    def _is_busy(self) -> bool:
        return self._coming or self._is_asked() or (self._read("job") != "" and self._read("result") == "")

    def _read(self, name: str) -> str:
        """What the installer has written there; "" for nothing."""
        try:
            return (self.places.told / name).read_text(encoding="utf-8", errors="replace").strip()
        except OSError:
            return ""

    def _course(self) -> tuple[bool, str, Literal["info", "good", "refused"], str]:
        """How it goes: whether it still does, in words, with their tone, and what the installer said."""
        if self._coming:
            return True, phrase("A release is on its way to the box."), "info", ""
        if self._is_asked():
            return True, phrase(BEGINS), "info", ""
        job, result = self._read("job"), self._read("result")
        if not job:
            return False, "", "info", ""
        step, _, version = self._read("step").partition(" ")
        values = {"version": version, "running": _version(self._release)}
        if not result:
            return True, self._going(job, step, values), "info", ""
        if result == "0":
            return False, phrase(self._went(job, step), **values), "good", ""
        text = NOT_BACK if job == "roll-back" else FAILED.get(step, FAILED[""])
        return False, phrase(text, **values), "refused", self._read("said")[-MOST_SAID:]

    def _going(self, job: str, step: str, values: dict[str, str]) -> str:
        if job == "roll-back":
            return phrase("The box goes back to the release before.")
        return phrase(STEPS.get(step, STEPS[""]), **values)

    def _went(self, job: str, step: str) -> str:
        if job == "install" and step == "current":
            return phrase_later("The box has this very release, Callbox {running}, already.")
        if job == "install":
            return phrase_later("The box runs Callbox {running} now.")
        return phrase_later("The box runs Callbox {running} again.")


def _version(release: str) -> str:
    """That of an installed release, by its name: 0.3.0-1a2b3c4d5e."""
    return release.partition("-")[0]
