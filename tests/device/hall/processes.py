"""Commands of `callbox` as processes of their own, and whether a real broker can be had for them."""

import shutil
import subprocess
import sys
from pathlib import Path

from device.hall.broker import NoBroker, find_mosquitto
from tests.loopback import own_loopback

ROOT = Path(__file__).parents[3]
HOST, PAGE, BROKER = own_loopback(), 8090, 8883


def why_not() -> str:
    """Why no real broker can be had here; "" when it can."""
    try:
        find_mosquitto()
    except NoBroker as error:
        return str(error)
    return "" if shutil.which("openssl") else "openssl is not on this machine"


def callbox(*words: object) -> list[str]:
    return [sys.executable, "-m", "device", *map(str, words)]


def run(*words: object, typed: str = "") -> str:
    """A command of `callbox`, to its end; returns what it says."""
    done = subprocess.run(callbox(*words), cwd=ROOT, input=typed, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Process:
    """A command that runs on. What it says goes into a file."""

    def __init__(self, log: Path, *words: object) -> None:
        self.log = log
        self._words = words
        self.start()

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.running = subprocess.Popen(callbox(*self._words), cwd=ROOT, stdout=log, stderr=log)

    def kill(self) -> None:
        self.running.kill()
        self.running.wait()

    def stop(self) -> None:
        self.running.terminate()
        self.running.wait()
