"""The board and what is wired to it."""

from device.cameras import picamera, usb
from device.doctor.machine import CheckedBox, Finding, Machine, absent, fail, ok, warn
from device.doctor.software import on_pi
from device.panel import PanelLost
from engine.wording import phrase, phrase_later
from engine.words import capital

PIN_CHIPS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""The chips with the 40-pin header: of a Pi 5, a Pi 4, and older ones."""
NEEDED_GROUPS = ("video", "gpio", "spi")
NO_PI = phrase_later("this is not a Raspberry Pi")

THROTTLED = {
    0x1: phrase_later("the voltage is too low now"),
    0x4: phrase_later("the processor is slowed down now"),
    0x8: phrase_later("it is too hot now"),
    0x10000: phrase_later("the voltage was too low since the start"),
    0x40000: phrase_later("the processor was slowed down since the start"),
    0x80000: phrase_later("it was too hot since the start"),
}
"""Bits of `vcgencmd get_throttled` that matter here (raspberrypi.com, os.html)."""
NOW = 0xF
HOT_C = 80.0
LITTLE_MB = 350.0


def board(machine: Machine, _box: CheckedBox) -> Finding:
    """Which Pi this is."""
    model = (machine.text("/proc/device-tree/model") or "").strip("\0 \n")
    if not model:
        return absent(phrase("{no_pi}: camera, pins and scoreboard are simulated.", no_pi=phrase(NO_PI)))
    return ok(f"{model}.")


def pins(machine: Machine, _box: CheckedBox) -> Finding:
    """The kernel shows the header's GPIO chip, and this user may open it."""
    labels = machine.gpio_labels()
    good = [device for device, label in labels.items() if label in PIN_CHIPS]
    if good:
        return ok(phrase("The pins are {good} ({labels}).", good=good[0], labels=labels[good[0]]))
    if not on_pi(machine):
        return absent(phrase("{no_pi}: it has no pin header.", no_pi=phrase(NO_PI)))
    if any(not label for label in labels.values()):
        return fail(
            phrase("The pins may not be opened."), phrase("sudo usermod -aG gpio $USER, then log in again")
        )
    seen = ", ".join(sorted(labels.values())) or "none"
    return fail(
        phrase("The header's GPIO chip is missing (seen: {seen}).", seen=seen),
        "sudo apt full-upgrade; reboot",
    )


def groups(machine: Machine, box: CheckedBox) -> Finding:
    """Who runs the box may use camera, pins and scoreboard."""
    if not on_pi(machine):
        return absent(phrase("{no_pi}: no group is needed.", no_pi=phrase(NO_PI)))
    has = machine.groups(box.user)
    if has is None:
        return fail(phrase("There is no user {user}.", user=box.user), "sudo systemd/install.sh")
    missing = [name for name in NEEDED_GROUPS if name not in has]
    if missing and box.user != "root":
        return fail(
            phrase("{user} is not in {missing}.", user=box.user, missing=", ".join(missing)),
            phrase(
                "sudo usermod -aG {missing} {user}, then log in again",
                missing=",".join(missing),
                user=box.user,
            ),
        )
    return ok(phrase("{user} may use camera, pins and SPI.", user=box.user))


def camera(machine: Machine, box: CheckedBox) -> Finding:
    """The grabber's Python has picamera2, and that finds the camera that is set."""
    spec = box.config.camera.spec if box.config else "picamera2:0"
    if spec.partition(":")[0] == "usb":
        return _usb_camera(machine, spec)
    if not spec.startswith("picamera2"):
        return ok(phrase("The settings name {spec}: no Pi camera is needed.", spec=spec))
    configured = box.config.camera.python if box.config else picamera.default_python()

    def run(command: list[str]) -> str:
        ran = machine.run(command)
        return ran.out if ran else ""

    found = picamera.cameras(configured, run)
    if not isinstance(found, list):
        if not on_pi(machine) and found.trouble in {"missing", "other"}:
            return absent(phrase("{no_pi}: it has no picamera2.", no_pi=phrase(NO_PI)))
        return fail(*_cause_and_fix(picamera.WORDS.sentence(found.trouble, found.detail)))
    number = spec.partition(":")[2] or "0"
    if not number.isdigit() or int(number) >= len(found):
        detail = phrase("{spec} was asked for, {count} found", spec=spec, count=len(found))
        return fail(*_cause_and_fix(picamera.WORDS.sentence("none", detail)))
    return ok(phrase("{spec} is {found}.", spec=spec, found=found[int(number)]))


def _usb_camera(machine: Machine, spec: str) -> Finding:
    """The USB camera that is set is plugged in."""
    named = spec.partition(":")[2] or "0"
    nodes = machine.usb_cameras()
    if not named.isdigit():
        if machine.exists(named):
            return ok(phrase("{spec} is there.", spec=spec))
    elif int(named) < len(nodes):
        return ok(
            phrase(
                "{spec} is {name}, {path}.",
                spec=spec,
                name=nodes[int(named)].name,
                path=nodes[int(named)].path,
            )
        )
    detail = phrase("{spec} was asked for, {count} found", spec=spec, count=len(nodes))
    return fail(*_cause_and_fix(usb.WORDS.sentence("none", detail)))


def _cause_and_fix(told: str) -> tuple[str, str]:
    text, _, fix = told.partition(" Fix: ")
    return text, fix.rstrip(".")


