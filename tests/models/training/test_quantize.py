"""A network of bytes answers as the one of floating point numbers does that it was made of."""

from typing import Any

import numpy as np
import onnxruntime
import pytest
from numpy.typing import NDArray

from calibration.arrays import Singles

onnx = pytest.importorskip("onnx", reason="onnx is needed only to make networks (requirements-models.lock)")

from models.training.quantize import QuantizeError, quantize  # noqa: E402

helper, numpy_helper = onnx.helper, onnx.numpy_helper


def network(chance: np.random.Generator) -> Any:
    """A small finder: a wide first convolution, a sum, a smaller size doubled and added, places spread."""
    nodes = []
    constants = {"half range": np.array(127.5, np.float32), "one": np.array(1, np.float32)}

    def node(kind: str, *inputs: str, out: str, **attributes: Any) -> None:
        nodes.append(helper.make_node(kind, inputs, [out], **attributes))

    def conv(source: str, out: str, shape: tuple[int, ...], stride: int = 1, pad: int = 1) -> None:
        constants[f"{out} w"] = chance.normal(0, shape[1:][0] ** -0.5 / shape[2], shape).astype(np.float32)
        constants[f"{out} b"] = chance.normal(0, 0.1, shape[0]).astype(np.float32)
        sides = {"pads": [pad] * 4, "strides": [stride] * 2, "kernel_shape": list(shape[2:])}
        node("Conv", source, f"{out} w", f"{out} b", out=out, **sides)

    constants["sizes"] = np.array((1, 1, 2, 2), np.float32)
    node("Div", "picture", "half range", out="divided")
    node("Sub", "divided", "one", out="normal")
    conv("normal", "c1", (8, 3, 6, 6), stride=4)
    node("Relu", "c1", out="r1")
    conv("r1", "c2", (8, 8, 3, 3))
    node("Relu", "c2", out="r2")
    node("Add", "r1", "r2", out="a1")
    conv("a1", "c3", (8, 8, 3, 3), stride=2)
    node("Relu", "c3", out="r3")
    conv("r3", "c4", (8, 8, 1, 1), pad=0)
    doubled = {"mode": "nearest", "nearest_mode": "floor", "coordinate_transformation_mode": "asymmetric"}
    node("Resize", "c4", "", "sizes", out="up", **doubled)
    node("Add", "a1", "up", out="a2")
    conv("a2", "c5", (8, 8, 3, 3))
    node("Relu", "c5", out="r5")
    conv("r5", "c6", (12, 8, 1, 1), pad=0)
    node("DepthToSpace", "c6", out="told", blocksize=2, mode="CRD")
    return model_of(nodes, constants)


def model_of(nodes: list[Any], constants: dict[str, NDArray[np.float32]]) -> Any:
    """The nodes as a model that makes "told" of "picture", both N x 3 x H x W."""
    sides = [
        helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["n", 3, "h", "w"])
        for name in ("picture", "told")
    ]
    graph = helper.make_graph(
        nodes,
        "small",
        sides[:1],
        sides[1:],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def pictures(chance: np.random.Generator, count: int) -> NDArray[np.uint8]:
    """count x 64 x 96 x 3, of large blots."""
    return np.kron(chance.integers(0, 256, (count, 8, 12, 3)), np.ones((1, 8, 8, 1))).astype(np.uint8)


def planes(shown: NDArray[np.uint8]) -> Singles:
    return np.ascontiguousarray(shown.transpose(0, 3, 1, 2), np.float32)


def run(made: Any, given: NDArray[Any]) -> Singles:
    session = onnxruntime.InferenceSession(made.SerializeToString(), providers=["CPUExecutionProvider"])
    return np.asarray(session.run(None, {"picture": given})[0])


def test_it_answers_as_the_one_it_was_made_of() -> None:
    chance = np.random.default_rng(5)
    before = network(chance)
    shown = pictures(chance, 4)
    after = quantize(before, [planes(shown)], ("height", "width"))
    wanted, got = run(before, planes(shown)), run(after, shown)
    assert got.shape == wanted.shape == (4, 3, 32, 48)
    assert np.abs(got - wanted).mean() < 0.04 * wanted.std()
    assert np.abs(got - wanted).max() < 0.4 * wanted.std()


def test_what_reckons_with_bytes_is_not_made_so_again() -> None:
    chance = np.random.default_rng(6)
    after = quantize(network(chance), [planes(pictures(chance, 1))], ("height", "width"))
    with pytest.raises(QuantizeError, match="with bytes already"):
        quantize(after, [], ("height", "width"))
