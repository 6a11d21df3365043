"""Makes the networks: `python -m models.training.train`, or `make models`.

They learn from drawn scenes and, where they lie beside the project, from photographs. Each stage goes on
where it was interrupted:
1. scenes: scenes are drawn and kept under the cache folder.
2. cuts, base: the faces of scenes and photographs are cut out, and a face reader learns from the drawn ones
   (`models.training.faces_course`).
3. finder: the finder learns from drawn scenes alone, then with photographs among them. Where there are none,
   the drawn ones are used.
4. faces: the face reader goes on with photographs.
5. d4: the D4 network learns, from D4 drawn for it and from the same scenes.
6. stance: the stance network learns how dice stand, from drawn scenes alone: nobody knows where the foot of a
   photographed die is.
7. corner: the network of corners learns how round and how large dice are, from landings drawn for it.

The stages from `finder` on write the files of the project. Two more, `upper` and `lower`, are for measuring
only: face readers that learn without some sources of photographs, so that benchmarks can read these sources
with a reader that never saw them.
"""

import argparse
from collections.abc import Callable, Sequence
from typing import Any

import cv2
import numpy as np
import torch
from tqdm import tqdm

from calibration.arrays import Picture
from models.files import COURSES, FACES, FINDER, STANCE
from models.training.corner_course import make_corner
from models.training.d4_course import make_d4
from models.training.export import export_faces, export_finder, export_stance, sign
from models.training.faces_course import cut_everything, held_from, learn_faces
from models.training.fit import Course, finder_loss, stance_loss, train_network
from models.training.labels import Labelled, label_pictures
from models.training.nets import FinderNet, StanceNet
from models.training.photos import FINDER_SOURCES, HELD_FROM, SOURCES, SURFACES, photos
from models.training.stance import Stances, join_stances, stances
from models.training.stance import batch as stance_batch
from models.training.store import HELD_OUT, LEANING, Store, render, scenes_folder
from models.training.targets import Sample, Target, lying_of, windows
from vision.learned.networks import Networks

STAGES = ("all", "scenes", "cuts", "base", "finder", "faces", "d4", "stance", "corner", *HELD_FROM)
SHARDS = 90
"""Shards to learn from, a hundred scenes each."""
MEASURED_SHARDS, LEANING_SHARDS = 4, 16
FINDER_BATCH, STANCE_BATCH = 4, 64
SHARE_OF_PHOTOS = 0.4
SHARE_OF_LEANING = 0.4
"""The share of leaning dice in a batch of the stance network."""


def from_scenes(store: Store) -> Sample:
    """Any drawn scene."""

    def sample(chance: np.random.Generator) -> tuple[Picture, Sequence[Target]]:
        number = int(chance.integers(len(store)))
        return store.picture(number), [lying_of(die.corners, die.visible) for die in store.truths[number]]

    return sample


def mix(scenes: Sample, pictures: Sequence[Labelled]) -> Sample:
    """Samples drawn scenes and, for a share, photographs, each source equally often."""
    by_source = {
        one.photo.source: [p for p in pictures if p.photo.source == one.photo.source] for one in pictures
    }
    sources = sorted(by_source)

    def sample(chance: np.random.Generator) -> tuple[Picture, Sequence[Target]]:
        if chance.random() > SHARE_OF_PHOTOS:
            return scenes(chance)
        weights = np.array([len(by_source[source]) ** 0.5 for source in sources])
        own = by_source[sources[int(chance.choice(len(sources), p=weights / weights.sum()))]]
        one = own[int(chance.integers(len(own)))]
        return one.photo.picture, one.lying

    return sample


def learn_finder(name: str, sample: Sample, steps: int, rate: float, begin: Any) -> Any:
    """A finder after a course."""
    net = FinderNet().to(memory_format=torch.channels_last)
    if begin is not None:
        net.load_state_dict(begin.state_dict())
    course = Course(name=name, steps=steps, rate=rate, seed=_seed(name))
    return train_network(
        net, lambda chance: windows(sample, FINDER_BATCH, chance), finder_loss, course, COURSES
    )


def _seed(name: str) -> int:
    return sum(name.encode()) * 7919


def learn_stance(cuts: Stances, steps: int) -> Any:
    """A network that tells how dice stand, after its course."""
    net = StanceNet().to(memory_format=torch.channels_last)
    leaning, upright = np.flatnonzero(cuts.leans), np.flatnonzero(~cuts.leans)
    many = round(SHARE_OF_LEANING * STANCE_BATCH)

    def draw(chance: np.random.Generator) -> tuple[Any, ...]:
        rows = np.concatenate((chance.choice(leaning, many), chance.choice(upright, STANCE_BATCH - many)))
        return stance_batch(cuts, rows, chance)

    course = Course(name="stance", steps=steps, rate=2e-3, seed=_seed("stance"))
    return train_network(net, draw, stance_loss, course, COURSES)


