"""`callbox doctor`: looks at the box from the Python up to the network, and says what to mend and how.

Each check is a pure function of a `Machine` (the machine's files, commands and imports) and a `CheckedBox`
(what this box is set to). So each is tested with made-up machines, well ones and ill ones.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from device.doctor import checks, hardware, software
from device.doctor.bundle import BundleError, bundle
from device.doctor.checks import SOFT_PX, WIDE
from device.doctor.machine import CheckedBox, Finding, Machine, fail, own_name
from engine.wording import phrase, phrase_later

__all__ = [
    "CHECKS",
    "CHECK_BROKE_OFF",
    "SOFT_PX",
    "WIDE",
    "BundleError",
    "CheckedBox",
    "Finding",
    "Machine",
    "asking",
    "bundle",
    "examine",
    "own_name",
]

CHECK_BROKE_OFF = phrase_later("The check did not come to its end. On the box: callbox doctor")

Check = Callable[[Machine, CheckedBox], Finding]

CHECKS: dict[str, Check] = {
    "python": software.python,
    "numpy": software.numpy,
    "opencv": software.opencv,
    "onnxruntime": software.onnxruntime,
    "films": software.films,
    "gpiozero": software.gpiozero,
    "lgpio": software.lgpio,
    "sqlite": software.sqlite,
    "clashes": checks.clashes,
    "networks": checks.networks,
    "board": hardware.board,
    "pins": hardware.pins,
    "groups": hardware.groups,
    "claimed": hardware.claimed,
    "buttons": hardware.buttons,
    "camera": hardware.camera,
    "spi": hardware.spi,
    "voice": checks.voice,
    "power": hardware.power,
    "heat": hardware.heat,
    "memory": hardware.memory,
    "settings": checks.settings,
    "lock": checks.lock,
    "landing": checks.landing,
    "sharpness": checks.sharpness,
    "drift": checks.drift,
    "data": checks.data,
    "space": checks.space,
    "card": checks.card,
    "journal": checks.journal,
    "log": checks.log,
    "clock": checks.clock,
    "port": checks.port,
    "network": checks.network,
    "first-boot": checks.first_boot,
    "service": checks.service,
}
"""In the order in which one mends: the lower the floor, the earlier."""


def examine(machine: Machine, box: CheckedBox) -> Iterator[Finding]:
    """All findings, one after the other, by the names of their checks. One that breaks is a finding, too."""
    for name, check in CHECKS.items():
        try:
            found = check(machine, box)
        except Exception as error:  # noqa: BLE001 - whatever it is, the other checks go on
            told = phrase("this check itself broke: {name}: {error}", name=type(error).__name__, error=error)
            found = fail(told, phrase("please report this line"))
        yield replace(found, name=name)
