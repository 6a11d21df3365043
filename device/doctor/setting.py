"""The box in its place: settings, data, time, network, service."""

from device.doctor.finding import CheckedBox, Finding, absent, fail, ok, warn
from device.doctor.probe import Probe
from device.doctor.software import on_pi

LITTLE_SPACE_MB = 500.0
NO_SPACE_MB = 50.0


def settings(_probe: Probe, box: CheckedBox) -> Finding:
    """The settings are readable and possible."""
    if box.config is None:
        return fail("settings", box.trouble, f"mend {box.config_file or 'the settings file'}")
    return ok("settings", f"{box.config_file or 'The settings as shipped'}: all values are possible.")


def data(probe: Probe, box: CheckedBox) -> Finding:
    """The journal can be written."""
    may = probe.writable(box.data, box.user)
    if may is None:
        return warn(
            "data", f"Whether {box.user} may write to {box.data} cannot be told.", "sudo callbox doctor"
        )
    if not may:
        fix = f"sudo mkdir -p {box.data}; sudo chown -R {box.user}: {box.data}"
        return fail("data", f"{box.user} may not write to {box.data}.", fix)
    return ok("data", f"{box.user} may write to {box.data}.")


def space(probe: Probe, box: CheckedBox) -> Finding:
    """The card has room for journal and pictures."""
    free = probe.free_mb(box.data)
    text = f"{free:.0f} MB are free for {box.data}."
    if free >= LITTLE_SPACE_MB:
        return ok("space", text)
    fix = "sudo apt clean; sudo journalctl --vacuum-size=50M; or use a larger card"
    return fail("space", text, fix) if free < NO_SPACE_MB else warn("space", text, fix)


def clock(probe: Probe, _box: CheckedBox) -> Finding:
    """The date is right. A Pi 4 has no clock of its own; games then carry the wrong day, nothing worse."""
    ran = probe.run(["timedatectl", "show", "-p", "NTPSynchronized", "--value"])
    if ran is None or ran.status != 0:
        return absent("clock", "timedatectl does not answer here.")
    if ran.out.strip() != "yes":
        return warn(
            "clock",
            "The clock is not set by the network; games get a wrong date.",
            "sudo timedatectl set-ntp true, with the network plugged in",
        )
    return ok("clock", "The clock is set by the network.")


def active(probe: Probe) -> str:
    """The service's state in systemd's word; empty when there is no systemd."""
    ran = probe.run(["systemctl", "is-active", "callbox"])
    return ran.out.strip() if ran else ""


def port(probe: Probe, box: CheckedBox) -> Finding:
    """The console's port is free, or the box itself holds it."""
    if box.config is None:
        return absent("port", "Not looked at, for the settings cannot be read.")
    at = box.config.console
    trouble = probe.port_free(at.host, at.port)
    if not trouble:
        return ok("port", f"Port {at.port} is free.")
    if active(probe) == "active":
        return ok("port", f"Port {at.port} is in use; the service callbox runs.")
    fix = f"sudo ss -ltnp 'sport = :{at.port}' names the other program; or set another console.port"
    return fail("port", f"Port {at.port} cannot be used: {trouble}.", fix)


def network(probe: Probe, box: CheckedBox) -> Finding:
    """Phones can find the box."""
    found = [one for one in probe.addresses() if not one.startswith(("127.", "169.254.", "fe80:", "::1"))]
    number = box.config.console.port if box.config else 8080
    if not found:
        return warn(
            "network",
            "The box is in no network: only its own lamps and buttons work.",
            "sudo nmtui, or plug in a cable",
        )
    address = f"[{found[0]}]" if ":" in found[0] else found[0]
    return ok("network", f"The console's address: http://{address}:{number}")


def service(probe: Probe, _box: CheckedBox) -> Finding:
    """The box starts by itself."""
    unit = probe.text("/etc/systemd/system/callbox.service")
    if unit is None:
        if not on_pi(probe):
            return absent("service", "Not installed as a service; `callbox play` starts the box by hand.")
        return warn("service", "The box does not start by itself.", "sudo systemd/install.sh")
    state = active(probe)
    if state == "active":
        return ok("service", "The service callbox runs.")
    fix = "sudo systemctl enable --now callbox; journalctl -u callbox -n 30 says more"
    return fail("service", f"The service callbox is {state or 'unknown to systemd'}.", fix)
