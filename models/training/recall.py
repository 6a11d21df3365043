"""Takes up a network's weights from its file, so that it can go on learning where no checkpoint is left.

How it works. A file has the layers with weights in the order in which the network runs them. So the network
is run once over what it is shown, and each of its layers is given the file's next weights. In files of bytes
weights are whole numbers in steps (`models.training.quantize`): what is taken up is off by half a step, one
part in 126 of the largest weight of its output. What a normalisation did stands in the file as a part of the
convolution before it. It gets back the mean and scatter of what it is shown, with which it changes nothing;
so what is shown should be what the network goes on to learn from.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from google.protobuf.message import DecodeError
from onnx import numpy_helper
from torch import nn

from calibration.arrays import Singles
from models.training.quantize import HALF_RANGE, MIDDLE, TOGETHER

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
