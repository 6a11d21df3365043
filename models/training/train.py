"""Makes the networks: `python -m models.training.train`, or `make models`.

They learn from drawn scenes and, where they lie beside the project, from photographs. Each stage goes on
where it was interrupted:
1. scenes: scenes are drawn and kept under the cache folder.
2. cuts, base: the faces of scenes and photographs are cut out, and a face reader learns from the drawn ones
   (`models.training.faces_course`).
3. finder-drawn, finder: the finder learns from drawn scenes alone, then with photographs among them
   (`models.training.finder_course`). Where there are none, it is the one of drawn scenes.
4. faces: the face reader goes on with photographs.
5. d4: the D4 network learns, from D4 drawn for it and from the same scenes.
6. stance: the stance network learns how dice stand, from drawn scenes alone: nobody knows where the foot of a
   photographed die is.
7. corner: the network of corners learns how round dice are, from landings drawn for it.
8. edge: the network of edges learns where their sides are, from others.

The stages from `finder` on write the files of the project. Two more, `upper` and `lower`, are for measuring
only: a finder and a face reader that learn without some sources of photographs, so that benchmarks can read
these sources with networks that never saw them.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import cv2
import numpy as np
import torch

from models.files import COURSES, FACES, FINDER, MEASURING, STANCE, ModelError
from models.scenes.chance import Chance
from models.training.augmentation import in_any_light
from models.training.corner_course import make_corner
from models.training.d4_course import make_d4
from models.training.edge_course import make_edge
from models.training.export import export_faces, export_finder, export_stance, sign
from models.training.faces_course import MORE_RATE, cut_everything, held_from, learn_faces
from models.training.finder_course import from_scenes, learn_finder, real_samples
from models.training.fit import (
    OWN_PACE,
    Course,
    CourseError,
    Pace,
    best_device,
    mean_of,
    seed_of,
    stance_loss,
    train_network,
)
from models.training.nets import StanceNet
from models.training.photos import HELD_FROM, SOURCES, SURFACES
from models.training.quantize import RecallError
from models.training.stance import HARDNESS, Stances, stance_batch, stances
from models.training.store import (
    HELD_OUT,
    HELD_OUT_ASLANT,
    HELD_OUT_LOW,
    HELD_OUT_ROWS,
    LEANING,
    SPECIAL,
    Store,
    joined,
    render,
    scenes_folder,
)
from vision.learned.networks import Networks

# What the commands of the training share: how numbers are asked for, and how they end in a sentence.


def from_one_on(word: str) -> int:
    """A whole number on the command line. Raises ArgumentTypeError for anything else, 0 among it."""
    if not (word.isdecimal() and int(word)):
        raise argparse.ArgumentTypeError(f"{word} is no whole number from 1 on")
    return int(word)


@contextmanager
def learning(threads: int) -> Iterator[None]:
    """What is done in here learns on so many threads, from weights that begin alike each time.

    What is missing or damaged ends the program with the sentence that names it and how to mend it.
    """
    cv2.setNumThreads(1)
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    try:
        yield
    except (FileNotFoundError, ModelError, RecallError, CourseError) as error:
        raise SystemExit(str(error)) from error


STAGES = (
    "all",
    "scenes",
    "cuts",
    "base",
    "finder-drawn",
    "finder",
    "faces",
    "d4",
    "stance",
    "corner",
    "edge",
    *HELD_FROM,
)
SHARDS = 200
"""Shards to learn from, a hundred scenes each."""
MEASURED = ((HELD_OUT, 4), (HELD_OUT_ASLANT, 1), (HELD_OUT_ROWS, 2), (HELD_OUT_LOW, 2))
"""The shards for measuring: the first of each sort, and how many."""
LEANING_SHARDS = 16
STANCE_BATCH = 64
SHARE_OF_LEANING = 0.4
"""The share of leaning dice in a batch of the stance network."""


def learn_stance(name: str, cuts: Stances, steps: int, begin: Any = None, pace: Pace = OWN_PACE) -> Any:
    """A network that tells how dice stand, after a course of that name; `begin` is the network that it goes
    on from."""
    net = StanceNet()
    if begin is not None:
        net.load_state_dict(begin.state_dict())
    net = net.to(best_device(), memory_format=torch.channels_last)
    leaning, upright = np.flatnonzero(cuts.leans), np.flatnonzero(~cuts.leans)
    size = pace.size or STANCE_BATCH
    many = round(SHARE_OF_LEANING * size)

    def draw(chance: Chance) -> tuple[Any, ...]:
        rows = np.concatenate((chance.choice(leaning, many), chance.choice(upright, size - many)))
        askew, steps = stance_batch(cuts, rows, chance)
        return in_any_light(askew, chance, HARDNESS), steps

    rate = 2e-3 if begin is None else MORE_RATE
    course = Course(name=name, steps=steps, rate=rate, seed=seed_of(name), minutes=pace.minutes)
    return train_network(net, draw, stance_loss, course, COURSES, pace.look)


def stance_cuts(stores: Sequence[Store]) -> Stances:
    """How the dice stand in these scenes, and in those that are drawn leaning."""
    leaning = Store(scenes_folder(), LEANING, LEANING_SHARDS)
    return joined(Stances, [stances(store) for store in (*stores, leaning)])


class TrainingRun:
    """The stages that learn from the kept scenes, with what they hand to each other."""

    def __init__(self, asked: argparse.Namespace) -> None:
        """`asked` is what the command line says. Raises FileNotFoundError where no scenes are kept."""
        self._asked = asked
        self._store = Store(scenes_folder(), 0, HELD_OUT)
        self._special = [Store(scenes_folder(), *shards) for shards in SPECIAL]
        self._scenes = from_scenes([self._store, *self._special])

    def cuts(self) -> None:
        """Faces are cut out and kept."""
        cut_everything(self._asked.shards, Networks(threads=self._asked.threads))

    def base(self) -> Any:
        """A face reader that saw no photograph."""
        everywhere = (*SOURCES, *SURFACES)
        return learn_faces("base", self._asked.shards, self._asked.base_steps, everywhere)

    def finder_drawn(self) -> Any:
        """A finder that saw no photograph."""
        return learn_finder("finder-drawn", self._scenes, self._asked.finder_steps)

    def _finder(self, name: str, without: Sequence[str]) -> Any:
        """The finder goes on with photographs, where there are any, but for some sources."""
        drawn = self.finder_drawn()
        sample = real_samples(self._scenes, without, Networks(threads=self._asked.threads))
        if sample is None:
            return drawn
        return learn_finder(name, sample, self._asked.finder_photo_steps, drawn)

    def finder(self) -> None:
        """The finder of the project; its file is written."""
        export_finder(self._finder("finder", ()), FINDER)
        sign(FINDER)

    def faces(self) -> None:
        """The face reader goes on with photographs; its file is written."""
        export_faces(self._faces("faces", self._asked.faces_steps, ()), FACES)
        sign(FACES)

    def _faces(self, name: str, steps: int, without: Sequence[str]) -> Any:
        """The face reader goes on with photographs but for those of some sources, and then for some more
        steps: the mean before and after these."""
        asked = self._asked
        first = learn_faces(name, asked.shards, steps, without, self.base())
        again = f"{name}-more"
        return mean_of(
            first, learn_faces(again, asked.shards, asked.faces_more_steps, without, first, more=True)
        )

    def without(self, name: str) -> None:
        """Finder and face reader go on without the sources held from a course of that name."""
        held = held_from(name)
        export_finder(self._finder(f"finder-{name}", held), MEASURING / f"finder-{name}.onnx")
        net = self._faces(name, self._asked.held_steps, held)
        export_faces(net, MEASURING / f"faces-{name}.onnx")

    def d4(self) -> None:
        """The D4 network; its file is written."""
        asked = self._asked
        make_d4(self._store, asked.d4_steps, asked.d4_more_steps, asked.threads)

    def stance(self) -> None:
        """The network that tells how dice stand; its file is written."""
        cuts = stance_cuts([self._store, *self._special])
        export_stance(learn_stance("stance", cuts, self._asked.stance_steps), STANCE)
        sign(STANCE)


def _parse_arguments() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(description="Makes the networks of Callbox.")
    parser.add_argument("stage", nargs="?", default="all", choices=STAGES)
    parser.add_argument("--shards", type=from_one_on, default=SHARDS, help="hundreds of scenes to learn from")
    parser.add_argument("--finder-steps", type=from_one_on, default=16000)
    parser.add_argument("--finder-photo-steps", type=from_one_on, default=24000)
    parser.add_argument("--base-steps", type=from_one_on, default=14000)
    parser.add_argument("--faces-steps", type=from_one_on, default=18000)
    parser.add_argument("--faces-more-steps", type=from_one_on, default=8000)
    parser.add_argument("--held-steps", type=from_one_on, default=22000)
    parser.add_argument("--d4-steps", type=from_one_on, default=11000)
    parser.add_argument("--d4-more-steps", type=from_one_on, nargs="+", default=[12500])
    parser.add_argument("--stance-steps", type=from_one_on, default=14000)
    parser.add_argument("--corner-steps", type=from_one_on, default=4000)
    parser.add_argument("--edge-steps", type=from_one_on, default=12_000)
    parser.add_argument("--threads", type=from_one_on, default=2)
    return parser.parse_args()


def main() -> None:
    """Run the stages."""
    asked = _parse_arguments()
    with learning(asked.threads):
        _run(asked)


def _run(asked: argparse.Namespace) -> None:
    """The stages that were asked for. Raises FileNotFoundError where what one learns from is missing,
    ModelError where a network that looks for dice in pictures is damaged."""
    if asked.stage in ("all", "scenes"):
        for first, shards in ((0, asked.shards), (LEANING, LEANING_SHARDS), *SPECIAL, *MEASURED):
            render(scenes_folder(), first, shards, asked.threads)
    if asked.stage not in ("scenes", "corner", "edge"):
        _learn_from_scenes(TrainingRun(asked), asked.stage)
    if asked.stage in ("all", "corner"):
        make_corner(asked.corner_steps)
    if asked.stage in ("all", "edge"):
        make_edge(asked.edge_steps)


def _learn_from_scenes(run: TrainingRun, asked: str) -> None:
    if asked in HELD_FROM:
        run.without(asked)
        return
    stages: dict[str, Callable[[], object]] = {
        "cuts": run.cuts,
        "base": run.base,
        "finder-drawn": run.finder_drawn,
        "finder": run.finder,
        "faces": run.faces,
        "d4": run.d4,
        "stance": run.stance,
    }
    for name, stage in stages.items():
        if asked in ("all", name):
            stage()


if __name__ == "__main__":
    main()
