"""Makes the broadly taught face reader: `python -m models.training.broad STAGE`.

It learns from larger cuts than today's, shown in much harder light, colour, focus and shape
(`models.training.showing`), and from real dice of all sources that may be learnt from. Each stage goes on
where it was interrupted:
1. cuts: faces are cut out of the drawn scenes that are kept (`python -m models.training.train scenes`), and
   out of the photographs, and kept in the cache folder. The networks of the project tell where faces lie.
2. base: learns without the sources of FOLDS, so that these can be measured.
3. rune55, epanemu: each goes on from the base without its own sources, to be measured on them; faces goes on
   with all sources.
4. export: the networks that are there are written as ONNX beside their checkpoints.

Whenever a checkpoint is kept, a line with the step and figures of held-out dice goes to a log beside it.
"""

import argparse
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from tqdm import tqdm

from models.files import CACHE, COURSES
from models.training.cuts import ASKED_NOT, cuts_of, wide_cut
from models.training.export import export_faces
from models.training.fit import Course, reader_loss, train_network
from models.training.labels import found_in
from models.training.nets import BroadReader
from models.training.photos import BROAD_SOURCES, photos
from models.training.real import (
    SIDE_PX,
    WIDE_PX,
    Faces,
    FindsAsTrained,
    faces_of,
    join_faces,
)
from models.training.showing import labels_of, places_told, shapes, show
from models.training.store import HELD_OUT, Store, scenes_folder
from vision.learned.contract import CLASSES, FOREIGN, NONE, POSES
from vision.learned.networks import Networks

FOLDS: Mapping[str, tuple[str, ...]] = {
    "rune55": ("rune55_trays", "rune55_round"),
    "epanemu": ("epanemu_dice3",),
}
"""The sources that a network learns without, so that it can be measured on them; by the network's name."""
BATCH = 64
OTHERS = 3
"""How many cuts without a face are taken from each scene."""
STRAYS_EVERY = 4
"""In one of this many scenes, places that the finder wrongly takes for a die are learnt from too."""
SHARES = {
    "pip": 0.11,
    "zoinx": 0.1,
    "bet": 0.11,
    "d4": 0.08,
    "foreign": 0.05,
    "none": 0.08,
    "lying": 0.1,
    "real pip": 0.26,
    "real d4": 0.03,
    "real foreign": 0.04,
    "real none": 0.04,
}
"""The shares of a batch: drawn dice that lie flat, by kind, drawn ones that do not, and real ones."""
FLAT = POSES.index("flat")
RATE, HELD = 2e-3, 0.6


def kept_folder() -> Path:
    """The folder of the cuts that belong to the kept scenes."""
    return CACHE / "faces" / scenes_folder().name


def keep(name: Path, faces: Faces) -> None:
    """Write the faces. The file that is written last shows that all is there."""
    part = name.with_suffix(".part")
    with part.open("wb") as file:
        np.save(file, faces.pictures)
    part.replace(name.with_suffix(".npy"))
    with part.open("wb") as file:
        np.savez(file, classes=faces.classes, poses=faces.poses, placed=faces.placed)
    part.replace(name.with_suffix(".npz"))


def kept(name: Path) -> Faces | None:
    """The faces that were kept under a name, with their pictures left on the disk; None where nothing was."""
    if not name.with_suffix(".npz").is_file():
        return None
    with np.load(name.with_suffix(".npz")) as told:
        pictures = np.load(name.with_suffix(".npy"), mmap_mode="r")
        return Faces(pictures, told["classes"], told["poses"], told["placed"])


def cut_scenes(shards: Sequence[int], networks: Networks) -> None:
    """Cut faces out of the scenes of these shards, where they are drawn and not cut yet."""
    folder = kept_folder()
    folder.mkdir(parents=True, exist_ok=True)
    finder = FindsAsTrained(networks)
    for number in tqdm(shards, desc="cuts of scenes, by the hundred", mininterval=10):
        name = folder / f"{number:04d}"
        if name.with_suffix(".npz").is_file() or not (scenes_folder() / f"{number:04d}.json").is_file():
            continue
        store, chance = Store(scenes_folder(), number, 1), np.random.default_rng((number, SIDE_PX))
        parts = [_of_scene(store, i, chance, finder) for i in range(len(store))]
        keep(name, join_faces(parts))


