"""Turns a trained network into one of bytes, and such a file back into weights.

How it works. The network runs over some pictures, and the least and the greatest answer of every layer are
kept. Between them a byte counts 255 even steps. Weights become whole numbers from -WEIGHT to WEIGHT, those of
each output in steps of their own (Jacob et al., 2018). Convolutions, sums and doublings of size then need no
floating point; what comes after the last of them, where the answers are, does.

Pictures go in as cameras give them, N x H x W x 3 bytes, and every layer keeps its channels side by side, so
nothing is rearranged on the way. Several pixels of a row are put side by side too: as many as the first
convolution steps over for two answers, which it then gives at once. The bytes, their order and the answers
are the same, but there are fewer and longer pieces to gather.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import torch
from google.protobuf.message import DecodeError
from numpy.typing import NDArray
from onnx import helper, numpy_helper
from torch import nn

from calibration.arrays import Singles

WEIGHT = 63
"""The largest weight: seven bits. On processors without an instruction for such sums, the sum of two products
of eight bits may overflow, and the answers would be others there."""
MIDDLE, HALF_RANGE = 128, 127.5
"""The byte that stands for the networks' 0, and how many bytes from it their 1 is: they see picture / 127.5 -
1."""
TOGETHER = 2
"""How many of the first convolution's answers in a row are calculated at once."""
OURS = "com.microsoft"
"""The domain of onnxruntime's layers of bytes with channels side by side."""


class QuantizeError(ValueError):
    """The network cannot be made into one of bytes; the text says why."""


@dataclass(frozen=True, slots=True)
class Steps:
    """How a byte of a layer's answer stands for a number: step x (byte - zero)."""

    step: float
    zero: int

    @classmethod
    def over(cls, low: float, high: float) -> "Steps":
        """255 steps over a range, with the number 0 on one of them."""
        low, high = min(low, 0.0), max(high, 1e-6)
        step = (high - low) / 255
        return cls(step, round(-low / step))


def quantize(
    network: onnx.ModelProto, given: Iterable[Singles], sides: tuple[int | str, int | str]
) -> onnx.ModelProto:
    """The network in bytes: its input is N x H x W x 3, uint8; its outputs stay what they were.

    `network` begins with picture / 127.5 - 1 and a convolution; `given` are inputs of it (N x 3 x H x W) that
    show the range of all it will see; `sides` are height and width, or a name for one that is open. Raises
    QuantizeError for a network that is one of bytes already.
    """
    (asked,) = network.graph.input
    if asked.type.tensor_type.elem_type != onnx.TensorProto.FLOAT:
        raise QuantizeError("this network reckons with bytes already")
    writer = _Writer(network, ranges(network, given))
    for node in network.graph.node:
        writer.add(node)
    taken = helper.make_tensor_value_info(asked.name, onnx.TensorProto.UINT8, ["n", *sides, 3])
    constants = [numpy_helper.from_array(value, name) for name, value in writer.constants.items()]
    graph = helper.make_graph(writer.nodes, "bytes", [taken], list(network.graph.output), constants)
    opsets = [*network.opset_import, helper.make_opsetid(OURS, 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=network.ir_version)


def ranges(network: onnx.ModelProto, given: Iterable[Singles]) -> dict[str, tuple[float, float]]:
    """The least and the greatest answer of each layer, by its name, over these inputs (N x 3 x H x W
    each)."""
    wide = onnx.ModelProto()
    wide.CopyFrom(network)
    names = [node.output[0] for node in network.graph.node if node.op_type in ("Conv", "Relu", "Add")]
    already = {output.name for output in network.graph.output}
    wide.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names if name not in already)
    session = onnxruntime.InferenceSession(wide.SerializeToString(), providers=["CPUExecutionProvider"])
    (asked,) = session.get_inputs()
    out = dict.fromkeys(names, (0.0, 0.0))
    for one in given:
        for name, answer in zip(names, session.run(names, {asked.name: one}), strict=True):
            low, high = out[name]
            out[name] = (min(low, float(answer.min())), max(high, float(answer.max())))
    return out


