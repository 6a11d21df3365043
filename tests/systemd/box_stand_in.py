"""A stand-in for the program of a release, run as `box_stand_in.py FOLDER play|health ...`.

What FOLDER/device/mode says is how it behaves: `well`; `dead` does not start; `blind` gets no pictures;
`mute` has a console that does not answer; `pinless` is well until it has real pins. A box that plays leaves a
file run/console-PORT with its process, and adds a line to the journal. Standard library only.
"""

import os
import signal
import socket
import sys
from pathlib import Path

ROOT = Path(os.environ["CALLBOX_ROOT"])


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and was not fetched does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def option(name: str, default: str) -> str:
    """The word behind an option."""
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else default


def play(folder: Path, mode: str) -> None:
    """Say that it is ready, and stay."""
    if mode == "dead" or (mode == "pinless" and os.environ["GPIOZERO_PIN_FACTORY"] == "lgpio"):
        sys.exit("ImportError: a library of this release is broken")
    with Path(os.environ["STATE_DIRECTORY"], "journal.db").open("a", encoding="utf-8") as journal:
        journal.write(f"{folder.resolve().name}\n")
    (ROOT / "run" / f"console-{option('--port', '8080')}").write_text(
        f"{os.getpid()} {mode}", encoding="utf-8"
    )
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
        out.sendto(b"READY=1", "\0" + os.environ["NOTIFY_SOCKET"][1:])
    signal.pause()


def health() -> None:
    """Status 1 when the box at this port is not well."""
    try:
        pid, mode = (ROOT / "run" / f"console-{option('--port', '8080')}").read_text().split()
    except OSError:
        sys.exit("console  fail  connection refused")
    if not alive(int(pid)) or mode == "mute":
        sys.exit("console  fail  timed out")
    if mode == "blind" and "--without-pictures" not in sys.argv:
        sys.exit("frames   fail  not seen that pictures come")


def main() -> None:
    """Do what was asked for."""
    folder, command = Path(sys.argv[1]), sys.argv[2]
    if command == "play":
        play(folder, (folder / "device" / "mode").read_text(encoding="utf-8").strip())
    else:
        health()


if __name__ == "__main__":
    main()
