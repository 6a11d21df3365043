"""The D4 network: it finds corners and tip, then reads faces; and how it learns."""

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from models.files import COURSES, D4
from models.training.augmentation import show_lit, stuffed
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
from models.training.export import export_d4, sign
from models.training.fit import HALF, OWN_PACE, Course, Draw, Pace, best_device, by_shares, train_network
from models.training.nets import Near, conv
from models.training.store import Store, rows_of, scenes_folder
from vision.learned.contract import POSES
from vision.learned.d4_contract import CLASSES, CUT_PX, POINTS, REACH

# The D4 network, for training: finds the die's corners and its tip, then reads its three faces.
#
# The second half looks at each face by itself, drawn upright and without its foreshortening (a spatial
# transformer: Jaderberg et al., 2015), always with the same weights. What the three faces say is added up,
# weighted by how far each can be seen; so the answer does not depend on how the die is turned.

ROWS, COLUMNS = 28, 36
"""The size of a drawn face: a little more than the triangle, with as many pixels to an edge in both
directions."""
FINER = 2
"""A face is sampled this many times finer and then averaged, so that no pixel of the cut is skipped."""
SEEN = 48
"""How many numbers are kept of the cut, and of each face."""
HARDNESS = 0.5
"""Cuts of D4 are shown in less hard light than faces: their numbers are small."""
SPREAD = 0.25
"""How far round a point's true place its cells are trained, in half edges; a cell is 0.28 wide."""


def _grid() -> Any:
    """Where on its face each pixel lies (ROWS x COLUMNS, both FINER, x 2): along its edge, -0.55 to 0.55 from
    left to right, and up to the tip, 1 to -0.06 from the top down."""
    along = (torch.arange(COLUMNS * FINER) + 0.5) / (COLUMNS * FINER) * 1.1 - 0.55
    upward = 1 - (torch.arange(ROWS * FINER) + 0.5) / (ROWS * FINER) * 1.06
    return torch.stack(torch.meshgrid(upward, along, indexing="ij")[::-1], dim=-1)


def _spots(side: int) -> Any:
    """The middles of the pixels of a cut (1 x 2 x side x side): x and y in half edges."""
    line = ((torch.arange(side) + 0.5) / side * 2 - 1) * REACH
    return torch.stack(torch.meshgrid(line, line, indexing="xy"))[None]


