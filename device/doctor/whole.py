"""Whether what the box relies on is whole: the card, the journal, the networks, the camera's lock, the
log."""

import importlib
import re
from pathlib import Path

from device.config import is_live
from device.doctor.finding import CheckedBox, Finding, absent, fail, ok, warn
from device.doctor.probe import Probe
from device.doctor.software import on_pi
from engine.wording import phrase
from models import files as networks_files

NONE = "none"
MUCH_LOG_MB = 500.0
UNITS_MB = {"B": 1e-6, "K": 1e-3, "M": 1.0, "G": 1e3}
CLASHING = ("rpi-gpio", "rpi-lgpio", "picamera2")
"""Packages that a box's own Python must not have: the first two take one another's name, and do not open a
Pi 5's pins as gpiozero wants them; a picamera2 from pip finds no libcamera."""


def card(probe: Probe, box: CheckedBox) -> Finding:
    """The disk with the data takes writes, and its file system has met no error."""
    mounts = [line.split() for line in (probe.text("/proc/mounts") or "").splitlines()]
    over = [each for each in mounts if len(each) >= 4 and box.data.is_relative_to(each[1])]
    if not over:
        return absent("card", phrase("This machine does not tell its disks."))
    device, place, kind, options = max(over, key=lambda each: len(each[1]))[:4]
    if "ro" in options.split(","):
        return fail(
            "card",
            phrase(
                "{place} ({device}) takes no writes: a card does that by itself once it fails.",
                place=place,
                device=device,
            ),
            phrase("callbox backup to a stick, then a new card"),
        )
    errors = (probe.text(f"/sys/fs/{kind}/{Path(device).name}/errors_count") or "").strip()
    if errors not in {"", "0"}:
        return warn(
            "card",
            phrase("The file system on {device} has met {errors} errors.", device=device, errors=errors),
            phrase(
                "callbox backup to a stick; sudo touch /forcefsck and restart; then a new card of a "
                "known make"
            ),
        )
    return ok(
        "card",
        phrase(
            "{place} ({device}, {kind}) takes writes, and has met no error.",
            place=place,
            device=device,
            kind=kind,
        ),
    )


def journal(_probe: Probe, box: CheckedBox) -> Finding:
    """Every row of the journal is as it was written (`callbox verify`)."""
    path = box.data / "journal.db"
    if not path.exists():
        return absent("journal", phrase("No game has been played in {data} yet.", data=box.data))
    try:
        # apsw may be what is ill: the doctor does not need it before this.
        verdict = importlib.import_module("device.journal.verify").verify(path)
    except ImportError as error:
        return fail(
            "journal",
            phrase("The journal cannot be looked at: {error}.", error=error),
            phrase("first mend what stands above"),
        )
    except Exception as error:  # noqa: BLE001 - a journal's own errors name cause and fix, and know no import here
        return fail(
            "journal", str(error), phrase("callbox verify says more; the box puts it aside at its next start")
        )
    if verdict.damages:
        fix = phrase("callbox verify says what is whole; the box puts it aside at its next start")
        return fail("journal", phrase("The journal is damaged: {damages}.", damages=verdict.damages[0]), fix)
    return ok(
        "journal",
        phrase(
            "{count} games, every row as it was written.",
            count=len(verdict.games),
        ),
    )


def networks(_probe: Probe, _box: CheckedBox) -> Finding:
    """The networks are the files that were made."""
    ours = (networks_files.FINDER, networks_files.FACES, networks_files.STANCE, networks_files.D4)
    for path in ours:
        try:
            networks_files.load_network(path)
        except networks_files.ModelError as error:
            return fail("networks", f"{error}.", phrase("run systemd/install.sh again"))
    return ok(
        "networks", phrase("{count} networks, each with the hash that it was made with.", count=len(ours))
    )


def lock(_probe: Probe, box: CheckedBox) -> Finding:
    """Exposure, gain, white balance and focus are locked."""
    if box.config is None:
        return absent("lock", phrase("Not looked at, for the settings cannot be read."))
    at = box.config.camera
    if not is_live(at.spec):
        return absent("lock", phrase("The settings name {spec}: there is nothing to lock.", spec=at.spec))
    named = box.config.landing.calibration
    told: list[str] = []
    try:
        # numpy and OpenCV may be what is ill: the doctor does not need them before this.
        locks = importlib.import_module("device.cameras.locks")
    except ImportError as error:
        return fail(
            "lock",
            phrase("The lock cannot be looked at: {error}.", error=error),
            phrase("first mend what stands above"),
        )
    found = locks.lock_for(at.lock, None if named == NONE else Path(named).expanduser(), told.append)
    again = phrase("callbox calibrate lock -o lock.json, and name it as camera.lock")
    if told:
        return warn("lock", told[0], again)
    if found is None:
        return _unlocked(again, calibrated=named != NONE)
    to = phrase(
        "{exposure_us:g} ms and a gain of {gain:g}", exposure_us=found.exposure_us / 1000, gain=found.gain
    )
    if found.controls:
        to = ", ".join(f"{name} {value}" for name, value in found.controls)
    return ok("lock", phrase("The camera is locked to {to}.", to=to))


def _unlocked(again: str, *, calibrated: bool) -> Finding:
    """What an unlocked camera means: little, until a table is calibrated with it."""
    if calibrated:
        return warn(
            "lock", phrase("The camera sets exposure, white balance and focus anew by itself."), again
        )
    text = phrase(
        "The camera sets exposure, white balance and focus by itself, which is enough to read dice."
    )
    return ok("lock", phrase("{text_} Before a table is calibrated: {again}.", text_=text, again=again))


def clashes(probe: Probe, _box: CheckedBox) -> Finding:
    """No package is there that takes the place of another one."""
    own = [name for name in CLASHING if name in probe.distributions()]
    if own and on_pi(probe):
        gone = f"{probe.interpreter.executable} -m pip uninstall -y {' '.join(own)}"
        return warn(
            "clashes", phrase("{own} may take the place of what the box needs.", own=", ".join(own)), gone
        )
    return ok("clashes", phrase("No package takes the place of another one."))


def log(probe: Probe, _box: CheckedBox) -> Finding:
    """The system's log is not about to fill the card."""
    ran = probe.run(["journalctl", "--disk-usage"])
    size = re.search(r"take up ([\d.]+)([BKMG])", ran.out) if ran and ran.status == 0 else None
    if size is None:
        return absent("log", phrase("journalctl does not tell how much it keeps."))
    kept_mb = float(size[1]) * UNITS_MB[size[2]]
    if kept_mb > MUCH_LOG_MB:
        fix = phrase(
            "sudo journalctl --vacuum-size=50M; SystemMaxUse=50M in /etc/systemd/journald.conf keeps it so"
        )
        return warn("log", phrase("The system's log has {kept_mb:.0f} MB.", kept_mb=kept_mb), fix)
    return ok("log", phrase("The system's log has {kept_mb:.0f} MB.", kept_mb=kept_mb))
