"""What the page Maintenance shows of a running box: its release and the next one, findings, log."""

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from pathlib import Path

import msgspec

from device.doctor import CHECK_BROKE_OFF, CheckedBox, Finding
from device.doctor.asking import DoctorProcess
from device.service.log import BoxLog, LogLine
from device.updates import UpdatePlaces, Updates, UpdateShown
from engine.wording import phrase

ROOT = Path(__file__).resolve().parents[1]
"""The folder of the release that runs."""
WHOLE = ".whole"
"""The file that the installer puts into each release that it has made ready."""


def installed_release() -> str:
    """The name of the release that runs; "" for one that was not installed."""
    return ROOT.name if (ROOT / WHOLE).exists() else ""


class MaintenanceShown(msgspec.Struct, frozen=True, kw_only=True):
    """How the box is, as far as anybody has asked."""

    version: str
    release: str
    """The installed release's name; "" for a box that was not installed."""
    since: datetime
    """Since when the box runs."""
    checking: bool
    """Whether the doctor is looking now."""
    checked: datetime | None
    """When the doctor had looked; None before that."""
    findings: tuple[Finding, ...]
    """What the doctor found then, in the order in which it is to be mended."""
    update: UpdateShown
    """Whether another release may come in, and how that goes."""
    trouble: str
    """Why the last look of the doctor came to nothing; "" otherwise."""
    log: tuple[LogLine, ...]
    """What the box said in the last day, the oldest first."""
    ok: bool = True
    text: str = ""


class Maintenance:
    """One box's. For any thread."""

    def __init__(
        self,
        box: Callable[[], CheckedBox],
        log: BoxLog,
        places: UpdatePlaces,
        *,
        open_doctor: Callable[[], DoctorProcess] = DoctorProcess,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """`box` says what the doctor is to look at; `open_doctor` begins a process that looks once."""
        self.updates = Updates(places, installed_release())
        self._box, self._log, self._open_doctor = box, log, open_doctor
        self._now, self._clock_s = now, clock_s
        self._begun_s = clock_s()
        self._lock = threading.Lock()
        self._doctor: DoctorProcess | None = None
        self._closed = False
        self._checked: datetime | None = None
        self._findings: tuple[Finding, ...] = ()
        self._trouble = ""

    def show(self) -> MaintenanceShown:
        """How it stands now."""
        with self._lock:
            # A Pi without a clock learns the date while it runs: the start is counted back from now.
            up = timedelta(seconds=round(self._clock_s() - self._begun_s))
            return MaintenanceShown(
                version=version("callbox"),
                release=installed_release(),
                since=self._now() - up,
                checking=self._doctor is not None,
                checked=self._checked,
                findings=self._findings,
                update=self.updates.show(),
                trouble=self._trouble,
                log=self._log.lines(),
            )

    def check(self) -> MaintenanceShown:
        """Have the doctor look, beside everything else; nothing more where it looks already."""
        with self._lock:
            if self._doctor is None and not self._closed:
                self._doctor = self._open_doctor()
                threading.Thread(
                    target=self._examine, args=(self._doctor,), name="doctor", daemon=True
                ).start()
        return self.show()

    def close(self) -> None:
        """Let the doctor look no more."""
        with self._lock:
            self._closed, doctor = True, self._doctor
        if doctor is not None:
            doctor.close()

    def _examine(self, doctor: DoctorProcess) -> None:
        found = doctor.examine(self._box())
        with self._lock:
            self._doctor = None
            if found is None:
                self._trouble = phrase(CHECK_BROKE_OFF)
            else:
                self._findings, self._checked, self._trouble = found, self._now(), ""