class D4Reader(nn.Module):
    """Takes upright D4 (N x 3 x 128 x 128, 0 to 255) to class, pose and points
    (`vision.learned.d4_contract`)."""

    def __init__(self, width: int = 36) -> None:
        """`width`: channels of the first layers."""
        super().__init__()
        w1, w2, w3 = width, 2 * width, 3 * width
        self.near = nn.Sequential(conv(5, w1, 5, 2), conv(w1, w2, 3, 2), Near(w2))
        self.far = nn.Sequential(conv(w2, w3, 3, 2), Near(w3), Near(w3))
        self.placed = nn.Sequential(
            nn.Flatten(), nn.Linear(w3 * (CUT_PX // 16) ** 2, SEEN), nn.BatchNorm1d(SEEN), nn.ReLU()
        )
        self.near_heat, self.far_heat = nn.Conv2d(w2, POINTS // 2, 1), nn.Conv2d(w3, POINTS // 2, 1)
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        self.face = nn.Sequential(
            conv(3, w1, 5),
            conv(w1, w2, 3, 2),
            Near(w2),
            Near(w2),
            conv(w2, 2 * w2, 3, 2),
            Near(2 * w2),
            Near(2 * w2),
            nn.Flatten(),
            nn.Linear(2 * w2 * (ROWS // 4) * (COLUMNS // 4), SEEN),
            nn.BatchNorm1d(SEEN),
            nn.ReLU(),
            nn.Dropout(0.1),
        )
        self.says = nn.Linear(SEEN, len(CLASSES))
        self.clear = nn.Linear(SEEN + 1, 1)
        self.classes = nn.Linear(2 * SEEN, len(CLASSES))
        self.poses = nn.Linear(2 * SEEN, len(POSES))
        self.register_buffer("grid", _grid(), persistent=False)
        self.register_buffer("spots", _spots(CUT_PX // 2), persistent=False)
        self.register_buffer("cells", _spots(CUT_PX // 8).flatten(2).transpose(1, 2), persistent=False)

    def placed_in(self, cuts: Any) -> tuple[Any, Any, Any]:
        """The cuts from -1 to 1, the features of each as a whole, and for each point the log chances of the
        cells in which it may lie (N x 4 x cells)."""
        shown = cuts / 127.5 - 1
        half = functional.avg_pool2d(shown, 2)
        near = self.near(torch.cat((half, self.spots.expand(half.shape[0], -1, -1, -1)), dim=1))
        far = self.far(near)
        heat = self.near_heat(near) + self.up(self.far_heat(far))
        return shown, self.placed(far), torch.log_softmax(heat.flatten(2), dim=2)

    def pointed(self, heat: Any) -> Any:
        """The points (N x 8): for each, the mean of the cells in which it may lie, weighted by their
        chances."""
        return (heat.exp() @ self.cells).flatten(1)

    def read(self, shown: Any, whole: Any, points: Any) -> tuple[Any, Any]:
        """Class and pose logits, given where corners and tips lie."""
        corners, tip = points[:, :6].reshape(-1, 3, 2), points[:, 6:].reshape(-1, 1, 2)
        right, left = corners, torch.cat((corners[:, 1:], corners[:, :1]), dim=1)
        middle, along, upward = (right + left) / 2, right - left, tip - (right + left) / 2
        u, v = self.grid[None, None, ..., :1], self.grid[None, None, ..., 1:]
        places = middle[:, :, None, None] + u * along[:, :, None, None] + v * upward[:, :, None, None]
        flat = (places / REACH).reshape(-1, 3 * ROWS * FINER, COLUMNS * FINER, 2)
        seen = functional.grid_sample(shown, flat, padding_mode="border", align_corners=False)
        seen = functional.avg_pool2d(seen, FINER)
        faces = seen.reshape(-1, 3, 3, ROWS, COLUMNS).transpose(1, 2).reshape(-1, 3, ROWS, COLUMNS)
        features = self.face(faces).reshape(-1, 3, SEEN)
        area = along[..., :1] * upward[..., 1:] - along[..., 1:] * upward[..., :1]
        clear = torch.sigmoid(self.clear(torch.cat((features, -area), dim=2)))
        both = torch.cat((whole, features.max(dim=1).values), dim=1)
        return (clear * self.says(features)).sum(dim=1) + self.classes(both) * self.only_none(), self.poses(
            both
        )

    def only_none(self) -> Any:
        """The logit of "no D4" from the features of the whole, which never tell a number."""
        last = torch.tensor(len(CLASSES) - 1, device=self.cells.device)
        return functional.one_hot(last, len(CLASSES)).float()

    def forward(self, cuts: Any) -> tuple[Any, Any, Any]:
        """Class logits (N x 5), pose logits (N x 5), and the points (N x 8)."""
        shown, whole, heat = self.placed_in(cuts)
        points = self.pointed(heat)
        classes, poses = self.read(shown, whole, points)
        return classes, poses, points


def _augment(cuts: Any) -> Any:
    """The cuts in hard light, as the network sees them: the same for the same cuts."""
    seed = int(cuts.long().sum())
    shown = show_lit(stuffed(cuts.float() / 255, seed + 1), seed, HARDNESS)
    return shown.contiguous(memory_format=torch.channels_last)


def _off(net: Any, heat: Any, points: Any, known: Any) -> Any:
    away = ((points.reshape(-1, 4, 1, 2) - net.cells) ** 2).sum(dim=3)
    by_cell = -(torch.softmax(-away / (2 * SPREAD**2), dim=2) * heat).sum(dim=2) * known[:, ::2]
    off = functional.smooth_l1_loss(net.pointed(heat), points, reduction="none", beta=0.1) * known
    return (4.0 * off.sum() + 0.6 * by_cell.sum()) / known.sum().clamp(min=1)


def d4_loss(net: Any, cuts: Any, points: Any, known: Any, classes: Any, poses: Any) -> Any:
    """Cross entropy of class and pose, each where it is asked, and the points' loss.

    Half of the dice are read where they truly lie, the other half where the network says that they lie.
    """
    shown = _augment(cuts)
    with torch.autocast(shown.device.type, HALF):
        shown, whole, heat = net.placed_in(shown)
    heat = heat.float()
    second = torch.arange(len(cuts), device=cuts.device)[:, None] % 2 == 0
    true = (known.min(dim=1, keepdim=True).values > 0) & second
    lying = torch.where(true, points, net.pointed(heat).detach())
    with torch.autocast(shown.device.type, HALF):
        class_logits, pose_logits = (each.float() for each in net.read(shown, whole, lying))
    by_class = functional.cross_entropy(
        class_logits, classes, ignore_index=NOT_ASKED, label_smoothing=0.02, reduction="sum"
    )
    by_pose = functional.cross_entropy(pose_logits, poses, ignore_index=NOT_ASKED, reduction="sum")
    asked, posed = (classes >= 0).sum().clamp(min=1), (poses >= 0).sum().clamp(min=1)
    return by_class / asked + 0.3 * by_pose / posed + _off(net, heat, points, known)


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
    return batches_of_kept_d4(store, BATCH)


def batches_of_kept_d4(store: Store, size: int) -> Draw:
    """The same, of so many, from the cuts that are kept."""
    folder = cuts_folder()
    scenes, sketched = kept_cuts(folder, SHARDS), kept_cuts(folder, SKETCHED, "sketched-")
    others = others_of(store, np.random.default_rng(SEED), KNOWN_KINDS)
    return by_shares([*_shared_out(scenes, sketched), (others, SHARES["others"])], d4_batch, size)


def learn_more_d4(name: str, draw: Draw, steps: int, begin: Any, seed: int, pace: Pace = OWN_PACE) -> Any:
    """The network after a course of that name in which it goes on from `begin`."""
    course = Course(name=name, steps=steps, rate=MORE_RATE, seed=seed, held=MORE_HELD, minutes=pace.minutes)
    net = copy.deepcopy(begin).to(best_device())
    return train_network(net, draw, d4_loss, course, COURSES, pace.look)


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
