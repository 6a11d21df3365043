"""`callbox calibrate describe`: the description of a table, to be changed where yours differs."""

from pathlib import Path

import click

from calibration.description import CLASSIC
from engine.wording import phrase, phrase_later


@click.command("describe")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path),
    default="table.toml",
    show_default=True,
    help=phrase_later("Where it is written; a file that is there is left as it is."),
)
def describe(output: Path) -> None:
    """Write the description of the classic End Zone table, and change what differs on yours."""
    try:
        with output.open("x", encoding="utf-8") as file:
            file.write(CLASSIC.read_text(encoding="utf-8"))
    except FileExistsError:
        raise click.UsageError(
            phrase("{output} is there already, and is kept. Name another file with -o.", output=output)
        ) from None
    except OSError as error:
        raise click.UsageError(
            phrase("{output} cannot be written: {strerror}.", output=output, strerror=error.strerror)
        ) from None
    click.echo(
        phrase(
            "{output}: the classic sheet. Open it in an editor and change what differs on your table.",
            output=output,
        )
    )
