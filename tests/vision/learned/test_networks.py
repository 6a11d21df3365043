"""A network's file that does not fit ends in a sentence, whatever onnxruntime makes of it."""

import numpy as np
import pytest

import vision.learned.networks
from models.files import FACES, FINDER
from vision.learned.networks import ModelError, Networks

PICTURE = np.zeros((1, 3, 64, 96), np.float32)
CUTS = np.zeros((2, 3, 48, 48), np.float32)


def test_our_networks_fit() -> None:
    assert Networks().find(PICTURE).shape == (8, 16, 24)
    assert [len(output) for output in Networks().read(CUTS)] == [2, 2, 2, 2]
    assert Networks().stance(CUTS).shape == (2, 3)


def test_the_other_network_s_file_does_not() -> None:
    with pytest.raises(ModelError, match=r"^faces.onnx is a network for something else; install Callbox"):
        Networks(finder=FACES).find(PICTURE)
    with pytest.raises(ModelError, match=r"^finder.onnx is a network for something else"):
        Networks(faces=FINDER).read(CUTS)
    with pytest.raises(ModelError, match=r"^faces.onnx is a network for something else"):
        Networks(standing=FACES).stance(CUTS)


def test_cuts_of_a_size_that_the_network_does_not_take_are_a_sentence() -> None:
    with pytest.raises(ModelError, match=r"^faces.onnx is a network for something else"):
        Networks().read(np.zeros((2, 3, 52, 40), np.float32))


def test_answers_of_another_size_are_refused_before_anybody_counts_on_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Coarser:
        """Answers for every eighth pixel."""

        def run(self, *_: object) -> list[np.ndarray]:
            return [np.zeros((1, 8, 8, 12), np.float32)]

    monkeypatch.setattr(vision.learned.networks, "session", lambda *_: Coarser())
    with pytest.raises(ModelError, match=r"^finder.onnx is a network for something else"):
        Networks().find(PICTURE)