def _of_scene(store: Store, number: int, chance: np.random.Generator, finder: FindsAsTrained) -> Faces:
    picture, truths = store.picture(number), store.truths[number]
    cuts = cuts_of(picture, truths, chance, OTHERS, (SIDE_PX, WIDE_PX))
    of_scene = Faces(cuts.pictures, cuts.classes, cuts.poses, cuts.poses != ASKED_NOT)
    if number % STRAYS_EVERY:
        return of_scene
    centers = np.array([die.corners.mean(axis=0) for die in truths], np.float32).reshape(-1, 2)
    strays = []
    for peak in found_in(finder, picture, (1.0,)):
        away = np.hypot(*(centers - peak.place.center).T) / peak.place.half_px
        if not len(away) or away.min() > 0.9:
            strays.append(wide_cut(picture, peak.place, SIDE_PX, WIDE_PX))
    count = len(strays)
    nothing = np.full(count, ASKED_NOT, np.int64)
    shown = np.array(strays, np.uint8).reshape(-1, WIDE_PX, WIDE_PX, 3)
    return join_faces([of_scene, Faces(shown, np.full(count, NONE, np.int64), nothing, nothing > 0)])


def cut_photos(networks: Networks) -> None:
    """Cut faces out of the photographs of all sources that may be learnt from, where that was not done
    yet."""
    kept_folder().mkdir(parents=True, exist_ok=True)
    for source in BROAD_SOURCES:
        name = kept_folder() / source
        every = [] if name.with_suffix(".npz").is_file() else photos(source)
        if every:
            chance = np.random.default_rng(sum(source.encode()))
            parts = [faces_of(one, networks, chance) for one in tqdm(every, desc=source, mininterval=10)]
            faces = join_faces(parts)
            keep(name, faces)
            dice = faces.classes != NONE
            print(f"{source}: {dice.sum()} dice, {(faces.placed & dice).sum()} with places", flush=True)


Group = tuple[Faces, NDArray[np.intp], float]
"""Faces, the indices of those that belong to the group, and the group's share of a batch."""


def groups_of(drawn: Faces, real: Mapping[str, Faces]) -> list[Group]:
    """The groups that are learnt from, by what they show: rare things are shown more often. The share of each
    real source goes with the square root of how many faces it has."""
    lying = (drawn.poses != ASKED_NOT) & (drawn.poses != FLAT)
    kinds = np.where(lying, "lying", np.array(labels_of(drawn.classes)))
    out = [(drawn, np.flatnonzero(kinds == name), share) for name, share in SHARES.items()]
    parts: list[tuple[str, Faces, NDArray[np.intp]]] = []
    for faces in real.values():
        kinds = np.array([f"real {label}" for label in labels_of(faces.classes)])
        parts += [(name, faces, np.flatnonzero(kinds == name)) for name in SHARES]
    for name, faces, rows in parts:
        whole = sum(len(other) ** 0.5 for told, _, other in parts if told == name)
        if len(rows):
            out.append((faces, rows, SHARES[name] * len(rows) ** 0.5 / whole))
    return [group for group in out if len(group[1])]


def draw_from(groups: Sequence[Group], size: int) -> Callable[[np.random.Generator], tuple[Any, ...]]:
    """A function that draws batches of that size: wide cuts, shapes, places, a seed for the light, classes
    and poses."""
    shares = np.cumsum([share for _, _, share in groups])
    shares /= shares[-1]

    def draw(chance: np.random.Generator) -> tuple[Any, ...]:
        ends = np.searchsorted((np.arange(size) + chance.random()) / size, shares)
        picked = []
        for (faces, rows, _), (first, last) in zip(groups, pairwise([0, *ends.tolist()]), strict=True):
            some = np.sort(chance.choice(rows, last - first))
            picked.append((faces.pictures[some], faces.classes[some], faces.poses[some], faces.placed[some]))
        wide, classes, poses, placed = (np.concatenate(parts) for parts in zip(*picked, strict=True))
        labels = labels_of(classes)
        linear, shift = shapes(labels, chance)
        told = places_told((linear, shift), labels, placed)
        seed = np.array(chance.integers(2**31))
        return wide, np.concatenate((linear, shift[:, :, None]), 2), told, seed, classes, poses

    return draw


def broad_loss(net: Any, wide: Any, shaped: Any, moves: Any, seed: Any, classes: Any, poses: Any) -> Any:
    """The face reader's loss for a batch; the cuts are shown (`models.training.showing`) on the device it
    learns on."""
    cuts = show(wide, shaped[:, :, :2], shaped[:, :, 2], int(seed))
    return reader_loss(net, cuts, moves, classes, poses, smoothing=SMOOTHING)


SMOOTHING = 0.05


class Progress:
    """Measures a network while it learns, on dice that it does not learn from, and logs the figures."""

    def __init__(self, path: Path, sets: Mapping[str, Faces]) -> None:
        """`path` is the log's; `sets` are the dice to measure on, by name."""
        self._path, self._sets, self._begun = path, sets, time.monotonic()

    def __call__(self, net: Any, step: int) -> None:
        """Log one line: for each set, the share of dice of known kinds that are read right, and the share of
        strangers' dice and of places without a die that are recognised as such."""
        told = [f"{name} {_figures(net, faces)}" for name, faces in self._sets.items()]
        line = f"step {step}, {time.monotonic() - self._begun:.0f} s: {'; '.join(told)}"
        with self._path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
        print(line, flush=True)


