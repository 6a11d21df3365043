"""How the face reader learns, and from what.

It learns from drawn scenes and from real dice of all sources that may be learnt from, each shown in very many
lights, colours, sharpnesses and shapes (`models.training.augmentation`):
1. Faces are cut out of the drawn scenes that are kept, of the photographs and of surfaces without dice, and
   kept in the cache folder. The networks of the project tell where faces lie.
2. A base learns from drawn scenes alone.
3. From there on it learns from everything; and so, to be measured only, do two more, each without the sources
   that it is measured on (`models.training.photos.HELD_FROM`).
4. Each goes on for some more steps. What is kept is the mean of the weights before and after these.

Whenever a checkpoint is kept, a line with the step and figures of held-out dice goes to a log beside it.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tqdm import tqdm

from calibration.arrays import Picture
from models.files import CACHE, COURSES
from models.scenes.chance import Chance
from models.training.augmentation import labels_of, places_told, shapes, show
from models.training.cuts import (
    NOT_ASKED,
    WIDE_PX,
    Faces,
    blanks,
    elsewhere,
    faces_of_scene,
    no_faces,
    wide_cut,
)
from models.training.fit import OWN_PACE, Course, Pace, best_device, reader_loss, seed_of, train_network
from models.training.nets import FaceReader
from models.training.photos import (
    HELD_FROM,
    SOURCES,
    SURFACES,
    photos,
    surfaces,
    surfaces_beside,
)
from models.training.real import FindsAsTrained, faces_of, found_in
from models.training.store import HELD_OUT, SPECIAL, Store, joined, rows_of, scenes_folder, written_whole
from vision.face_place import FacePlace
from vision.learned.contract import CLASSES, CUT_SIDE_PX, FOREIGN, NONE, POSES
from vision.learned.networks import Networks

BATCH = 64
BLANKS = 3000
"""How many blank things of a die's size are drawn over places without a die."""
MOST_OF_SURFACE = 60
"""At most so many places of a surface without dice are learnt from."""
OTHERS = 3
"""How many cuts without a face are taken from each scene."""
STRAYS_EVERY = 2
"""In one of this many scenes, places that the finder wrongly takes for a die are learnt from too."""
SHARES = {
    "pip": 0.11,
    "zoinx": 0.1,
    "bet": 0.24,
    "d4": 0.08,
    "foreign": 0.04,
    "none": 0.12,
    "blank": 0.02,
    "lying": 0.1,
    "real pip": 0.26,
    "real d4": 0.03,
    "real foreign": 0.03,
    "real none": 0.05,
}
"""The shares of a batch: drawn dice that lie flat, by kind, drawn ones that do not, and real ones."""
FLAT = POSES.index("flat")
RATE, HELD = 2e-3, 0.6
MORE_RATE, MORE_HELD = 1.2e-3, 0.3
"""The same for going on with a network that has learnt."""


def kept_folder() -> Path:
    """The folder of the cuts that belong to the kept scenes."""
    return CACHE / "faces" / scenes_folder().name


def keep(name: Path, faces: Faces) -> None:
    """Write the faces. The file that is written last shows that all is there."""
    with written_whole(name.with_suffix(".npy")) as file:
        np.save(file, faces.pictures)
    with written_whole(name.with_suffix(".npz")) as file:
        np.savez(file, classes=faces.classes, poses=faces.poses, placed=faces.placed)


def load_kept(name: Path) -> Faces | None:
    """The faces that were kept under a name, with their pictures left on the disk; None where nothing was."""
    if not name.with_suffix(".npz").is_file():
        return None
    with np.load(name.with_suffix(".npz")) as told:
        pictures = np.load(name.with_suffix(".npy"), mmap_mode="r")
        return Faces(pictures, told["classes"], told["poses"], told["placed"])


def cut_scenes(shards: Sequence[int], networks: Networks) -> None:
    """Cut faces out of the scenes of these shards, where they are drawn and not cut yet."""
    folder, scenes = kept_folder(), scenes_folder()
    folder.mkdir(parents=True, exist_ok=True)
    finder = FindsAsTrained(networks)
    for number in tqdm(shards, desc="cuts of scenes, by the hundred", mininterval=10):
        name = folder / f"{number:04d}"
        if name.with_suffix(".npz").is_file() or not (scenes / f"{number:04d}.json").is_file():
            continue
        store, chance = Store(scenes, number, 1), np.random.default_rng((number, CUT_SIDE_PX))
        parts = [_of_scene(store, i, chance, finder) for i in range(len(store))]
        keep(name, joined(Faces, parts))