class _Writer:
    """Writes the new network, layer by layer of the old one."""

    def __init__(self, network: onnx.ModelProto, seen: Mapping[str, tuple[float, float]]) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, NDArray[Any]] = {}
        self._seen = seen
        self._given = {one.name: numpy_helper.to_array(one) for one in network.graph.initializer}
        self._readers: dict[str, list[onnx.NodeProto]] = {}
        for node in network.graph.node:
            for name in node.input:
                self._readers.setdefault(name, []).append(node)
        self._picture = network.graph.input[0].name
        self._normal = self._picture
        """The name of the picture as the old network's first convolution took it."""
        self._steps: dict[str, Steps] = {}
        """For each answer that is in bytes, by its name, how these stand for numbers."""
        self._double: dict[str, str] = {}
        """Answers that are doubled in size when they are added to others, and the answers they come from."""
        self._last: dict[str, onnx.NodeProto] = {}
        """Convolutions whose answers are spread over several places each."""
        self._floats: set[str] = set()
        """The answers in bytes that have been turned back into floating point numbers."""
        self._numbers = count()

    def add(self, node: onnx.NodeProto) -> None:
        """Write what stands for one layer of the old network."""
        known, out = node.input[0] in self._steps if node.input else False, node.output[0]
        after = {reader.op_type for reader in self._readers.get(out, [])}
        match node.op_type:
            case "Constant":
                self._given[out] = numpy_helper.to_array(helper.get_node_attr_value(node, "value"))
            case "Div" | "Sub" if node.input[0] == self._normal:
                self._normal = out
            case "Conv" if node.input[0] == self._normal:
                self._first(node)
            case "Conv" if known and after <= {"Relu", "Resize"}:
                self._convolution(node, node.input[0], *self._weights(node))
            case "Conv" if known and after == {"DepthToSpace"}:
                self._last[out] = node
            case "Relu" if out in self._steps:
                pass  # the convolution before it stops at 0
            case "Resize" if known:
                self._double[out] = node.input[0]
            case "Add" if all(name in self._steps or name in self._double for name in node.input):
                self._sum(node)
            case "DepthToSpace" if node.input[0] in self._last:
                self._spread(node, self._last[node.input[0]])
            case _:
                self._copy(node)

    def _weights(self, node: onnx.NodeProto) -> tuple[Singles, Singles]:
        return self._given[node.input[1]], self._given[node.input[2]]

    def _constant(self, value: Any) -> str:
        name = f"constant {next(self._numbers)}"
        self.constants[name] = np.asarray(value)
        return name

    def _grid(self, name: str) -> tuple[str, str]:
        steps = self._steps[name]
        return self._constant(np.float32(steps.step)), self._constant(np.uint8(steps.zero))

    def _node(self, kind: str, inputs: list[str], out: str = "", domain: str = "", **attributes: Any) -> str:
        """Write a layer and return the name of its answer: `out`, or a new name."""
        out = out or f"step {next(self._numbers)}"
        self.nodes.append(helper.make_node(kind, inputs, [out], domain=domain, **attributes))
        return out

    def _shaped(self, name: str, shape: tuple[int, ...], out: str = "") -> str:
        return self._node("Reshape", [name, self._constant(np.array(shape, np.int64))], out)

    def _first(self, node: onnx.NodeProto) -> None:
        """Write the convolution of the picture itself, TOGETHER of its answers in a row at once."""
        weights, bias = self._weights(node)
        has = _attributes(node)
        stride, pad, width = has["strides"][1], has["pads"][1], weights.shape[3]
        block = TOGETHER * stride  # pixels side by side
        before, after = -(-pad // block), (block - stride + width - 1 - pad) // block
        blocks = before + 1 + after
        wide = np.zeros((TOGETHER, *weights.shape[:3], blocks * block), np.float32)
        for i in range(TOGETHER):
            wide[i, ..., before * block - pad + i * stride :][..., :width] = weights
        wide = wide.reshape(-1, *weights.shape[1:3], blocks, block).transpose(0, 4, 1, 2, 3)
        wide = wide.reshape(len(wide), 3 * block, weights.shape[2], blocks)
        bias = bias + (MIDDLE - HALF_RANGE) / HALF_RANGE * weights.sum(axis=(1, 2, 3))
        pixels = self._shaped(self._picture, (0, 0, -1, 3 * block))
        self._steps[pixels] = Steps(1 / HALF_RANGE, MIDDLE)
        instead = {
            "pads": [has["pads"][0], before, has["pads"][2], after],
            "strides": [has["strides"][0], 1],
            "kernel_shape": list(wide.shape[2:]),
        }
        out = self._convolution(node, pixels, wide, np.tile(bias, TOGETHER), instead)
        self.nodes[-1].output[0] = together = f"step {next(self._numbers)}"
        self._shaped(together, (0, 0, -1, len(weights)), out)

    def _convolution(
        self,
        node: onnx.NodeProto,
        source: str,
        weights: Singles,
        bias: Singles,
        instead: dict[str, Any] | None = None,
    ) -> str:
        (reader,) = self._readers[node.output[0]]
        out = str(reader.output[0] if reader.op_type == "Relu" else node.output[0])
        self._steps[out] = Steps.over(*self._seen[out])
        step, whole = _whole(weights.reshape(len(weights), -1))
        whole_bias = np.rint(bias / (step * self._steps[source].step)).astype(np.int32)
        inputs = [
            *(source, *self._grid(source)),
            *(self._constant(whole.reshape(weights.shape)), self._constant(step), self._zeros(len(step))),
            *(*self._grid(out), self._constant(whole_bias)),
        ]
        self._node("QLinearConv", inputs, out, OURS, channels_last=1, **_attributes(node) | (instead or {}))
        return out

    def _zeros(self, number: int) -> str:
        return self._constant(np.zeros(number, np.int8))

    def _sum(self, node: onnx.NodeProto) -> None:
        one, other = node.input
        if one in self._double:
            one, other = other, one
        out = node.output[0]
        self._steps[out] = Steps.over(*self._seen[out])
        source = self._double.get(other, other)
        added = self._doubled(source, like=one) if other in self._double else other
        self._node(
            "QLinearAdd", [one, *self._grid(one), added, *self._grid(source), *self._grid(out)], out, OURS
        )

    def _doubled(self, name: str, like: str) -> str:
        """Double the size: each place comes again beside itself, then each row again below itself."""
        beside = self._node("Concat", [name, name], axis=3)
        row = self._shaped(beside, (0, 0, 1, -1))
        below = self._node("Concat", [row, row], axis=2)
        return self._node("Reshape", [below, self._node("Shape", [like])])

    def _spread(self, spread: onnx.NodeProto, node: onnx.NodeProto) -> None:
        """Write the last convolution, of single places, whose answers are spread over several places each."""
        weights, bias = self._weights(node)
        side = _attributes(spread)["blocksize"]
        numbers = len(weights) // side**2
        order = np.arange(len(weights)).reshape(numbers, side, side).transpose(1, 2, 0).ravel()
        step, whole = _whole(weights[order, :, 0, 0])
        source = node.input[0]
        grid = self._grid(source)
        inputs = [
            *(source, self._constant(np.ascontiguousarray(whole.T)), grid[0], self._constant(step)),
            *(grid[1], self._zeros(len(step)), self._constant(bias[order])),
        ]
        answers = self._shaped(self._node("MatMulIntegerToFloat", inputs, domain=OURS), (0, 0, 0, side, -1))
        places = self._shaped(self._node("Transpose", [answers], perm=[0, 1, 3, 2, 4]), (0, -1, numbers))
        planes = self._node("Transpose", [places], perm=[0, 2, 1])
        size = self._node("Mul", [self._node("Shape", [source], start=1, end=3), self._constant([side])])
        size = self._node("Concat", [self._constant([0, numbers]), size], axis=0)
        self._node("Reshape", [planes, size], spread.output[0])

    def _copy(self, node: onnx.NodeProto) -> None:
        """Write a layer as it was; its inputs in bytes are turned back into floating point for it."""
        for name in node.input:
            if name in self._steps and name not in self._floats:
                planes = self._node("Transpose", [name], perm=[0, 3, 1, 2])
                self._node("DequantizeLinear", [planes, *self._grid(name)], f"{name} in floats")
                self._floats.add(name)
            if name in self._given:
                self.constants[name] = self._given[name]
        new = onnx.NodeProto()
        new.CopyFrom(node)
        new.input[:] = [f"{name} in floats" if name in self._floats else name for name in node.input]
        self.nodes.append(new)


def _whole(weights: Singles) -> tuple[Singles, NDArray[np.int8]]:
    """The step of each output's weights, and the weights in these steps, from weights of outputs x inputs."""
    step = np.maximum(np.abs(weights).max(axis=1), 1e-9) / np.float32(WEIGHT)
    return step.astype(np.float32), np.rint(weights / step[:, None]).astype(np.int8)


def _attributes(node: onnx.NodeProto) -> dict[str, Any]:
    return {one.name: helper.get_attribute_value(one) for one in node.attribute}


# Takes up a network's weights from its file, so that it can go on learning where no checkpoint is left.
#
# How it works. A file has the layers with weights in the order in which the network runs them. So the network
# is run once over what it is shown, and each of its layers is given the file's next weights. In files of
# bytes weights are whole numbers in steps (`models.training.quantize`): what is taken up is off by half a
# step, one part in 126 of the largest weight of its output. What a normalisation did stands in the file as a
# part of the convolution before it. It gets back the mean and scatter of what it is shown, with which it
# changes nothing; so what is shown should be what the network goes on to learn from.

LAYERS = (nn.Conv2d, nn.Linear, nn.BatchNorm1d, nn.BatchNorm2d)

Stored = tuple[str, Singles, Singles]
"""One layer as a file has it: the file's word for it, its weights (outputs x inputs, and for convolutions x
rows x columns; for a normalisation its factors, sums, means and scatters, 4 x outputs), and what it adds to
each output."""


class RecallError(ValueError):
    """The file is of another network; the text says where they differ."""


def recall(net: Any, path: Path, shown: Any) -> Any:
    """The network, ready for use, with the weights of that file.

    `shown` is a batch of what it looks at (N x 3 x H x W, 0 to 255). Raises RecallError where the file is of
    another network or of none, OSError where it cannot be read.
    """
    net.eval()
    layers, left = _in_order(net, shown), list(stored(_loaded(path)))
    side = next((part.upscale_factor for part in net.modules() if isinstance(part, nn.PixelShuffle)), 1)
    added: dict[Any, Any] = {}
    for layer, after in zip(layers, [*layers[1:], None], strict=True):
        if isinstance(layer, nn.BatchNorm2d):
            continue
        if not left:
            raise RecallError(f"{path.name} ends before the network does: there is nothing for {layer}")
        kind, weights, bias = left.pop(0)
        if kind == "QLinearConv" and layer is layers[0]:
            weights, bias = _of_single_answers(weights, bias, layer)
        if kind == "MatMulIntegerToFloat":
            weights, bias = _of_planes(weights, bias, side)
        _give(layer, weights, bias, path)
        if isinstance(after, nn.BatchNorm2d):
            added[after] = torch.from_numpy(np.array(bias, np.float32))
    if left:
        raise RecallError(f"{path.name} has {len(left)} layers more than the network")
    _calm(net, shown, added)
    return net


def _loaded(path: Path) -> onnx.ModelProto:
    try:
        return onnx.load(path)
    except DecodeError as error:
        raise RecallError(f"{path.name} is no network's file, or is damaged") from error


def stored(network: onnx.ModelProto) -> Iterator[Stored]:
    """The layers with weights, in the file's order; of layers of bytes the numbers that these stand for."""
    given = {one.name: numpy_helper.to_array(one) for one in network.graph.initializer}
    adds = {name: node for node in network.graph.node if node.op_type == "Add" for name in node.input}
    for node in network.graph.node:
        of: list[Any] = [given.get(name) for name in node.input]
        match node.op_type:
            case "Conv" | "Gemm":
                yield node.op_type, of[1], of[2]
            case "QLinearConv":
                step = of[4].reshape(-1, 1, 1, 1)
                yield node.op_type, of[3] * step, of[8] * of[4] * of[1]
            case "MatMulIntegerToFloat":
                yield node.op_type, of[1].T * of[3][:, None], of[6]
            case "MatMul" if of[1] is not None:
                (bias,) = (given[name] for name in adds[node.output[0]].input if name in given)
                yield node.op_type, of[1].T, bias
            case "BatchNormalization":
                yield node.op_type, np.stack(of[1:]), of[2]
            case _:
                pass  # it has no weights


def _in_order(net: Any, shown: Any) -> list[Any]:
    """The network's layers with weights, in the order in which it runs them."""
    layers: list[Any] = []
    hooks = [
        layer.register_forward_hook(lambda layer, _given, _told: layers.append(layer))
        for layer in net.modules()
        if isinstance(layer, LAYERS)
    ]
    with torch.no_grad():
        net(shown)
    for hook in hooks:
        hook.remove()
    return layers


def _of_single_answers(weights: Singles, bias: Singles, layer: Any) -> tuple[Singles, Singles]:
    """The first convolution as it was before several of its answers were put together, and pictures were
    taken as bytes (`models.training.quantize`)."""
    (rows, width), stride, pad = layer.kernel_size, layer.stride[1], layer.padding[1]
    block, outputs = TOGETHER * stride, layer.out_channels
    before, blocks = -(-pad // block), weights.shape[3]
    apart = weights.reshape(-1, block, 3, rows, blocks).transpose(0, 2, 3, 4, 1)
    single = apart.reshape(TOGETHER, outputs, 3, rows, -1)[0, ..., before * block - pad :][..., :width]
    return single, bias[:outputs] - (MIDDLE - HALF_RANGE) / HALF_RANGE * single.sum(axis=(1, 2, 3))


def _of_planes(weights: Singles, bias: Singles, side: int) -> tuple[Singles, Singles]:
    """The last convolution with its outputs in the network's order: plane by plane."""
    order = np.arange(len(weights)).reshape(-1, side, side).transpose(1, 2, 0).ravel()
    planes, sums = np.empty_like(weights), np.empty_like(bias)
    planes[order], sums[order] = weights, bias
    return planes, sums


def _give(layer: Any, weights: Singles, bias: Singles, path: Path) -> None:
    """Give a layer its weights."""
    if isinstance(layer, nn.BatchNorm1d):
        parts = [layer.weight, layer.bias, layer.running_mean, layer.running_var]
        pairs = list(zip(parts, weights, strict=True))
    else:
        pairs = [
            (layer.weight, weights.reshape((*weights.shape, *(1,) * (layer.weight.ndim - weights.ndim))))
        ]
        pairs += [] if layer.bias is None else [(layer.bias, bias)]
    for part, told in pairs:
        if tuple(part.shape) != told.shape:
            shapes = f"{told.shape}, and the network's {tuple(part.shape)}"
            raise RecallError(f"{path.name} is of another network: a layer's shape is {shapes}")
        part.data.copy_(torch.from_numpy(np.array(told, np.float32)))


def _calm(net: Any, shown: Any, added: dict[Any, Any]) -> None:
    """Have each normalisation do nothing but add its sums, by the mean and scatter of what it is shown."""

    def measure(norm: Any, given: Any) -> None:
        means, scatters = given[0].mean((0, 2, 3)), given[0].var((0, 2, 3), unbiased=False)
        norm.running_mean.copy_(means)
        norm.running_var.copy_(scatters)
        norm.weight.copy_((scatters + norm.eps).sqrt())
        norm.bias.copy_(added[norm] + means)

    hooks = [norm.register_forward_pre_hook(measure) for norm in added]
    with torch.no_grad():
        net(shown)
    for hook in hooks:
        hook.remove()
