"""How the D4 network learns, and from what."""

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from models.files import COURSES, D4
from models.training.cuts import NOT_ASKED
from models.training.d4_cuts import (
    NONE,
    D4Cuts,
    cuts_folder,
    d4_batch,
    draw_cuts,
    kept_cuts,
    others_of,
    sketch_cuts,
)
from models.training.d4_net import D4Reader, d4_loss
from models.training.export import export_d4, sign
from models.training.fit import Course, Draw, best_device, by_shares, train_network
from models.training.parts import rows_of
from models.training.store import Store, scenes_folder
from vision.learned.contract import POSES

SHARDS, SKETCHED = 220, 140
"""How many shards to learn from: of forty scenes each, and of a hundred designs each."""
BATCH = 256
SHARES = {"scenes": 0.44, "sketched": 0.24, "lying": 0.12, "elsewhere": 0.06, "others": 0.14}
"""The shares of a batch: flat D4 of scenes and of sketches, D4 that lie otherwise, places without a die, and
other dice."""
KNOWN_KINDS = 0.1
"""The share of the known kinds' dice that is shown as "no D4"; of foreign dice all are."""
RATE, HELD, SEED = 2e-3, 0.5, 4
MORE_RATE, MORE_HELD = 1.2e-3, 0.2
"""Rate, and for what share of the steps it is kept, where a network learns more of what it has learnt."""


def make_d4(store: Store, steps: int, more_steps: Sequence[int], processes: int) -> None:
    """Learn for so many steps, and then in courses of so many more; write the network, and sign its card.

    `store` has the kept scenes; what else is learnt from is drawn where it is not kept yet.
    """
    draw = batches_of_d4(store, processes)
    net = D4Reader().to(best_device(), memory_format=torch.channels_last)
    course = Course(name="d4", steps=steps, rate=RATE, seed=SEED, held=HELD)
    learnt = train_network(net, draw, d4_loss, course, COURSES)
    for again, more in enumerate(more_steps, start=1):
        learnt = learn_more_d4(f"d4-more-{again}", draw, more, learnt, SEED + again)
    export_d4(learnt, D4)
    sign(D4)


def batches_of_d4(store: Store, processes: int) -> Draw:
    """What draws a batch, from cuts that are made first where they are not kept yet."""
    folder = cuts_folder()
    draw_cuts(folder, SHARDS, processes)
    sketch_cuts(folder, SKETCHED, scenes_folder(), processes)
    scenes, sketched = kept_cuts(folder, SHARDS), kept_cuts(folder, SKETCHED, "sketched-")
    others = others_of(store, np.random.default_rng(SEED), KNOWN_KINDS)
    return by_shares([*_shared_out(scenes, sketched), (others, SHARES["others"])], d4_batch, BATCH)


def learn_more_d4(name: str, draw: Draw, steps: int, begin: Any, seed: int) -> Any:
    """The network after a course of that name in which it goes on from `begin`."""
    course = Course(name=name, steps=steps, rate=MORE_RATE, seed=seed, held=MORE_HELD)
    return train_network(copy.deepcopy(begin).to(best_device()), draw, d4_loss, course, COURSES)


def _shared_out(scenes: D4Cuts, sketched: D4Cuts) -> list[tuple[D4Cuts, float]]:
    """The kept cuts in groups, each with its share of a batch."""
    none = scenes.classes == NONE
    flat = ~none & (scenes.poses == POSES.index("flat")) & (scenes.classes != NOT_ASKED)
    return [
        (rows_of(scenes, flat), SHARES["scenes"]),
        (sketched, SHARES["sketched"]),
        (rows_of(scenes, ~none & ~flat), SHARES["lying"]),
        (rows_of(scenes, none), SHARES["elsewhere"]),
    ]
