"""The network that tells a die's rounding from its corners, and how it learns."""

from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from calibration.arrays import Floats
from models.files import CORNER, COURSES
from models.training.corner_cuts import LearntCorners, corner_batch, corners_of
from models.training.export import export_corner, sign
from models.training.fit import Course, train_network
from models.training.nets import Near, conv
from vision.learned.contract import CORNER_FEATURES, CORNER_PX, CORNERS

# The network that tells a die's rounding and edge from its four corners, and its loss.
#
# The same layers look at each corner; what they see is put together by its mean and by a mean in which the
# corners that tell more weigh more. The rounding comes as the chances of a row of roundings: in a shadow two
# of them, far apart, may fit alike. The edge comes as a step from the fitted one, and its scatter.

ROUNDINGS_MM: Floats = np.arange(0.3, 4.61, 0.1)
"""The roundings that are told apart; dice have 0.5 to 4 mm."""
STEP_MM = 0.1
"""The edge's step and scatter are told in these."""
FREEDOM = 6.0
"""The degrees of freedom of Student's distribution of the step's errors: some are far off."""
SEEN = 64


class CornerNet(nn.Module):
    """Takes the corners of N dice, cut out (4 N x 6 x 32 x 32, 0 to 255), and what the fit knew of each
    (4 N x 8) to the log odds of `ROUNDINGS_MM`, the edge's step and the log of its scatter (N x 46)."""

    def __init__(self, width: int = 16) -> None:
        """`width` is the number of channels at half size."""
        super().__init__()
        inside = 32 * (CORNER_PX // 4) ** 2
        self.body = nn.Sequential(
            conv(6, width, 5, 2),
            Near(width),
            conv(width, 2 * width, 3, 2),
            Near(2 * width),
            Near(2 * width),
            conv(2 * width, 32, 1),
        )
        self.corner = nn.Sequential(
            nn.Linear(inside + CORNER_FEATURES, SEEN), nn.BatchNorm1d(SEEN), nn.ReLU()
        )
        self.weight = nn.Linear(SEEN, 1)
        self.die = nn.Sequential(nn.Linear(2 * SEEN + CORNER_FEATURES, SEEN), nn.BatchNorm1d(SEEN), nn.ReLU())
        self.drop = nn.Dropout(0.1)
        self.told = nn.Linear(SEEN, len(ROUNDINGS_MM) + 2)

    def forward(self, cuts: Any, known: Any) -> Any:
        """N x 46."""
        seen = self.body(cuts / 127.5 - 1).flatten(1)
        corner = self.corner(torch.cat([seen, known], 1)).reshape(-1, CORNERS, SEEN)
        share = torch.softmax(self.weight(corner), 1)
        mean = known.reshape(-1, CORNERS, CORNER_FEATURES).mean(1)
        die = self.die(torch.cat([corner.mean(1), (share * corner).sum(1), mean], 1))
        return self.told(self.drop(die))


class ToldRounding(nn.Module):
    """A network that has learnt, as the box runs it: bytes in, millimetres out.

    Of the edge nothing is told: what it learns of that holds for its own painter's dice alone.
    """

    def __init__(self, net: CornerNet, heat: float = 1.0) -> None:
        """`heat` divides the log odds of roundings."""
        super().__init__()
        self.net, self.heat = net, heat
        self.register_buffer("row", torch.tensor(ROUNDINGS_MM, dtype=torch.float32))

    def forward(self, cuts: Any, known: Any) -> Any:
        """From 4 N x 32 x 32 x 6 bytes and 4 N x 8 to N x 2 (`CORNER_OUTPUTS`)."""
        told = self.net(cuts.float().permute(0, 3, 1, 2), known)
        chance = torch.softmax(told[:, : len(ROUNDINGS_MM)] / self.heat, 1)
        mean = (chance * self.row).sum(1)
        spread = (chance * (self.row - mean[:, None]) ** 2).sum(1)
        return torch.stack([mean, (spread + 1e-6).sqrt()], 1)


def corner_loss(net: Any, cuts: Any, known: Any, roundings: Any, steps: Any) -> Any:
    """The cross entropy of the rounding, shared out between the two nearest of `ROUNDINGS_MM`, and the
    negative log of Student's distribution of the edge's step (Lange, Little and Taylor, 1989)."""
    told = net(cuts, known)
    row = torch.tensor(ROUNDINGS_MM, dtype=torch.float32, device=told.device)
    near = (1 - (row[None] - roundings[:, None]).abs() / float(ROUNDINGS_MM[1] - ROUNDINGS_MM[0])).clamp(
        min=0
    )
    near = near / near.sum(1, keepdim=True)
    by_rounding = -(near * functional.log_softmax(told[:, :-2], 1)).sum(1).mean()
    scatter = told[:, -1].clamp(-3.0, 1.5)
    off = (steps / STEP_MM - told[:, -2]) * torch.exp(-scatter)
    by_edge = (scatter + (FREEDOM + 1) / 2 * torch.log1p(off**2 / FREEDOM)).mean()
    return by_rounding + 0.7 * by_edge


def heat_of(told: Floats, roundings: Floats) -> float:
    """The heat (`ToldRounding`) with which log odds (n, 44) give true roundings (n) the best chance."""
    tried = np.geomspace(0.5, 6.0, 80)
    right = np.abs(ROUNDINGS_MM[None] - roundings[:, None]).argmin(axis=1)
    losses = []
    for heat in tried:
        odds = told / heat
        log_sum = np.log(np.exp(odds - odds.max(axis=1, keepdims=True)).sum(axis=1)) + odds.max(axis=1)
        losses.append(float((log_sum - odds[np.arange(len(odds)), right]).mean()))
    return float(tried[int(np.argmin(losses))])


TABLES, PER_TABLE = (*range(42_000, 42_068), *range(42_100, 42_267)), 24
"""The seeds of the tables that are learnt from, and how many landings there are on each."""
CHOSEN, PER_CHOSEN = range(60_000, 60_016), 20
"""Those by which it is settled how sure the network is."""
BATCH, RATE, SEED = 64, 2e-3, 5


def make_corner(steps: int) -> None:
    """Learn for so many steps, then write the file and sign its card.

    What is learnt from is drawn where it is not kept yet.
    """
    dice = corners_of(TABLES, PER_TABLE)
    course = Course(name="corner", steps=steps, rate=RATE, seed=SEED)
    net = train_network(
        CornerNet(),
        lambda chance: corner_batch(dice, chance.integers(len(dice), size=BATCH), chance),
        corner_loss,
        course,
        COURSES,
    )
    export_corner(as_sure_as_right(net, corners_of(CHOSEN, PER_CHOSEN, plain=True)), CORNER)
    sign(CORNER)


def as_sure_as_right(net: CornerNet, dice: LearntCorners) -> ToldRounding:
    """The network as the box runs it, as sure of dice that it did not learn from as it is right."""
    cuts = np.ascontiguousarray(dice.cuts.transpose(0, 1, 4, 2, 3), np.float32)
    with torch.no_grad():
        told = [
            net.eval()(torch.from_numpy(each), torch.from_numpy(known))
            for each, known in zip(cuts, dice.known, strict=True)
        ]
    odds = np.asarray(torch.cat(told).numpy()[:, : len(ROUNDINGS_MM)], np.float64)
    return ToldRounding(net, heat_of(odds, dice.roundings.astype(np.float64)))
