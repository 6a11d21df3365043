"""Draws wide scenes (`models.scenes`): `python -m models.training.wide_scenes --folder DIR`.

Networks learn from them what a die is and what only looks like one. A shard holds a hundred: `2007.jpgs`, the
pictures, packed (JPEG), and `2007.json`, what is true of them; both lie in DIR/scenes. Shards that are there
are left as they are; one that was cut short has no truth yet, and is drawn anew.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.scenes import Scene, View, draw
from models.training.store import (
    HEIGHT_PX,
    KINDS,
    SHARD,
    WIDTH_PX,
    describe_dice,
    draw_side_by_side,
    written_whole,
)

VIEWS: tuple[View, ...] = ("above", "aslant", "above", "low", "above", "aslant", "above")
"""From where scenes are seen, by the remainder of their seed."""
FIRST, HELD_OUT = 2000, 2900
"""The first of the shards of wide scenes, and the first of those that nothing learns from."""
QUALITY = 95
"""The pictures' quality (JPEG)."""


def draw_wide_scenes(folder: Path, shards: int, processes: int) -> None:
    """Draw so many shards to learn from, where they are not there yet."""
    every = [(folder / "scenes" / f"{number:04d}.json", number) for number in range(FIRST, FIRST + shards)]
    draw_side_by_side(draw_wide_shard, every, processes, "wide scenes, by the hundred")


def draw_wide_shard(job: tuple[Path, int]) -> None:
    """Draw the scenes of the shard of that number; the file of their truth, last."""
    path, number = job
    packed: dict[str, Any] = {}
    truths = []
    for place in range(SHARD):
        scene = _scene(number * SHARD + place)
        packed[f"{place:02d}"] = cv2.imencode(".jpg", scene.picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1]
        truths.append(_describe(scene))
    with written_whole(path.with_suffix(".jpgs")) as file:
        np.savez(file, **packed)
    with written_whole(path) as file:
        file.write(json.dumps(truths).encode())


def _scene(seed: int) -> Scene:
    kinds, view = KINDS[seed % len(KINDS)], VIEWS[seed % len(VIEWS)]
    in_rows, leaning = seed % 5 == 4, 0.5 if seed % 6 == 3 else None
    return draw(
        seed, WIDTH_PX, HEIGHT_PX, kinds=kinds, view=view, in_rows=in_rows, leaning=leaning, wide=True
    )


def _describe(scene: Scene) -> dict[str, Any]:
    things = [
        {"name": thing.name, "corners": np.round(thing.corners_px, 2).tolist()} for thing in scene.things
    ]
    return {"dice": describe_dice(scene), "things": things}


def main() -> None:
    """Draw what is missing."""
    most = HELD_OUT - FIRST
    parser = argparse.ArgumentParser(description="Draws wide scenes.")
    parser.add_argument("--folder", type=Path, required=True, help="they are kept in its folder scenes")
    parser.add_argument("--shards", type=int, default=400, help=f"hundreds of scenes, at most {most}")
    parser.add_argument("--threads", type=int, default=1)
    asked = parser.parse_args()
    if not 0 < asked.shards <= most:
        parser.error(f"argument --shards: {asked.shards} is not from 1 to {most}")
    if asked.threads < 1:
        parser.error(f"argument --threads: {asked.threads} is less than 1")
    draw_wide_scenes(asked.folder, asked.shards, asked.threads)


if __name__ == "__main__":
    main()
