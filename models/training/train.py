"""Makes the networks: `python -m models.training.train`, or `make models`.

They learn from drawn scenes and, where they lie beside the project, from photographs. Each stage goes on
where it was interrupted:
1. scenes: scenes are drawn and kept under the cache folder.
2. finder-drawn, faces-drawn: the finder and the face reader learn from drawn scenes alone.
3. finder, faces: they go on with photographs among the scenes. Where there are none, the drawn ones are used.
   The face reader then learns once more, from places that it still takes for dice and that are none.
4. d4: the D4 network learns, from D4 drawn for it and from the same scenes.
5. stance: the stance network learns how dice stand, from drawn scenes alone: nobody knows where the foot of a
   photographed die is.
6. The files models/finder.onnx, models/faces.onnx, models/d4.onnx and models/stance.onnx are written.

`python -m models.training.train folds` trains, for measuring only, one more face reader without each source
of photographs, so that benchmarks can read that source with a reader that never saw it.
"""

import argparse
import shutil
from collections.abc import Callable, Sequence
from typing import Any

import cv2
import numpy as np
import torch
from tqdm import tqdm

from calibration.arrays import Picture
from models.files import COURSES, FACES, FINDER, STANCE
from models.training.cuts import ASKED_NOT, Cuts, batch, blanks, cuts_of, join, take, wide_cut
from models.training.d4_course import make_d4
from models.training.export import export_faces, export_finder, export_stance, sign
from models.training.fit import Course, by_shares, finder_loss, reader_loss, stance_loss, train_network
from models.training.labels import Labelled, cuts_of_photos, found_in, label_pictures, read_at
from models.training.nets import FaceReader, FinderNet, StanceNet
from models.training.photos import SOURCES, photos
from models.training.stance import Stances, join_stances, stances
from models.training.stance import batch as stance_batch
from models.training.store import HELD_OUT, LEANING, Store, render, scenes_folder
from models.training.targets import Sample, Target, lying_of, windows
from vision.learned.contract import CLASSES, NONE, POSES

STAGES = ("all", "scenes", "finder-drawn", "faces-drawn", "finder", "faces", "d4", "stance", "folds")
SHARDS = 65
"""Shards to learn from, a hundred scenes each."""
MEASURED_SHARDS, LEANING_SHARDS = 4, 16
FINDER_BATCH, FACES_BATCH = 4, 64
FOOLED = 0.6
"""A find that is no die is shown again to a reader that gives this less than this chance of being none."""
FOUND_SCENES = 900
"""In how many scenes the face reader also learns from the finder's false finds."""
SHARE_OF_PHOTOS = 0.4
SHARES = {"pip": 0.2, "zoinx": 0.1, "bet": 0.17, "d4": 0.17, "foreign": 0.08, "none": 0.12}
SHARE_OF_LYING = 0.16
"""The shares of a batch of the face reader: flat dice of each kind and no face at all, and dice that do not
lie flat."""
SHARE_OF_LEANING = 0.4
"""The share of leaning dice in a batch of the stance network."""
FOLD_SHORTER = 4
"""How many times shorter the courses are of networks that only serve to measure: they may be worse, not
better."""


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


def learn_faces(name: str, sets: Sequence[tuple[Cuts, float]], course: tuple[int, float], begin: Any) -> Any:
    """A face reader after a course of (steps, rate) with cuts from sets, each by its share of a batch."""
    net = FaceReader().to(memory_format=torch.channels_last)
    if begin is not None:
        net.load_state_dict(begin.state_dict())
    steps, rate = course
    whole = Course(name=name, steps=steps, rate=rate, seed=_seed(name))
    return train_network(net, by_shares(sets, batch, FACES_BATCH), reader_loss, whole, COURSES)


def _seed(name: str) -> int:
    return sum(name.encode()) * 7919


def learn_stance(cuts: Stances, steps: int) -> Any:
    """A network that tells how dice stand, after its course."""
    net = StanceNet().to(memory_format=torch.channels_last)
    leaning, upright = np.flatnonzero(cuts.leans), np.flatnonzero(~cuts.leans)
    many = round(SHARE_OF_LEANING * FACES_BATCH)

    def draw(chance: np.random.Generator) -> tuple[Any, ...]:
        rows = np.concatenate((chance.choice(leaning, many), chance.choice(upright, FACES_BATCH - many)))
        return stance_batch(cuts, rows, chance)

    course = Course(name="stance", steps=steps, rate=2e-3, seed=_seed("stance"))
    return train_network(net, draw, stance_loss, course, COURSES)


def scene_cuts(store: Store, seed: int) -> Cuts:
    """The cuts of all scenes: faces, and places without one."""
    chance = np.random.default_rng(seed)
    return join(
        [
            cuts_of(store.picture(i), store.truths[i], chance, others=3)
            for i in tqdm(range(len(store)), desc="cuts of scenes", mininterval=5)
        ]
    )


def share_out(cuts: Cuts) -> list[tuple[Cuts, float]]:
    """Cuts of scenes by what they show, each with its share of a batch: rare ones are shown more often."""
    kinds = np.array([CLASSES[number][0] if number >= 0 else "hidden" for number in cuts.classes])
    lying = (cuts.poses != ASKED_NOT) & (cuts.poses != POSES.index("flat"))
    groups = {kind: (kinds == kind) & ~lying for kind in SHARES} | {"lying": lying}
    shares = SHARES | {"lying": SHARE_OF_LYING}
    return [(take(cuts, rows), shares[name]) for name, rows in groups.items() if rows.any()]


