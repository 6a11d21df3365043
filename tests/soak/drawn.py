"""Throws drawn beforehand: as they are seen at the table, and what truly lies there in the end.

Each is drawn by the simulated table's own world and painter, without the sensor's noise, and kept as a folder
of JPEGs, each of that part of the picture that differs from the empty table. A throw begins with a hand that
throws onto an empty table and ends with one that takes the dice away, so any throw may follow any other.
"""

import multiprocessing
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import cv2
import msgspec
import numpy as np

from calibration.arrays import Picture
from device.simulator.ground import tray
from device.simulator.render import Renderer
from device.simulator.world import SeenWorld, World
from engine.dice import Die, DieKind, Face
from vision.pictures import load

WIDTH_PX, HEIGHT_PX = 1280, 960
STEP_MS = 100.0
"""Between the frames of dice that roll: those of a camera at 10 frames/s."""
HAND_STEP_MS = 200.0
"""Between the frames in which only a hand moves."""
REACHES_IN_MS = 250.0
"""A hand is on its way for so long before it is in the picture."""
DIFFERS = 5
"""By more than so many picture values. The light goes by less in the seconds of a throw."""
QUALITY = 95
"""What JPEGs of this quality lose is below the sensor's noise."""
TROUBLED = 0.04
"""The share of throws after which a die leans, or lies on another: the box has to ask."""
TRUTH, EMPTY = "truth.json", "empty.png"


Dice = tuple[tuple[DieKind, int], ...]
"""Kinds of dice, each with how many of it."""
Corner = tuple[int, int]
"""Column and row of a part's upper left pixel."""


class DrawnTruth(msgspec.Struct, frozen=True):
    """What a drawn throw shows."""

    faces: tuple[tuple[DieKind, Face], ...]
    """Kind and up-face of each die that lies, but of those that lean."""
    clear: bool
    """Whether all lie flat on the table; else a die leans, or lies on another."""
    come: tuple[Corner, ...]
    """Where the parts lie that show hand and dice until these lie still."""
    rest: Corner
    """The same of the frame that shows them at rest."""
    go: tuple[Corner, ...]
    """The same of those that show the hand which takes them away."""


@dataclass(frozen=True, slots=True, eq=False)
class DrawnThrow:
    """One throw as it lies in its folder."""

    folder: Path
    truth: DrawnTruth
    empty: Picture
    """The table without it."""

    @property
    def dice(self) -> tuple[Die, ...]:
        """What truly lies there."""
        return tuple(Die(kind, face) for kind, face in self.truth.faces)

    def coming(self) -> Iterator[Picture]:
        """The hand throws, and the dice roll."""
        return self._pictures(0, self.truth.come)

    def resting(self) -> Picture:
        """The dice at rest."""
        return next(self._pictures(len(self.truth.come), (self.truth.rest,)))

    def going(self) -> Iterator[Picture]:
        """The hand comes and takes them away."""
        return self._pictures(len(self.truth.come) + 1, self.truth.go)

    def _pictures(self, first: int, corners: Sequence[Corner]) -> Iterator[Picture]:
        for number, (x, y) in enumerate(corners, first):
            part, whole = load(self.folder / f"{number:02}.jpg"), self.empty.copy()
            whole[y : y + part.shape[0], x : x + part.shape[1]] = part
            yield whole


class MixedHand(World):
    """A table onto which one hand throws dice of any kinds together."""

    def __init__(self, rng: Random, dice: Dice) -> None:
        """`dice` are in the hand."""
        super().__init__(rng)
        self._dice = tuple((kind, "ivory") for kind, count in dice for _ in range(count))


