"""What commands share: options, sentences instead of tracebacks, and files that are written."""

import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import click

from device.config import Config, ConfigError, load
from engine.wording import phrase, phrase_later

PATH = click.Path(path_type=Path)

config_option = click.option(
    "--config", "config_path", metavar="FILE", type=PATH, help=phrase_later("The settings file.")
)
data_option = click.option(
    "--data",
    metavar="DIR",
    type=PATH,
    help=phrase_later("The data folder; otherwise $CALLBOX_DATA, or ~/.local/share/callbox."),
)
camera_option = click.option(
    "--camera",
    "spec",
    metavar="SPEC",
    help=phrase_later("Which camera; if left out, the one in the settings."),
)
host_option = click.option(
    "--host", help=phrase_later("The console's address, if not the one in the settings.")
)
port_option = click.option(
    "--port",
    type=click.IntRange(1, 65535),
    help=phrase_later("The console's port, if not the one in the settings."),
)
threads_option = click.option(
    "--threads",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help=phrase_later("How many threads read pictures."),
)


def fail(sentence: str, status: int = 1) -> NoReturn:
    """Say why the command ends here, and end with that status."""
    click.echo(f"{click.get_current_context().command_path}: {sentence}", err=True)
    sys.exit(status)


def path_of(named: str) -> Path | None:
    """A file that the settings name; None where they name none."""
    return None if named == "none" else Path(named).expanduser()


def load_settings(path: Path | None, status: int = 1) -> Config:
    """The settings; where they cannot be read, the command ends with that status."""
    try:
        return load(path)
    except ConfigError as error:
        fail(str(error), status)


def write_output(output: Path, content: bytes, status: int = 1) -> None:
    """Write the file that -o names; where that fails, the command ends with that status."""
    try:
        output.write_bytes(content)
    except OSError as error:
        fail(words_of_unwritten(output, error), status)


def words_of_unwritten(output: Path, error: OSError) -> str:
    """Why the file that -o names was not written, and what to do."""
    return phrase(
        "{output} cannot be written: {strerror}. Name another file with -o.",
        output=output,
        strerror=error.strerror,
    )


def listen_to_keyboard(take: Callable[[str], object], end: Callable[[], object]) -> None:
    """Hand each line that is typed to `take`, then call `end`, both from a thread of their own."""
    # The raw file: a thread waiting in Python's buffered one would hold its lock when the program ends.
    lines = getattr(sys.stdin.buffer, "raw", sys.stdin.buffer)

    def read_lines() -> None:
        for line in lines:
            take(line.decode(errors="replace"))
        end()

    threading.Thread(target=read_lines, name="keyboard", daemon=True).start()
