"""How the eye learns: `python -m models.training.eye_course STAGE --folder DIR`, each resumable at any step.

1. `scenes` draws wide scenes (`models.scenes.draw`) shard by shard and cuts them, those for measuring first.
2. `photos` cuts the photographs that may be learnt from; the project's networks tell where faces lie.
3. `learn NAME` teaches one eye from all shards that are there, also from those that are drawn meanwhile. It
   learns without the sources that LEFT_OUT gives for its name, and is measured on these: `upper`, `lower`, or
   `whole`, which learns from everything. Its checkpoint and its log lie in DIR; kill it whenever needed.
4. `look NAME` prints how the checkpoint does now, by source.

Batches depend on seed, step and the shards that are there.
"""

import argparse
import copy
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional
from tqdm import tqdm

from models.files import CACHE
from models.scenes.chance import Chance
from models.training.augmentation import places_told, shaped, shapes, show_lit, stuffed, under_lamps
from models.training.cuts import NOT_ASKED
from models.training.export import export_eye
from models.training.eye import (
    CUBE,
    D4,
    DOMINO,
    FACES,
    FIRST,
    HELD_OUT,
    NO_DIE,
    PRINT,
    SIDE_PX,
    STRANGER,
    TRUTH,
    WHATS,
    WIDE_PX,
    EyeCuts,
    cuts_of_photo,
    cuts_of_places,
    draw_eye_shard,
    keep_cuts,
    load_cuts,
)
from models.training.faces_course import places_on
from models.training.fit import HALF, Course, best_device, half_pays, seed_of, train_network
from models.training.nets import EyeNet, FaceReader
from models.training.photos import MORE_SOURCES, SOURCES, SURFACES, photos, surfaces_beside
from models.training.quantize import recall
from models.training.real import rows_of_photo
from models.training.store import draw_side_by_side, joined, rows_of, written_whole
from models.training.train import from_one_on, learning
from vision.learned.contract import CUT_SIDE_PX, POSES
from vision.learned.networks import Networks

LEFT_OUT: Mapping[str, tuple[str, ...]] = {
    "whole": (),
    "upper": (
        "rune55_trays",
        "rune55_round",
        "epanemu_dice3",
        "lurig_d4",
        "lurig_d6_numeral",
        "lurig_d20_numeral",
    ),
    "lower": (
        "chase_casino",
        "skovy_webcam",
        "kimble_dome",
        "nell_byler",
        "damiantab",
        "jamiekee_lime",
        "tomitomi3_cup",
        "burks_tower_numeral",
        "burks_barrel_d4_d12_d20",
        "neg_coins_euro",
    ),
}
"""The sources that a course does without, by its name: each source is left out once."""
BATCH = 64
RATE, HELD = 1.5e-3, 0.85
MEASURED_SHARDS = 4
SHARES = {
    "pip": 0.1,
    "zoinx": 0.12,
    "bet": 0.16,
    "lying": 0.08,
    "d4": 0.03,
    "stranger": 0.05,
    "print": 0.08,
    "domino": 0.05,
    "none": 0.09,
    "real pip": 0.17,
    "real d4": 0.015,
    "real stranger": 0.025,
    "real none": 0.03,
}
"""The shares of a batch: drawn dice that lie flat, by kind, others, what is none, and real ones."""
ANYHOW = {"stranger": "foreign", "print": "none", "domino": "none"}
"""What may lie in any turn, by the kinds that `models.training.augmentation.shapes` knows."""
FLAT = POSES.index("flat")
KINDS_OF_FACES = np.array([kind for kind, _ in FACES])
_KIND = {kind: np.flatnonzero(kind == KINDS_OF_FACES) for kind in ("pip", "zoinx", "bet")}
PIP_ONE, ZOINX_DOT = FACES.index(("pip", 1)), FACES.index(("zoinx", "dot"))


