"""Runs in the virtual machine: a page begins a game, and ROLL DONE is pressed on its pin until one counts."""

import json
import subprocess
import time
import urllib.request
from typing import Any

CONSOLE = "http://127.0.0.1:8080"
ROLL_DONE = "19"


def asked(path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    """What the console answers."""
    headers = {"Origin": CONSOLE, "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(CONSOLE + path, data, headers)  # noqa: S310 - our own console
    while True:
        try:
            with urllib.request.urlopen(request, timeout=1800) as answer:  # noqa: S310 - the same
                return dict(json.load(answer))
        except OSError as error:  # a console that is this slow may take no further caller for a moment
            print(error, flush=True)
            time.sleep(1)


def pull(direction: str) -> None:
    """A finger on the button, or off it."""
    subprocess.run(["python3", "/rig/gpio-vm/guest/simgpio.py", "pull", ROLL_DONE, direction], check=True)


def main() -> None:
    """Until a roll counts, however slow the machine is."""
    pull("up")
    print(asked("/games", {"game": "tray", "players": ["Ann", "Bea"]}))
    while asked("/state")["camera"]["tone"] == "alarm":
        time.sleep(1)
    game: dict[str, Any] = {}
    while not any(game.get("scores", [])):
        pull("down")
        time.sleep(1)
        pull("up")
        time.sleep(10)
        shown = asked("/state")
        game = shown["game"] or {}
        print(shown["message"], game.get("scores"), game.get("last_dice"), flush=True)


main()
