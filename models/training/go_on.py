"""Teaches a network more, from its file: `python -m models.training.go_on faces --steps 8000`.

It takes up the weights of the project's file (`models.training.quantize`) and learns from all scenes that are
kept, and photographs where they lie beside the project, for so many steps more. What is written is the mean
of the weights before and after (Wortsman et al., 2022): of what neither saw that often knows more than
either. The course's checkpoint bears the name of the file that it began with, so one that was interrupted
goes on, and the next begins anew.

With `--out` it goes on on a machine that is there for some minutes only (`models/training/gpu_run.sh`): from
what is kept just then, and the network is written to that folder whenever there is a checkpoint. The file
that it began with is left, so a further call goes on from the checkpoint, with what was drawn meanwhile.

With `--without upper`, finder and face reader go on without the sources that they are measured on, from the
file that learnt without them.
"""

import argparse
from collections.abc import Callable
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch

from models.files import D4, FACES, FINDER, MEASURING, STANCE
from models.training.d4_course import BATCH as D4_BATCH
from models.training.d4_course import D4Reader, batches_of_d4, batches_of_kept_d4, learn_more_d4
from models.training.export import SHOWN, export_d4, export_faces, export_finder, export_stance, sign
from models.training.faces_course import cut_everything, held_from, learn_faces
from models.training.finder_course import from_scenes, learn_finder, real_samples
from models.training.fit import Pace, mean_of
from models.training.nets import FaceReader, FinderNet, StanceNet
from models.training.photos import HELD_FROM
from models.training.quantize import recall
from models.training.store import HELD_OUT, SPECIAL, Store, scenes_folder
from models.training.train import SHARDS, from_one_on, learn_stance, learning, stance_cuts
from vision.learned.networks import Networks

FILES = {"finder": FINDER, "faces": FACES, "stance": STANCE, "d4": D4}
Export = Callable[[Any, Path], None]
SHOWN_TO = {"finder": 2, "faces": 24, "stance": 24}
"""Over how many scenes a network of bytes gets its normalisations back; every third picture that the finder
is shown has another size."""


class FurtherCourse:
    """What one network goes on to learn, from what it knows."""

    def __init__(self, asked: argparse.Namespace) -> None:
        """`asked` is what the command line says. Raises FileNotFoundError where there is no file to go on
        from, or no scenes are kept."""
        self._asked = asked
        self._held = held_from(asked.without) if asked.without else []
        self.path = FILES[asked.network]
        if asked.without:
            self.path = MEASURING / f"{asked.network}-{asked.without}.onnx"
        if not self.path.is_file():
            stage = asked.without or asked.network
            raise FileNotFoundError(
                f"no {self.path} to go on from: make it first (python -m models.training.train {stage})"
            )
        self._name = f"{asked.network}-on-{sha256(self.path.read_bytes()).hexdigest()[:8]}"
        self._store = Store(scenes_folder(), 0, HELD_OUT)
        self._stores = [self._store, *(Store(scenes_folder(), *shards) for shards in SPECIAL)]

    def run(self) -> None:
        """Learn, and write the file. Raises FileNotFoundError where scenes are missing or a photograph cannot
        be read, RecallError where the file is of another network, ModelError where one of those that look
        for dice in pictures is damaged."""
        courses: dict[str, Callable[[], None]] = {
            "finder": self._finder,
            "faces": self._faces,
            "stance": self._stance,
            "d4": self._d4,
        }
        courses[self._asked.network]()

    def _finder(self) -> None:
        """The finder goes on."""
        scenes = from_scenes(self._stores)
        sample = real_samples(scenes, self._held, Networks(threads=self._asked.threads)) or scenes
        known = self._load_weights(FinderNet())
        pace = self._pace(known, export_finder)
        self._write(known, learn_finder(self._name, sample, self._asked.steps, known, pace), export_finder)

    def _faces(self) -> None:
        """The face reader goes on."""
        asked = self._asked
        if not asked.out:
            cut_everything(asked.shards, Networks(threads=asked.threads))
        known = self._load_weights(FaceReader())
        pace = self._pace(known, export_faces)
        learnt = learn_faces(self._name, asked.shards, asked.steps, self._held, known, more=True, pace=pace)
        self._write(known, learnt, export_faces)

    def _stance(self) -> None:
        """The stance network goes on."""
        known, cuts = self._load_weights(StanceNet()), stance_cuts(self._stores)
        pace = self._pace(known, export_stance)
        self._write(known, learn_stance(self._name, cuts, self._asked.steps, known, pace), export_stance)

    def _d4(self) -> None:
        """The D4 network goes on."""
        asked = self._asked
        if asked.out:
            draw = batches_of_kept_d4(self._store, asked.size or D4_BATCH)
        else:
            draw = batches_of_d4(self._store, asked.threads)
        shown, *_ = draw(np.random.default_rng(0))
        known = recall(D4Reader(), self.path, torch.from_numpy(shown).float())
        seed = int(self._name[-8:], 16)
        pace = self._pace(known, export_d4)
        self._write(known, learn_more_d4(self._name, draw, asked.steps, known, seed, pace), export_d4)

    def _pace(self, known: Any, export: Export) -> Pace:
        """As it was asked for; with a folder to write to, the mean of `known` and what was learnt is written
        there."""
        asked = self._asked
        if not asked.out:
            return Pace()

        def look(learnt: Any, _step: int) -> None:
            asked.out.mkdir(parents=True, exist_ok=True)
            draft = asked.out / f"draft-{self.path.name}"  # broken off, the one before is left
            export(mean_of(known, learnt), draft)
            draft.replace(asked.out / self.path.name)

        return Pace(size=asked.size, minutes=asked.minutes, look=look)

    def _write(self, known: Any, learnt: Any, export: Export) -> None:
        """Write the file, unless it is written elsewhere."""
        if not self._asked.out:
            export(mean_of(known, learnt), self.path)

    def _load_weights(self, net: Any) -> Any:
        """The network with what its file knows."""
        network = self._asked.network
        shown = np.concatenate(list(islice(SHOWN[network](self._store), SHOWN_TO[network])))
        return recall(net, self.path, torch.from_numpy(shown))


def _parse_arguments() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(description="Teaches a network more, from its file.")
    parser.add_argument("network", choices=FILES)
    parser.add_argument("--steps", type=from_one_on, default=8000)
    parser.add_argument(
        "--shards", type=from_one_on, default=SHARDS, help="hundreds of scenes that faces learns from"
    )
    parser.add_argument("--without", choices=HELD_FROM, help="to be measured only")
    parser.add_argument(
        "--out", type=Path, help="a folder: what is learnt is written there, minute by minute"
    )
    parser.add_argument("--minutes", type=float, default=float("inf"), help="with --out: it ends after these")
    parser.add_argument("--size", type=from_one_on, help="with --out: of a batch")
    parser.add_argument("--threads", type=from_one_on, default=2)
    asked = parser.parse_args()
    if asked.without and asked.network not in ("finder", "faces"):
        parser.error(f"{asked.network} learns from no photographs: there is nothing to leave out")
    return asked


def main() -> None:
    """Learn, write the file, and sign its card."""
    asked = _parse_arguments()
    with learning(asked.threads):
        course = FurtherCourse(asked)
        course.run()
    written = asked.out / course.path.name if asked.out else course.path
    if not asked.out and course.path.with_suffix(".md").is_file():
        sign(course.path)
    print(f"{written}: written", flush=True)


if __name__ == "__main__":
    main()