def eye_loss(net: Any, wide: Any, shape: Any, moves: Any, seed: Any, *truth: Any) -> Any:
    """The eye's loss for a batch, which is shown on the device that it learns on."""
    linear, shift = shape[:, :, :2], shape[:, :, 2]
    cuts = shaped(wide.permute(0, 3, 1, 2).float() / 255, linear.float(), shift.float(), SIDE_PX)
    cuts = show_lit(under_lamps(stuffed(cuts, int(seed) + 1), int(seed) + 2), int(seed))
    with torch.autocast(cuts.device.type, HALF, enabled=half_pays(cuts.device.type)):
        told = net(cuts.contiguous(memory_format=torch.channels_last))
    return _losses([each.float() for each in told], moves, *truth)


def _losses(
    told: Sequence[Any], moves: Any, faces: Any, whats: Any, poses: Any, steps: Any, unclear: Any
) -> Any:
    by_face, by_what, by_pose, step, place, _ = told
    ignored = {"ignore_index": NOT_ASKED, "reduction": "sum"}
    asked = (faces >= 0).sum().clamp(min=1)
    # Among the faces of its kind, as where the kind is named; and among all, where a small dot may be a one.
    kinds = torch.from_numpy(_same_kind()).to(faces.device)[faces.clamp(min=0)]
    named = functional.cross_entropy(
        by_face.masked_fill(~kinds, -30.0), faces, label_smoothing=0.0, **ignored
    )
    chances = functional.log_softmax(by_face, 1)
    either = torch.logaddexp(chances[:, PIP_ONE], chances[:, ZOINX_DOT])
    own = chances.gather(1, faces.clamp(min=0)[:, None])[:, 0]
    open_kind = -(torch.where(unclear, either, own) * (faces >= 0)).sum()
    smooth = -(chances.mean(1) * (faces >= 0)).sum()
    what = functional.cross_entropy(by_what, whats, label_smoothing=0.02, **ignored)
    pose = functional.cross_entropy(by_pose, poses, **ignored) / (poses >= 0).sum().clamp(min=1)
    known = torch.isfinite(steps).all(1)
    away = ((step[:, :2] - torch.nan_to_num(steps)) ** 2).sum(1).add(1e-6).sqrt()
    scatter = step[:, 2].clamp(-5, 2)
    stand = ((away * torch.exp(-scatter) + 2 * scatter) * known).sum() / known.sum().clamp(min=1)
    placed, turned, triangle = moves[:, 9], moves[:, 10], moves[:, 11]
    off = functional.smooth_l1_loss(place[:, :5], moves[:, :5], reduction="none", beta=0.1)
    lies = (off[:, :3].sum(1) * placed + off[:, 3:].sum(1) * turned).sum()
    turns = (((place[:, 5:7] - moves[:, 5:7]) ** 2).sum(1) * turned).sum()
    turns = turns + (((place[:, 7:9] - moves[:, 7:9]) ** 2).sum(1) * triangle).sum()
    by_place = (2.0 * lies + 0.5 * turns) / placed.sum().clamp(min=1)
    by_what_loss = what / (whats >= 0).sum().clamp(min=1)
    return (
        (named + 0.6 * open_kind + 0.03 * smooth) / asked + by_what_loss + 0.3 * pose + 0.1 * stand + by_place
    )


def _same_kind() -> NDArray[np.bool_]:
    """For each face, which faces are of its kind."""
    return np.asarray(KINDS_OF_FACES[:, None] == KINDS_OF_FACES[None])


# What batches are made of.


def labels_of(cuts: EyeCuts) -> NDArray[np.str_]:
    """The kind of each cut's face, else what it shows; "hidden" where its face is not asked."""
    out = np.array(WHATS)[cuts.whats]
    face = np.array([*KINDS_OF_FACES, "hidden"])[cuts.faces]
    return np.where(cuts.whats == CUBE, face, out)


