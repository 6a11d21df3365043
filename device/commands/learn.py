"""`callbox learn`: how the owner's own dice look, and how wide and round they are, from a few pictures."""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from calibration.arrays import Picture
from calibration.files import load_table
from calibration.trouble import CalibrationError
from device.cameras import Camera, CameraLost, Frame
from device.cameras.locking import lock_for
from device.commands.common import PATH, config_option, data_option, fail, path_of
from device.commands.opening import open_as_set
from device.config import Config, ConfigError, load
from device.journal import StorageBroken, data_folder, lessons_path
from device.lessons import Lessons, LessonsBroken
from device.lessons.known_dice import DRAWN, dice_path, known_dice, learn_again, load_lessons
from device.lessons.known_shapes import keep_shapes, known_shapes, shapes_path
from device.lessons.lessons import HELP, teach
from device.panel import Panel, PanelLost, open_factory
from device.table.feed import Inbox
from engine.dice import FACES, DieKind
from engine.wording import phrase, phrase_count, phrase_later
from models.files import ModelError
from vision.face_place import told_color
from vision.landing.detector import LandingDetector
from vision.landing.shapes import KeptShape, LearntShapes
from vision.learned.custom_dice import Outcome, Score
from vision.pictures import PictureError, jpeg_of
from vision.pictures import load as load_picture
from vision.reader import Reader

# `callbox learn --shape`: how large and how round the owner's dice are, from a few landings.

WANTED = 5
"""How many landings of a die tell most of what landings can tell."""
UNMADE = phrase_later(
    "shapes are learnt under a calibrated camera. Name its file with --calibration "
    "table.json, or as landing.calibration in callbox.toml (callbox calibrate --help)."
)

BY_LANDINGS = phrase_later(
    "{color}: {edge:.2f} ± {edge_off:.2f} mm wide, rounded by {rounding:.1f} ± {rounding_off:.1f} mm, "
    "from {times}"
)
BY_CALLIPER = phrase_later(
    "{color}: {edge:.2f} ± {edge_off:.2f} mm wide, rounded by {rounding:.1f} ± {rounding_off:.1f} mm, "
    "from {times}, its edge by your calliper"
)


def learn_shapes(
    source: Iterator[tuple[str, Picture]], table: Path, folder: Path, edge_mm: float | None
) -> str:
    """Learn from the pictures (name, picture) and keep it, picture by picture; what is known then, in lines.

    Raises `CalibrationError`, and OSError where the folder cannot be written.
    """
    calibration = load_table(table)
    shapes = LearntShapes(
        calibration.dice,
        known_shapes(folder, click.echo),
        keep=lambda known: keep_shapes(known, folder),
        edge_mm=edge_mm,
    )
    eye = LandingDetector(calibration, shapes=shapes)
    try:
        for name, picture in source:
            click.echo(_describe_shape(name, picture, eye))
    except EOFError:
        click.echo()
    return _report_shapes(shapes)


def _describe_shape(name: str, picture: Picture, eye: LandingDetector) -> str:
    """What one picture taught, in a line."""
    if why := eye.why_not(picture.shape[1], picture.shape[0]):
        return f"{name}: {why}."
    sight = eye.look(picture)
    if sight.blind:
        return f"{name}: {sight.blind}."
    dice = [each.die for each in sight.dice if each.die.pose == "flat"]
    seen = ", ".join(f"{told_color(die.color)} {die.value or '?'}" for die in dice)
    left = len(sight.dice) - len(dice) + len(sight.unmeasured)
    nothing = phrase("no die that lies flat")
    passed = phrase("; {left} passed over that lean or were not measured", left=left) if left else ""
    return f"{name}: {seen or nothing}{passed}"


def _report_shapes(shapes: LearntShapes) -> str:
    """What is known of each die now."""
    lines = [_line(shapes, shape) for shape in shapes.shapes]
    if not lines:
        return phrase("No die has taught its shape: it has to lie flat, by itself, with its number read.")
    if any(len(shape.taught) < WANTED for shape in shapes.shapes):
        lines.append(
            phrase(
                "Throw each die {wanted} times or more, to places of all kinds: so far some lay fewer times.",
                wanted=WANTED,
            )
        )
    return "\n".join(
        (*lines, phrase("It is used from the next start of the box, and learnt further as you play."))
    )


def _line(shapes: LearntShapes, shape: KeptShape) -> str:
    (edge, rounding), covariance = shapes.estimate(shape)
    edge_off, rounding_off = (1.96 * float(covariance[at, at]) ** 0.5 for at in (0, 1))
    times = phrase_count("1 landing", "{count} landings", len(shape.taught))
    return phrase(
        BY_CALLIPER if shape.by_calliper else BY_LANDINGS,
        color=told_color(shape.color),
        edge=edge,
        edge_off=edge_off,
        rounding=max(rounding, 0.0),
        rounding_off=rounding_off,
        times=times,
    )


