"""Writes trained networks as ONNX files that calculate with bytes (`models/training/quantize.py`).

The same weights always make the same file. `python -m models.training.export NETWORK.onnx...` does the last
step alone, in place, on files of floating point numbers; a file's name begins with the network that it holds.
"""

import argparse
import re
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnx
import torch

from calibration.arrays import Singles
from models.files import sign_network
from models.training.augmentation import in_any_light, labels_of, shapes, show
from models.training.cuts import faces_of_scene
from models.training.quantize import QuantizeError, quantize
from models.training.stance import HARDNESS as STANCE_HARDNESS
from models.training.stance import pick_asked, stance_batch, stances_of
from models.training.store import HELD_OUT, Store, scenes_folder
from vision.learned.contract import (
    ACROSS,
    ALONG,
    CLAIM_SIDE_PX,
    CORNER_FEATURES,
    CORNER_PX,
    CORNERS,
    CUT_SIDE_PX,
    STANCE_SIDE_PX,
)
from vision.learned.contract import SIDE_FEATURES as KNOWN_OF_SIDES
from vision.learned.contract import SIDES as DIE_SIDES
from vision.learned.d4_contract import CUT_PX

OPSET = 17
SHOWN_SCENES = 60
"""How many of the scenes to learn from are run to find the range of each layer's answers."""
SHOWN_SMALL = 0.36
"""Every third of them is shown at this scale: the finder looks at pictures in several sizes."""


def export_finder(net: Any, path: Path) -> None:
    """Input `picture` (1 x H x W x 3, uint8), output `told` (1 x 8 x H/4 x W/4, float32)."""
    axes = {"picture": {0: "n", 2: "height", 3: "width"}, "told": {0: "n", 2: "rows", 3: "columns"}}
    _export(net, torch.zeros(1, 3, 96, 128), path, ["picture"], ["told"], axes)
    in_bytes(path, "finder")


def export_faces(net: Any, path: Path) -> None:
    """Input `cuts` (N x 48 x 48 x 3, uint8), outputs `classes`, `poses` (logits), `embedding`, `moves`."""
    names = ["classes", "poses", "embedding", "moves"]
    _export(
        net,
        torch.zeros(2, 3, CUT_SIDE_PX, CUT_SIDE_PX),
        path,
        ["cuts"],
        names,
        {name: {0: "n"} for name in ("cuts", *names)},
    )
    in_bytes(path, "faces")


def export_stance(net: Any, path: Path) -> None:
    """Input `cuts` (N x 48 x 48 x 3, uint8), output `told` (N x 3, float32)."""
    example = torch.zeros(2, 3, STANCE_SIDE_PX, STANCE_SIDE_PX)
    _export(net, example, path, ["cuts"], ["told"], {name: {0: "n"} for name in ("cuts", "told")})
    in_bytes(path, "stance")


def export_claim(net: Any, path: Path) -> None:
    """Inputs `claims` (N x 6 x 48 x 48) and `steps` (N x 2), output `told` (log odds, N x 3); float32."""
    example = torch.zeros(2, 6, CLAIM_SIDE_PX, CLAIM_SIDE_PX), torch.zeros(2, 2)
    names = ["claims", "steps"]
    _export(net, example, path, names, ["told"], {name: {0: "n"} for name in (*names, "told")})


def export_d4(net: Any, path: Path) -> None:
    """Input `cuts` (N x 3 x 128 x 128), outputs `classes`, `poses` (logits) and `points`; float32."""
    names = ["classes", "poses", "points"]
    axes = {name: {0: "n"} for name in ("cuts", *names)}
    _export(net, torch.zeros(2, 3, CUT_PX, CUT_PX), path, ["cuts"], names, axes)


def export_corner(net: Any, path: Path) -> None:
    """Inputs `cuts` (4 N x 32 x 32 x 6, uint8), `known` (4 N x 8, float32); output `told` (N x 2)."""
    cuts = torch.zeros(2 * CORNERS, CORNER_PX, CORNER_PX, 6, dtype=torch.uint8)
    known = torch.zeros(2 * CORNERS, CORNER_FEATURES)
    axes = {"cuts": {0: "corners"}, "known": {0: "corners"}, "told": {0: "dice"}}
    _export(net, (cuts, known), path, ["cuts", "known"], ["told"], axes)


def export_edge(net: Any, path: Path) -> None:
    """Inputs `strips` (4 N x 64 x 6 x 6, uint8), `known` (4 N x 5, float32); output `told` (N x 6)."""
    strips = torch.zeros(2 * DIE_SIDES, ACROSS, ALONG, 6, dtype=torch.uint8)
    known = torch.zeros(2 * DIE_SIDES, KNOWN_OF_SIDES)
    axes = {"strips": {0: "sides"}, "known": {0: "sides"}, "told": {0: "dice"}}
    _export(net, (strips, known), path, ["strips", "known"], ["told"], axes)


