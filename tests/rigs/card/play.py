"""Runs in the virtual machine: presses of ROLL DONE choose a game, begin it, and have a roll counted."""

import json
import sys
import time
import urllib.request
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, "/rig/gpio-vm/guest")
import simgpio

CONSOLE = "http://127.0.0.1:8080"
ROLL_DONE = 19
LONG_S = 6.0
"""More than panel.long_press_ms of the card's settings."""


def state() -> dict[str, Any]:
    """What the box shows. The page only looks."""
    while True:
        try:
            with urllib.request.urlopen(f"{CONSOLE}/state", timeout=3600) as answer:  # noqa: S310 - our own
                return dict(json.load(answer))
        except OSError as error:  # a console that is this slow may take no further caller for a moment
            print(error, flush=True)
            time.sleep(1)


def press(seconds: float, heard: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """A finger on ROLL DONE for so long, until the box has heard it: what it shows then."""
    simgpio.pull(ROLL_DONE, "down")
    time.sleep(seconds)
    simgpio.pull(ROLL_DONE, "up")
    while True:
        shown = state()
        if heard(shown):
            print(shown["stage"], shown["proposed"], shown["segments"], shown["message"], flush=True)
            return shown
        time.sleep(1)


def offers_another(before: object, shown: dict[str, Any]) -> bool:
    """Whether another game is offered than before."""
    return bool(shown["proposed"] != before)


def main() -> None:
    """Until a roll counts, however slow the machine is."""
    simgpio.pull(ROLL_DONE, "up")
    while (shown := state())["camera"]["tone"] == "alarm" or "roll_done" not in shown["lamps"]:
        time.sleep(1)
    while not Path("/host/play").read_text(encoding="utf-8"):  # somebody outside wants to see the board first
        time.sleep(1)
    while not shown["proposed"] or shown["proposed"]["game"] != "tray":
        shown = press(0.5, partial(offers_another, shown["proposed"]))
    press(LONG_S, lambda now: now["stage"] == "playing")
    while not any(state()["game"]["scores"]):
        press(0.5, lambda now: now["message"]["text"] != "" or any(now["game"]["scores"]))
        time.sleep(10)
    print(state()["game"], flush=True)


main()
