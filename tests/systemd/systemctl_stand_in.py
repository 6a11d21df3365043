"""A stand-in for systemctl below $CALLBOX_ROOT, as strict as the real one where the installer leans on it.

Units are read when they are first used and at `daemon-reload`, not before; a unit that conflicts is stopped;
a service that ends without READY=1 has failed, and is given up until `reset-failed`, as after ten falls; what
is enabled starts at `boot`, which nobody but a test asks for; ExecStopPost is run however a service ends.
Standard library only.
"""

import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.systemd.box_stand_in import alive

ROOT = Path(os.environ["CALLBOX_ROOT"])
STATE = ROOT / "run" / "systemd-state"
ENABLED = ROOT / "etc" / "systemd" / "enabled"


def unit_file(name: str) -> Path | None:
    """Where a unit is, links followed as if the root were the machine's."""
    for folder in ("etc", "run"):
        path = ROOT / folder / "systemd" / "system" / f"{name}.service"
        if path.is_symlink():
            target = ROOT / str(path.readlink()).lstrip("/")
            return target if target.exists() else None
        if path.exists():
            return path
    return None


def loaded(name: str) -> dict[str, list[str]] | None:
    """A unit's keys, as they were when it was read."""
    copy = STATE / f"{name}.loaded"
    if not copy.exists():
        path = unit_file(name)
        if path is None:
            return None
        STATE.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    keys: dict[str, list[str]] = {}
    for line in copy.read_text(encoding="utf-8").splitlines():
        if "=" in line and not line.startswith("#"):
            key, value = line.split("=", 1)
            keys.setdefault(key, []).append(value)
    return keys


def pid_of(name: str) -> int | None:
    """The running service's process."""
    try:
        pid = int((STATE / f"{name}.pid").read_text())
    except (OSError, ValueError):
        return None
    return pid if alive(pid) else None


def start(name: str) -> int:
    """Start a service and wait until it is ready; 5 when there is none, 1 when it fails."""
    unit = loaded(name)
    if unit is None:
        return 5
    condition = unit.get("ConditionPathExists", [""])[0]
    if pid_of(name) is not None or (condition and not (ROOT / condition.lstrip("/")).exists()):
        return 0
    if given_up(name).exists():
        return 1
    rivals = set(unit.get("Conflicts", []))
    rivals |= {
        f"{path.stem}.service" for path in STATE.glob("*.pid") if f"{name}.service" in conflicts(path.stem)
    }
    for rival in rivals:
        stop(rival.removesuffix(".service"))
    command = shlex.split(unit["ExecStart"][0])
    command[0] = str(ROOT / command[0].lstrip("/"))
    if unit["Type"] == ["oneshot"]:
        return subprocess.run(command, check=False).returncode
    return start_and_wait(name, unit, command)


def conflicts(name: str) -> list[str]:
    """Which units a loaded one cannot run beside."""
    return (loaded(name) or {}).get("Conflicts", [])


def start_and_wait(name: str, unit: dict[str, list[str]], command: list[str]) -> int:
    """Start a service that says when it is ready."""
    state = ROOT / "var" / "lib" / unit["StateDirectory"][0]
    state.mkdir(parents=True, exist_ok=True)
    mailbox = f"callbox-test-{os.getpid()}"  # an abstract socket: a test's folder has too long a name for one
    environment = dict(pair.split("=", 1) for line in unit.get("Environment", []) for pair in line.split())
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(f"\0{mailbox}")
        heard.settimeout(0.02)
        try:
            process = subprocess.Popen(
                command,
                env=os.environ
                | environment
                | {"NOTIFY_SOCKET": f"@{mailbox}", "STATE_DIRECTORY": str(state)},
                start_new_session=True,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except OSError:
            return 1
        while process.poll() is None:
            try:
                heard.recv(100)
            except TimeoutError:
                continue
            (STATE / f"{name}.pid").write_text(str(process.pid))
            return 0
    if unit.get("Restart") == ["always"]:
        given_up(name).touch()
    after(name)
    return 1


def given_up(name: str) -> Path:
    """The mark of a service that fell too often."""
    return STATE / f"{name}.given-up"


def reset_failed(name: str) -> int:
    """Let a service that fell too often be started again."""
    given_up(name).unlink(missing_ok=True)
    return 0


def stop(name: str) -> int:
    """End a service; 5 when there is none."""
    if loaded(name) is None:
        return 5
    pid = pid_of(name)
    if pid is not None:
        os.kill(pid, signal.SIGKILL)
        while alive(pid):
            time.sleep(0.001)
        (STATE / f"{name}.pid").unlink()
        after(name)
    return 0


def after(name: str) -> None:
    """What a unit wants done when it has ended."""
    for line in (loaded(name) or {}).get("ExecStopPost", []):
        start(line.split()[-1])


def boot() -> int:
    """As after a power cut: /run is empty, and what is enabled starts."""
    for path in STATE.glob("*.pid"):
        if (pid := pid_of(path.stem)) is not None:
            os.kill(pid, signal.SIGKILL)
    shutil.rmtree(ROOT / "run")
    STATE.mkdir(parents=True)
    for name in ENABLED.read_text().split() if ENABLED.exists() else ():
        start(name)
    return 0


def enable(name: str, *, on: bool) -> int:
    """Have a unit started at each boot, or not any more."""
    if on and unit_file(name) is None:
        return 1
    names = set(ENABLED.read_text().split()) if ENABLED.exists() else set()
    ENABLED.parent.mkdir(parents=True, exist_ok=True)
    ENABLED.write_text(" ".join(sorted(names | {name} if on else names - {name})))
    return 0


def reload() -> int:
    """Forget what units said, so that they are read anew."""
    for path in STATE.glob("*.loaded"):
        if pid_of(path.stem) is None or unit_file(path.stem) is not None:
            path.unlink()
    return 0


def restart(name: str) -> int:
    """Stop and start."""
    stop(name)
    return start(name)


def disable(name: str) -> int:
    """Stop it and have it started no more."""
    stop(name)
    return enable(name, on=False)


DOES: dict[str, Callable[[str], int]] = {
    "start": start,
    "stop": stop,
    "restart": restart,
    "disable": disable,
    "reset-failed": reset_failed,
    "enable": lambda name: enable(name, on=True),
    "is-active": lambda name: 0 if pid_of(name) is not None else 3,
    "is-enabled": lambda name: 0 if ENABLED.exists() and name in ENABLED.read_text().split() else 1,
}


def main() -> int:
    """Do what was asked for."""
    STATE.mkdir(parents=True, exist_ok=True)
    match [word for word in sys.argv[1:] if not word.startswith("-")]:
        case ["daemon-reload"]:
            return reload()
        case ["boot"]:
            return boot()
        case [verb, name] if verb in DOES:
            return DOES[verb](name)
        case words:
            sys.exit(f"the stand-in for systemctl does not know {words}")


if __name__ == "__main__":
    sys.exit(main())
