"""`callbox card`: writes a card that makes a Pi a box at its first boot, without a login."""

import os
import secrets
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import click

from calibration.durable import sync_folder, write_whole
from device.card import (
    FOLDER,
    PARTITION_MB,
    SYSTEM_MB,
    CardError,
    CardPlan,
    ReleaseFound,
    Wifi,
    card_files,
    check_release,
    login_of,
    wifi_of,
)
from device.commands.common import PATH, config_option, fail
from device.config import ConfigError, read_text
from device.languages import LANGUAGES
from engine.wording import phrase, phrase_later, spoken_language

MB = 1e6
SECRET = ("user-data", "network-config", f"{FOLDER}/pins.json", f"{FOLDER}/access-point")
"""Files for their owner alone, where the disk knows owners: a boot partition does not."""


@click.command()
@click.option(
    "--out",
    required=True,
    metavar="DIR",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help=phrase_later("The card's boot partition (bootfs), or a folder to copy from."),
)
@click.option(
    "--release",
    "archive",
    required=True,
    metavar="FILE",
    type=PATH,
    help=phrase_later("The signed release: callbox-VERSION.tar.gz."),
)
@click.option(
    "--signers",
    metavar="FILE",
    type=PATH,
    help=phrase_later("Who may have signed it; without it, whom the release names."),
)
@click.option(
    "--name",
    default="callbox",
    show_default=True,
    help=phrase_later("The box's name: its console is http://NAME.local:8080."),
)
@click.option("--wifi", metavar="NAME", help=phrase_later("The Wi-Fi to join; asks for its password."))
@click.option(
    "--country", default="", metavar="XX", help=phrase_later("The country the Wi-Fi stands in: DE, FR, US.")
)
@click.option(
    "--user", metavar="NAME", help=phrase_later("Who may log in by SSH; asks for a password. Else nobody.")
)
@click.option(
    "--pin",
    "with_pin",
    is_flag=True,
    help=phrase_later("Ask for the host's PIN; the box is then a club's."),
)
@click.option(
    "--language",
    type=click.Choice(list(LANGUAGES)),
    help=phrase_later("What the box speaks; without it, what this command speaks."),
)
@config_option
def command(  # noqa: PLR0913 - one for each option
    *,
    out: Path,
    archive: Path,
    signers: Path | None,
    name: str,
    wifi: str | None,
    country: str,
    user: str | None,
    with_pin: bool,
    language: str | None,
    config_path: Path | None,
) -> None:
    """Write a card: flash Raspberry Pi OS, run this, put the card into the Pi, and the box installs itself.

    Passwords and PIN are asked for, in the order Wi-Fi, user, PIN; in a pipe, each is a line. None of them
    lies on the card as it is: the Wi-Fi's as its WPA2 key (which opens that Wi-Fi, but is not the password),
    the user's and the PIN as hashes.
    """
    access_password = f"{secrets.randbelow(10**8):08d}"
    try:
        plan = CardPlan(
            host_name=name,
            language=language or spoken_language(),
            settings=read_text(config_path) if config_path else "",
            wifi=wifi_of(wifi, _ask(phrase("The Wi-Fi's password"))) if wifi else None,
            country=country,
            login=login_of(user, _ask(phrase("The password of {user}", user=user))) if user else None,
            pin=_ask(phrase("The host's PIN, 4 to 12 digits")) if with_pin else "",
            access_point=wifi_of(f"{name[:26]}-setup", access_password) if wifi else None,
        )
        release = check_release(archive, signers)
        files = card_files(plan, release)
        _write(out, files, archive)
    except (CardError, ConfigError) as error:
        fail(str(error), 2)
    _tell(out, files, release, plan.access_point, access_password)


def _ask(words: str) -> str:
    """A secret as somebody types it, twice and unseen, or as a pipe brings it."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    return str(click.prompt(words, hide_input=True, confirmation_prompt=phrase("The same once more")))


def _write(out: Path, files: Mapping[str, bytes], archive: Path) -> None:
    """Write all of it; user-data last, for with it a card begins to count. Raises `CardError`."""
    needed = archive.stat().st_size + sum(map(len, files.values()))
    free = shutil.disk_usage(out).free
    if free < needed:
        raise CardError(
            phrase(
                "the card needs {needed:.0f} MB in {out}, and {free:.0f} MB are free. Nothing was written.",
                needed=needed / MB,
                free=free / MB,
                out=out,
            )
        )
    try:
        (out / FOLDER).mkdir(exist_ok=True)
        target = out / FOLDER / "release.tar.gz"
        shutil.copyfile(archive, target)
        with target.open("rb+") as copied:
            os.fsync(copied.fileno())
        for name in sorted(files, key=lambda each: each == "user-data"):
            write_whole(out / name, files[name], 0o600 if name in SECRET else 0o666)
        sync_folder(out / FOLDER)
        sync_folder(out)
    except OSError as error:
        raise CardError(
            phrase(
                "{out} cannot be written: {strerror}. Write the card again.",
                out=out,
                strerror=error.strerror,
            )
        ) from error


def _tell(
    out: Path, files: Mapping[str, bytes], release: ReleaseFound, access_point: Wifi | None, password: str
) -> None:
    size_mb = (release.archive.stat().st_size + sum(map(len, files.values()))) / MB
    click.echo(
        phrase("Callbox {version}: {size:.0f} MB in {out}.", version=release.version, size=size_mb, out=out)
    )
    if size_mb > PARTITION_MB - SYSTEM_MB:
        click.echo(
            phrase(
                "The boot partition of Raspberry Pi OS has {size} MB, and its system takes some of it: that "
                "may not fit.",
                size=PARTITION_MB,
            )
        )
    if release.complete:
        click.echo(phrase("All packages of Callbox are on it: the first boot fetches none of them."))
    else:
        click.echo(phrase("The first boot fetches packages, so it needs a network."))
    if access_point is not None:
        click.echo(
            phrase(
                "If the Wi-Fi does not let the box in, the box opens one of its own for 15 minutes: {name}, "
                "password {password}; its page is http://10.42.0.1:8080. Note that.",
                name=access_point.name,
                password=password,
            )
        )
    click.echo(phrase("Eject the card, put it into the Pi, and switch it on."))
