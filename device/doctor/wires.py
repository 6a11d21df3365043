"""What hangs on the pins: is each free for the box, and is every button at rest?"""

from device.doctor.finding import CheckedBox, Finding, absent, fail, ok, warn
from device.doctor.hardware import NO_PI, PIN_CHIPS
from device.doctor.probe import Probe
from device.panel import PanelLost
from engine.wording import phrase

OWN = "lg"
"""What the kernel calls a line that lgpio holds: the box's own, while it runs."""


def claimed(probe: Probe, box: CheckedBox) -> Finding:
    """No other program or driver holds a pin that the settings name."""
    chip = next((device for device, label in probe.gpio_labels().items() if label in PIN_CHIPS), None)
    if box.config is None:
        return absent("claimed", phrase("Not looked at, for the settings cannot be read."))
    if chip is None:
        return absent("claimed", phrase("{no_pi}: it has no pin header.", no_pi=phrase(NO_PI)))
    holders = probe.gpio_holders(chip)
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
        return fail("claimed", phrase("Held by something else: {others}.", others=", ".join(others)), fix)
    held = sum(holders.get(pin) == OWN for _, pin in wanted)
    if held and probe.box_says_of_panel(box.config.console.port) is None:
        told = phrase("{held} pins are held by a program, and no box runs.", held=held)
        return warn("claimed", told, phrase("end callbox panel, or whatever else uses lgpio"))
    return ok(
        "claimed",
        phrase(
            "{count} pins, {value}.",
            count=len(wanted),
            value=phrase("all the box has") if held else phrase("all free"),
        ),
    )


def buttons(probe: Probe, box: CheckedBox) -> Finding:
    """No button is down though nobody presses it: the box that runs says so, or the pins themselves."""
    if box.config is None:
        return absent("buttons", phrase("Not looked at, for the settings cannot be read."))
    fix = phrase(
        "look for solder between its wires, and at pull and pressed in callbox.toml; callbox panel shows more"
    )
    said = probe.box_says_of_panel(box.config.console.port)
    if said is not None:
        return (
            warn("buttons", said, fix)
            if said
            else ok("buttons", phrase("The box sees every button at rest."))
        )
    if not set(probe.gpio_labels().values()) & set(PIN_CHIPS):
        return absent("buttons", phrase("{no_pi}: it has no buttons.", no_pi=phrase(NO_PI)))
    try:
        stuck = probe.panel_trouble(box.config.panel)
    except PanelLost as lost:
        return fail(
            "buttons", phrase("The buttons cannot be looked at: {lost}", lost=lost), phrase("mend that first")
        )
    return warn("buttons", stuck, fix) if stuck else ok("buttons", phrase("Every button is at rest."))