def label_photos(finder: Any, reader: Any) -> list[Labelled]:
    """All photographs whose dice could be given places."""
    out = []
    for source in FINDER_SOURCES:
        every = photos(source)
        good = [
            one
            for photo in tqdm(every, desc=source)
            if (one := label_pictures(finder, reader, photo)) is not None
        ]
        if every:
            sized = sum(die.sized for one in good for die in one.lying)
            print(f"{source}: {len(good)} of {len(every)} pictures have places, {sized} faces", flush=True)
        out += good
    return out


class Kitchen:
    """The stages of the training, with what they hand to each other."""

    def __init__(self, asked: argparse.Namespace) -> None:
        """`asked` is what the command line says."""
        self._asked = asked
        self._store = Store(scenes_folder(), 0, HELD_OUT)

    def cuts(self) -> None:
        """Faces are cut out and kept."""
        cut_everything(self._asked.shards, Networks(threads=self._asked.threads))

    def base(self) -> Any:
        """A face reader that saw no photograph."""
        everywhere = (*SOURCES, *SURFACES)
        return learn_faces("base", self._asked.shards, self._asked.base_steps, everywhere)

    def finder(self) -> None:
        """The finder learns from drawn scenes, then with photographs among them; its file is written."""
        net = learn_finder("finder-drawn", from_scenes(self._store), self._asked.finder_steps, 2e-3, None)
        export_finder(net, COURSES / "finder-drawn.onnx")
        pictures = label_photos(net, self.base())
        if pictures:
            sample = mix(from_scenes(self._store), pictures)
            net = learn_finder("finder", sample, self._asked.finder_photo_steps, 1.5e-3, net)
        export_finder(net, FINDER)
        sign(FINDER)

    def faces(self) -> None:
        """The face reader goes on with photographs; its file is written."""
        asked = self._asked
        export_faces(learn_faces("faces", asked.shards, asked.faces_steps, (), self.base()), FACES)
        sign(FACES)

    def without(self, name: str) -> None:
        """The face reader goes on without the sources held from a course of that name."""
        asked = self._asked
        net = learn_faces(name, asked.shards, asked.held_steps, held_from(name), self.base())
        export_faces(net, COURSES / f"faces-{name}.onnx")

    def d4(self) -> None:
        """The D4 network; its file is written."""
        make_d4(self._store, self._asked.d4_steps, self._asked.threads)

    def stance(self) -> None:
        """The network that tells how dice stand; its file is written."""
        leaning = Store(scenes_folder(), LEANING, LEANING_SHARDS)
        cuts = join_stances([stances(self._store), stances(leaning)])
        export_stance(learn_stance(cuts, self._asked.stance_steps), STANCE)
        sign(STANCE)

    def corner(self) -> None:
        """The network that tells how round and how large dice are; its file is written."""
        make_corner(self._asked.corner_steps)


def main() -> None:
    """Run the stages."""
    parser = argparse.ArgumentParser(description="Makes the networks of Callbox.")
    parser.add_argument("stage", nargs="?", default="all", choices=STAGES)
    parser.add_argument("--shards", type=int, default=SHARDS, help="hundreds of scenes to learn from")
    parser.add_argument("--finder-steps", type=int, default=8000)
    parser.add_argument("--finder-photo-steps", type=int, default=12000)
    parser.add_argument("--base-steps", type=int, default=5000)
    parser.add_argument("--faces-steps", type=int, default=13000)
    parser.add_argument("--held-steps", type=int, default=9000)
    parser.add_argument("--d4-steps", type=int, nargs=3, default=(2500, 800, 900))
    parser.add_argument("--stance-steps", type=int, default=6000)
    parser.add_argument("--corner-steps", type=int, default=1500)
    parser.add_argument("--threads", type=int, default=2)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(asked.threads)
    torch.manual_seed(1)
    if asked.stage in ("all", "scenes"):
        render(scenes_folder(), 0, asked.shards, asked.threads)
        render(scenes_folder(), HELD_OUT, MEASURED_SHARDS, asked.threads)
        render(scenes_folder(), LEANING, LEANING_SHARDS, asked.threads)
    if asked.stage == "scenes":
        return
    kitchen = Kitchen(asked)
    if asked.stage in HELD_FROM:
        kitchen.without(asked.stage)
        return
    stages: dict[str, Callable[[], object]] = {
        "cuts": kitchen.cuts,
        "base": kitchen.base,
        "finder": kitchen.finder,
        "faces": kitchen.faces,
        "d4": kitchen.d4,
        "stance": kitchen.stance,
        "corner": kitchen.corner,
    }
    for name, stage in stages.items():
        if asked.stage in ("all", name):
            stage()


if __name__ == "__main__":
    main()