def sign(path: Path) -> None:
    """Write the file's hash into the list that is checked at loading, and into the card beside it."""
    card = path.with_suffix(".md")
    digest = sign_network(path)
    text = re.sub(r"SHA-256 `[0-9a-f]*`", f"SHA-256 `{digest}`", card.read_text(encoding="utf-8"))
    card.write_text(text, encoding="utf-8")


def in_bytes(path: Path, network: str) -> None:
    """Make a network of floating point numbers one of bytes, in its place; which, one of SHOWN, is `network`.

    It is shown drawn scenes to learn from. Raises FileNotFoundError without any, QuantizeError for a network
    that is one of bytes already.
    """
    made = quantize(onnx.load(path), SHOWN[network](Store(scenes_folder(), 0, HELD_OUT)), SIDES[network])
    part = path.with_suffix(".part")
    onnx.save(made, part)
    part.replace(path)


def _calibration_scenes(store: Store) -> list[int]:
    return [int(number) for number in np.linspace(0, len(store) - 1, min(SHOWN_SCENES, len(store)))]


def _pictures(store: Store) -> Iterator[Singles]:
    """1 x 3 x H x W each, H and W multiples of 32."""
    for turn, number in enumerate(_calibration_scenes(store)):
        picture = store.picture(number)
        if turn % 3 == 2:
            height, width = (round(SHOWN_SMALL * side / 32) * 32 for side in picture.shape[:2])
            picture = np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
        yield np.ascontiguousarray(picture.transpose(2, 0, 1)[None], np.float32)


def _cuts(store: Store) -> Iterator[Singles]:
    """N x 3 x 48 x 48 each: faces, and what is none, as the reader learns from them."""
    chance = np.random.default_rng(SHOWN_SCENES)
    for number in _calibration_scenes(store):
        faces = faces_of_scene(store.picture(number), store.truths[number], chance, others=3)
        linear, shift = shapes(labels_of(faces.classes), chance)
        wide = torch.from_numpy(faces.pictures)
        shown = show(wide, torch.from_numpy(linear), torch.from_numpy(shift), number)
        yield np.asarray(shown.numpy(), np.float32)


def _stances(store: Store) -> Iterator[Singles]:
    """N x 3 x 48 x 48 each: dice with their sides."""
    chance = np.random.default_rng(SHOWN_SCENES)
    for number in _calibration_scenes(store):
        cuts = stances_of(store.picture(number), pick_asked(store.truths[number]))
        if len(cuts):
            askew, _ = stance_batch(cuts, np.arange(len(cuts)), chance)
            yield np.asarray(in_any_light(askew, chance, STANCE_HARDNESS), np.float32)


SHOWN: dict[str, Callable[[Store], Iterator[Singles]]] = {
    "finder": _pictures,
    "faces": _cuts,
    "stance": _stances,
}
"""For each network, the function that gives what it is shown."""
SIDES: dict[str, tuple[int | str, int | str]] = {
    "finder": ("height", "width"),
    "faces": (CUT_SIDE_PX, CUT_SIDE_PX),
    "stance": (STANCE_SIDE_PX, STANCE_SIDE_PX),
}
"""For each network, height and width of its input; a name leaves them open."""


def _export(
    net: Any, example: Any, path: Path, inputs: list[str], outputs: list[str], axes: dict[str, dict[int, str]]
) -> None:
    part = path.with_suffix(".part")
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # the exporter by tracing is deprecated, and needs nothing further installed
        torch.onnx.export(
            net.to("cpu").eval(),
            example if isinstance(example, tuple) else (example,),
            str(part),
            input_names=inputs,
            output_names=outputs,
            dynamic_axes=axes,
            opset_version=OPSET,
            dynamo=False,
        )
    part.replace(path)


def main() -> None:
    """Turn the files named on the command line into networks of bytes, and sign those that have cards."""
    parser = argparse.ArgumentParser(description="Makes trained networks ones of bytes, in their place.")
    parser.add_argument("files", nargs="+", type=Path, metavar="NETWORK.onnx")
    for path in parser.parse_args().files:
        network = next((name for name in SHOWN if path.name.startswith(name)), None)
        if network is None:
            raise SystemExit(f"{path.name}: the name must begin with one of {', '.join(SHOWN)}")
        try:
            in_bytes(path, network)
        except (OSError, QuantizeError) as error:
            raise SystemExit(f"{path.name}: {error}") from error
        if path.with_suffix(".md").is_file():
            sign(path)
        print(f"{path.name}: {path.stat().st_size:,} bytes", flush=True)


if __name__ == "__main__":
    main()
