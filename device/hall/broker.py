"""What the desk needs of its broker: its own (`embedded_broker`), or one that others run (`named_broker`)."""

import base64
import getpass
import hashlib
import os
import resource
import secrets
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from calibration.durable import write_whole
from device.venue.broker_link import BrokerLink, tls_of
from device.venue.membership import BrokerLogin, Membership
from device.venue.messages import LARGEST_BYTES, ROOT, UNANSWERED
from engine.wording import phrase, phrase_later

DESK = "desk"
"""What the desk calls itself."""


class NoBroker(Exception):
    """The broker cannot be used. `str(error)` names cause and fix."""


# The desk's own broker: the packaged mosquitto, with settings of its own, started and stopped by the desk.
#
# Each box has a user and a password, and may write under its own name and nowhere else; nobody comes in
# without (`acl`). What goes over the network goes through TLS, by a certificate that the desk makes once
# and that boxes get when they are paired. Nothing is kept by the broker: what lasts lies in the boxes'
# journals and in the desk's ledger, so a broker that is killed loses nothing.

PORT = 8883
QUEUED_BYTES = 1_000_000_000
"""As much may wait for the desk: a batch of rows of each of 10,000 boxes that come back at once. What is more
is lost, and the boxes send it anew after a while."""
START_S = 15.0
STOP_S = 5.0
LOOK_S = 0.05
PLACES = ("/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto", "/opt/homebrew/sbin/mosquitto")
_RIGHTS = f"""user {DESK}
topic readwrite {ROOT}/#

pattern write {ROOT}/%u/state
pattern write {ROOT}/%u/health
pattern write {ROOT}/%u/hello
pattern write {ROOT}/%u/rows
pattern write {ROOT}/%u/shown
pattern write {ROOT}/%u/called
pattern read {ROOT}/%u/told
pattern read {ROOT}/%u/asked
pattern read {ROOT}/%u/call
"""


def find_mosquitto() -> str:
    """Where the program is; raises `NoBroker`."""
    found = shutil.which("mosquitto") or next(filter(os.path.exists, PLACES), None)
    if found is None:
        raise NoBroker(
            phrase(
                "The desk's broker is not installed. On Debian or Raspberry Pi OS: sudo apt install mosquitto"
            )
        )
    return found


