"""Runs the networks: each is loaded once, threads are set, memory is kept small.

Pictures go in as bytes as they come from a camera, channels last. The networks in the models folder calculate
with bytes (`models/training/quantize.py`); one that takes floating point numbers is given those.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

# The wheels for Linux tell their maker of each session, with an identity kept in the home folder, unless this
# is set before they are loaded (github.com/microsoft/onnxruntime/pull/27379). What a table plays is its own.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
import onnxruntime

from calibration.arrays import Picture, Singles
from engine.wording import phrase
from models.files import CLAIM, CORNER, D4, EDGE, FACES, FINDER, STANCE, ModelError, load_network
from vision.learned.contract import (
    ACROSS,
    ALONG,
    CLAIM_SIDE_PX,
    CLAIMS,
    CLASSES,
    CORNER_FEATURES,
    CORNER_OUTPUTS,
    CORNER_PX,
    CORNERS,
    MOVES,
    POSES,
    SIDES,
    STANCE_SIDE_PX,
)
from vision.learned.contract import SIDE_FEATURES as KNOWN_OF_SIDES
from vision.learned.contract import SIDE_OUTPUTS as TOLD_OF_SIDES
from vision.learned.d4_contract import CLASSES as D4_CLASSES
from vision.learned.d4_contract import CUT_PX as D4_CUT_PX
from vision.learned.d4_contract import POINTS as D4_POINTS

EMBEDDING = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Networks:
    """The network files that are run, and on how many threads."""

    finder: Path = FINDER
    faces: Path = FACES
    d4: Path = D4
    standing: Path = STANCE
    corner: Path = CORNER
    edge: Path = EDGE
    claim: Path = CLAIM
    threads: int = 1

    def find(self, picture: Picture) -> Singles:
        """The finder's answer to one picture (H x W x 3, both multiples of 32): 8 x H/4 x W/4."""
        answer: Singles = self.find_in(picture[None])[0]
        return answer

    def find_in(self, pictures: Picture) -> Singles:
        """The same for N x H x W x 3: N x 8 x H/4 x W/4."""
        number, height, width = pictures.shape[:3]
        (told,) = _run(
            self.finder, self.threads, {"picture": pictures}, [(number, 8, height // 4, width // 4)]
        )
        return told

    @property
    def cut_side_px(self) -> int:
        """The sides of the cuts that the face reader takes. Raises ModelError where its file takes none."""
        asked = session(self.faces, self.threads).get_inputs()[0]
        side = asked.shape[2] if len(asked.shape) == 4 else None
        if not isinstance(side, int):
            raise ModelError(_unfit(self.faces))
        return side

    def read(self, cuts: Picture) -> tuple[Singles, Singles, Singles, Singles]:
        """For N x side x side x 3: class logits, pose logits, embeddings (64 each), and how the faces lie in
        the cuts (`contract.MOVES` each)."""
        shapes = [(len(cuts), numbers) for numbers in (len(CLASSES), len(POSES), EMBEDDING, MOVES)]
        classes, poses, embeddings, moves = _run(self.faces, self.threads, {"cuts": cuts}, shapes)
        return classes, poses, embeddings, moves

    def stance(self, cuts: Picture) -> Singles:
        """For N x 48 x 48 x 3: N x 3, the step from foot to up-face in half edges, and the log of its
        scatter."""
        (told,) = _run(self.standing, self.threads, {"cuts": cuts}, [(len(cuts), 3)])
        return told

    def read_d4(self, cuts: Picture) -> tuple[Singles, Singles, Singles]:
        """For N x 128 x 128 x 3: class logits, pose logits, and where corners and tips lie in the cuts (8
        each)."""
        shapes = [(len(cuts), numbers) for numbers in (len(D4_CLASSES), len(POSES), D4_POINTS)]
        classes, poses, points = _run(self.d4, self.threads, {"cuts": cuts}, shapes)
        return classes, poses, points

    def roundings(self, cuts: Picture, known: Singles) -> Singles:
        """For the four corners of N dice (4 N x 32 x 32 x 6) and what a fit knew of each (4 N x 8): N x 2,
        the rounding and one sigma of it, mm."""
        given: dict[str, Picture | Singles] = {"cuts": cuts, "known": known}
        (told,) = _run(self.corner, self.threads, given, [(len(cuts) // CORNERS, CORNER_OUTPUTS)])
        return told

    def edges(self, strips: Picture, known: Singles) -> Singles:
        """For strips across the four sides of N dice (4 N x 64 x 6 x 6) and what is known of each (4 N x 5):
        N x 6, by how much each die was cut out wrongly, mm (`vision.learned.contract.SIDE_OUTPUTS`)."""
        given: dict[str, Picture | Singles] = {"strips": strips, "known": known}
        (told,) = _run(self.edge, self.threads, given, [(len(strips) // SIDES, TOLD_OF_SIDES)])
        return told

    def verify(self, claims: Picture, steps: Singles) -> Singles:
        """For N claimed dice (N x 48 x 48 x 6, and N x 2: `contract.claim_cut`): N x 3, the log odds of what
        is true of each (`contract.CLAIMS`)."""
        given: dict[str, Picture | Singles] = {"claims": claims, "steps": steps}
        (told,) = _run(self.claim, self.threads, given, [(len(claims), len(CLAIMS))])
        return told

    def tried(self) -> "Networks":
        """The same networks, each loaded and run once, so that a missing or unfit one is noticed before
        anybody throws. Raises ModelError."""
        self.find(np.zeros((32, 32, 3), np.uint8))
        self.read(np.zeros((1, self.cut_side_px, self.cut_side_px, 3), np.uint8))
        self.stance(np.zeros((1, STANCE_SIDE_PX, STANCE_SIDE_PX, 3), np.uint8))
        self.read_d4(np.zeros((1, D4_CUT_PX, D4_CUT_PX, 3), np.uint8))
        corners = np.zeros((CORNERS, CORNER_PX, CORNER_PX, 6), np.uint8)
        self.roundings(corners, np.zeros((CORNERS, CORNER_FEATURES), np.float32))
        strips = np.zeros((SIDES, ACROSS, ALONG, 6), np.uint8)
        self.edges(strips, np.zeros((SIDES, KNOWN_OF_SIDES), np.float32))
        self.verify(np.zeros((1, CLAIM_SIDE_PX, CLAIM_SIDE_PX, 6), np.uint8), np.zeros((1, 2), np.float32))
        return self


@lru_cache(maxsize=8)
def session(path: Path, threads: int) -> onnxruntime.InferenceSession:
    """The onnxruntime session of a file, made once for each number of threads. Raises ModelError."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Pictures come in many sizes: memory is planned for each anew, not kept for every size seen so far.
    options.enable_mem_pattern = False
    # Threads that wait for work sleep: else they take the processor from the camera and the other reader.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    data = load_network(path)
    try:
        return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's errors share no base but this
        raise ModelError(
            phrase("{name} is no network that can be run; install Callbox again", name=path.name)
        ) from error


def _run(
    path: Path, threads: int, given: Mapping[str, Picture | Singles], shapes: Sequence[tuple[int, ...]]
) -> list[Singles]:
    """All outputs of a network for pictures (N x H x W x 3, or more channels) and numbers, float32.

    Memory beyond that of a usual input is given back to the system afterwards. Raises ModelError where the
    network takes something else, or its outputs do not have those shapes.
    """
    options = onnxruntime.RunOptions()
    if max(each.size for each in given.values()) > ROOMY:
        options.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
    loaded = session(path, threads)
    takes = dict(given)
    for asked in loaded.get_inputs():
        if asked.type == "tensor(float)" and asked.name in given and given[asked.name].ndim == 4:
            takes[asked.name] = np.ascontiguousarray(given[asked.name].transpose(0, 3, 1, 2), np.float32)
    try:
        outputs: list[Singles] = loaded.run(None, takes, options)
    except Exception as error:  # onnxruntime's errors share no base but this
        raise ModelError(_unfit(path)) from error
    if [output.shape for output in outputs] != list(shapes):
        raise ModelError(_unfit(path))
    return outputs


def _unfit(path: Path) -> str:
    return phrase(
        "{name} is a network for something else; install Callbox again or run `make models`", name=path.name
    )


ROOMY = 3 * 832 * 640
"""The numbers in a usual input; after a larger one, memory is given back."""
