"""What a card needs so that a Pi becomes a box at its first boot, without a login.

cloud-init reads user-data, meta-data and network-config from the boot partition (its NoCloud source, which
Raspberry Pi OS has from Trixie on), and starts systemd/first-boot.sh at each boot; that finds the rest in the
folder `callbox` beside them. Files for cloud-init are JSON, which is YAML, too.
"""

import hashlib
import json
import re
import secrets
import subprocess
import sys
import tarfile
import tempfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from nacl import pwhash

from device.first_boot import signs
from device.languages import speak_language
from device.people.pins import FORM, hash_pin
from device.settings_file import changed_text
from engine.wording import phrase, spoken_language

FOLDER = "callbox"
"""On the boot partition, beside cloud-init's files."""
PARTITION_MB = 512
"""The boot partition of Raspberry Pi OS since Bookworm: BOOT_SIZE in pi-gen, export-image/prerun.sh."""
SYSTEM_MB = 100
"""What kernels and firmware take of it, at most; an estimate."""
PROGRAMS = (
    "first-boot.sh",
    "first_boot_signs.py",
    "callbox-first-boot.service",
    "callbox-first-boot-signs.service",
)
HOST_NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", re.ASCII)
USER_NAME = re.compile(r"[a-z][a-z0-9_-]{0,30}", re.ASCII)
COUNTRY = re.compile(r"[A-Z]{2}", re.ASCII)
GROUPS = "adm,dialout,audio,sudo,video,plugdev,input,gpio,spi,i2c,netdev"


class CardError(Exception):
    """A card cannot be made like that. `str(error)` names cause and fix."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wifi:
    """A Wi-Fi and its key: 64 hexadecimal digits, as WPA2 reckons it from name and password."""

    name: str
    key: str


def wifi_of(name: str, password: str) -> Wifi:
    """The Wi-Fi of that name and password; raises `CardError` for what none can have."""
    if not 1 <= len(name.encode()) <= 32 or not name.isprintable():
        raise CardError(phrase("a Wi-Fi's name has 1 to 32 characters. Nothing was written."))
    if not 8 <= len(password) <= 63 or not (password.isascii() and password.isprintable()):
        raise CardError(
            phrase("a Wi-Fi's password has 8 to 63 letters, digits and signs. Nothing was written.")
        )
    # IEEE 802.11i, annex M.4: PBKDF2 with HMAC-SHA1, 4096 rounds, 256 bits.
    return Wifi(name=name, key=hashlib.pbkdf2_hmac("sha1", password.encode(), name.encode(), 4096, 32).hex())


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """Somebody who may log in, by SSH, too; the password as crypt(5) knows it."""

    name: str
    crypt: str


def login_of(name: str, password: str) -> Login:
    """The user of that name and password; raises `CardError`."""
    if not USER_NAME.fullmatch(name) or name in {"root", FOLDER}:
        raise CardError(
            phrase(
                "{name} cannot be a user's name: small letters, digits, - and _, a letter first, and neither "
                "root nor callbox. Nothing was written.",
                name=name,
            )
        )
    if not password:
        raise CardError(phrase("a user needs a password. Nothing was written."))
    # $7$: scrypt, which Debian's libxcrypt takes from Debian 11 on.
    return Login(name=name, crypt=pwhash.scrypt.str(password.encode()).rstrip(b"\0").decode())


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPlan:
    """All that a card is to be; secrets are hashed already."""

    host_name: str
    language: str
    settings: str = ""
    """The owner's settings file."""
    wifi: Wifi | None = None
    country: str = ""
    login: Login | None = None
    pin: str = field(default="", repr=False)
    access_point: Wifi | None = None

    def __post_init__(self) -> None:
        """Refuses what no Pi can have."""
        if not HOST_NAME.fullmatch(self.host_name):
            raise CardError(
                phrase(
                    "{name} cannot be a box's name: small letters, digits and -. Nothing was written.",
                    name=self.host_name,
                )
            )
        if self.wifi is not None and not COUNTRY.fullmatch(self.country):
            raise CardError(
                phrase(
                    "a Pi's Wi-Fi needs the country it stands in: --country with two capital letters, such "
                    "as DE or FR. Nothing was written."
                )
            )
        if self.pin and not FORM.fullmatch(self.pin):
            raise CardError(phrase("a PIN has 4 to 12 digits and nothing else. Nothing was written."))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseFound:
    """A signed release, as far as the card needs it."""

    archive: Path
    version: str
    signers: bytes
    programs: Mapping[str, bytes]
    complete: bool
    """Whether every package lies in it, so that the first boot needs no network."""


# The release, checked here.


def check_release(archive: Path, signers: Path | None) -> ReleaseFound:
    """The release in an archive, whole and signed; raises `CardError`.

    `signers`: who may have signed it; None: whom it names itself, as a box does with its first one.
    """
    with tempfile.TemporaryDirectory() as made:
        folder = _unpack(archive, Path(made))
        trusted = signers or folder / "systemd" / "signers"
        _check_signature(folder, trusted, archive)
        missing = [name for name in PROGRAMS if not (folder / "systemd" / name).is_file()]
        if missing:
            raise CardError(
                phrase(
                    "the release {archive} is older than cards are: it has no {missing}.",
                    archive=archive,
                    missing=missing[0],
                )
            )
        project = (folder / "pyproject.toml").read_text(encoding="utf-8")
        found = re.search(r'^version = "([^"]*)"', project, re.MULTILINE)
        return ReleaseFound(
            archive=archive,
            version=found[1] if found else "",
            signers=trusted.read_bytes(),
            programs={name: (folder / "systemd" / name).read_bytes() for name in PROGRAMS},
            complete=(folder / "wheelhouse").is_dir(),
        )