REFUSALS = (
    StorageBroken,
    LessonsBroken,
    CalibrationError,
    CameraLost,
    ConfigError,
    PanelLost,
    PictureError,
    ModelError,
)
"""Errors that name cause and fix in a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnOptions:
    """The command line."""

    pictures: tuple[Path, ...]
    spec: str | None
    dice: DieKind
    to: Path | None
    shape: bool
    table: Path | None
    edge_mm: float | None
    forget: bool
    config_path: Path | None
    data: Path | None


@click.command()
@click.argument("pictures", metavar="[PICTURE]...", nargs=-1, type=PATH)
@click.option(
    "--camera",
    "spec",
    metavar="SPEC",
    help=phrase_later(
        "Take the pictures now: a film file, a folder of pictures, table, picamera2:0, or usb."
    ),
)
@click.option(
    "--dice",
    type=click.Choice(list(FACES)),
    default="pip",
    show_default=True,
    help=phrase_later("What kind the dice are."),
)
@click.option("--export", "to", metavar="DIR", type=PATH, help=phrase_later("Copy all lessons there."))
@click.option(
    "--shape",
    is_flag=True,
    help=phrase_later("Learn how large and round they are instead, under a calibrated camera."),
)
@click.option(
    "--calibration",
    "table",
    metavar="table.json",
    type=PATH,
    help=phrase_later("That camera's file, if not the one in the settings."),
)
@click.option(
    "--edge",
    "edge_mm",
    metavar="MM",
    type=click.FloatRange(5, 50),
    help=phrase_later("The width of the dice in the pictures, by calliper."),
)
@click.option(
    "--forget",
    is_flag=True,
    help=phrase_later("Forget what was learnt and delete the lessons; with --shape, the shapes."),
)
@config_option
@data_option
def command(**options: Any) -> None:
    """Teach the box your own dice, from each PICTURE or from the camera.

    Throw, press ROLL DONE (or Enter), and say what the dice show where the box is wrong; five throws help
    a lot. What it learnt is used only if it reads nothing worse than before. Without pictures or a camera
    it learns again from the lessons that were kept: those, and the corrections made in games where
    [learning] in the settings says so.

    With --shape the box learns how wide and how round your dice are, for End Zone: throw each five times,
    to places of all kinds, so that it lies flat and by itself. You need not say anything. It is most
    exact with --edge.
    """
    given = LearnOptions(**options)
    if not given.shape and (given.table or given.edge_mm):
        raise click.UsageError(phrase("--calibration and --edge go with --shape."))
    if given.shape and given.to:
        raise click.UsageError(phrase("--export copies pictures of up-faces; shapes have none."))
    folder: Path | None = None
    try:
        folder = data_folder(given.data, os.environ)
        _run(given, folder)
    except REFUSALS as error:
        fail(str(error))
    except OSError as error:
        fail(
            phrase(
                "{folder} cannot be written: {strerror}. Name another folder with --data.",
                folder=folder,
                strerror=error.strerror,
            )
        )


def _run(given: LearnOptions, folder: Path) -> None:
    """Do what was asked for; raises `REFUSALS` and OSError."""
    lessons = Lessons(lessons_path(folder))
    if given.forget and given.shape:
        shapes_path(folder).unlink(missing_ok=True)
        click.echo(phrase("The shapes of your dice are forgotten."))
    elif given.to is not None:
        click.echo(
            phrase("{lessons} in {folder}.", lessons=_lessons(lessons.export(given.to)), folder=given.to)
        )
    elif given.forget:
        dice_path(folder).unlink(missing_ok=True)
        click.echo(phrase("Forgotten, with {lessons}.", lessons=_lessons(lessons.forget())))
    else:
        with ExitStack() as stack:
            config = load(given.config_path)
            table = given.table or path_of(config.landing.calibration)
            source = (
                _from_camera(stack, given.spec, config, table) if given.spec else _from_files(given.pictures)
            )
            if given.shape:
                if table is None:
                    raise CalibrationError(phrase(UNMADE))
                click.echo(learn_shapes(source, table, folder, given.edge_mm))
                return
            _teach(source, lessons, given.dice, folder)
        _learn(lessons, folder)


def _teach(source: Iterator[tuple[str, Picture]], lessons: Lessons, dice: DieKind, folder: Path) -> None:
    """Keep a lesson of each picture that people speak for."""
    reader = Reader(known=known_dice(folder, click.echo))
    first = True
    try:
        for name, picture in source:
            if first:
                click.echo(HELP)
                first = False
            truth = teach(name, reader.read(picture, dice), dice, _ask, click.echo)
            if truth:
                lessons.keep(lessons.free_name(name), jpeg_of(picture, 95), truth, "learn")
    except EOFError:
        click.echo()


def _learn(lessons: Lessons, folder: Path) -> None:
    """Learn from all lessons; keep it only where nothing is worse than before."""
    given = load_lessons(lessons)
    if not given:
        fail(phrase("there is nothing to learn from yet. Name pictures, or a camera with --camera."))
    with tqdm(
        total=len(given) + DRAWN, unit="picture", file=sys.stderr, disable=not sys.stderr.isatty()
    ) as bar:
        outcome = learn_again(given, folder, click.echo, bar.update)
    click.echo(_describe_outcome(outcome, len(given)))


def _describe_outcome(outcome: Outcome, lessons: int) -> str:
    lines = [
        phrase(
            "Learnt from {faces} in {lessons}.",
            faces=phrase_count("1 face", "{count} faces", outcome.faces),
            lessons=phrase_count("1 picture", "{count} pictures", lessons),
        ),
        phrase("Your dice, each picture read as if it had not been shown:"),
        phrase("  before: {lessons_before}", lessons_before=_scored(outcome.lessons_before)),
        phrase("  now:    {lessons_after}", lessons_after=_scored(outcome.lessons_after)),
        phrase("Other dice:"),
        phrase("  before: {drawn_before}", drawn_before=_scored(outcome.drawn_before)),
        phrase("  now:    {drawn_after}", drawn_after=_scored(outcome.drawn_after)),
    ]
    lines.append(
        phrase("It is used from the next start of the box.")
        if outcome.is_no_worse
        else phrase(
            "Something is read worse than before, so all stays as it was. Were the answers right? Show more."
        )
    )
    return "\n".join(lines)


def _scored(score: Score) -> str:
    return phrase(
        "{right} of {dice} read right, {wrong} wrong",
        right=score.right,
        dice=phrase_count("1 die", "{count} dice", score.dice),
        wrong=score.wrong,
    )


def _from_files(pictures: tuple[Path, ...]) -> Iterator[tuple[str, Picture]]:
    for path in pictures:
        try:
            yield path.name, load_picture(path)
        except PictureError as error:
            raise PictureError(f"{path.name}: {error}") from error


def _from_camera(
    stack: ExitStack, spec: str, config: Config, table: Path | None
) -> Iterator[tuple[str, Picture]]:
    """A picture for each ROLL DONE or Enter; the end of the input ends it."""
    at = config.camera
    lock = lock_for(at.lock, table, click.echo)
    camera = open_as_set(at, spec, lock)
    inbox, lost = Inbox(), list[CameraLost]()
    watching = threading.Thread(target=_watch, args=(camera, inbox, lost), name="camera", daemon=True)
    watching.start()
    stack.callback(watching.join)  # once the camera is closed: a thread cut off in OpenCV ends in a crash
    stack.enter_context(closing(camera))
    pressed = threading.Event()
    if spec.startswith("picamera2"):
        factory = stack.enter_context(closing(open_factory()))
        panel = Panel(
            config.panel, factory, lambda name, down, _: _press(pressed, name, down=down), lambda: 0.0
        )
        stack.enter_context(closing(panel))
        click.echo(phrase("Throw your dice and press ROLL DONE. Ctrl-C when you have shown enough."))
    else:
        click.echo(phrase("Throw your dice and press Enter. Ctrl-D when you have shown enough."))
    for number in count(1):
        if spec.startswith("picamera2"):
            pressed.wait()
            pressed.clear()
        else:
            _ask("")
        inbox.next(0)  # what came before
        frame = inbox.next(None)
        if not isinstance(frame, Frame):  # the camera has ended
            if lost:
                raise lost[0]
            return
        yield phrase("throw {number}", number=number), frame.picture


def _press(pressed: threading.Event, name: str, *, down: bool) -> None:
    if name == "roll_done" and down:
        pressed.set()


def _watch(camera: Camera, inbox: Inbox, lost: list[CameraLost]) -> None:
    """Leave the camera's newest picture in the inbox, and close that when the camera has ended."""
    try:
        for frame in camera.frames():
            inbox.put_frame(frame, wait=False)
    except CameraLost as error:
        lost.append(error)
    inbox.close()


def _ask(question: str) -> str:
    click.echo(question, nl=False)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.rstrip("\n")


def _lessons(count: int) -> str:
    return phrase_count("1 lesson", "{count} lessons", count)
