"""`callbox doctor`: what is well, what is not, and how to mend it."""

import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

import click
import msgspec

from device import config
from device.commands.common import PATH, fail
from device.doctor import BundleError, CheckedBox, Finding, Machine, bundle, examine, own_name
from device.journal import StorageBroken, data_folder
from engine.wording import phrase, phrase_later

SERVICE_USER = "callbox"
SERVICE_DATA = "/var/lib/callbox"
VERDICTS = {
    "ok": phrase_later("ok"),
    "warn": phrase_later("warn"),
    "fail": phrase_later("fail"),
    "not here": phrase_later("not here"),
}
"""The words for verdicts in the terminal; `--json` says the codes."""


@click.command()
@click.option(
    "--config",
    "config_path",
    type=PATH,
    help=phrase_later("The settings file to look at."),
)
@click.option("--data", type=PATH, help=phrase_later("The folder with journal and pictures."))
@click.option("--json", "as_json", is_flag=True, help=phrase_later("One JSON object a line."))
@click.option(
    "--bundle",
    "to",
    type=PATH,
    help=phrase_later("Also write a ZIP file to send with a question."),
)
@click.option(
    "--pictures",
    is_flag=True,
    help=phrase_later("With --bundle: the three newest pictures that were read, too."),
)
def command(
    config_path: Path | None, data: Path | None, as_json: bool, to: Path | None, pictures: bool
) -> None:
    """Check this box and say what to fix. Status 0: nothing has failed; 1: something has.

    The file of --bundle holds these lines, settings, versions, sizes and faults from the log: no names,
    no bets, no PINs or keys, no addresses, and pictures only with --pictures.
    """
    if pictures and to is None:
        raise click.UsageError(phrase("--pictures needs --bundle FILE.zip."))
    machine, box = Machine(), box_of(config_path, data)
    findings: list[Finding] = []
    failed = show(_listed(examine(machine, box), findings), as_json=as_json)
    if to is not None:
        try:
            files = bundle(machine, box, findings, to, pictures=pictures)
        except BundleError as error:
            fail(str(error), 2)
        click.echo(
            phrase("{to}: {files} files. Look at them before you send them.", to=to, files=files), err=True
        )
    sys.exit(1 if failed else 0)


def _listed(findings: Iterable[Finding], into: list[Finding]) -> Iterator[Finding]:
    for each in findings:
        into.append(each)
        yield each


def box_of(config_path: Path | None, data: Path | None) -> CheckedBox:
    """What this box is set to; where it is installed as a service, what the service is set to."""
    machine = Machine()
    installed = machine.groups(SERVICE_USER) is not None
    if data is None and installed and "CALLBOX_DATA" not in os.environ:
        data = Path(SERVICE_DATA)
    try:
        folder = data_folder(data, os.environ)
    except StorageBroken:
        folder = Path(SERVICE_DATA)
    found = config_path or config.find(os.environ, Path(os.path.expanduser("~")))  # noqa: PTH111 - as in config.load
    trouble = ""
    settings: config.Config | None = None
    try:
        settings = config.load(config_path)
    except config.ConfigError as error:
        trouble = str(error)
    return CheckedBox(
        config=settings,
        trouble=trouble,
        config_file=str(found or ""),
        data=folder,
        user=SERVICE_USER if installed else own_name(),
    )


def show(findings: Iterable[Finding], *, as_json: bool) -> int:
    """Print each finding as it comes; returns how many failed."""
    counted = {"ok": 0, "warn": 0, "fail": 0, "not here": 0}
    for finding in findings:
        counted[finding.verdict] += 1
        if as_json:
            click.echo(msgspec.json.encode(asdict(finding)).decode())
            continue
        click.echo(f"{phrase(VERDICTS[finding.verdict]):<9}{finding.name:<12}{finding.text}")
        if finding.fix:
            click.echo(" " * 21 + phrase("fix: {fix}", fix=finding.fix))
    if not as_json:
        click.echo(
            ", ".join(f"{count} {phrase(VERDICTS[verdict])}" for verdict, count in counted.items() if count)
            + "."
        )
    return counted["fail"]
