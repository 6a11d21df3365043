"""A box below a folder: the real installer, with stand-ins for systemd, Python's venv and the program."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
SYSTEMD = ROOT / "systemd"
CHANGING = ("rm", "mkdir", "cp", "mv", "ln", "sync", "chmod", "install", "find", "python3")
"""The programs by which the installer changes something, beside systemctl."""

PYTHON = f"""#!/bin/sh
# Stands in for python3: makes a venv in which `pip` notes what it was asked for, and fails without an index.
[ "$1" = -m ] || exec {sys.executable} "$@"
for last; do :; done
mkdir -p "$last/bin"
cat > "$last/bin/python" <<'END'
#!/bin/sh
echo "$*" >> "$CALLBOX_ROOT/pip"
case "$*" in
*--find-links*|*--editable*|*compile*) ;;
*) [ ! -e "$CALLBOX_ROOT/no-index" ] || {{ echo "pip: no index can be reached" >&2; exit 1; }} ;;
esac
END
cat > "$last/bin/callbox" <<'END'
#!/bin/sh
exec {sys.executable} -SE {HERE}/box_stand_in.py "${{0%/.venv/*}}" "$@"
END
chmod +x "$last/bin/python" "$last/bin/callbox"
"""
CUT = """#!/bin/sh
# The power is cut before the command that stands at CUT in the row of all that change something.
echo "${0##*/} $*" >> "$CALLBOX_STEPS"
[ "$(wc -l < "$CALLBOX_STEPS")" -ne "$CUT" ] || kill -9 0
"""
SYNC = """#!/bin/sh
# Notes which files a power cut leaves whole from now on: those it is given, or with -f all of the box's disk.
[ -n "$CALLBOX_FLUSHED" ] || exit 0 # nobody pulls this machine's plug
case "$*" in
"-f $CALLBOX_ROOT/boot"*) exit 0 ;; # the card's own partition
-f*) set -- "$CALLBOX_ROOT/etc" "$CALLBOX_ROOT/opt" "$CALLBOX_ROOT/var" ;;
*) set -- "$@" -maxdepth 0 ;;
esac
/usr/bin/find "$@" -type f -printf '%i %T@ %s:%p\\n' >> "$CALLBOX_FLUSHED" 2> /dev/null || true
"""


@dataclass(frozen=True, slots=True)
class Done:
    """How an installation ended."""

    status: int
    said: str


def read_lines(path: Path) -> list[str]:
    """The lines of a file; none where it is not there."""
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


class Stage:
    """A box's files, its releases and its installer."""

    def __init__(self, folder: Path) -> None:
        """Everything lies in `folder`."""
        self.folder = folder
        self.root = folder / "root"
        self.bin = folder / "bin"
        self.bin.mkdir(parents=True)
        (self.root / "run").mkdir(parents=True)
        self.command("python3", PYTHON)
        self.command(
            "systemctl",
            f'#!/bin/sh\ncd {ROOT} && exec {sys.executable} -SE -m tests.systemd.systemctl_stand_in "$@"\n',
        )
        self.command("sync", SYNC)
        (folder / "os-release").write_text("VERSION_CODENAME=trixie\n", encoding="utf-8")

    def command(self, name: str, text: str, folder: Path | None = None) -> None:
        """Put a stand-in where commands are found first."""
        path = (folder or self.bin) / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def release(self, version: str, mode: str = "well") -> Path:
        """A release whose program behaves as `mode` says, with the project's own installer and units."""
        made = self.folder / f"release-{version}-{mode}"
        for room in ("device", "vision", "engine", "calibration", "models", "docs"):
            (made / room).mkdir(parents=True)
        shutil.copytree(SYSTEMD, made / "systemd", ignore=shutil.ignore_patterns("__pycache__"))
        (made / "pyproject.toml").write_text(f'version = "{version}"\n', encoding="utf-8")
        (made / "requirements.lock").write_text("numpy==2.0\n", encoding="utf-8")
        (made / "device" / "mode").write_text(mode, encoding="utf-8")
        (made / "models" / "faces.onnx").write_bytes(bytes(range(256)))
        (made / "README.md").write_text("A release.\n", encoding="utf-8")
        return made

    def environment(self) -> dict[str, str]:
        """What the installer and the stand-ins go by."""
        return os.environ | {
            "PATH": f"{self.bin}:{os.environ['PATH']}",
            "CALLBOX_ROOT": str(self.root),
            "CALLBOX_SYSTEMCTL": "systemctl",
            "CALLBOX_OS_RELEASE": str(self.folder / "os-release"),
            "CALLBOX_ARCH": "arm64",
            "CALLBOX_PATIENCE_S": "1",
        }

    def install(self, release: Path, *options: str) -> Done:
        """Run the release's installer to its end."""
        return self.run([str(release / "systemd" / "install.sh"), *options], self.environment())

    def cut(self, release: Path, step: int) -> list[str]:
        """Run the installer, cut the power before the changing command number `step`, start the box again.

        Returns the commands that were begun; fewer than `step` when it came to its end before.
        """
        self.cutting(step)([str(release / "systemd" / "install.sh")], self.environment())
        self.control("boot")
        return read_lines(self.folder / "steps")

    def cutting(self, step: int) -> Callable[[list[str], dict[str, str]], Done]:
        """As `run`, but the power is cut before the changing command number `step` of all that it runs.

        What was not flushed until then is empty afterwards, as a young file of ext4 is.
        """
        steps, cutters, flushed = (self.folder / name for name in ("steps", "cutters", "flushed"))
        steps.write_text("", encoding="utf-8")
        flushed.write_text("", encoding="utf-8")
        cutters.mkdir(exist_ok=True)
        for name in (*CHANGING, "systemctl"):
            real = self.bin / name if (self.bin / name).exists() else shutil.which(name)
            self.command(name, f'{CUT}exec {real} "$@"\n', cutters)

        def run(command: list[str], environment: dict[str, str]) -> Done:
            path = f"{cutters}:{environment['PATH']}"
            environment = environment | {"CALLBOX_FLUSHED": str(flushed)}
            self._flush(flushed)
            done = self.run(
                command, environment | {"CUT": str(step), "CALLBOX_STEPS": str(steps), "PATH": path}
            )
            if done.status == -signal.SIGKILL:
                self._lose_all_but({file.partition(":")[0] for file in read_lines(flushed)})
            return done

        return run

    def _flush(self, note: Path) -> None:
        environment = self.environment() | {"CALLBOX_FLUSHED": str(note)}
        subprocess.run([self.bin / "sync", "-f", self.root], env=environment, check=True)

    def _lose_all_but(self, flushed: set[str]) -> None:
        there = self.folder / "there"
        there.unlink(missing_ok=True)
        self._flush(there)
        for file in read_lines(there):
            mark, _, path = file.partition(":")
            if mark not in flushed and not path.endswith("journal.db"):  # SQLite flushes by itself
                Path(path).write_bytes(b"")

    @staticmethod
    def run(command: list[str], environment: dict[str, str]) -> Done:
        """Run it to its end, in a group of its own."""
        # In a group of its own, so that a cut ends the installer and all that it started, and no test.
        process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        said = process.communicate()[0]
        return Done(process.returncode, said)

    def control(self, *words: str) -> int:
        """Ask the stand-in for systemctl."""
        return subprocess.run(["systemctl", *words], env=self.environment(), check=False).returncode

    @property
    def runs(self) -> str:
        """The name of the release that plays, as its journal and its process say; "" where none does."""
        pid = self.root / "run" / "systemd-state" / "callbox.pid"
        if self.control("is-active", "callbox") != 0:
            return ""
        command = Path(f"/proc/{pid.read_text()}/cmdline").read_bytes().split(b"\0")
        return Path(os.fsdecode(command[3])).resolve().name

    @property
    def journal(self) -> list[str]:
        """What the boxes wrote that had the true journal."""
        path = self.root / "var" / "lib" / "callbox" / "journal.db"
        return read_lines(path)

    @property
    def current(self) -> str:
        """The name of the release that `current` leads to."""
        return (self.root / "opt" / "callbox" / "current").resolve().name

    def end(self) -> None:
        """Let no stand-in outlive its test."""
        for path in (self.root / "run" / "systemd-state").glob("*.pid"):
            try:
                os.kill(int(path.read_text()), signal.SIGKILL)
            except (ValueError, ProcessLookupError):
                continue