def strays_of(finder: Any, store: Store, reader: Any = None) -> Cuts:
    """The finder's finds in scenes that are no die; with a reader, only those that this reader takes for dice
    too."""
    pictures = []
    scenes = np.linspace(0, len(store) - 1, min(FOUND_SCENES, len(store))).astype(int)
    for i in tqdm(scenes, desc="strays in scenes", mininterval=5):
        picture, peaks = store.picture(i), found_in(finder, store.picture(i), (1.0,))
        chances, _ = read_at(reader, picture, [peak.place for peak in peaks]) if reader else (None, None)
        centers = np.array([die.corners.mean(axis=0) for die in store.truths[i]], np.float32).reshape(-1, 2)
        for number, peak in enumerate(peaks):
            away = np.hypot(*(centers - peak.place.center).T) / peak.place.half_px
            fools = chances is None or chances[number, NONE] < FOOLED
            if fools and (not len(away) or away.min() > 0.9):
                pictures.append(wide_cut(picture, peak.place))
    count = len(pictures)
    print(f"{count} strays", flush=True)
    return Cuts(np.array(pictures, np.uint8), np.full(count, NONE, np.int64), np.full(count, -1, np.int64))


def label_photos(finder: Any, reader: Any) -> list[Labelled]:
    """All photographs whose dice could be given places."""
    out = []
    for source in SOURCES:
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

    def finder_drawn(self) -> Any:
        """A finder that saw no photograph."""
        steps = self._asked.finder_steps
        return learn_finder("finder-drawn", from_scenes(self._store), steps, 2e-3, None)

    def faces_drawn(self) -> Any:
        """A face reader that saw no photograph."""
        sets = share_out(scene_cuts(self._store, seed=11))
        return learn_faces("faces-drawn", sets, (self._asked.faces_steps, 2e-3), None)

    def finder(self) -> None:
        """The finder goes on with photographs among the scenes; its file is written."""
        net = self.finder_drawn()
        export_finder(net, COURSES / "finder-drawn.onnx")
        pictures = label_photos(net, self.faces_drawn())
        if pictures:
            sample = mix(from_scenes(self._store), pictures)
            net = learn_finder("finder", sample, self._asked.finder_photo_steps, 1.5e-3, net)
        export_finder(net, FINDER)
        sign(FINDER)

    def folds(self) -> None:
        """The face reader goes on without each source of photographs."""
        self.faces(SOURCES)

    def faces(self, without: Sequence[str] = ()) -> None:
        """The face reader goes on with photographs; then again without each of those sources."""
        drawn, finder = self.faces_drawn(), self.finder_drawn()
        pictures = label_photos(finder, drawn)
        cuts, strays = scene_cuts(self._store, seed=12), strays_of(finder, self._store)
        plain = blanks(cuts, np.random.default_rng(13), 3000)
        drawn_sets = [*share_out(cuts), (strays, 0.14), (plain, 0.04)]
        for left_out in ("", *(without if pictures else ())):
            kept = [one for one in pictures if one.photo.source != left_out]
            sets = drawn_sets + ([(cuts_of_photos(kept), 0.3)] if kept else [])
            name = f"faces-without-{left_out}" if left_out else "faces"
            steps = self._asked.faces_photo_steps // (FOLD_SHORTER if left_out else 1)
            net = learn_faces(name, sets, (steps, 1e-3), drawn)
            if not left_out:
                hard = strays_of(finder, self._store, net)
            net = learn_faces(f"{name}-again", [*sets, (hard, 0.2)], (steps // 2, 6e-4), net)
            export_faces(net, COURSES / f"{name}.onnx")
        shutil.copyfile(COURSES / "faces.onnx", FACES)
        sign(FACES)

    def d4(self) -> None:
        """The D4 network; its file is written."""
        make_d4(self._store, self._asked.d4_steps, self._asked.threads)

    def stance(self) -> None:
        """The network that tells how dice stand; its file is written."""
        leaning = Store(scenes_folder(), LEANING, LEANING_SHARDS)
        cuts = join_stances([stances(self._store), stances(leaning)])
        export_stance(learn_stance(cuts, self._asked.stance_steps), STANCE)
        sign(STANCE)


def main() -> None:
    """Run the stages."""
    parser = argparse.ArgumentParser(description="Makes the networks of Callbox.")
    parser.add_argument("stage", nargs="?", default="all", choices=STAGES)
    parser.add_argument("--shards", type=int, default=SHARDS, help="hundreds of scenes to learn from")
    parser.add_argument("--finder-steps", type=int, default=8000)
    parser.add_argument("--faces-steps", type=int, default=5000)
    parser.add_argument("--finder-photo-steps", type=int, default=12000)
    parser.add_argument("--faces-photo-steps", type=int, default=4000)
    parser.add_argument("--d4-steps", type=int, nargs=3, default=(1000, 700, 340))
    parser.add_argument("--stance-steps", type=int, default=6000)
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
    stages: dict[str, Callable[[], object]] = {
        "finder-drawn": kitchen.finder_drawn,
        "faces-drawn": kitchen.faces_drawn,
        "finder": kitchen.finder,
        "faces": kitchen.faces,
        "d4": kitchen.d4,
        "stance": kitchen.stance,
        "folds": kitchen.folds,
    }
    for name, stage in stages.items():
        if asked.stage == name or (asked.stage == "all" and name != "folds"):
            stage()


if __name__ == "__main__":
    main()
