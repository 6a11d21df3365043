"""Writes a trained network as ONNX, in one file, the same bytes for the same weights."""

import hashlib
import re
import warnings
from pathlib import Path
from typing import Any

import torch

from models.faces import CUT_SIDE_PX, STANCE_SIDE_PX

OPSET = 17


def export_finder(net: Any, path: Path) -> None:
    """Input `picture` (1 x 3 x H x W), output `told` (1 x 8 x H/4 x W/4); float32."""
    axes = {"picture": {0: "n", 2: "height", 3: "width"}, "told": {0: "n", 2: "rows", 3: "columns"}}
    _export(net, torch.zeros(1, 3, 96, 128), path, ["picture"], ["told"], axes)


def export_faces(net: Any, path: Path) -> None:
    """Input `cuts` (N x 3 x 48 x 48), outputs `classes`, `poses` (logits), `embedding`, `moves`; float32."""
    names = ["classes", "poses", "embedding", "moves"]
    _export(
        net,
        torch.zeros(2, 3, CUT_SIDE_PX, CUT_SIDE_PX),
        path,
        ["cuts"],
        names,
        {name: {0: "n"} for name in ("cuts", *names)},
    )


def export_stance(net: Any, path: Path) -> None:
    """Input `cuts` (N x 3 x 48 x 48), output `told` (N x 3); float32."""
    example = torch.zeros(2, 3, STANCE_SIDE_PX, STANCE_SIDE_PX)
    _export(net, example, path, ["cuts"], ["told"], {name: {0: "n"} for name in ("cuts", "told")})


def sign(path: Path) -> None:
    """Write the file's hash into the card beside it."""
    card = path.with_suffix(".md")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    text = re.sub(r"SHA-256 `[0-9a-f]*`", f"SHA-256 `{digest}`", card.read_text(encoding="utf-8"))
    card.write_text(text, encoding="utf-8")


def _export(
    net: Any, example: Any, path: Path, inputs: list[str], outputs: list[str], axes: dict[str, dict[int, str]]
) -> None:
    part = path.with_suffix(".part")
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # the exporter by tracing is deprecated, and needs nothing further installed
        torch.onnx.export(
            net.eval(),
            (example,),
            str(part),
            input_names=inputs,
            output_names=outputs,
            dynamic_axes=axes,
            opset_version=OPSET,
            dynamo=False,
        )
    part.replace(path)