class EmbeddedBroker:
    """One mosquitto, in a folder of its own below the desk's."""

    def __init__(self, folder: Path, host: str, port: int) -> None:
        """`folder` is made where it is not there. Raises `NoBroker`."""
        self._program = find_mosquitto()
        self._folder, self.host, self.port = folder, host, port
        self._running: subprocess.Popen[bytes] | None = None
        self._secret = secrets.token_hex(32)
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.certificate = _certificate(folder)
        except OSError as error:
            raise NoBroker(
                phrase("The broker's folder {folder} cannot be used: {error}.", folder=folder, error=error)
            ) from error

    @property
    def as_desk(self) -> Membership:
        """By which the desk itself comes in."""
        here = "127.0.0.1" if self.host in ("", "0.0.0.0", "::") else self.host  # noqa: S104 - compared only
        return Membership(DESK, DESK, self._secret, here, self.port, self.certificate)

    def start(self, passwords: Mapping[str, str]) -> None:
        """Run, and let these users in (user to password); raises `NoBroker`."""
        self._end_old()
        self._write(passwords)
        settings = self._folder / "mosquitto.conf"
        write_whole(settings, self._settings().encode(), mode=0o600)
        _open_many()
        with (self._folder / "log").open("wb") as log:
            self._running = subprocess.Popen(  # noqa: S603 - the program found above, with settings of ours
                [self._program, "-c", str(settings)], stdin=subprocess.DEVNULL, stderr=log
            )
        (self._folder / "pid").write_text(str(self._running.pid))
        end_s = time.monotonic() + START_S
        while not self._answers():
            if self._running.poll() is not None or time.monotonic() > end_s:
                said = (self._folder / "log").read_text(errors="replace").strip().splitlines()[-3:]
                self.stop()
                raise NoBroker(
                    phrase(
                        "The broker does not start at port {port}: {said}. Is another mosquitto on that "
                        "port? Then name another with --broker-port.",
                        port=self.port,
                        said=" ".join(said) or phrase("it says nothing"),
                    )
                )
            time.sleep(LOOK_S)

    @property
    def runs(self) -> bool:
        """Whether the process is there."""
        return self._running is not None and self._running.poll() is None

    def admit(self, passwords: Mapping[str, str]) -> None:
        """From now on these users and no others; who is connected and no longer among them is thrown out."""
        self._write(passwords)
        if self._running is not None:
            self._running.send_signal(signal.SIGHUP)

    def membership_for(self, table_id: str, name: str, secret: str) -> Membership:
        """What a box is handed out that is to come here: it finds the broker where it found the desk."""
        return Membership(table_id, name, secret, "", self.port, self.certificate)

    def stop(self) -> None:
        """End it. May be called twice."""
        running, self._running = self._running, None
        if running is not None:
            running.terminate()
            try:
                running.wait(STOP_S)
            except subprocess.TimeoutExpired:
                running.kill()
                running.wait()

    def _end_old(self) -> None:
        """End the broker of a desk that was killed: it still has the port."""
        with suppress(OSError, ValueError):
            pid = int((self._folder / "pid").read_text())
            command = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            if str(self._folder / "mosquitto.conf").encode() in command:
                os.kill(pid, signal.SIGKILL)
                end_s = time.monotonic() + STOP_S
                while self._answers() and time.monotonic() < end_s:
                    time.sleep(LOOK_S)

    def _answers(self) -> bool:
        try:
            socket.create_connection((self.as_desk.host, self.port), timeout=1.0).close()
        except OSError:
            return False
        return True

    def _write(self, passwords: Mapping[str, str]) -> None:
        users = {**passwords, DESK: self.as_desk.password}
        lines = "".join(f"{user}:{_hashed(password)}\n" for user, password in users.items())
        write_whole(self._folder / "passwords", lines.encode(), mode=0o600)
        write_whole(self._folder / "acl", _RIGHTS.encode(), mode=0o600)

    def _settings(self) -> str:
        folder = self._folder
        return (
            f"listener {self.port} {self.host or '0.0.0.0'}\n"  # noqa: S104 - boxes come over the network
            f"certfile {folder / 'certificate.pem'}\nkeyfile {folder / 'key.pem'}\n"
            f"allow_anonymous false\npassword_file {folder / 'passwords'}\nacl_file {folder / 'acl'}\n"
            f"persistence false\nmax_packet_size {LARGEST_BYTES}\nmax_inflight_messages {UNANSWERED}\n"
            f"max_queued_messages 100000\nmax_queued_bytes {QUEUED_BYTES}\nset_tcp_nodelay true\n"
            f"log_dest stderr\nlog_type error\nlog_type warning\nuser {getpass.getuser()}\n"
        )


def _open_many() -> None:
    """Let broker and desk have all the connections that the system gives: a thousand boxes need many."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _hashed(password: str) -> str:
    """A password as mosquitto_passwd writes it (PBKDF2, SHA-512); it is 256 random bits, so few rounds do."""
    salt = secrets.token_bytes(12)
    made = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, 101, 64)
    return f"$7$101${base64.b64encode(salt).decode()}${base64.b64encode(made).decode()}"


def _certificate(folder: Path) -> str:
    """The desk's certificate, made once; raises OSError, `NoBroker`."""
    made, key = folder / "certificate.pem", folder / "key.pem"
    if not (made.exists() and key.exists()):
        command = [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
        ]
        command += ["-days", "36500", "-subj", "/CN=callbox desk", "-keyout", str(key), "-out", str(made)]
        try:
            subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - words of ours
        except FileNotFoundError:
            raise NoBroker(phrase("The desk makes its keys with openssl: sudo apt install openssl")) from None
        except subprocess.CalledProcessError as error:
            raise NoBroker(
                phrase("openssl makes no keys: {error}", error=error.stderr.decode(errors="replace")[-200:])
            ) from None
        key.chmod(0o600)
    return made.read_text(encoding="ascii")


# A broker that others run, such as a home's own: the desk and its boxes are guests there.
#
# Who has a password of that broker may read what boxes tell, which is what a stranger may see, and may hold
# messages back. He can make none: each is sealed with its box's key, which the broker never has
# (`device.venue.messages`). Who may come in there and write where is its owner's affair; docs/venue.md says
# what to set.