def _of_scene(store: Store, number: int, chance: Chance, finder: FindsAsTrained) -> Faces:
    picture, truths = store.picture(number), store.truths[number]
    of_scene = faces_of_scene(picture, truths, chance, OTHERS)
    if number % STRAYS_EVERY:
        return of_scene
    centers = np.array([die.corners.mean(axis=0) for die in truths], np.float32).reshape(-1, 2)
    strays = []
    for peak in found_in(finder, picture, (1.0,)):
        away = np.hypot(*(centers - peak.place.center).T) / peak.place.half_px
        if not len(away) or away.min() > 0.9:
            strays.append(wide_cut(picture, peak.place))
    return joined(Faces, [of_scene, no_faces(strays)])


def cut_surfaces(networks: Networks) -> None:
    """Cut places out of the real surfaces without dice, where that was not done yet: those that the finder
    takes for dice, and others."""
    folder = kept_folder()
    for source in SURFACES:
        name = folder / source
        if name.with_suffix(".npz").is_file():
            continue
        places = _places_on(source, networks)
        if places:
            keep(name, no_faces([wide_cut(picture, place) for picture, place in places]))


def _places_on(source: str, networks: Networks) -> list[tuple[Picture, FacePlace]]:
    """Places on the real surfaces without dice of a source: those that the finder takes for dice, and
    others."""
    chance, finder = np.random.default_rng(sum(source.encode())), FindsAsTrained(networks)
    places = []
    for picture in surfaces(source):
        scales = [px / max(picture.shape[:2]) for px in (1024, 640, 400)]
        finds = [peak.place for peak in found_in(finder, picture, scales)][:MOST_OF_SURFACE]
        every = [*finds, *elsewhere(picture, [], chance, OTHERS)]
        places += [(picture, place) for place in every]
    return places


def cut_photos(networks: Networks) -> None:
    """Cut faces out of the photographs of all sources that may be learnt from, where that was not done
    yet."""
    folder = kept_folder()
    folder.mkdir(parents=True, exist_ok=True)
    for source in SOURCES:
        name = folder / source
        every = [] if name.with_suffix(".npz").is_file() else photos(source)
        if every:
            chance = np.random.default_rng(sum(source.encode()))
            parts = [faces_of(one, networks, chance) for one in tqdm(every, desc=source, mininterval=10)]
            faces = joined(Faces, parts)
            keep(name, faces)
            dice = faces.classes != NONE
            print(f"{source}: {dice.sum()} dice, {(faces.placed & dice).sum()} with places", flush=True)


Group = tuple[Faces, NDArray[np.intp], float]
"""Faces, the indices of those that belong to the group, and the group's share of a batch."""


def groups_of(drawn: Faces, plain: Faces, real: Mapping[str, Faces]) -> list[Group]:
    """The groups that are learnt from, by what they show: rare things are shown more often. The share of each
    real source goes with the square root of how many faces it has."""
    lying = (drawn.poses != NOT_ASKED) & (drawn.poses != FLAT)
    kinds = np.where(lying, "lying", np.array(labels_of(drawn.classes)))
    out = [(drawn, np.flatnonzero(kinds == name), share) for name, share in SHARES.items()]
    out.append((plain, np.arange(len(plain)), SHARES["blank"]))
    parts: list[tuple[str, Faces, NDArray[np.intp]]] = []
    for faces in real.values():
        kinds = np.array([f"real {label}" for label in labels_of(faces.classes)])
        parts += [(name, faces, np.flatnonzero(kinds == name)) for name in SHARES]
    for name, faces, rows in parts:
        whole = sum(len(other) ** 0.5 for told, _, other in parts if told == name)
        if len(rows):
            out.append((faces, rows, SHARES[name] * len(rows) ** 0.5 / whole))
    return [group for group in out if len(group[1])]


