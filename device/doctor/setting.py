"""The box in its place: settings, data, time, network, service."""

from device.doctor.finding import CheckedBox, Finding, absent, fail, ok, warn
from device.doctor.probe import Probe
from device.doctor.software import on_pi
from engine.wording import phrase

LITTLE_SPACE_MB = 500.0
NO_SPACE_MB = 50.0


def settings(_probe: Probe, box: CheckedBox) -> Finding:
    """The settings are readable and possible."""
    if box.config is None:
        return fail(
            "settings",
            box.trouble,
            phrase("mend {config_file}", config_file=box.config_file or phrase("the settings file")),
        )
    return ok(
        "settings",
        phrase(
            "{config_file}: all values are possible.",
            config_file=box.config_file or phrase("The settings as shipped"),
        ),
    )


def data(probe: Probe, box: CheckedBox) -> Finding:
    """The journal can be written."""
    may = probe.writable(box.data, box.user)
    if may is None:
        return warn(
            "data",
            phrase("Whether {user} may write to {data} cannot be told.", user=box.user, data=box.data),
            "sudo callbox doctor",
        )
    if not may:
        fix = f"sudo mkdir -p {box.data}; sudo chown -R {box.user}: {box.data}"
        return fail("data", phrase("{user} may not write to {data}.", user=box.user, data=box.data), fix)
    return ok("data", phrase("{user} may write to {data}.", user=box.user, data=box.data))


def space(probe: Probe, box: CheckedBox) -> Finding:
    """The card has room for journal and pictures."""
    free = probe.free_mb(box.data)
    text = phrase("{free:.0f} MB are free for {data}.", free=free, data=box.data)
    if free >= LITTLE_SPACE_MB:
        return ok("space", text)
    fix = phrase("sudo apt clean; sudo journalctl --vacuum-size=50M; or use a larger card")
    return fail("space", text, fix) if free < NO_SPACE_MB else warn("space", text, fix)


def clock(probe: Probe, _box: CheckedBox) -> Finding:
    """The date is right. A Pi 4 has no clock of its own; games then carry the wrong day, nothing worse."""
    ran = probe.run(["timedatectl", "show", "-p", "NTPSynchronized", "--value"])
    if ran is None or ran.status != 0:
        return absent("clock", phrase("timedatectl does not answer here."))
    if ran.out.strip() != "yes":
        return warn(
            "clock",
            phrase("The clock is not set by the network; games get a wrong date."),
            phrase("sudo timedatectl set-ntp true, with the network plugged in"),
        )
    return ok("clock", phrase("The clock is set by the network."))


def active(probe: Probe) -> str:
    """The service's state in systemd's word; empty when there is no systemd."""
    ran = probe.run(["systemctl", "is-active", "callbox"])
    return ran.out.strip() if ran else ""


def port(probe: Probe, box: CheckedBox) -> Finding:
    """The console's port is free, or the box itself holds it."""
    if box.config is None:
        return absent("port", phrase("Not looked at, for the settings cannot be read."))
    at = box.config.console
    trouble = probe.port_free(at.host, at.port)
    if not trouble:
        return ok("port", phrase("Port {port} is free.", port=at.port))
    if active(probe) == "active":
        return ok("port", phrase("Port {port} is in use; the service callbox runs.", port=at.port))
    fix = phrase(
        "sudo ss -ltnp 'sport = :{port}' names the other program; or set another console.port", port=at.port
    )
    return fail("port", phrase("Port {port} cannot be used: {trouble}.", port=at.port, trouble=trouble), fix)


def network(probe: Probe, box: CheckedBox) -> Finding:
    """Phones can find the box."""
    found = [one for one in probe.addresses() if not one.startswith(("127.", "169.254.", "fe80:", "::1"))]
    number = box.config.console.port if box.config else 8080
    if not found:
        return warn(
            "network",
            phrase("The box is in no network: only its own lamps and buttons work."),
            phrase("sudo nmtui, or plug in a cable"),
        )
    address = f"[{found[0]}]" if ":" in found[0] else found[0]
    return ok(
        "network", phrase("The console's address: http://{address}:{number}", address=address, number=number)
    )


def service(probe: Probe, _box: CheckedBox) -> Finding:
    """The box starts by itself."""
    unit = probe.text("/etc/systemd/system/callbox.service")
    if unit is None:
        if not on_pi(probe):
            return absent(
                "service", phrase("Not installed as a service; `callbox play` starts the box by hand.")
            )
        return warn("service", phrase("The box does not start by itself."), "sudo systemd/install.sh")
    state = active(probe)
    if state == "active":
        return ok("service", phrase("The service callbox runs."))
    fix = phrase("sudo systemctl enable --now callbox; journalctl -u callbox -n 30 says more")
    return fail(
        "service", phrase("The service callbox is {state}.", state=state or phrase("unknown to systemd")), fix
    )