def _figures(net: Any, faces: Faces) -> str:
    device = next(net.parameters()).device
    edge = (WIDE_PX - SIDE_PX) // 2
    right: dict[str, list[bool]] = {}
    kinds = np.array([kind for kind, _ in CLASSES])
    for first in range(0, len(faces), BATCH):
        cuts = faces.pictures[first : first + BATCH, edge:-edge, edge:-edge].transpose(0, 3, 1, 2)
        with torch.no_grad():
            logits = net(torch.from_numpy(np.ascontiguousarray(cuts)).float().to(device))[0].cpu().numpy()
        for one, true in zip(logits, faces.classes[first : first + BATCH], strict=True):
            kind = kinds[true]
            asked = np.ones(len(CLASSES), bool) if true in (FOREIGN, NONE) else kinds == kind
            right.setdefault(str(kind), []).append(bool(np.where(asked, one, -np.inf).argmax() == true))
    return ", ".join(f"{kind} {100 * np.mean(each):.1f} of {len(each)}" for kind, each in right.items())


def some_of(faces: Faces, most: int) -> Faces:
    """At most `most` of the flat dice, strangers' dice and places without a die, evenly picked."""
    asked = (faces.classes >= 0) & ((faces.poses == FLAT) | (faces.poses == ASKED_NOT))
    rows = np.flatnonzero(asked)
    rows = rows[np.linspace(0, len(rows) - 1, min(most, len(rows))).astype(int)]
    return Faces(faces.pictures[rows], faces.classes[rows], faces.poses[rows], faces.placed[rows])


class Broad:
    """The stages of this command."""

    def __init__(self, asked: argparse.Namespace) -> None:
        """`asked` is what the command line says."""
        self._asked = asked
        self._device = "cuda" if torch.cuda.is_available() else "cpu"

    def learn(self, name: str, without: Sequence[str], begin: str | None) -> None:
        """Run a course; `begin` names the course that it goes on from."""
        shards = [kept(kept_folder() / f"{n:04d}") for n in range(self._asked.shards)]
        drawn = join_faces([one for one in shards if one is not None])
        every = {source: kept(kept_folder() / source) for source in BROAD_SOURCES}
        real = {source: one for source, one in every.items() if one is not None and source not in without}
        held = kept(kept_folder() / f"{HELD_OUT:04d}")
        sets = {} if held is None else {"drawn": some_of(held, 500)}
        sets |= {source: some_of(one, 400) for source in without if (one := every[source]) is not None}
        net = BroadReader()
        if begin is not None:
            saved = torch.load(COURSES / f"{begin}.pt", weights_only=True, map_location="cpu")
            net.load_state_dict(saved["mean"])
        net = net.to(self._device, memory_format=torch.channels_last)
        steps = self._asked.steps
        course = Course(name=name, steps=steps, rate=RATE, seed=sum(name.encode()) * 7919, held=HELD)
        draw = draw_from(groups_of(drawn, real), BATCH)
        train_network(net, draw, broad_loss, course, COURSES, Progress(COURSES / f"{name}.log", sets))

    def export(self) -> None:
        """Write the networks of all courses that were begun as files."""
        for name in ("base", *FOLDS, "faces"):
            path = COURSES / f"broad-{name}.pt"
            if path.is_file():
                net = BroadReader()
                net.load_state_dict(torch.load(path, weights_only=True, map_location="cpu")["mean"])
                export_faces(net.eval(), path.with_suffix(".onnx"), "broad")

    def run(self, stage: str) -> None:
        """Run one stage."""
        every = tuple(source for fold in FOLDS.values() for source in fold)
        match stage:
            case "cuts":
                networks = Networks(threads=self._asked.threads)
                cut_photos(networks)
                cut_scenes([HELD_OUT, *range(self._asked.shards)], networks)
            case "base":
                self.learn("broad-base", every, None)
            case "faces":
                self.learn("broad-faces", (), "broad-base")
            case "export":
                self.export()
            case _:
                self.learn(f"broad-{stage}", FOLDS[stage], "broad-base")


def main() -> None:
    """Run a stage."""
    parser = argparse.ArgumentParser(description="Makes the broadly taught face reader of Callbox.")
    parser.add_argument("stage", choices=("cuts", "base", *FOLDS, "faces", "export"))
    parser.add_argument("--shards", type=int, default=65, help="hundreds of scenes to learn from")
    parser.add_argument("--steps", type=int, default=40_000)
    parser.add_argument("--threads", type=int, default=2)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(asked.threads)
    torch.manual_seed(1)
    Broad(asked).run(asked.stage)


if __name__ == "__main__":
    main()