def spi(machine: Machine, box: CheckedBox) -> Finding:
    """The scoreboard's SPI device is there."""
    if box.config and box.config.scoreboard.kind != "max7219":
        return ok(phrase("The scoreboard is {kind}: no SPI is needed.", kind=box.config.scoreboard.kind))
    port, device = (
        (box.config.scoreboard.spi_port, box.config.scoreboard.spi_device) if box.config else (0, 0)
    )
    path = f"/dev/spidev{port}.{device}"
    if machine.exists(path):
        return ok(phrase("The scoreboard's {path} is there.", path=path))
    if not on_pi(machine):
        return absent(phrase("{no_pi}: it has no SPI header.", no_pi=phrase(NO_PI)))
    return fail(phrase("{path} is missing.", path=path), "sudo raspi-config nonint do_spi 0; sudo reboot")


def power(machine: Machine, _box: CheckedBox) -> Finding:
    """The power supply is strong enough and the processor not slowed down."""
    ran = machine.run(["vcgencmd", "get_throttled"])
    if ran is None or ran.status != 0:
        return absent(phrase("vcgencmd does not answer; only a Raspberry Pi has it."))
    bits = int(ran.out.strip().partition("=")[2], 16)
    said = [phrase(words) for bit, words in THROTTLED.items() if bits & bit]
    if not said:
        return ok(phrase("Voltage and speed have been right since the start."))
    fix = phrase("use the Pi's own power supply and a short cable; give it air")
    told = f"{capital('; '.join(said))}."
    return fail(told, fix) if bits & NOW else warn(told, fix)


def heat(machine: Machine, _box: CheckedBox) -> Finding:
    """The processor is not about to slow down."""
    text = machine.text("/sys/class/thermal/thermal_zone0/temp")
    if text is None:
        return absent(phrase("This machine shows no temperature."))
    degrees = int(text) / 1000
    if degrees >= HOT_C:
        return warn(
            phrase("The processor has {degrees:.0f} °C.", degrees=degrees),
            phrase("give it air: a fan, or a larger box"),
        )
    return ok(phrase("The processor has {degrees:.0f} °C.", degrees=degrees))


def memory(machine: Machine, _box: CheckedBox) -> Finding:
    """There is memory for the box beside everything else."""
    lines = (machine.text("/proc/meminfo") or "").splitlines()
    free = next((int(line.split()[1]) / 1024 for line in lines if line.startswith("MemAvailable:")), None)
    if free is None:
        return absent(phrase("This machine does not tell its memory."))
    if free < LITTLE_MB:
        return warn(
            phrase("Only {free:.0f} MB of memory are free.", free=free),
            phrase("end other programs; a desktop needs most"),
        )
    return ok(phrase("{free:.0f} MB of memory are free.", free=free))


# What hangs on the pins: is each free for the box, and is every button at rest?

OWN = "lg"
"""What the kernel calls a line that lgpio holds: the box's own, while it runs."""


def claimed(machine: Machine, box: CheckedBox) -> Finding:
    """No other program or driver holds a pin that the settings name."""
    chip = next((device for device, label in machine.gpio_labels().items() if label in PIN_CHIPS), None)
    if box.config is None:
        return absent(phrase("Not looked at, for the settings cannot be read."))
    if chip is None:
        return absent(phrase("{no_pi}: it has no pin header.", no_pi=phrase(NO_PI)))
    holders = machine.gpio_holders(chip)
    wanted = [(key, pin) for key, pin in box.config.pins_in_use() if not key.startswith("scoreboard.kind")]
    others = [
        phrase("pin {pin} ({key}) by {holders}", pin=pin, key=key, holders=holders[pin])
        for key, pin in wanted
        if holders.get(pin, OWN) != OWN
    ]
    if others:
        fix = phrase(
            "end that program, take its line out of /boot/firmware/config.txt, or choose another pin"
        )
        return fail(phrase("Held by something else: {others}.", others=", ".join(others)), fix)
    held = sum(holders.get(pin) == OWN for _, pin in wanted)
    if held and machine.box_says_of_panel(box.config.console.port) is None:
        told = phrase("{held} pins are held by a program, and no box runs.", held=held)
        return warn(told, phrase("end callbox panel, or whatever else uses lgpio"))
    return ok(
        phrase(
            "{count} pins, {value}.",
            count=len(wanted),
            value=phrase("all the box has") if held else phrase("all free"),
        )
    )


def buttons(machine: Machine, box: CheckedBox) -> Finding:
    """No button is down though nobody presses it: the box that runs says so, or the pins themselves."""
    if box.config is None:
        return absent(phrase("Not looked at, for the settings cannot be read."))
    fix = phrase(
        "look for solder between its wires, and at pull and pressed in callbox.toml; callbox panel shows more"
    )
    said = machine.box_says_of_panel(box.config.console.port)
    if said is not None:
        return warn(said, fix) if said else ok(phrase("The box sees every button at rest."))
    if not set(machine.gpio_labels().values()) & set(PIN_CHIPS):
        return absent(phrase("{no_pi}: it has no buttons.", no_pi=phrase(NO_PI)))
    try:
        stuck = machine.panel_trouble(box.config.panel)
    except PanelLost as lost:
        return fail(phrase("The buttons cannot be looked at: {lost}", lost=lost), phrase("fix that first"))
    return warn(stuck, fix) if stuck else ok(phrase("Every button is at rest."))