def _unpack(archive: Path, to: Path) -> Path:
    try:
        with tarfile.open(archive) as opened:
            opened.extractall(to, filter="data")
    except (OSError, EOFError, zlib.error, tarfile.TarError) as error:
        raise CardError(
            phrase(
                "{archive} cannot be unpacked ({error}). Name a release: callbox-VERSION.tar.gz.",
                archive=archive,
                error=error,
            )
        ) from error
    folders = [each for each in to.iterdir() if (each / "systemd" / "install.sh").is_file()]
    if not folders:
        raise CardError(
            phrase("there is no release in {archive}. Name callbox-VERSION.tar.gz.", archive=archive)
        )
    return folders[0]


def _check_signature(folder: Path, signers: Path, archive: Path) -> None:
    """Every file is as MANIFEST says, and that is signed; raises `CardError`."""
    signature, manifest = folder / "MANIFEST.sig", folder / "MANIFEST"
    if not (signature.is_file() and manifest.is_file() and signers.is_file()):
        raise CardError(
            phrase(
                "nobody has signed {archive}, or the file of signers is missing. Take a signed release; your "
                "own is signed by: make release KEY=FILE",
                archive=archive,
            )
        )
    words = ("-Y", "verify", "-q", "-f", str(signers), "-I", "callbox", "-n", "callbox-release")
    check = Path(__file__).parents[1] / "systemd" / "check_files.py"
    try:
        signed = subprocess.run(  # noqa: S603 - fixed words and files of ours
            ["ssh-keygen", *words, "-s", str(signature)],  # noqa: S607 - wherever the system has it
            input=manifest.read_bytes(),
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise CardError(
            phrase("ssh-keygen is missing, which checks signatures: sudo apt install openssh-client")
        ) from error
    compared = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-IB", str(check), str(folder)], capture_output=True, check=False
    )
    if signed.returncode or compared.returncode:
        raise CardError(
            phrase(
                "the release {archive} is damaged, was changed, or is not signed by anybody in {signers}. "
                "Fetch it again.",
                archive=archive,
                signers=signers.name,
            )
        )


# What is written.


def card_files(plan: CardPlan, release: ReleaseFound) -> dict[str, bytes]:
    """Each file of the card but the archive, by its name on the boot partition."""
    settings = {"language": plan.language} | ({"people.table": "club"} if plan.pin else {})
    text = changed_text(plan.settings, settings, "callbox.toml")
    ours = {
        **release.programs,
        "signers": release.signers,
        "callbox.toml": text.encode(),
        "signs.json": json.dumps(_signs_in(plan.language, text), ensure_ascii=False).encode(),
    }
    if plan.pin:
        ours["pins.json"] = msgspec.json.encode({"host": hash_pin(plan.pin)})
    if plan.access_point is not None:
        ours["access-point"] = f"{plan.access_point.name}\n{plan.access_point.key}\n".encode()
    with release.archive.open("rb") as archive:
        sums = {"release.tar.gz": hashlib.file_digest(archive, "sha256").hexdigest()}
    sums |= {name: hashlib.sha256(content).hexdigest() for name, content in ours.items()}
    ours["SHA256SUMS"] = "".join(f"{digest}  {name}\n" for name, digest in sums.items()).encode()
    made = {f"{FOLDER}/{name}": content for name, content in ours.items()}
    made["user-data"] = b"#cloud-config\n" + _json(user_data(plan))
    made["network-config"] = _json(network_config(plan))
    made["meta-data"] = _json({"instance-id": f"callbox-{secrets.token_hex(8)}", "dsmode": "local"})
    if plan.login is not None:
        made["ssh"] = b""  # Raspberry Pi OS lets SSH in where this file lies
    return made


def _signs_in(language: str, settings: str) -> dict[str, Any]:
    """What the first boot shows, in the box's language, whatever is spoken here; raises `CardError`."""
    spoken = spoken_language()
    try:
        speak_language(language)
        return signs(settings, language)
    except FileNotFoundError as error:
        raise CardError(
            phrase("Texts in other languages are not compiled. Run: python -m device.languages.compile")
        ) from error
    finally:
        speak_language(spoken)


def _json(value: Mapping[str, Any]) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


def user_data(plan: CardPlan) -> dict[str, Any]:
    """What cloud-init is to do.

    `bootcmd` comes at each boot; all else comes once, also where the power is cut in its midst.
    """
    users: list[dict[str, Any]] = []
    if plan.login is not None:
        users.append(
            {
                "name": plan.login.name,
                "passwd": plan.login.crypt,
                "lock_passwd": False,
                "groups": GROUPS,
                "shell": "/bin/bash",
                "sudo": "ALL=(ALL) ALL",
            }
        )
    return {
        "hostname": plan.host_name,
        "manage_etc_hosts": True,
        "users": users,
        "ssh_pwauth": plan.login is not None,
        "bootcmd": [["bash", f"/boot/firmware/{FOLDER}/first-boot.sh", "begin"]],
    }


def network_config(plan: CardPlan) -> dict[str, Any]:
    """Networks as netplan knows them. None keeps the boot waiting."""
    config: dict[str, Any] = {
        "version": 2,
        "ethernets": {"eth0": {"dhcp4": True, "optional": True}},
    }
    if plan.wifi is not None:
        config["wifis"] = {
            "wlan0": {
                "dhcp4": True,
                "optional": True,
                "regulatory-domain": plan.country,
                "access-points": {plan.wifi.name: {"password": plan.wifi.key}},
            }
        }
    return {"network": config}