class Larder:
    """All cuts that are there, by what they show; new shards come in while an eye learns."""

    LOOKED_EVERY_S = 60.0

    def __init__(self, folder: Path, without: Sequence[str], size: int = BATCH) -> None:
        """`size` is that of a batch. Waits until a first shard has been drawn."""
        self._folder, self._size = folder, size
        self._parts: list[EyeCuts] = []
        self._known: set[Path] = set()
        self._groups: dict[str, list[NDArray[np.intp]]] = {}
        self._count = 0
        for source in (*SOURCES, *MORE_SOURCES, *SURFACES):
            cuts = load_cuts(folder / "photos" / source)
            if cuts is not None and source not in (*without, *surfaces_beside(without)):
                self._add(cuts, np.char.add("real ", labels_of(cuts)))
        self.look()
        if not self._known:
            print(f"no shard of wide scenes in {folder} yet: waiting (stage scenes draws them)", flush=True)
        while not self._known:
            time.sleep(5)
            self.look()

    def look(self) -> None:
        """Take in the shards that are new."""
        self._looked_s = time.monotonic()
        for path in sorted((self._folder / "scenes").glob("*.json")):
            new = path not in self._known and int(path.stem) < HELD_OUT
            cuts = load_cuts(path) if new else None
            if cuts is not None:
                self._known.add(path)
                lying = (cuts.poses != NOT_ASKED) & (cuts.poses != FLAT)
                self._add(cuts, np.where(lying, "lying", labels_of(cuts)))

    def _add(self, cuts: EyeCuts, kinds: NDArray[np.str_]) -> None:
        """Take in cuts. Those of a photograph's source stay a group of their own, drawn ones become one."""
        for kind in np.unique(kinds):
            rows = np.flatnonzero(kinds == kind) + self._count
            groups = self._groups.setdefault(str(kind), [])
            if groups and not str(kind).startswith("real"):
                groups[0] = np.concatenate((groups[0], rows))
            else:
                groups.append(rows)
        self._parts.append(cuts)
        self._count += len(cuts)

    def draw(self, chance: Chance) -> tuple[Any, ...]:
        """A batch as `eye_loss` takes it."""
        if time.monotonic() - self._looked_s > self.LOOKED_EVERY_S:
            self.look()
        cuts = self._rows(np.concatenate([self._pick(*one, chance) for one in self._counts(chance)]))
        labels = [ANYHOW.get(str(one), str(one)) for one in labels_of(cuts)]
        linear, shift = shapes(labels, chance)
        moves = places_told((linear, shift), labels, cuts.placed)
        steps = np.linalg.solve(linear, cuts.steps[:, :, None].astype(np.float64))[:, :, 0]
        shape = np.concatenate((linear, shift[:, :, None]), 2)
        seed = np.array(chance.integers(2**31))
        return (cuts.pictures, shape, moves, seed, cuts.faces, cuts.whats, cuts.poses,
                steps.astype(np.float32), cuts.unclear)  # fmt: skip

    def _rows(self, rows: NDArray[np.intp]) -> EyeCuts:
        """These cuts, of whatever part."""
        parts = list(self._parts)
        ends = np.cumsum([len(part) for part in parts])
        which = np.searchsorted(ends, rows, side="right")
        order = np.argsort(which, kind="stable")
        out: list[EyeCuts] = []
        for part in np.unique(which).tolist():
            own = rows[order][which[order] == part] - (ends[part] - len(parts[part]))
            out.append(rows_of(parts[part], own))
        cuts: EyeCuts = joined(EyeCuts, out)
        return cuts

    def _counts(self, chance: Chance) -> list[tuple[str, int]]:
        """How many cuts of each kind a batch has."""
        there = {name: share for name, share in SHARES.items() if name in self._groups}
        shares = np.cumsum(list(there.values())) / sum(there.values())
        ends = np.searchsorted((np.arange(self._size) + chance.random()) / self._size, shares)
        spans = pairwise([0, *ends.tolist()])
        return [(name, last - first) for name, (first, last) in zip(there, spans, strict=True)]

    def _pick(self, name: str, count: int, chance: Chance) -> NDArray[np.intp]:
        """Some cuts of a kind; the share of each real source goes with the square root of how many it
        has."""
        groups = self._groups[name]
        weights = np.array([len(rows) ** 0.5 for rows in groups])
        which = chance.choice(len(groups), count, p=weights / weights.sum())
        return np.array([groups[one][int(chance.integers(len(groups[one])))] for one in which], np.intp)


