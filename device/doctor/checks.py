"""What the doctor checks of settings, cameras, landings, sound and the box as a whole: a finding for each."""

import importlib
import re
from pathlib import Path
from typing import Any

from device.config import VoiceConfig, is_live
from device.doctor.machine import CheckedBox, Finding, Machine, absent, fail, ok, warn
from device.doctor.software import on_pi
from device.first_boot import DONE, STATE, STEPS
from device.voice import PROGRAM, accent_of
from engine.wording import phrase, phrase_later
from models import files as networks_files

# End Zone: is there a calibration for each camera that needs one?

NONE = "none"


def landing(machine: Machine, box: CheckedBox) -> Finding:
    """The End Zone's calibration, or those of both ends, can be used and is not worn out."""
    if box.config is None:
        return absent(phrase("Not looked at, for the settings cannot be read."))
    named = box.config.landing
    if named.calibration == NONE:
        return absent(phrase("No End Zone is calibrated here; the other games need none."))
    files = [Path(named.calibration).expanduser()]
    if named.far_camera != NONE:
        if named.far_calibration == NONE:
            return fail(
                phrase("The far camera {far_camera} has no calibration.", far_camera=named.far_camera),
                phrase("callbox calibrate table --end far makes one; name it as landing.far_calibration"),
            )
        files.append(Path(named.far_calibration).expanduser())
    try:
        # numpy and OpenCV may be what is ill: the doctor does not need them before this.
        looks = importlib.import_module("device.doctor.landing_files")
    except ImportError as error:
        return fail(
            phrase("The calibration cannot be looked at: {error}.", error=error),
            phrase("first fix what is above"),
        )
    found: Finding = looks.check_landing_files(machine, box.config, files)
    return found


# The box in its place: settings, data, time, network, service.

LITTLE_SPACE_MB = 500.0
NO_SPACE_MB = 50.0


def settings(_probe: Machine, box: CheckedBox) -> Finding:
    """The settings are readable and possible."""
    if box.config is None:
        return fail(
            box.trouble,
            phrase("fix {config_file}", config_file=box.config_file or phrase("the settings file")),
        )
    return ok(
        phrase(
            "{config_file}: all values are possible.",
            config_file=box.config_file or phrase("The settings as shipped"),
        )
    )


def data(machine: Machine, box: CheckedBox) -> Finding:
    """The journal can be written."""
    may = machine.writable(box.data, box.user)
    if may is None:
        return warn(
            phrase("Whether {user} may write to {data} cannot be told.", user=box.user, data=box.data),
            "sudo callbox doctor",
        )
    if not may:
        fix = f"sudo mkdir -p {box.data}; sudo chown -R {box.user}: {box.data}"
        return fail(phrase("{user} may not write to {data}.", user=box.user, data=box.data), fix)
    return ok(phrase("{user} may write to {data}.", user=box.user, data=box.data))


def space(machine: Machine, box: CheckedBox) -> Finding:
    """The card has room for journal and pictures."""
    free = machine.free_mb(box.data)
    text = phrase("{free:.0f} MB are free for {data}.", free=free, data=box.data)
    if free >= LITTLE_SPACE_MB:
        return ok(text)
    fix = phrase("sudo apt clean; sudo journalctl --vacuum-size=50M; or use a larger card")
    return fail(text, fix) if free < NO_SPACE_MB else warn(text, fix)


def clock(machine: Machine, _box: CheckedBox) -> Finding:
    """The date is right. A Pi 4 has no clock of its own; games then carry the wrong day, nothing worse."""
    ran = machine.run(["timedatectl", "show", "-p", "NTPSynchronized", "--value"])
    if ran is None or ran.status != 0:
        return absent(phrase("timedatectl does not answer here."))
    if ran.out.strip() != "yes":
        return warn(
            phrase("The clock is not set by the network; games get a wrong date."),
            phrase("sudo timedatectl set-ntp true, with the network plugged in"),
        )
    return ok(phrase("The clock is set by the network."))


def active(machine: Machine) -> str:
    """The service's state in systemd's word; empty when there is no systemd."""
    ran = machine.run(["systemctl", "is-active", "callbox"])
    return ran.out.strip() if ran else ""


def port(machine: Machine, box: CheckedBox) -> Finding:
    """The console's port is free, or the box itself holds it."""
    if box.config is None:
        return absent(phrase("Not looked at, for the settings cannot be read."))
    at = box.config.console
    trouble = machine.port_free(at.host, at.port)
    if not trouble:
        return ok(phrase("Port {port} is free.", port=at.port))
    if active(machine) == "active":
        return ok(phrase("Port {port} is in use; the service callbox runs.", port=at.port))
    if machine.box_says_of_panel(at.port) is not None:
        return ok(phrase("Port {port} is in use by the box that runs.", port=at.port))
    fix = phrase(
        "sudo ss -ltnp 'sport = :{port}' names the other program; or set another console.port", port=at.port
    )
    return fail(phrase("Port {port} cannot be used: {trouble}.", port=at.port, trouble=trouble), fix)


