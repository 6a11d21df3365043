"""The board and what is wired to it."""

from device.cameras import picamera, usb
from device.doctor.finding import CheckedBox, Finding, absent, fail, ok, warn
from device.doctor.probe import Probe
from device.doctor.software import on_pi

PIN_CHIPS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""The chips with the 40-pin header: of a Pi 5, a Pi 4, and older ones."""
NEEDED_GROUPS = ("video", "gpio", "spi")
NO_PI = "this is not a Raspberry Pi"

THROTTLED = {
    0x1: "the voltage is too low now",
    0x4: "the processor is slowed down now",
    0x8: "it is too hot now",
    0x10000: "the voltage was too low since the start",
    0x40000: "the processor was slowed down since the start",
    0x80000: "it was too hot since the start",
}
"""Bits of `vcgencmd get_throttled` that matter here (raspberrypi.com, os.html)."""
NOW = 0xF
HOT_C = 80.0
LITTLE_MB = 350.0


def board(probe: Probe, _box: CheckedBox) -> Finding:
    """Which Pi this is."""
    model = (probe.text("/proc/device-tree/model") or "").strip("\0 \n")
    if not model:
        return absent("board", f"{NO_PI}: camera, pins and scoreboard are simulated.")
    return ok("board", f"{model}.")


def pins(probe: Probe, _box: CheckedBox) -> Finding:
    """The kernel shows the header's GPIO chip, and this user may open it."""
    labels = probe.gpio_labels()
    good = [device for device, label in labels.items() if label in PIN_CHIPS]
    if good:
        return ok("pins", f"The pins are {good[0]} ({labels[good[0]]}).")
    if not on_pi(probe):
        return absent("pins", f"{NO_PI}: it has no pin header.")
    if any(not label for label in labels.values()):
        return fail("pins", "The pins may not be opened.", "sudo usermod -aG gpio $USER, then log in again")
    seen = ", ".join(sorted(labels.values())) or "none"
    return fail("pins", f"The header's GPIO chip is missing (seen: {seen}).", "sudo apt full-upgrade; reboot")


def groups(probe: Probe, box: CheckedBox) -> Finding:
    """Who runs the box may use camera, pins and scoreboard."""
    if not on_pi(probe):
        return absent("groups", f"{NO_PI}: no group is needed.")
    has = probe.groups(box.user)
    if has is None:
        return fail("groups", f"There is no user {box.user}.", "sudo systemd/install.sh")
    missing = [name for name in NEEDED_GROUPS if name not in has]
    if missing and box.user != "root":
        return fail(
            "groups",
            f"{box.user} is not in {', '.join(missing)}.",
            f"sudo usermod -aG {','.join(missing)} {box.user}, then log in again",
        )
    return ok("groups", f"{box.user} may use camera, pins and SPI.")


def camera(probe: Probe, box: CheckedBox) -> Finding:
    """The grabber's Python has picamera2, and that finds the camera that is set."""
    spec = box.config.camera.spec if box.config else "picamera2:0"
    if spec.partition(":")[0] == "usb":
        return _usb_camera(probe, spec)
    if not spec.startswith("picamera2"):
        return ok("camera", f"The settings name {spec}: no Pi camera is needed.")
    configured = box.config.camera.python if box.config else picamera.default_python()

    def run(command: list[str]) -> str:
        ran = probe.run(command)
        return ran.out if ran else ""

    found = picamera.cameras(configured, run)
    if not isinstance(found, list):
        if not on_pi(probe) and found.trouble in {"missing", "other"}:
            return absent("camera", f"{NO_PI}: it has no picamera2.")
        return fail("camera", *_cause_and_fix(picamera.WORDS.sentence(found.trouble, found.detail)))
    number = spec.partition(":")[2] or "0"
    if not number.isdigit() or int(number) >= len(found):
        detail = f"{spec} was asked for, {len(found)} found"
        return fail("camera", *_cause_and_fix(picamera.WORDS.sentence("none", detail)))
    return ok("camera", f"{spec} is {found[int(number)]}.")


def _usb_camera(probe: Probe, spec: str) -> Finding:
    """The USB camera that is set is plugged in."""
    named = spec.partition(":")[2] or "0"
    nodes = probe.usb_cameras()
    if not named.isdigit():
        if probe.exists(named):
            return ok("camera", f"{spec} is there.")
    elif int(named) < len(nodes):
        return ok("camera", f"{spec} is {nodes[int(named)].name}, {nodes[int(named)].path}.")
    detail = f"{spec} was asked for, {len(nodes)} found"
    return fail("camera", *_cause_and_fix(usb.WORDS.sentence("none", detail)))


def _cause_and_fix(told: str) -> tuple[str, str]:
    text, _, fix = told.partition(" Fix: ")
    return text, fix.rstrip(".")


def spi(probe: Probe, box: CheckedBox) -> Finding:
    """The scoreboard's SPI device is there."""
    if box.config and box.config.scoreboard.kind != "max7219":
        return ok("spi", f"The scoreboard is {box.config.scoreboard.kind}: no SPI is needed.")
    port, device = (
        (box.config.scoreboard.spi_port, box.config.scoreboard.spi_device) if box.config else (0, 0)
    )
    path = f"/dev/spidev{port}.{device}"
    if probe.exists(path):
        return ok("spi", f"The scoreboard's {path} is there.")
    if not on_pi(probe):
        return absent("spi", f"{NO_PI}: it has no SPI header.")
    return fail("spi", f"{path} is missing.", "sudo raspi-config nonint do_spi 0; sudo reboot")


def power(probe: Probe, _box: CheckedBox) -> Finding:
    """The power supply is strong enough and the processor not slowed down."""
    ran = probe.run(["vcgencmd", "get_throttled"])
    if ran is None or ran.status != 0:
        return absent("power", "vcgencmd does not answer; only a Raspberry Pi has it.")
    bits = int(ran.out.strip().partition("=")[2], 16)
    said = [words for bit, words in THROTTLED.items() if bits & bit]
    if not said:
        return ok("power", "Voltage and speed have been right since the start.")
    fix = "use the Pi's own power supply and a short cable; give it air"
    told = f"{'; '.join(said).capitalize()}."
    return fail("power", told, fix) if bits & NOW else warn("power", told, fix)


def heat(probe: Probe, _box: CheckedBox) -> Finding:
    """The processor is not about to slow down."""
    text = probe.text("/sys/class/thermal/thermal_zone0/temp")
    if text is None:
        return absent("heat", "This machine shows no temperature.")
    degrees = int(text) / 1000
    if degrees >= HOT_C:
        return warn("heat", f"The processor has {degrees:.0f} °C.", "give it air: a fan, or a larger box")
    return ok("heat", f"The processor has {degrees:.0f} °C.")


def memory(probe: Probe, _box: CheckedBox) -> Finding:
    """There is memory for the box beside everything else."""
    lines = (probe.text("/proc/meminfo") or "").splitlines()
    free = next((int(line.split()[1]) / 1024 for line in lines if line.startswith("MemAvailable:")), None)
    if free is None:
        return absent("memory", "This machine does not tell its memory.")
    if free < LITTLE_MB:
        return warn(
            "memory", f"Only {free:.0f} MB of memory are free.", "end other programs; a desktop needs most"
        )
    return ok("memory", f"{free:.0f} MB of memory are free.")
