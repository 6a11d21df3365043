"""How the D4 network learns, and from what."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from models.files import COURSES, D4
from models.training.d4_cuts import (
    NONE,
    NOT_ASKED,
    D4Cuts,
    batch,
    cuts_folder,
    draw_cuts,
    kept_cuts,
    only,
    others_of,
    sketch_cuts,
)
from models.training.d4_net import D4Reader, d4_loss, points_loss
from models.training.export import export_d4, sign
from models.training.fit import Course, by_shares, train_network
from models.training.store import Store
from vision.learned.contract import POSES

SHARDS, SKETCHED = 90, 48
"""How many shards to learn from: of forty scenes each, and of a hundred designs each."""
BATCH = 48
SHARES = {"scenes": 0.44, "sketched": 0.24, "lying": 0.12, "elsewhere": 0.06, "others": 0.14}
"""The shares of a batch: flat D4 of scenes and of sketches, D4 that lie otherwise, places without a die, and
other dice."""
KNOWN_KINDS = 0.1
"""The share of the known kinds' dice that is shown as "no D4"; of foreign dice all are."""
SEED = 4


def make_d4(store: Store, steps: Sequence[int], processes: int) -> None:
    """Run three courses of so many steps each, then write the file and sign its card.

    The first course learns everything; the second only where corners and tip lie, which takes more steps but
    less time for each; the third everything again. `store` has the kept scenes; what else is learnt from is
    drawn where it is not kept yet.
    """
    folder = cuts_folder()
    draw_cuts(folder, SHARDS, processes)
    sketch_cuts(folder, SKETCHED, store)
    scenes, sketched = kept_cuts(folder, SHARDS), kept_cuts(folder, SKETCHED, "sketched-")
    others = others_of(store, np.random.default_rng(SEED), KNOWN_KINDS)
    dice = _shared_out(scenes, sketched)
    every = [*dice, (others, SHARES["others"])]
    net = _learnt("d4", every, d4_loss, (steps[0], 2e-3), None)
    net = _learnt("d4-points", dice[:2], points_loss, (steps[1], 2e-3), net)
    net = _learnt("d4-again", every, d4_loss, (steps[2], 1.5e-3), net)
    export_d4(net, D4)
    sign(D4)


def _learnt(
    name: str, sets: Sequence[tuple[D4Cuts, float]], loss: Any, course: tuple[int, float], begin: Any
) -> Any:
    """The network after a course of (steps, rate), begun from `begin` where there is one."""
    net = D4Reader().to(memory_format=torch.channels_last)
    if begin is not None:
        net.load_state_dict(begin.state_dict())
    steps, rate = course
    whole = Course(name=name, steps=steps, rate=rate, seed=SEED)
    return train_network(net, by_shares(sets, batch, BATCH), loss, whole, COURSES)


def _shared_out(scenes: D4Cuts, sketched: D4Cuts) -> list[tuple[D4Cuts, float]]:
    """The kept cuts in groups, each with its share of a batch."""
    none = scenes.classes == NONE
    flat = ~none & (scenes.poses == POSES.index("flat")) & (scenes.classes != NOT_ASKED)
    return [
        (only(scenes, flat), SHARES["scenes"]),
        (sketched, SHARES["sketched"]),
        (only(scenes, ~none & ~flat), SHARES["lying"]),
        (only(scenes, none), SHARES["elsewhere"]),
    ]
