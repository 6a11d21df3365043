"""The help of a command in the language of the house.

A command's file is loaded once, and what it says of itself stands there in English, so what is shown is a
copy. The sentences of its options are gathered as all others are, its docstring by `make words` itself.
"""

from copy import copy
from inspect import cleandoc

import click

from engine.wording import phrase

UNWRAPPED = "\b"
"""click's own sign for a paragraph that keeps its lines."""


def translate_help(command: click.Command) -> click.Command:
    """The command, and all below it, with each help sentence in the language of the house."""
    spoken = copy(command)
    if command.help:
        spoken.help = phrase(one_line(command.help))
    if isinstance(command.short_help, str):
        spoken.short_help = phrase(command.short_help)
    spoken.params = [_told_option(each) for each in command.params]
    if isinstance(spoken, click.Group):
        spoken.commands = {name: translate_help(each) for name, each in spoken.commands.items()}
    return spoken


def one_line(text: str) -> str:
    """A docstring with each paragraph in one line, but for those that keep their lines."""
    parts = cleandoc(text).split("\n\n")
    return "\n\n".join(part if part.startswith(UNWRAPPED) else " ".join(part.split()) for part in parts)


def _told_option(param: click.Parameter) -> click.Parameter:
    if not isinstance(param, click.Option):
        return param
    spoken = copy(param)
    spoken.help = phrase(param.help) if param.help else param.help
    if isinstance(param.prompt, str):
        spoken.prompt = phrase(param.prompt)
    return spoken
