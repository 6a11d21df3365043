"""The machine, as the checks see it: everything that touches the world in one small class."""

import fcntl
import getpass
import grp
import importlib.metadata
import json
import os
import pwd
import shutil
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Literal
from urllib.request import ProxyHandler, build_opener

from device.cameras.v4l2 import Node, plugged_in
from device.config import Config
from device.panel import Panel, open_factory, sentence
from device.wiring import PanelConfig

COMMAND_S = 30.0
PICTURE_S = 5.0
MOST_PICTURE_BYTES = 50_000_000
GPIO_GET_CHIPINFO = 0x8044B401  # linux/gpio.h: name[32], label[32], lines
GPIO_V2_GET_LINEINFO = 0xC100B405  # name[32], consumer[32], offset, attributes, flags, and more
LINE_INFO = "32s32sIIQ176s"
LINE_USED = 1
ANSWER_S = 5.0


@dataclass(frozen=True, slots=True)
class Ran:
    """A finished command."""

    status: int
    out: str
    err: str = ""


@dataclass(frozen=True, slots=True)
class Interpreter:
    """The Python that runs this."""

    executable: str
    version: tuple[int, int, int]
    prefix: str
    base_prefix: str


class Machine:
    """What a check may ask the machine; tests put another in its place, which overrides it all."""

    @property
    def interpreter(self) -> Interpreter:
        """This Python."""
        major, minor, micro = sys.version_info[:3]
        return Interpreter(sys.executable, (major, minor, micro), sys.prefix, sys.base_prefix)

    def text(self, path: str) -> str | None:
        """A file's content; None when it cannot be read."""
        try:
            return Path(path).read_text(errors="replace")
        except OSError:
            return None

    def exists(self, path: str) -> bool:
        """Whether there is such a file, folder or device."""
        return Path(path).exists()

    def age_days(self, path: Path) -> float | None:
        """How long ago a file was written; None when that cannot be told."""
        try:
            return max(0.0, time.time() - path.stat().st_mtime) / 86_400
        except OSError:
            return None

    def run(self, command: Sequence[str]) -> Ran | None:
        """Run a command; None when there is none of that name, or it does not end."""
        try:
            done = subprocess.run(  # noqa: S603 - fixed commands of the checks
                command, capture_output=True, text=True, errors="replace", timeout=COMMAND_S, check=False
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return Ran(done.returncode, done.stdout, done.stderr)

    def distributions(self) -> dict[str, str]:
        """Installed Python packages and their versions; of two with one name, the first on the path."""
        found: dict[str, str] = {}
        for one in importlib.metadata.distributions():
            found.setdefault(one.name.lower().replace("_", "-"), one.version)
        return found

    def groups(self, user: str) -> set[str] | None:
        """The groups a user is in; None for an unknown user."""
        try:
            own = pwd.getpwnam(user).pw_gid
        except KeyError:
            return None
        return {group.gr_name for group in grp.getgrall() if user in group.gr_mem or group.gr_gid == own}

    def writable(self, folder: Path, user: str) -> bool | None:
        """Whether a user may write there, or make it; None when this cannot be told."""
        there = nearest(folder)
        if user == pwd.getpwuid(os.geteuid()).pw_name:
            return os.access(there, os.W_OK | os.X_OK)
        try:
            return there.stat().st_uid == pwd.getpwnam(user).pw_uid
        except (OSError, KeyError):
            return None

    def free_mb(self, folder: Path) -> float:
        """Free space where the folder is, or will be."""
        return shutil.disk_usage(nearest(folder)).free / 1e6

    def port_free(self, host: str, port: int) -> str:
        """Empty when one can listen there, else why not."""
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        with socket.socket(family, socket.SOCK_STREAM) as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                one.bind((host, port))
            except OSError as error:
                return error.strerror or str(error)
        return ""

    def addresses(self) -> list[str]:
        """This machine's addresses in its network."""
        ran = self.run(["hostname", "-I"])
        return ran.out.split() if ran else []

    def usb_cameras(self) -> list[Node]:
        """The USB cameras that are plugged in."""
        return plugged_in()

    def gpio_labels(self) -> dict[str, str]:
        """GPIO chips by device, with their drivers' labels; "" where a chip may not be opened."""
        return {str(path): _label(path) for path in sorted(Path("/dev").glob("gpiochip*"))}

    def picture(self, host: str, port: int) -> bytes:
        """The newest picture of the box whose console listens there, as JPEG; b"" where none answers."""
        here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - compared, not listened on
        asking = HTTPConnection(here, port, timeout=PICTURE_S)
        try:
            asking.request("GET", "/picture.jpg")
            answer = asking.getresponse()
            told = answer.read(MOST_PICTURE_BYTES)
        except (OSError, HTTPException):
            return b""
        finally:
            asking.close()
        return told if answer.status == HTTPStatus.OK else b""

    def gpio_holders(self, chip: str) -> dict[int, str]:
        """The lines of a chip that are in use, and what the kernel calls whoever uses them."""
        try:
            fd = os.open(chip, os.O_RDONLY)
        except OSError:
            return {}
        try:
            lines = range(struct.unpack("32s32sI", fcntl.ioctl(fd, GPIO_GET_CHIPINFO, bytes(68)))[2])
            return {line: name for line in lines if (name := _holder(fd, line)) is not None}
        except OSError:
            return {}  # an older kernel: nothing can be told
        finally:
            os.close(fd)

    def panel_trouble(self, panel: PanelConfig) -> str:
        """Which buttons are down now, in a sentence; "" for none. Raises `PanelLost` without the pins."""
        with (
            closing(open_factory()) as factory,
            closing(Panel(panel, factory, lambda *_: None, time.monotonic)) as opened,
        ):
            return sentence(opened.down())

    def box_says_of_panel(self, port: int) -> str | None:
        """The same as the box that runs here says it; None where none answers."""
        # No proxy is asked, whatever the shell says: it is this machine itself.
        here = build_opener(ProxyHandler({}))
        try:
            with here.open(f"http://127.0.0.1:{port}/health", timeout=ANSWER_S) as answer:
                told = json.loads(answer.read(10_000))
        except (OSError, HTTPException, ValueError):
            return None
        return str(told["panel"]) if isinstance(told, dict) and "panel" in told else None


def nearest(folder: Path) -> Path:
    """The folder, or the nearest one above it that exists."""
    return next(one for one in (folder, *folder.absolute().parents) if one.exists())


def _label(path: Path) -> str:
    """The label of a GPIO chip."""
    try:
        fd = os.open(path, os.O_RDONLY)
    except OSError:
        return ""
    try:
        answer = fcntl.ioctl(fd, GPIO_GET_CHIPINFO, bytes(68))
    except OSError:
        return ""
    finally:
        os.close(fd)
    _, label, _ = struct.unpack("32s32sI", answer)
    return str(label.split(b"\0")[0].decode(errors="replace"))


def _holder(fd: int, line: int) -> str | None:
    """Who uses a line of an open chip; None for a free one."""
    asked = struct.pack(LINE_INFO, b"", b"", line, 0, 0, b"")
    _, consumer, _, _, flags, _ = struct.unpack(LINE_INFO, fcntl.ioctl(fd, GPIO_V2_GET_LINEINFO, asked))
    if not flags & LINE_USED:
        return None
    return str(consumer.split(b"\0")[0].decode(errors="replace")) or "the kernel"


def own_name() -> str:
    """Who runs this program; by number where the number has no name."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return str(os.getuid())


# What a check says, and what it knows of the box beforehand.

Verdict = Literal["ok", "warn", "fail", "not here"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one thing: how it is, a sentence, and the command or act that mends it."""

    name: str
    verdict: Verdict
    text: str
    fix: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedBox:
    """What this box is set to."""

    config: Config | None
    """None when the settings cannot be used; `trouble` then says why."""
    trouble: str
    config_file: str
    data: Path
    user: str
    """Who runs the box: callbox where it is installed as a service, else whoever asks."""


def ok(text: str) -> Finding:
    """All is well."""
    return Finding("", "ok", text)


def warn(text: str, fix: str) -> Finding:
    """The box plays, but not as well as it could."""
    return Finding("", "warn", text, fix)


def fail(text: str, fix: str) -> Finding:
    """Something that the box needs is missing."""
    return Finding("", "fail", text, fix)


def absent(text: str) -> Finding:
    """This machine cannot have it, so nothing is wrong."""
    return Finding("", "not here", text)