def network(machine: Machine, box: CheckedBox) -> Finding:
    """Phones can find the box."""
    found = [one for one in machine.addresses() if not one.startswith(("127.", "169.254.", "fe80:", "::1"))]
    number = box.config.console.port if box.config else 8080
    if not found:
        return warn(
            phrase("The box is in no network: only its own lamps and buttons work."),
            phrase("sudo nmtui, or plug in a cable"),
        )
    address = f"[{found[0]}]" if ":" in found[0] else found[0]
    return ok(phrase("The console's address: http://{address}:{number}", address=address, number=number))


def first_boot(machine: Machine, _box: CheckedBox) -> Finding:
    """A box that a card made is whole; one that is still being made says how far that is."""
    state = (machine.text(STATE) or "").strip()
    if state == DONE:
        return ok(phrase("The first boot made this box of its card."))
    if state not in STEPS:
        return absent(phrase("This box was not made by a card (callbox card)."))
    text = phrase(STEPS[state][1])
    if state.startswith("fault"):
        return fail(
            text, phrase("docs/builder.md has the faults; journalctl -u callbox-first-boot says more")
        )
    return warn(text, phrase("wait for it; the box installs itself"))


def service(machine: Machine, _box: CheckedBox) -> Finding:
    """The box starts by itself."""
    unit = machine.text("/etc/systemd/system/callbox.service")
    if unit is None:
        if not on_pi(machine):
            return absent(phrase("Not installed as a service; `callbox play` starts the box by hand."))
        return warn(phrase("The box does not start by itself."), "sudo systemd/install.sh")
    state = active(machine)
    if state == "active":
        return ok(phrase("The service callbox runs."))
    fix = phrase("sudo systemctl enable --now callbox; journalctl -u callbox -n 30 says more")
    return fail(phrase("The service callbox is {state}.", state=state or phrase("unknown to systemd")), fix)


# What the running box's camera sees: whether it is sharp, and whether camera and sheet were moved.
SOFT_PX = 2.0
"""The blur of the sharpest edges, one sigma, from which faces are read worse; calibrations refuse it, too."""
WIDE = 2.5
"""How many sigmas wide an edge looks."""
NO_BOX = phrase_later("No box runs here, so there is no picture to look at: ask again while it plays.")
AGAIN = phrase_later("callbox calibrate table, from step 3 of docs/calibrating.md")


def sharpness(machine: Machine, box: CheckedBox) -> Finding:
    """The sharpest edges in the picture are sharp."""
    picture = newest(machine, box)
    if picture is None:
        return absent(phrase(NO_BOX))
    seen = importlib.import_module("calibration.fit")
    blur_px = seen.blur_of(picture)
    if blur_px == 0:
        return absent(phrase("Nothing in the picture has an edge that could be sharp: lay a die there."))
    text = phrase("The sharpest edges in the picture are {wide:.1f} px wide.", wide=WIDE * blur_px)
    if blur_px > SOFT_PX:
        fix = phrase(
            "turn the lens until callbox doctor says less than {wide:.0f} px; with a motor: ",
            wide=WIDE * SOFT_PX,
        )
        return warn(text, fix + "callbox calibrate lock")
    return ok(text)


def drift(machine: Machine, box: CheckedBox) -> Finding:
    """Camera and sheet are where they were calibrated."""
    named = box.config.landing.calibration if box.config else NONE
    if named == NONE:
        return absent(phrase("No End Zone is calibrated here: nothing can have moved."))
    picture = newest(machine, box)
    return absent(phrase(NO_BOX)) if picture is None else _moved(picture, Path(named).expanduser())


def _moved(picture: Any, calibration: Path) -> Finding:
    """What is to be said of a picture (height x width x 3) and the near end's calibration."""
    looks = importlib.import_module("vision.landing.drift")
    files = importlib.import_module("calibration.files")
    try:
        made = files.load_table(calibration)
    except importlib.import_module("calibration.trouble").CalibrationError as error:
        return fail(str(error), phrase(AGAIN))
    lens = made.view.lens
    near = picture[: lens.height_px]  # with two cameras the far one's picture is below
    if near.shape[:2] != (lens.height_px, lens.width_px):
        return warn(phrase("The picture has another size than the calibration."), phrase("see landing above"))
    found = looks.check_drift(near, made)
    if not found.ok:
        fix = phrase(
            "clear the table of dice and hands, and ask again; if it stays so: {again}", again=phrase(AGAIN)
        )
        return warn(found.reason, fix)
    if found.reason:
        return warn(
            found.reason, phrase("it is reckoned with; when there is time: {again}", again=phrase(AGAIN))
        )
    return ok(
        phrase("{seen} of {of} fixed points lie where they were calibrated.", seen=found.seen, of=found.of)
    )


