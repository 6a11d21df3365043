"""Runs in the virtual machine: the box's own panel on kernel GPIO, every button pressed, every lamp read."""

import os
import sys
import time
from queue import SimpleQueue

from device import config
from device.doctor.hardware import PIN_CHIPS
from device.doctor.machine import Machine
from device.panel import Panel, open_factory

sys.path.insert(0, "/rig/gpio-vm/guest")
import simgpio


def steady_ms() -> float:
    """The box's clock."""
    return time.monotonic_ns() / 1e6


def main() -> None:
    """Fails with an AssertionError that names the button or lamp."""
    settings = config.load().panel
    buttons, lamps = settings.buttons.fitted(), settings.lamps.fitted()
    for pin in buttons.values():
        simgpio.pull(pin, "up")
    factory = open_factory()
    assert type(factory).__name__ == "LGPIOFactory", factory
    edges: SimpleQueue[tuple[str, bool, float]] = SimpleQueue()
    panel = Panel(settings, factory, lambda *edge: edges.put(edge), steady_ms)
    assert panel.down() == (), panel.down()

    for name, pin in buttons.items():
        for pull, down in (("down", True), ("up", False)):
            before_ms = steady_ms()
            simgpio.pull(pin, pull)
            button, is_down, time_ms = (
                edges.get()
            )  # waits; a button that is not heard ends at the rig's time-out
            assert (button, is_down) == (name, down), (name, down, button, is_down)
            assert before_ms <= time_ms <= steady_ms(), (before_ms, time_ms)
    assert edges.empty(), edges.get()
    print("buttons", *buttons)

    for name in lamps:
        panel.show({name: True})
        lit = [other for other, pin in lamps.items() if simgpio.value(pin)]
        assert lit == [name], (name, lit)
    panel.show({})
    assert not any(simgpio.value(pin) for pin in lamps.values())
    print("lamps", *lamps)

    labels = Machine().gpio_labels()
    assert set(labels.values()) & set(PIN_CHIPS), labels
    panel.close()
    print("ok")
    sys.stdout.flush()
    os._exit(0)  # lgpio's thread outlives its factory


if __name__ == "__main__":
    main()