def draw_from(groups: Sequence[Group], size: int) -> Callable[[Chance], tuple[Any, ...]]:
    """A function that draws batches of that size: wide cuts, shapes, places, a seed for the light, classes
    and poses."""
    shares = np.cumsum([share for _, _, share in groups])
    shares /= shares[-1]

    def draw(chance: Chance) -> tuple[Any, ...]:
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


def faces_loss(net: Any, wide: Any, shaped: Any, moves: Any, seed: Any, classes: Any, poses: Any) -> Any:
    """The face reader's loss for a batch; the cuts are shown (`models.training.augmentation`) on the device
    it learns on."""
    cuts = show(wide, shaped[:, :, :2], shaped[:, :, 2], int(seed))
    return reader_loss(net, cuts, moves, classes, poses)


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
    edge = (WIDE_PX - CUT_SIDE_PX) // 2
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
    asked = (faces.classes >= 0) & ((faces.poses == FLAT) | (faces.poses == NOT_ASKED))
    rows = np.flatnonzero(asked)
    return rows_of(faces, rows[np.linspace(0, len(rows) - 1, min(most, len(rows))).astype(int)])


def cut_everything(shards: int, networks: Networks) -> None:
    """Cut faces out of the photographs, the surfaces and so many shards of scenes, where that was not done
    yet."""
    cut_photos(networks)
    cut_surfaces(networks)
    cut_scenes([HELD_OUT, *_learnt_from(shards)], networks)


def _learnt_from(shards: int) -> list[int]:
    """The shards of scenes to learn from: so many seen from above, and the special ones."""
    return [*range(shards), *(first + n for first, count in SPECIAL for n in range(count))]


def _faces_of_scenes(folder: Path, shards: int) -> Faces:
    """The faces of so many shards of scenes. Raises FileNotFoundError where none are kept."""
    every_shard = (folder / f"{n:04d}" for n in _learnt_from(shards))
    parts = [one for name in every_shard if (one := load_kept(name)) is not None]
    if not parts:
        raise FileNotFoundError(
            f"no faces of scenes are kept in {folder}: cut them first (python -m models.training.train cuts)"
        )
    return joined(Faces, parts)


def learn_faces(
    name: str,
    shards: int,
    steps: int,
    without: Sequence[str],
    begin: Any = None,
    *,
    more: bool = False,
    pace: Pace = OWN_PACE,
) -> Any:
    """The face reader after a course of that name with so many shards of scenes, and the photographs and
    surfaces of all sources but those `without`; `begin` is the network that it goes on from, slower if it
    has learnt all that before and learns `more` of it. Raises FileNotFoundError where no faces are kept."""
    folder = kept_folder()
    drawn = _faces_of_scenes(folder, shards)
    plain = blanks(drawn, np.random.default_rng(BLANKS), BLANKS)
    every = {source: load_kept(folder / source) for source in (*SOURCES, *SURFACES)}
    real = {source: one for source, one in every.items() if one is not None and source not in without}
    held = load_kept(folder / f"{HELD_OUT:04d}")
    sets = {} if held is None else {"drawn": some_of(held, 500)}
    sets |= {source: some_of(one, 400) for source in without if (one := every[source]) is not None}
    net = FaceReader()
    if begin is not None:
        net.load_state_dict(begin.state_dict())
    net = net.to(best_device(), memory_format=torch.channels_last)
    rate, held_rate = (MORE_RATE, MORE_HELD) if more else (RATE, HELD)
    course = Course(
        name=name, steps=steps, rate=rate, seed=seed_of(name), held=held_rate, minutes=pace.minutes
    )
    draw = draw_from(groups_of(drawn, plain, real), pace.size or BATCH)
    progress = Progress(COURSES / f"{name}.log", sets)

    def look(mean: Any, step: int) -> None:
        progress(mean, step)
        pace.look(mean, step)

    return train_network(net, draw, faces_loss, course, COURSES, look)


def held_from(name: str) -> list[str]:
    """What the course of that name, one of HELD_FROM, may not learn from: sources of photographs, and the
    surfaces that were cut out of them."""
    return [*HELD_FROM[name], *surfaces_beside(HELD_FROM[name])]
