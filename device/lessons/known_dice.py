"""What was learnt of the owner's dice, between the data folder and the reader."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from calibration.durable import sync_folder, write_whole
from device.lessons.lessons import Lessons
from engine.dice import read_die
from engine.wording import phrase
from models.files import FACES
from models.scenes import SceneDie, draw
from vision.learned.custom_dice import (
    CustomDice,
    CustomDiceError,
    LessonDie,
    LessonPicture,
    Outcome,
    learn_lessons,
)
from vision.learned.networks import Networks
from vision.pictures import PictureError, load
from vision.reader import Reader

FIRST_SEED = 98_000
"""The first seed of the drawn pictures that what was learnt is tried on; training never draws them."""
DRAWN = 24
"""How many drawn pictures what was learnt is tried on."""
MOST_BYTES = 8_000_000
"""No file of as many faces as can be learnt is larger."""


def dice_path(folder: Path) -> Path:
    """Where `callbox learn` keeps what it learnt, in a data folder."""
    return folder / "dice.json"


def known_dice(folder: Path, say: Callable[[str], object]) -> CustomDice | None:
    """What was learnt; None where nothing was, or where it cannot be used, which `say` is told."""
    path = dice_path(folder)
    try:
        if path.stat().st_size > MOST_BYTES:
            say(
                phrase(
                    "{path} is too large to be what `callbox learn` wrote. Name the right folder with "
                    "--data.",
                    path=path,
                )
            )
            return None
        return CustomDice.from_bytes(path.read_bytes(), FACES)
    except FileNotFoundError:
        return None
    except OSError as error:
        say(
            phrase(
                "{path} cannot be read: {error}. `callbox learn` writes it.",
                path=path,
                error=error.strerror,
            )
        )
    except CustomDiceError as error:
        say(f"{path}: {error}")
    return None


def keep_known(known: CustomDice, folder: Path) -> None:
    """Keep what was learnt for the next start of the box; raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(dice_path(folder), known.to_bytes())
    sync_folder(folder)


def load_lessons(lessons: Lessons) -> list[LessonPicture]:
    """The lessons with their pictures; a picture that cannot be read is passed over."""
    found = []
    for lesson in lessons.all():
        try:
            picture = load(lesson.picture)
        except PictureError:
            continue
        found.append(LessonPicture(lesson.picture.stem, picture, lesson.truth.dice))
    return found


def learn_again(
    given: Sequence[LessonPicture],
    folder: Path,
    say: Callable[[str], object],
    step: Callable[[], object] = lambda: None,
) -> Outcome:
    """Learn from all lessons, and keep it in the data folder where nothing is read worse by it.

    `step` is called for each lesson and each of the `DRAWN` pictures. Raises `ModelError` and OSError.
    """
    outcome = learn_lessons(
        given,
        drawn_pictures(DRAWN),
        known_dice(folder, say),
        lambda known, picture: Reader(known=known).read(picture),
        Networks(),
        step,
    )
    if outcome.is_no_worse:
        keep_known(outcome.known, folder)
    return outcome


def drawn_pictures(count: int) -> Iterator[LessonPicture]:
    """Pictures of dice that Callbox draws, always the same."""
    for seed in range(FIRST_SEED, FIRST_SEED + count):
        scene = draw(seed)
        ours = [die for die in scene.dice if die.kind != "foreign"]
        flat = tuple(_drawn(die) for die in ours if die.pose == "flat")
        in_part = tuple(_drawn(die) for die in ours if die.pose in ("hidden", "cut"))
        yield LessonPicture(f"drawn {seed}", scene.picture, flat, in_part)


def _drawn(one: SceneDie) -> LessonDie:
    die, (x, y) = read_die(one.kind, one.value), one.center_px
    return LessonDie(kind=die.kind, value=die.value, center_px=(float(x), float(y)))
