"""What the step that throws dice works with, on one box."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from calibration.arrays import Picture
from device.journal import lessons_path
from device.lessons import Lessons, LessonsBroken
from device.lessons.known_dice import learn_again, load_lessons
from device.setup.dice_step import SetupReader, ThrowingBench
from device.setup.step import NotNow
from device.table.reading import open_reader
from engine.dice import FACES, DieKind
from engine.rulebooks import RULEBOOKS
from engine.wording import phrase
from models.files import ModelError
from vision.learned.known import LessonDie
from vision.pictures import jpeg_of
from vision.places import Layout
from vision.watch import Watch, WatchSettings

JPEG = 95
"""The quality of the pictures that are kept to learn from."""


@runtime_checkable
class ThrowsKinds(Protocol):
    """A simulated table, which throws by itself what people would."""

    def set_up(self, *, landings: bool) -> None:
        """Put up the End Zone's table, or the tray."""
        ...

    def spread(self, layout: Layout | None) -> None:
        """Lay a mat down, or take it away."""
        ...

    def lay(self, kind: DieKind, count: int) -> None:
        """Put so many dice of that kind into the hand."""
        ...

    def act(self, name: str) -> None:
        """Let the hand do something."""
        ...


@runtime_checkable
class Sharpens(Protocol):
    """A camera that may have more pixels than are watched."""

    def sharpen(self, on: bool) -> None:
        """Whether the frames that follow should bring a larger picture, too."""
        ...


def open_bench(
    folder: Path, camera: object, reader: Callable[[], SetupReader] | None, tell: Callable[[str], None]
) -> ThrowingBench:
    """The bench of a box that keeps its data in `folder` and sees through `camera`.

    `reader` opens the box's own reader; None reads with one that knows the owner's dice and no
    calibration. `tell` is told what cannot be used.
    """
    return ThrowingBench(
        open_reader=reader or (lambda: open_reader(None, folder, tell, mounted=True)),
        # Pictures come to this step twice a second, so a camera that stands still does not show in them.
        open_watch=lambda: Watch(WatchSettings(frozen_after_ms=None)),
        kinds=_kinds(),
        sharpen=camera.sharpen if isinstance(camera, Sharpens) else lambda _on: None,
        throw=_thrower(camera) if isinstance(camera, ThrowsKinds) else None,
        learn=lambda picture, dice: _learn(folder, picture, dice, tell),
    )


def _kinds() -> Mapping[DieKind, Sequence[str]]:
    """Every kind of die, with the titles of the games that have it at hand."""
    games: dict[DieKind, list[str]] = {kind: [] for kind in FACES}
    for book in RULEBOOKS.values():
        for wanted in (book.dice, *book.dice.more):
            games[wanted.kind].append(book.title)
    return games


def _thrower(table: ThrowsKinds) -> Callable[[DieKind, int], None]:
    def throw(kind: DieKind, count: int) -> None:
        table.set_up(landings=False)
        table.spread(None)
        table.lay(kind, count)
        table.act("throw")

    return throw


def _learn(folder: Path, picture: Picture, dice: Sequence[LessonDie], tell: Callable[[str], None]) -> str:
    """Keep the picture and learn from all that are kept; raises `NotNow`."""
    lessons = Lessons(lessons_path(folder))
    try:
        lessons.keep(lessons.free_name("set-up"), jpeg_of(picture, JPEG), dice, "learn")
        outcome = learn_again(load_lessons(lessons), folder, tell)
    except (LessonsBroken, ModelError) as error:
        raise NotNow(str(error)) from None
    except OSError as error:
        raise NotNow(
            phrase("{path} could not be written: {error}", path=folder, error=error.strerror)
        ) from None
    if not outcome.kept:
        return phrase(
            "The picture is kept, and what it teaches is not used yet, for something else would be read "
            "worse. Were the answers right? Show more."
        )
    return phrase(
        "Learnt: of the {all} dice that you showed, {after} are read right now, and {before} were before. "
        "Games go by it once the box is started anew.",
        all=outcome.lessons_after.dice,
        after=outcome.lessons_after.right,
        before=outcome.lessons_before.right,
    )