PORTS = {"mqtt": 1883, "mqtts": 8883}
KNOCK_S = 10.0
"""The broker may take this long to answer."""
UNREAD = phrase_later(
    "{url!r} names no broker. It is mqtts://USER@HOST, or mqtt:// where the network is a trusted one; "
    "a port may follow: mqtts://callbox@192.168.1.5:8883."
)


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    """Where a broker is, and as whom."""

    host: str
    port: int
    user: str
    """"" where it asks for none."""
    tls: bool


def read_address(url: str) -> BrokerAddress:
    """`mqtts://USER@HOST:PORT`, or `mqtt://`; raises `NoBroker`."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise NoBroker(phrase(UNREAD, url=url[:200])) from None
    if parts.password is not None:
        raise NoBroker(
            phrase(
                "A password on the command line is seen by everybody on this machine. Write it into a "
                "file, and name that with --broker-password."
            )
        )
    plain = not (parts.query or parts.fragment) and parts.path in ("", "/")
    if parts.scheme not in PORTS or not parts.hostname or not plain:
        raise NoBroker(phrase(UNREAD, url=url[:200]))
    user = unquote(parts.username or "")
    return BrokerAddress(parts.hostname, port or PORTS[parts.scheme], user, parts.scheme == "mqtts")


class NamedBroker:
    """A broker as its owner lets the desk in."""

    runs = True
    """It is not the desk's to start."""

    def __init__(self, at: BrokerAddress, password: Path | None, authority: Path | None) -> None:
        """`password`: a file with it in its first line. `authority`: the certificate (PEM) by which the
        broker is known; None for those that this machine trusts. Raises `NoBroker`."""
        told = _text(password).splitlines() if password else []
        if at.user and not (told and told[0]):
            raise NoBroker(
                phrase("{user} needs a password: name its file with --broker-password.", user=at.user)
            )
        self._at = at
        self._login = BrokerLogin(at.user, told[0] if told else "", at.tls)
        self._certificate = _text(authority) if authority else ""
        try:
            tls_of(self.as_desk)
        except (OSError, ValueError):
            raise NoBroker(phrase("{path} holds no certificate (PEM).", path=authority)) from None

    @property
    def as_desk(self) -> Membership:
        """By which the desk itself comes in."""
        # The desk seals with each box's key: its own is never used.
        return self.membership_for(DESK, DESK, "00")

    def start(self, passwords: Mapping[str, str]) -> None:  # noqa: ARG002 - its owner admits
        """See that it is there, and lets the desk in; raises `NoBroker`."""
        where = f"{self._at.host}:{self._at.port}"
        try:
            with socket.create_connection((self._at.host, self._at.port), KNOCK_S) as door:
                if tls := tls_of(self.as_desk):
                    tls.wrap_socket(door, server_hostname=self._at.host).close()
        except OSError as error:  # TLS errors are such, too
            raise NoBroker(
                phrase(
                    "No broker can be reached at {where}: {error}. Look at the address. Where this machine "
                    "does not know the broker's certificate, name its authority's with --broker-authority.",
                    where=where,
                    error=error,
                )
            ) from None
        if why := self._why_not():
            raise NoBroker(
                phrase(
                    "The broker at {where} does not let the desk in: {why}. Look at user and password.",
                    where=where,
                    why=why,
                )
            )

    def admit(self, passwords: Mapping[str, str]) -> None:
        """Its owner admits; a box that is revoked is believed no more."""

    def membership_for(self, table_id: str, name: str, secret: str) -> Membership:
        """What a box is handed out that is to come here."""
        at = self._at
        return Membership(table_id, name, secret, at.host, at.port, self._certificate, self._login)

    def stop(self) -> None:
        """It is not the desk's to stop."""

    def _why_not(self) -> str:
        """Why the broker does not let the desk in; "" when it does."""
        joined = threading.Event()
        link = BrokerLink(self.as_desk, "", hear=lambda *_: None, joined=joined.set, answered=joined.set)
        link.start()
        came = joined.wait(KNOCK_S)
        link.stop()
        return link.refused if came else phrase("it does not answer")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise NoBroker(phrase("{path} cannot be read: {error}.", path=path, error=error)) from None


HallBroker = EmbeddedBroker | NamedBroker
"""Through which boxes and desk speak."""