# The stages.


def draw_scenes(folder: Path, shards: int, processes: int) -> None:
    """Draw and cut wide scenes: those for measuring, then so many shards to learn from."""
    numbers = [*range(HELD_OUT, HELD_OUT + MEASURED_SHARDS), *range(FIRST, FIRST + shards)]
    numbers = [numbers[0], *numbers[MEASURED_SHARDS:], *numbers[1:MEASURED_SHARDS]]
    every = [(folder / "scenes" / f"{number:04d}.json", number) for number in numbers]
    draw_side_by_side(draw_eye_shard, every, processes, "wide scenes, by the hundred")


def cut_photos(folder: Path, threads: int) -> None:
    """Cut the photographs and the bare surfaces, where that was not done yet."""
    kept = folder / "photos"
    kept.mkdir(parents=True, exist_ok=True)
    networks = Networks(threads=threads)
    for source in (*MORE_SOURCES, *SOURCES):
        every = [] if load_cuts(kept / source) is not None else photos(source)
        if not every:
            continue
        chance = np.random.default_rng(sum(source.encode()))
        parts = [
            cuts_of_photo(one, rows_of_photo(one, networks, chance))
            for one in tqdm(every, desc=source, mininterval=10)
        ]
        cuts = joined(EyeCuts, parts)
        keep_cuts(kept / source, cuts)
        _tell(source, cuts)
    for source in SURFACES:
        places = [] if load_cuts(kept / source) is not None else places_on(source, networks)
        if places:
            cuts = cuts_of_places(places)
            keep_cuts(kept / source, cuts)
            _tell(source, cuts)


def _tell(source: str, cuts: EyeCuts) -> None:
    print(source, dict(zip(*np.unique(labels_of(cuts), return_counts=True), strict=True)), flush=True)


PACKED_QUALITY = 90
"""With WebP of this quality a cut takes some 2 kB."""


def pack_photos(folder: Path, pack: Path) -> None:
    """Write the cuts of all photographs into one file that travels, as WebP."""
    parts: dict[str, Any] = {}
    for path in sorted((folder / "photos").glob("*.npz")):
        cuts = load_cuts(path)
        if cuts is None:
            continue
        every = [cv2.imencode(".webp", np.asarray(picture), [cv2.IMWRITE_WEBP_QUALITY, PACKED_QUALITY])[1]
                 for picture in cuts.pictures]  # fmt: skip
        parts[f"{path.stem}/webp"] = np.concatenate(every)
        parts[f"{path.stem}/ends"] = np.cumsum([len(one) for one in every])
        for name in TRUTH:
            parts[f"{path.stem}/{name}"] = getattr(cuts, name)
    with written_whole(pack) as file:
        np.savez(file, **parts)
    print(f"{pack}: {pack.stat().st_size:,} bytes", flush=True)


def unpack_photos(folder: Path, pack: Path) -> None:
    """Write the cuts of photographs as they were before they were packed."""
    (folder / "photos").mkdir(parents=True, exist_ok=True)
    with np.load(pack) as parts:
        for source in sorted({name.split("/")[0] for name in parts}):
            packed = np.split(parts[f"{source}/webp"], parts[f"{source}/ends"][:-1])
            pictures = [cv2.imdecode(one, cv2.IMREAD_COLOR) for one in packed]
            truth = {name: parts[f"{source}/{name}"] for name in TRUTH}
            keep_cuts(folder / "photos" / source, EyeCuts(pictures=np.array(pictures, np.uint8), **truth))


