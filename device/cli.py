"""The command line: `callbox COMMAND`. Loads a command's file only when that command is asked for."""

import importlib
import os
import sys
from collections.abc import Sequence
from copy import copy
from inspect import cleandoc
from itertools import pairwise
from pathlib import Path

import click

from device.config import ConfigError, load
from device.languages import speak_language
from engine.wording import phrase, phrase_later

COMMANDS = {
    "play": phrase_later("Play a game with camera, buttons and lamps"),
    "demo": phrase_later("Play on a simulated table, without a box"),
    "read": phrase_later("Read the dice in pictures"),
    "measure": phrase_later("Measure landings on a calibrated table: place, zone, and how sure"),
    "calibrate": phrase_later("Calibrate a camera's lens and the table under it"),
    "card": phrase_later("Write a card that makes a Pi a box at its first boot"),
    "setup": phrase_later("Set up the box step by step: camera, lens, table, buttons, doctor"),
    "plan": phrase_later("Say what a camera would see and read from a height"),
    "learn": phrase_later("Teach the box your own dice, from a few throws"),
    "score": phrase_later("Run a rulebook without a camera: events on standard input"),
    "odds": phrase_later("Say exactly what each choice of a turn is worth"),
    "games": phrase_later("List the games in the journal"),
    "game": phrase_later("Pause, resume, save or abandon a game of the running box"),
    "show": phrase_later("Show one game, event by event"),
    "export": phrase_later("Write one game as JSON lines or CSV"),
    "report": phrase_later("Write a report of what was played, as HTML or PDF"),
    "results": phrase_later("Write the results as CSV, JSON or PDF"),
    "tournament": phrase_later("Draw a tournament, start its matches, write bracket and standings"),
    "backup": phrase_later("Back up games, pictures and what the box has learnt into one file"),
    "restore": phrase_later("Restore a backup"),
    "verify": phrase_later("Check that the journal is as it was written"),
    "print": phrase_later("Print boards, sheets, mats and cards to scale"),
    "pair": phrase_later("Pair this box with the desk of a hall"),
    "desk": phrase_later("Run the desk of a hall: all its tables on one page"),
    "pin": phrase_later("Set the PIN of host or referee"),
    "panel": phrase_later("Try buttons and lamps: show each press, light each lamp"),
    "health": phrase_later("Check that the running box is well"),
    "doctor": phrase_later("Check this box and say what to fix"),
}
"""Each stands in device/commands/NAME.py as a click command called `command`, but for those in `SHARED`."""
SHARED = {
    "demo": "play",
    "game": "health",
    "show": "games",
    "export": "games",
    "verify": "games",
    "results": "report",
    "restore": "backup",
}
"""Commands that stand in another's file, under their own name."""

# The help of a command in the language of the settings. A command's file is loaded once, and what it says of
# itself stands there in English, so what is shown is a copy. The sentences of its options are gathered as all
# others are, its docstring by `make words` itself.

UNWRAPPED = "\b"
"""click's own sign for a paragraph that keeps its lines."""


def translate_help(command: click.Command) -> click.Command:
    """The command, and all below it, with each help sentence in the language of the house."""
    spoken = copy(command)
    if command.help:
        spoken.help = phrase(one_line(command.help))
    if isinstance(command.short_help, str):
        spoken.short_help = phrase(command.short_help)
    spoken.params = [_translate_option(each) for each in command.params]
    if isinstance(spoken, click.Group):
        spoken.commands = {name: translate_help(each) for name, each in spoken.commands.items()}
    return spoken


def one_line(text: str) -> str:
    """A docstring with each paragraph in one line, but for those that keep their lines."""
    parts = cleandoc(text).split("\n\n")
    return "\n\n".join(part if part.startswith(UNWRAPPED) else " ".join(part.split()) for part in parts)


def _translate_option(param: click.Parameter) -> click.Parameter:
    if not isinstance(param, click.Option):
        return param
    spoken = copy(param)
    spoken.help = phrase(param.help) if param.help else param.help
    if isinstance(param.prompt, str):
        spoken.prompt = phrase(param.prompt)
    return spoken


class Commands(click.Group):
    """Knows every command's name and sentence, and imports the file behind one on demand."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's own signature
        """The commands in the order of the table above."""
        return list(COMMANDS)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does; from here on people are spoken to in the language of the settings."""
        speak_as_set(args)
        return super().parse_args(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command's click object, or None for an unknown name."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"device.commands.{SHARED.get(cmd_name, cmd_name)}")
        found = getattr(module, cmd_name if cmd_name in SHARED else "command")
        assert isinstance(found, click.Command)  # noqa: S101 - a command file without one is our own mistake
        return translate_help(found)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What Callbox is, in the language of the settings."""
        translate_help(click.Command(self.name, help=self.help)).format_help_text(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The help page's list, without importing anything."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, phrase(words)) for name, words in COMMANDS.items()])


def speak_as_set(args: Sequence[str]) -> None:
    """Speak the language of the settings, of those after --config where some are named there.

    English where they cannot be read: whichever command needs them says why.
    """
    named = [file for word, file in pairwise(args) if word == "--config"]
    named += [word.removeprefix("--config=") for word in args if word.startswith("--config=")]
    try:
        speak_language(load(Path(named[-1]) if named else None).language)
    except ConfigError:
        speak_language("en")
    except FileNotFoundError:
        click.echo(
            phrase("Texts in other languages are not compiled. Run: python -m device.languages.compile"),
            err=True,
        )


@click.command(cls=Commands)
@click.version_option(package_name="callbox")
def callbox() -> None:
    """Callbox calls the dice: it reads them with a camera and keeps the score by the rulebook."""


def main() -> None:
    """The installed command. A reader that goes away (`callbox games | head`) is no error."""
    try:
        callbox(prog_name="callbox")
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