def newest(machine: Machine, box: CheckedBox) -> Any:
    """The running box's newest picture (height x width x 3, blue green red); None when there is none."""
    if box.config is None:
        return None
    jpeg = machine.picture(box.config.console.host, box.config.console.port)
    if not jpeg:
        return None
    # numpy and OpenCV may be what is ill: the doctor does not need them before this.
    cv2, numpy = importlib.import_module("cv2"), importlib.import_module("numpy")
    return cv2.imdecode(numpy.frombuffer(jpeg, numpy.uint8), cv2.IMREAD_COLOR)


# Whether the box's voice, where the settings ask for one, can be heard.

CARDS = "/proc/asound/cards"


def voice(machine: Machine, box: CheckedBox) -> Finding:
    """The program that speaks is there, knows its voice, and there is something to be heard by."""
    if box.config is None:
        return absent(phrase("Not looked at, for the settings cannot be read."))
    if box.config.voice.speaks == "none":
        return absent(phrase("The settings ask for none; a page may speak all the same."))
    return _speaks(machine, box.config.voice) or _is_heard(machine, box.user, box.config.voice)


def _speaks(machine: Machine, config: VoiceConfig) -> Finding | None:
    """What is wrong with the program; None when nothing is."""
    ran = machine.run([PROGRAM, "-q", "-v", accent_of(config), "callbox"])
    if ran is None:
        return warn(
            phrase("Calls are not said: there is no {program}.", program=PROGRAM),
            f"sudo apt install {PROGRAM}",
        )
    if ran.status != 0:
        text = phrase(
            "Calls are not said: {program} has no voice {told}.", program=PROGRAM, told=accent_of(config)
        )
        return warn(
            text, phrase("{program} --voices=en lists them; name one as voice.accent", program=PROGRAM)
        )
    return None


def _is_heard(machine: Machine, user: str, config: VoiceConfig) -> Finding:
    """Whether there is a sound card, and whether who runs the box may use it."""
    cards = [line.strip() for line in (machine.text(CARDS) or "").splitlines() if "]:" in line]
    if not cards:
        text = phrase("Calls are said, and nothing is there to hear them by: the system has no sound card.")
        return warn(text, phrase('plug a USB or HDMI loudspeaker in, or set voice.speaks = "none"'))
    has = machine.groups(user)
    if has is not None and "audio" not in has and user != "root":
        return warn(
            phrase("{user} may not use the sound card.", user=user),
            phrase("sudo usermod -aG audio {user}", user=user),
        )
    return ok(
        phrase(
            "{program} speaks {told} by {value}.",
            program=PROGRAM,
            told=accent_of(config),
            value=cards[0].partition(": ")[2],
        )
    )


# Whether what the box relies on is whole: the card, the journal, the networks, the camera's lock, the
# log.
MUCH_LOG_MB = 500.0
UNITS_MB = {"B": 1e-6, "K": 1e-3, "M": 1.0, "G": 1e3}
CLASHING = ("rpi-gpio", "rpi-lgpio", "picamera2")
"""Packages that a box's own Python must not have: the first two take one another's name, and do not open a
Pi 5's pins as gpiozero wants them; a picamera2 from pip finds no libcamera."""


def card(machine: Machine, box: CheckedBox) -> Finding:
    """The disk with the data takes writes, and its file system has met no error."""
    mounts = [line.split() for line in (machine.text("/proc/mounts") or "").splitlines()]
    over = [each for each in mounts if len(each) >= 4 and box.data.is_relative_to(each[1])]
    if not over:
        return absent(phrase("This machine does not tell its disks."))
    device, place, kind, options = max(over, key=lambda each: len(each[1]))[:4]
    if "ro" in options.split(","):
        return fail(
            phrase(
                "{place} ({device}) takes no writes: a card does that by itself once it fails.",
                place=place,
                device=device,
            ),
            phrase("callbox backup to a stick, then a new card"),
        )
    errors = (machine.text(f"/sys/fs/{kind}/{Path(device).name}/errors_count") or "").strip()
    if errors not in {"", "0"}:
        return warn(
            phrase("The file system on {device} has met {errors} errors.", device=device, errors=errors),
            phrase(
                "callbox backup to a stick; sudo touch /forcefsck and restart; then a new card of a "
                "known make"
            ),
        )
    return ok(
        phrase(
            "{place} ({device}, {kind}) takes writes, and has met no error.",
            place=place,
            device=device,
            kind=kind,
        )
    )


