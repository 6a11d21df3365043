"""What was learnt of the owner's dice, between the data folder and the reader."""

from collections.abc import Callable, Iterator
from pathlib import Path

from device.lessons import Lessons
from models.files import FACES
from models.scenes import draw
from vision.learned.known import Known, KnownError
from vision.learned.learning import Shown, ShownDie
from vision.pictures import PictureError, load

FIRST_SEED = 98_000
"""Of the drawn pictures that what was learnt is tried on; training never draws them."""


def dice_path(folder: Path) -> Path:
    """Where `callbox learn` keeps what it learnt, in a data folder."""
    return folder / "dice.json"


def known_dice(folder: Path, say: Callable[[str], object]) -> Known | None:
    """What was learnt; None where nothing was, or where it cannot be used, which `say` is told."""
    path = dice_path(folder)
    if not path.exists():
        return None
    try:
        return Known.load(path, FACES)
    except KnownError as error:
        say(str(error))
        return None


def shown(lessons: Lessons) -> list[Shown]:
    """The lessons with their pictures; a picture that cannot be read is passed over."""
    found = []
    for lesson in lessons.all():
        try:
            picture = load(lesson.picture)
        except PictureError:
            continue
        dice = tuple(ShownDie(die.kind, die.value, die.center) for die in lesson.truth.dice)
        found.append(Shown(lesson.picture.stem, picture, dice))
    return found


def drawn_pictures(count: int) -> Iterator[Shown]:
    """Pictures of dice that Callbox draws, always the same."""
    for seed in range(FIRST_SEED, FIRST_SEED + count):
        scene = draw(seed)
        dice = tuple(
            ShownDie(die.kind, die.value, (float(die.center_px[0]), float(die.center_px[1])))
            for die in scene.dice
            if die.kind != "foreign" and die.value is not None and die.pose == "flat"
        )
        yield Shown(f"drawn {seed}", scene.picture, dice)
