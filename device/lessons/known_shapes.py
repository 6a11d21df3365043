"""What was learnt of the shapes of the owner's dice, between the data folder and what measures landings."""

from collections.abc import Callable
from pathlib import Path

from calibration.description import Dice
from calibration.durable import sync_folder, write_whole
from engine.wording import phrase
from vision.landing.shapes import KeptShape, LearntShapes, ShapesError, shapes_from_bytes, shapes_to_bytes

MOST_BYTES = 400_000
"""No file of as many dice as can be learnt is larger."""


def shapes_path(folder: Path) -> Path:
    """Where the shapes of the owner's dice are kept, in a data folder."""
    return folder / "shapes.json"


def known_shapes(folder: Path, say: Callable[[str], object]) -> tuple[KeptShape, ...]:
    """What was learnt; nothing where it cannot be used, which `say` is told."""
    path = shapes_path(folder)
    try:
        if path.stat().st_size <= MOST_BYTES:
            return shapes_from_bytes(path.read_bytes())
        say(
            phrase(
                "{path} is too large to be what `callbox learn --shape` wrote. Dice are measured without it.",
                path=path,
            )
        )
    except FileNotFoundError:
        pass
    except OSError as error:
        say(
            phrase(
                "{path} cannot be read: {error}. Dice are measured without it.",
                path=path,
                error=error.strerror,
            )
        )
    except ShapesError as error:
        say(phrase("{path}: {error} Until then dice are measured without it.", path=path, error=error))
    return ()


def keep_shapes(shapes: tuple[KeptShape, ...], folder: Path) -> None:
    """Keep what was learnt for the next start of the box; raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(shapes_path(folder), shapes_to_bytes(shapes))
    sync_folder(folder)


def shapes_of(dice: Dice, folder: Path, say: Callable[[str], object]) -> LearntShapes | None:
    """The owner's dice as they are known, and learnt further over the evening; None where nothing was taught
    and the table's description does not say that its dice are of one set."""
    known = known_shapes(folder, say)
    if not known and not dice.of_one_set:
        return None

    def keep(shapes: tuple[KeptShape, ...]) -> None:
        try:
            keep_shapes(shapes, folder)
        except OSError as error:
            say(
                phrase(
                    "What was learnt of the dice's shapes is not kept: {folder}: {error}.",
                    folder=folder,
                    error=error.strerror,
                )
            )

    return LearntShapes(dice, known, new=dice.of_one_set, keep=keep)