def journal(_probe: Machine, box: CheckedBox) -> Finding:
    """Every row of the journal is as it was written (`callbox verify`)."""
    path = box.data / "journal.db"
    if not path.exists():
        return absent(phrase("No game has been played in {data} yet.", data=box.data))
    try:
        # apsw may be what is ill: the doctor does not need it before this.
        verdict = importlib.import_module("device.journal.verify").verify(path)
    except ImportError as error:
        return fail(
            phrase("The journal cannot be looked at: {error}.", error=error),
            phrase("first fix what is above"),
        )
    except Exception as error:  # noqa: BLE001 - a journal's own errors name cause and fix, and know no import here
        return fail(str(error), phrase("callbox verify says more; the box puts it aside at its next start"))
    if verdict.damages:
        fix = phrase("callbox verify says what is whole; the box puts it aside at its next start")
        return fail(phrase("The journal is damaged: {damages}.", damages=verdict.damages[0]), fix)
    return ok(
        phrase(
            "{count} games, every row as it was written.",
            count=len(verdict.games),
        )
    )


def networks(_probe: Machine, _box: CheckedBox) -> Finding:
    """The networks are the files that were made."""
    ours = (networks_files.FINDER, networks_files.FACES, networks_files.STANCE, networks_files.D4)
    for path in ours:
        try:
            networks_files.load_network(path)
        except networks_files.ModelError as error:
            return fail(f"{error}.", phrase("run systemd/install.sh again"))
    return ok(phrase("{count} networks, each with the hash that it was made with.", count=len(ours)))


def lock(_probe: Machine, box: CheckedBox) -> Finding:
    """Exposure, gain, white balance and focus are locked."""
    if box.config is None:
        return absent(phrase("Not looked at, for the settings cannot be read."))
    at = box.config.camera
    if not is_live(at.spec):
        return absent(phrase("The settings name {spec}: there is nothing to lock.", spec=at.spec))
    named = box.config.landing.calibration
    told: list[str] = []
    try:
        # numpy and OpenCV may be what is ill: the doctor does not need them before this.
        locks = importlib.import_module("device.cameras.locking")
    except ImportError as error:
        return fail(
            phrase("The lock cannot be looked at: {error}.", error=error),
            phrase("first fix what is above"),
        )
    found = locks.lock_for(at.lock, None if named == NONE else Path(named).expanduser(), told.append)
    again = phrase("callbox calibrate lock -o lock.json, and name it as camera.lock")
    if told:
        return warn(told[0], again)
    if found is None:
        return _unlocked(again, calibrated=named != NONE)
    to = phrase(
        "{exposure_us:g} ms and a gain of {gain:g}", exposure_us=found.exposure_us / 1000, gain=found.gain
    )
    if found.controls:
        to = ", ".join(f"{name} {value}" for name, value in found.controls)
    return ok(phrase("The camera is locked to {to}.", to=to))


def _unlocked(again: str, *, calibrated: bool) -> Finding:
    """What an unlocked camera means: little, until a table is calibrated with it."""
    if calibrated:
        return warn(phrase("The camera changes exposure, white balance and focus by itself."), again)
    text = phrase(
        "The camera sets exposure, white balance and focus by itself, which is enough to read dice."
    )
    return ok(phrase("{text_} Before a table is calibrated: {again}.", text_=text, again=again))


def clashes(machine: Machine, _box: CheckedBox) -> Finding:
    """No package is there that takes the place of another one."""
    own = [name for name in CLASHING if name in machine.distributions()]
    if own and on_pi(machine):
        gone = f"{machine.interpreter.executable} -m pip uninstall -y {' '.join(own)}"
        return warn(phrase("{own} may take the place of what the box needs.", own=", ".join(own)), gone)
    return ok(phrase("No package takes the place of another one."))


def log(machine: Machine, _box: CheckedBox) -> Finding:
    """The system's log is not about to fill the card."""
    ran = machine.run(["journalctl", "--disk-usage"])
    size = re.search(r"take up ([\d.]+)([BKMG])", ran.out) if ran and ran.status == 0 else None
    if size is None:
        return absent(phrase("journalctl does not tell how much it keeps."))
    kept_mb = float(size[1]) * UNITS_MB[size[2]]
    if kept_mb > MUCH_LOG_MB:
        fix = phrase(
            "sudo journalctl --vacuum-size=50M; SystemMaxUse=50M in /etc/systemd/journald.conf keeps it so"
        )
        return warn(phrase("The system's log has {kept_mb:.0f} MB.", kept_mb=kept_mb), fix)
    return ok(phrase("The system's log has {kept_mb:.0f} MB.", kept_mb=kept_mb))
