"""Draws what finder, face reader, stance network and D4 network learn from, every sort side by side.

`python -m models.training.draw_all [--first] --threads N`

`models.training.train` draws one sort after the other; here each sort has a share from the first minute on,
so networks can begin to learn meanwhile. With `--first` it ends when they can. Faces of drawn scenes and of
photographs are cut out too.
"""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from models.training import d4_cuts, store
from models.training.d4_course import SHARDS as D4_SHARDS
from models.training.d4_course import SKETCHED
from models.training.faces_course import cut_photos, cut_scenes, cut_surfaces, kept_folder
from models.training.store import LEANING, SPECIAL, draw_side_by_side, scenes_folder
from models.training.train import LEANING_SHARDS, SHARDS, from_one_on, learning
from vision.learned.networks import Networks

Job = tuple[Path, tuple[Callable[[Any], None], Any]]
"""A shard's file, with what draws it and what that needs to know."""


def draw_one(job: Job) -> None:
    """Draw a shard."""
    path, (draw, what) = job
    draw((path, what))


def _draw_and_cut(job: tuple[Path, int]) -> None:
    """Draw a shard of scenes, and cut their faces out."""
    store.draw_shard(job)
    cut_scenes([job[1]], Networks())


def _cut_real(_: tuple[Path, None]) -> None:
    """Cut faces out of photographs and surfaces."""
    cut_photos(Networks())
    cut_surfaces(Networks())


def _scenes(first: int, shards: int, draw: Callable[[Any], None]) -> list[Job]:
    return [(scenes_folder() / f"{n:04d}.json", (draw, n)) for n in range(first, first + shards)]


def sorts() -> list[list[Job]]:
    """The shards of each sort; none of sketches of D4, which are drawn over scenes."""
    cuts = d4_cuts.shards_of_cuts(d4_cuts.cuts_folder(), D4_SHARDS)
    return [
        [(kept_folder() / "real", (_cut_real, None))],
        *(_scenes(first, shards, _draw_and_cut) for first, shards in ((0, SHARDS), *SPECIAL)),
        _scenes(LEANING, LEANING_SHARDS, store.draw_shard),
        [(path, (d4_cuts.draw_shard, seeds)) for path, seeds in cuts],
    ]


def sketches() -> list[Job]:
    """The shards of sketches of D4."""
    every = d4_cuts.shards_of_sketches(d4_cuts.cuts_folder(), SKETCHED, scenes_folder())
    return [(path, (d4_cuts.sketch_shard, what)) for path, what in every]


def side_by_side(every: list[list[Job]]) -> list[Job]:
    """All jobs, each sort's spread evenly from first to last."""
    spread = [(place / len(jobs), job) for jobs in every for place, job in enumerate(jobs)]
    return [job for _, job in sorted(spread, key=lambda one: one[0])]


def main() -> None:
    """Draw what is not there yet."""
    parser = argparse.ArgumentParser(description="Draws what networks learn from.")
    parser.add_argument("--first", action="store_true", help="only as much as all of them need to begin")
    parser.add_argument("--threads", type=from_one_on, default=2)
    asked = parser.parse_args()
    with learning(1):
        drawn, sketched = sorts(), sketches()
        for folder in (scenes_folder(), kept_folder(), d4_cuts.cuts_folder()):
            folder.mkdir(parents=True, exist_ok=True)
        if asked.first:
            few = side_by_side(drawn)[: max(len(drawn), asked.threads)]
            draw_side_by_side(draw_one, few, asked.threads, "first scenes, by the hundred")
            draw_side_by_side(draw_one, sketched[: asked.threads], asked.threads, "first sketches of D4")
        else:
            every = side_by_side([*drawn, sketched])
            draw_side_by_side(draw_one, every, asked.threads, "scenes, by the hundred")


if __name__ == "__main__":
    main()
