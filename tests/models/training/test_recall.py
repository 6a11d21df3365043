"""A network takes its weights up from its file, whether that reckons in floating point or in bytes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest

torch = pytest.importorskip(
    "torch", reason="torch is needed only to make networks (requirements-models.lock)"
)

from models.files import D4, FACES, FINDER, STANCE  # noqa: E402 - torch first, as above
from models.training.d4_course import D4Reader  # noqa: E402
from models.training.nets import FaceReader, FinderNet, StanceNet  # noqa: E402
from models.training.quantize import RecallError, recall  # noqa: E402


def pictures(height: int, width: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Coarse coloured noise (8 x height x width x 3)."""
    noise = np.random.default_rng(3).integers(0, 256, (8, height // 8, width // 8, 3))
    return noise.repeat(8, axis=1).repeat(8, axis=2).astype(np.uint8)


@pytest.mark.parametrize(
    ("net", "path", "size", "alike"),
    [
        (D4Reader, D4, (128, 128), 0.999999),
        (FaceReader, FACES, (48, 48), 0.995),
        (FinderNet, FINDER, (96, 128), 0.995),
        (StanceNet, STANCE, (48, 48), 0.99),
    ],
)
def test_what_was_taken_up_says_what_the_file_says(
    net: Callable[[], Any], path: Path, size: tuple[int, int], alike: float
) -> None:
    seen = pictures(*size)
    shown = torch.from_numpy(seen.transpose(0, 3, 1, 2).copy()).float()
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    (asked,) = session.get_inputs()
    in_bytes = asked.type == "tensor(uint8)"
    told = session.run(None, {asked.name: seen if in_bytes else shown.numpy()})
    with torch.no_grad():
        says = recall(net(), path, shown)(shown)
    for one, other in zip(says if isinstance(says, tuple) else (says,), told, strict=True):
        assert np.corrcoef(one.numpy().ravel(), other.ravel())[0, 1] > alike


def test_it_goes_on_from_there_as_it_learns() -> None:
    """While it learns, a network's normalisations see the batch and not what they have kept."""
    shown = torch.from_numpy(pictures(48, 48).transpose(0, 3, 1, 2).copy()).float()
    net = recall(StanceNet(), STANCE, shown)
    with torch.no_grad():
        kept = net(shown)
        net.body.train()
        assert net(shown).numpy() == pytest.approx(kept.numpy(), abs=0.02)


def test_a_file_of_another_network_is_refused() -> None:
    shown = torch.zeros(2, 3, 48, 48)
    with pytest.raises(RecallError, match=r"^stance\.onnx is of another network: a layer's shape is"):
        recall(FaceReader(), STANCE, shown)
    with pytest.raises(RecallError, match=r"^faces\.onnx .* network"):
        recall(StanceNet(32), FACES, shown)