class Painter:
    """Draws throws. The light is the same in all of them."""

    def __init__(self, seed: int) -> None:
        self._renderer = Renderer(tray(WIDTH_PX, HEIGHT_PX), Random(seed))
        self._now_ms = 0.0
        self.empty = self._renderer.clean(World(Random(seed)).at(0.0), {})

    def draw(self, folder: Path, dice: Dice, rng: Random) -> None:
        """One throw of these dice, into that folder."""
        troubled = len(dice) == 1 and dice[0][1] > 1 and rng.random() < TROUBLED
        try:
            world, come = self._thrown(dice, rng.choice(("cock", "stack")) if troubled else "throw", rng)
        except ValueError:  # no die lies so that another may come to lie on it
            world, come = self._thrown(dice, "throw", rng)
        folder.mkdir(parents=True, exist_ok=True)
        lying = world.lying
        parts = [*come, *self._go(world)]
        corners = [self._keep(folder / f"{number:02}.jpg", part) for number, part in enumerate(parts)]
        rest = len(come) - 1
        truth = DrawnTruth(
            faces=tuple((die.body.kind, die.up) for die in lying if die.how != "cocked"),
            clear=all(die.how == "flat" for die in lying),
            come=tuple(corners[:rest]),
            rest=corners[rest],
            go=tuple(corners[rest + 1 :]),
        )
        (folder / TRUTH).write_bytes(msgspec.json.encode(truth))

    def _thrown(self, dice: Dice, act: str, rng: Random) -> tuple[World, list[Picture]]:
        """These dice thrown so, and the pictures until they lie; raises ValueError where that cannot be."""
        world = MixedHand(Random(rng.random()), dice)
        world.act(act)
        world.act("clear")
        return world, list(self._come(world))

    def _come(self, world: World) -> Iterator[Picture]:
        """The throw until nothing moves and no hand is seen; last the dice at rest."""
        now_ms = 0.0
        scene = world.at(now_ms)
        while world.rest_time_ms is None or _hand(scene):
            if now_ms >= REACHES_IN_MS:
                yield self._renderer.clean(scene, {})
            now_ms += STEP_MS
            scene = world.at(now_ms)
        yield self._renderer.clean(scene, {})
        self._now_ms = now_ms

    def _go(self, world: World) -> Iterator[Picture]:
        """The hand that takes the dice away, until they are gone."""
        rested_ms = world.rest_time_ms
        while world.rest_time_ms == rested_ms:
            self._now_ms += HAND_STEP_MS
            scene = world.at(self._now_ms)
            if _hand(scene) and self._now_ms - world.stories[-1].start_ms >= REACHES_IN_MS:
                yield self._renderer.clean(scene, {})

    def _keep(self, file: Path, picture: Picture) -> Corner:
        """Keep what of the picture differs from the empty table; returns where that lies."""
        differs = cv2.absdiff(picture, self.empty).max(axis=2) > DIFFERS
        x, y, width, height = cv2.boundingRect(differs.astype(np.uint8))
        part = picture[y : y + max(1, height), x : x + max(1, width)]
        cv2.imwrite(str(file), part, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        return x, y


def _hand(scene: SeenWorld) -> bool:
    """Whether a hand is on its way, though it may not have reached the picture."""
    return scene.hand is not None and scene.hand.pose(scene.time_ms) is not None


class Pool:
    """Drawn throws by their dice, drawn where there are too few of them."""

    def __init__(self, folder: Path, each: int, seed: int) -> None:
        """`each`: how many there are to be of the same dice."""
        self._folder, self._each, self._seed = folder, each, seed
        self._throws: dict[Dice, Sequence[DrawnThrow]] = {}
        if not (folder / EMPTY).is_file():
            self._draw(())
        self.empty = load(folder / EMPTY)
        """The table with nothing on it."""

    def pick(self, rng: Random, dice: Dice) -> DrawnThrow:
        """A throw of these dice, any of those there are."""
        if dice not in self._throws:
            self._throws[dice] = self._all(dice)
        return rng.choice(self._throws[dice])

    def _all(self, dice: Dice) -> Sequence[DrawnThrow]:
        folders = [self._folder / _name(dice) / f"{number:03}" for number in range(self._each)]
        if not all((folder / TRUTH).is_file() for folder in folders):
            self._draw(dice)
        truths = [msgspec.json.decode((folder / TRUTH).read_bytes(), type=DrawnTruth) for folder in folders]
        return [DrawnThrow(folder, truth, self.empty) for folder, truth in zip(folders, truths, strict=True)]

    def _draw(self, dice: Dice) -> None:
        """Have the painter draw in a process of its own: what it takes up is not the box's."""
        work = self._folder, dice, self._each, self._seed
        process = multiprocessing.get_context("spawn").Process(target=draw, args=work)
        process.start()
        process.join()
        assert process.exitcode == 0, "the throws could not be drawn"


def draw(folder: Path, dice: Dice, each: int, seed: int) -> None:
    """Draw what is not there yet: the empty table, and so many throws of these dice, if there are any."""
    folder.mkdir(parents=True, exist_ok=True)
    painter = Painter(seed)
    cv2.imwrite(str(folder / EMPTY), painter.empty)
    for number in range(each if dice else 0):
        own = folder / _name(dice) / f"{number:03}"
        if not (own / TRUTH).is_file():
            painter.draw(own, dice, Random(f"{seed} {_name(dice)} {number}"))


def _name(dice: Dice) -> str:
    return "-".join(f"{count}-{kind}" for kind, count in dice)
