"""Runs as root beside the service: hangs it, again and again, and measures how it comes back.

    python hangs_job.py TIMES

Before each hang a bet is acknowledged, after it that bet must still lie there, and it is taken back. Prints a
line of JSON for each hang, in seconds from its beginning; the last line counts what was acknowledged.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

CONSOLE = "127.0.0.1:8080"
GIVE_UP_S = 3600.0
FINGER_S = 0.1
KINDS = ("table", "console", "grabber", "box")
Json = dict[str, Any]


def show(name: str) -> str:
    """What systemd says of the service."""
    command = ["systemctl", "show", "callbox", "-p", name, "--value"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def until(holds: Callable[[], object], what: str) -> float:
    """Wait for it, as long as a busy machine takes; the time then, in s."""
    end_s = time.monotonic() + GIVE_UP_S
    while not holds():
        if time.monotonic() > end_s:
            raise SystemExit(f"never seen: {what}")
        time.sleep(0.05)
    return time.monotonic()


def asked(method: str, path: str, body: Json | None, timeout_s: float) -> Json:
    """What the console answers to somebody at the box; raises OSError, HTTPException where it does not."""
    headers = {"Origin": f"http://{CONSOLE}", "Content-Type": "application/json"}
    with closing(HTTPConnection(CONSOLE, timeout=timeout_s)) as console:
        console.request(method, path, json.dumps(body), headers)
        return dict(json.load(console.getresponse()))


def got(path: str) -> Json:
    """What the console shows; nothing where it does not answer."""
    try:
        return asked("GET", path, None, 2.0)
    except (OSError, HTTPException):
        return {}


def post(path: str, body: Json) -> Json:
    """What the console answers to a press."""
    return asked("POST", path, body, 60.0)


def bets() -> list[str]:
    """How far each player is with the bet."""
    found: list[str] = (got("/state").get("game") or {}).get("bets", [])
    return found


def take_back() -> None:
    """Press UNDO until the bet is gone, as people do."""
    for down in (True, False):
        assert post("/pins/undo", {"down": down})["ok"]
        time.sleep(FINGER_S)
    until(lambda: bets() and "locked" not in bets(), "the bet is taken back")


def grabber_of(pid: int) -> int:
    """The process that takes the pictures; 0 while there is none."""
    for each in Path("/proc").glob("[0-9]*"):
        try:
            stat, words = (each / "stat").read_text(), (each / "cmdline").read_text()
        except OSError:
            continue
        if int(stat.rpartition(")")[2].split()[1]) == pid and "grabber.py" in words:
            return int(each.name)
    return 0


def befall(kind: str, pid: int) -> int:
    """Let it hang: the process that must end for the box to be well again."""
    if kind in {"table", "console"}:
        Path(f"/run/callbox/hang-{kind}").touch()
        return pid
    ill = grabber_of(pid) if kind == "grabber" else pid
    os.kill(ill, signal.SIGSTOP)
    return ill


def pressed_meanwhile(kind: str) -> str:
    """What a press is told while the table hangs: it must not be said to count."""
    if kind != "table":
        return ""
    until(lambda: not Path("/run/callbox/hang-table").exists(), "the table hangs")
    answer = post("/bets", {"player": "Bea", "dots": 4})
    assert not answer["ok"], answer
    return str(answer["text"])


def one(kind: str) -> Json:
    """One hang, from its beginning to a game that goes on."""
    assert post("/bets", {"player": "Ann", "dots": 4})["ok"]
    pid, game, starts = int(show("MainPID")), got("/state")["game_id"], int(show("NRestarts"))
    began_s = time.monotonic()
    ill = befall(kind, pid)
    told = pressed_meanwhile(kind)
    ended_s = until(lambda: not Path(f"/proc/{ill}").exists(), f"the hung {kind} is ended")
    answers_s = until(lambda: got("/state"), "the console answers")
    seen = got("/health")["frames"]
    pictures_s = until(lambda: got("/health").get("frames", 0) > seen, "pictures come")
    state = got("/state")
    assert (state["game_id"], state["game"]["bets"][0]) == (game, "locked"), state
    take_back()
    return {
        "kind": kind,
        "ended_s": round(ended_s - began_s, 1),
        "answers_s": round(answers_s - began_s, 1),
        "pictures_s": round(pictures_s - began_s, 1),
        "restarts": int(show("NRestarts")) - starts,
        "told": told,
    }


def main(times: int) -> None:
    """Every kind, so often."""
    until(lambda: got("/health").get("frames"), "the first picture")
    assert post("/games", {"game": "zoinx", "players": ["Ann", "Bea"]})["ok"]
    for kind in KINDS:
        for _ in range(times):
            print(json.dumps(one(kind)), flush=True)
    print(json.dumps({"game": got("/state")["game_id"], "acknowledged": 2 * times * len(KINDS)}))


if __name__ == "__main__":
    main(int(sys.argv[1]))