class EyeLog:
    """Measures an eye while it learns and logs the figures."""

    def __init__(self, path: Path, sets: Mapping[str, EyeCuts], every_s: float) -> None:
        """`path` is the log's; `sets` are cuts that it does not learn from, by name."""
        self._path, self._sets, self._every_s = path, sets, every_s
        self._begun = time.monotonic()
        self._looked_s = self._begun

    def __call__(self, net: Any, step: int) -> None:
        """Log one line for each set, but not too often."""
        if time.monotonic() - self._looked_s < self._every_s:
            return
        self._looked_s = time.monotonic()
        export_eye(copy.deepcopy(net), self._path.with_suffix(".onnx"))
        torch.save({"mean": net.state_dict(), "step": step}, self._path.with_suffix(".mean"))
        for name, cuts in self._sets.items():
            line = (
                f"step {step}, {time.monotonic() - self._begun:.0f} s, {name}: {figures(net, cuts, turns=1)}"
            )
            with self._path.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
            print(line, flush=True)


def figures(net: Any, cuts: EyeCuts, turns: int = 4) -> str:
    """How an eye does on cuts, their places given.

    Of the flat dice of each kind: the share right where the kind is named; the shares that could be accepted,
    by its own chance, with none wrong and with 0.3 % wrong. Of what is no such die: the share that it takes
    for a cube with a chance of a half and more.
    """
    faces, whats = answers(net, cuts.pictures, turns)
    labels = labels_of(cuts)
    flat = (cuts.poses == FLAT) | (cuts.poses == NOT_ASKED)
    out = []
    for kind, columns in _KIND.items():
        rows = np.flatnonzero((labels == kind) & flat)
        if len(rows):
            chances = _softmax(faces[rows][:, columns])
            right = columns[chances.argmax(1)] == cuts.faces[rows]
            sure = chances.max(1) * whats[rows, CUBE]
            out.append(f"{kind} {100 * right.mean():.1f} of {len(rows)}, {accepted(right, sure)}")
    for what in (CUBE, STRANGER, D4, PRINT, DOMINO, NO_DIE):
        rows = np.flatnonzero((cuts.whats == what) & flat)
        if len(rows):
            out.append(f"{WHATS[what]} as cube {100 * (whats[rows, CUBE] > 0.5).mean():.1f} of {len(rows)}")
    return "; ".join(out)


def accepted(right: NDArray[np.bool_], sure: NDArray[Any]) -> str:
    """The shares that could be accepted with no error, and with 0.3 % wrong."""
    order = np.argsort(-sure)
    wrong = np.cumsum(~right[order])
    count = np.arange(1, len(order) + 1)
    shares = [float(np.max(np.where(wrong <= most * count, count, 0))) / len(order) for most in (0, 0.003)]
    return " / ".join(f"{100 * share:.0f}" for share in shares)


