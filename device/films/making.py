"""From the shots of a throw to its film: starts `maker.py`, which is a process of its own."""

import struct
import subprocess
import sys
from pathlib import Path

from device.films.shelf import FilmNotKept
from device.films.strip import FilmPicture, cut_of
from engine.wording import phrase

MAKER = Path(__file__).with_name("maker.py")
"""Never imported: it loads the encoder."""
HEADER = struct.Struct(">HI")
"""As `maker.py` has it."""
PATIENCE_S = 60.0
"""An encoder that takes longer hangs. It needs about one second."""


def make_film(shots: tuple[FilmPicture, ...], rest: bytes) -> bytes:
    """The film (MP4) of shots, one or more, and of the picture at rest (JPEG); raises `FilmNotKept`."""
    cut = cut_of(shots)
    jpegs = (*(shot.jpeg for shot in shots), rest)
    counted = zip(jpegs, (*cut.counts, cut.rest), strict=True)
    pictures = b"".join(HEADER.pack(count, len(jpeg)) + jpeg for jpeg, count in counted)
    # Isolated: neither a file beside it nor PYTHONPATH comes before the packages of this Python.
    # In a session of its own: Ctrl-C at the terminal is for the box, which then waits for the film.
    command = [sys.executable, "-I", str(MAKER), str(cut.rate)]
    try:
        made = subprocess.run(  # noqa: S603 - our own file
            command,
            input=pictures,
            capture_output=True,
            timeout=PATIENCE_S,
            check=False,
            start_new_session=True,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise FilmNotKept(
            phrase("This throw has no film: the encoder does not run ({error}).", error=error)
        ) from error
    if made.returncode != 0:
        said = made.stderr.decode("utf-8", "replace").strip().splitlines()
        why = said[-1] if said else phrase("it ended with status {status}", status=made.returncode)
        raise FilmNotKept(phrase("This throw has no film: the encoder fails ({why}).", why=why))
    return made.stdout
