"""A network's file that does not fit ends in a sentence, whatever onnxruntime makes of it."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from onnxruntime import NodeArg

import vision.learned.networks
from models.files import FACES, FINDER, STANCE, ModelError
from vision.learned.networks import Networks, session

ROOT = Path(__file__).parents[3]
PICTURE = np.zeros((64, 96, 3), np.uint8)
CUTS = np.zeros((2, 48, 48, 3), np.uint8)
CORNERS, KNOWN = np.zeros((8, 32, 32, 6), np.uint8), np.zeros((8, 8), np.float32)


def test_our_networks_fit() -> None:
    assert Networks().find(PICTURE).shape == (8, 16, 24)
    assert [len(output) for output in Networks().read(CUTS)] == [2, 2, 2, 2]
    assert Networks().stance(CUTS).shape == (2, 3)
    assert Networks().roundings(CORNERS, KNOWN).shape == (2, 2)


@pytest.mark.parametrize("path", [FINDER, FACES, STANCE], ids=["finder", "faces", "stance"])
def test_our_networks_reckon_with_bytes(path: Path) -> None:
    (asked,) = session(path, 1).get_inputs()
    assert asked.type == "tensor(uint8)", "run python -m models.training.export on it"


def test_the_other_network_s_file_does_not() -> None:
    with pytest.raises(ModelError, match=r"^faces.onnx is a network for something else; install Callbox"):
        Networks(finder=FACES).find(PICTURE)
    with pytest.raises(ModelError, match=r"^finder.onnx is a network for something else"):
        Networks(faces=FINDER).read(CUTS)
    with pytest.raises(ModelError, match=r"^faces.onnx is a network for something else"):
        Networks(standing=FACES).stance(CUTS)
    with pytest.raises(ModelError, match=r"^stance.onnx is a network for something else"):
        Networks(corner=STANCE).roundings(CORNERS, KNOWN)


def test_cuts_of_a_size_that_the_network_does_not_take_are_a_sentence() -> None:
    with pytest.raises(ModelError, match=r"^faces.onnx is a network for something else"):
        Networks().read(np.zeros((2, 52, 40, 3), np.uint8))


def test_answers_of_another_size_are_refused_before_anybody_counts_on_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = session(FINDER, 1)

    class Coarser:
        """Answers for every eighth pixel."""

        def get_inputs(self) -> list[NodeArg]:
            return list(real.get_inputs())

        def run(self, *_: object) -> list[np.ndarray]:
            return [np.zeros((1, 8, 8, 12), np.float32)]

    monkeypatch.setattr(vision.learned.networks, "session", lambda *_: Coarser())
    with pytest.raises(ModelError, match=r"^finder.onnx is a network for something else"):
        Networks().find(PICTURE)


@pytest.mark.long
def test_the_networks_tell_nobody_that_they_run(tmp_path: Path) -> None:
    """onnxruntime's wheels keep an identity and a queue of reports in the home folder, unless told not to."""
    code = "from vision.learned.networks import Networks; Networks().tried()"
    home = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-B", "-c", code], env=home, check=True, cwd=tmp_path)
    assert list(tmp_path.rglob("*")) == []