def answers(net: Any, pictures: Any, turns: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Face logits, the mean of so many quarter turns, and chances of whats for wide cuts."""
    device = next(net.parameters()).device
    edge = (WIDE_PX - SIDE_PX) // 2
    faces, whats = [], []
    for first in range(0, len(pictures), BATCH):
        cuts = np.ascontiguousarray(pictures[first : first + BATCH, edge:-edge, edge:-edge])
        shown = torch.from_numpy(cuts).permute(0, 3, 1, 2).float().to(device)
        with torch.no_grad(), torch.autocast(device.type, HALF, enabled=half_pays(device.type)):
            told = [net(torch.rot90(shown, turn, (2, 3)))[:2] for turn in range(turns)]
        faces.append(
            torch.stack([torch.log_softmax(one[0].float(), 1) for one in told]).mean(0).cpu().numpy()
        )
        whats.append(torch.stack([torch.softmax(one[1].float(), 1) for one in told]).mean(0).cpu().numpy())
    return np.concatenate(faces), np.concatenate(whats)


def _softmax(logits: NDArray[Any]) -> NDArray[Any]:
    powers = np.exp(logits - logits.max(1, keepdims=True))
    return np.asarray(powers / powers.sum(1, keepdims=True))


def measured_sets(folder: Path, without: Sequence[str], most: int) -> dict[str, EyeCuts]:
    """What an eye is measured on: scenes that none learns from, and the sources that it does without; at most
    so many cuts of each."""
    every = {"drawn": load_cuts(folder / "scenes" / f"{HELD_OUT}")}
    every |= {source: load_cuts(folder / "photos" / source) for source in without}
    out = {}
    for name, cuts in every.items():
        if cuts is not None:
            rows = np.linspace(0, len(cuts) - 1, min(most, len(cuts))).astype(int)
            out[name] = rows_of(cuts, rows)
    return out


def learn(
    folder: Path, course: Course, size: int, begin: Path | None = None, look_every_s: float = 1800.0
) -> Any:
    """The eye after a course; it goes on from its checkpoint where there is one. Whenever it is measured, its
    file (ONNX, of floating point numbers) is written too."""
    without = LEFT_OUT[course.name.removeprefix("eye-")]
    larder = Larder(folder, without, size)
    net = EyeNet()
    if begin is not None and begin.suffix == ".onnx":
        begin_with_faces(net, begin, larder)
    elif begin is not None:
        net.load_state_dict(torch.load(begin, weights_only=True, map_location="cpu")["mean"])
    net = net.to(best_device(), memory_format=torch.channels_last)
    look = EyeLog(folder / f"{course.name}.log", measured_sets(folder, without, 300), look_every_s)
    return train_network(net, larder.draw, eye_loss, course, folder, look)


def begin_with_faces(net: Any, path: Path, larder: Larder) -> None:
    """Give an eye the layers of a face reader's file that see: what a cut's parts look like is known there.

    Raises RecallError where the file is of another network, OSError where it cannot be read.
    """
    wide, *_ = larder.draw(np.random.default_rng(0))
    edge = (WIDE_PX - CUT_SIDE_PX) // 2
    cuts = np.ascontiguousarray(wide[:, edge:-edge, edge:-edge])
    reader = recall(FaceReader(), path, torch.from_numpy(cuts).permute(0, 3, 1, 2).float())
    net.body.load_state_dict(reader.body.state_dict())


def look_at(folder: Path, name: str) -> None:
    """Print how the checkpoint of that name does, on everything that it does without."""
    net = EyeNet()
    saved = torch.load(folder / f"eye-{name}.pt", weights_only=True, map_location="cpu")
    net.load_state_dict(saved["mean"])
    net.eval()
    print(f"step {saved['step']}")
    for source, cuts in measured_sets(folder, LEFT_OUT[name], 100_000).items():
        print(f"{source}: {figures(net, cuts)}", flush=True)


def main() -> None:
    """Run a stage."""
    parser = argparse.ArgumentParser(description="Teaches the eye.")
    parser.add_argument("stage", choices=("scenes", "photos", "learn", "look", "pack", "unpack"))
    parser.add_argument("name", nargs="?", default="whole", choices=tuple(LEFT_OUT))
    parser.add_argument("--folder", type=Path, default=CACHE / "eye")
    parser.add_argument("--shards", type=from_one_on, default=400, help="hundreds of scenes to learn from")
    parser.add_argument("--steps", type=from_one_on, default=120_000)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="ends a course in any case")
    parser.add_argument("--size", type=from_one_on, default=BATCH, help="of a batch")
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--look-every", type=float, default=1800.0, help="seconds between measurements")
    parser.add_argument("--pack", type=Path, help="the file of stages pack and unpack")
    parser.add_argument("--begin", type=Path, help="a checkpoint, or a face reader's file, to begin with")
    parser.add_argument("--threads", type=from_one_on, default=1)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    stages: dict[str, Callable[[], object]] = {
        "scenes": lambda: draw_scenes(asked.folder, asked.shards, asked.threads),
        "photos": lambda: cut_photos(asked.folder, asked.threads),
        "pack": lambda: pack_photos(asked.folder, asked.pack),
        "unpack": lambda: unpack_photos(asked.folder, asked.pack),
        "learn": lambda: learn(
            asked.folder,
            Course(
                name=f"eye-{asked.name}",
                steps=asked.steps,
                rate=asked.rate,
                seed=seed_of(asked.name),
                held=HELD,
                minutes=asked.minutes,
            ),
            asked.size,
            asked.begin,
            asked.look_every,
        ),
        "look": lambda: look_at(asked.folder, asked.name),
    }
    with learning(asked.threads):
        stages[asked.stage]()


if __name__ == "__main__":
    main()
