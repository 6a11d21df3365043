"""The network that tells where a die's sides are, and how it learns."""

from typing import Any

import numpy as np
import torch
from torch import nn

from models.files import COURSES, EDGE
from models.training.edge_cuts import LearntStrips, strip_batch, strips_of
from models.training.export import export_edge, sign
from models.training.fit import Course, train_network
from vision.learned.contract import ACROSS, ALONG, SIDE_FEATURES, SIDES

# The network that tells where a die's sides are from strips across all four, and its loss.
#
# The same layers look at each side, piece by piece along it. What they see of all pieces is put together by
# its mean and by a mean in which the pieces that tell more weigh more: one may lie in a shadow, show a pip at
# the rim or another die. From all four sides together it tells how long the edge is, from each of two that
# face each other, and from what it knows of the die, how far the die's middle lies aside. Colours are told
# apart in light, and against those of the whole die.

STEP_MM, ASIDE_MM, ROUNDING_MM = 0.1, 0.05, 0.5
"""The edge's step and how far the middle lies aside are told in these, and so are their scatters; the
rounding about 1.6 mm in the last."""
FREEDOM = 6.0
"""The degrees of freedom of Student's distribution of their errors: some are far off."""
SEEN = 64
GAMMA, FAINT = 1.7, 0.02
"""From grey levels to light as `vision.landing.edges` has it; and the contrast below which colours count as
noise."""


def _conv(inside: int, outside: int, stride: int) -> nn.Sequential:
    """A convolution that looks further across a side than along it."""
    return nn.Sequential(
        nn.Conv2d(inside, outside, (5, 3), (stride, 1), (2, 1), bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(),
    )


class EdgeNet(nn.Module):
    """Takes the strips of N dice (4 N x 6 x 64 x 6, 0 to 255) and what is known of each side (4 N x 5) to N x
    7: the edge's step, how far the middle lies aside along two sides' normals, the logs of the three's
    scatters, and the rounding."""

    def __init__(self, width: int = 32) -> None:
        """`width` is the number of channels at full and half size."""
        super().__init__()
        inside = 2 * width * ACROSS // 8
        self.body = nn.Sequential(
            _conv(6, width, 1),
            _conv(width, width, 2),
            _conv(width, 2 * width, 2),
            _conv(2 * width, 2 * width, 2),
        )
        self.piece = nn.Sequential(nn.Linear(inside + SIDE_FEATURES, SEEN), nn.ReLU())
        self.weight = nn.Linear(SEEN, 1)
        self.die = nn.Sequential(nn.Linear(2 * SEEN + SIDE_FEATURES, SEEN), nn.ReLU())
        self.drop = nn.Dropout(0.1)
        self.told = nn.Linear(SEEN, 3)
        self.side = nn.Sequential(nn.Linear(3 * SEEN + SIDE_FEATURES, SEEN), nn.ReLU())
        self.moved = nn.Linear(SEEN, 2)

    def forward(self, strips: Any, known: Any) -> Any:
        """N x 7."""
        seen = self.body(_in_light(strips)).permute(0, 3, 1, 2).flatten(2)
        sides = torch.cat([seen, known[:, None].expand(-1, ALONG, -1)], 2)
        pieces = self.piece(sides).reshape(-1, SIDES * ALONG, SEEN)
        of_sides = known.reshape(-1, SIDES, SIDE_FEATURES)
        die = self.die(torch.cat([self._together(pieces), of_sides.mean(1)], 1))
        step, scatter, rounding = self.told(self.drop(die)).split(1, 1)
        mine = self._together(pieces.reshape(-1, SIDES, ALONG, SEEN))
        alike = die[:, None].expand(-1, SIDES, -1)
        moved = self.moved(self.side(torch.cat([mine, alike, of_sides], 2)))
        # Of two sides that face each other one goes inwards as the die moves, the other outwards.
        aside = (moved[:, :2, 0] - moved[:, 2:, 0]) / 2
        unsure = (moved[:, :2, 1] + moved[:, 2:, 1]) / 2
        return torch.cat([step, aside, scatter, unsure, rounding], 1)

    def _together(self, pieces: Any) -> Any:
        """The mean of the last axis but one, and the mean by how much each piece tells."""
        share = torch.softmax(self.weight(pieces), -2)
        return torch.cat([pieces.mean(-2), (share * pieces).sum(-2)], -1)


def _in_light(strips: Any) -> Any:
    """Strips (4 N x ...) in light, each die's about 0 and with a spread of 1."""
    light = (strips / 255.0) ** GAMMA
    dice = light.reshape(-1, SIDES * light.shape[1] * light.shape[2] * light.shape[3])
    away = dice - dice.mean(1, keepdim=True)
    spread = (away**2).mean(1, keepdim=True).sqrt()
    return (away / (spread + FAINT)).reshape(strips.shape)


class ToldEdge(nn.Module):
    """A network that has learnt, as the box runs it: bytes in, millimetres out."""

    def __init__(self, net: EdgeNet, wider: tuple[float, float] = (1.0, 1.0)) -> None:
        """`wider` is by how much one sigma of the edge is more than the scatter that the network tells, and
        by how much those of the middle are."""
        super().__init__()
        self.net, self.wider = net, wider

    def forward(self, strips: Any, known: Any) -> Any:
        """From 4 N x 64 x 6 x 6 bytes and 4 N x 5 to N x 6 (`SIDE_OUTPUTS`)."""
        told = self.net(strips.float().permute(0, 3, 1, 2), known)
        of_edge, of_middle = self.wider
        units = torch.tensor([STEP_MM, ASIDE_MM, ASIDE_MM])
        sigmas = torch.exp(_scatters(told)) * torch.tensor([of_edge, of_middle, of_middle])
        return torch.cat([told[:, :3] * units, sigmas * units], 1)


def edge_loss(net: Any, strips: Any, known: Any, steps: Any, roundings: Any, asides: Any) -> Any:
    """The negative log of Student's distribution (Lange, Little and Taylor, 1989) of the edge's step, and of
    how far the middle lies aside. The rounding is learnt beside it: where a side seems to end depends on
    that."""
    told = net(strips, known)
    true = torch.cat([steps[:, None] / STEP_MM, asides / ASIDE_MM], 1)
    scatters = _scatters(told)
    off = (true - told[:, :3]) * torch.exp(-scatters)
    unlike = scatters + (FREEDOM + 1) / 2 * torch.log1p(off**2 / FREEDOM)
    by_rounding = (told[:, 6] - (roundings - 1.6) / ROUNDING_MM) ** 2
    return unlike[:, 0].mean() + 0.7 * unlike[:, 1:].mean() + 0.1 * by_rounding.mean()


def _scatters(told: Any) -> Any:
    """The logs of what the network told of its scatter, none beyond all bounds (N x 3)."""
    return told[:, 3:6].clamp(-3.5, 1.5)


TABLES, PER_TABLE = (*range(40_000, 40_422), *range(40_600, 41_032)), 24
"""The seeds of the tables that are learnt from, and how many landings there are on each."""
CHOSEN, PER_CHOSEN = range(60_100, 60_124), 20
"""Those by which it is settled how sure the network is."""
BATCH, RATE, SEED = 128, 2e-3, 6
MOST_OFF = 4.0
"""In sigmas: an answer that is off by more says nothing of how far the others are."""


def make_edge(steps: int) -> None:
    """Learn for so many steps, then write the file and sign its card.

    What is learnt from is drawn where it is not kept yet.
    """
    dice = strips_of(TABLES, PER_TABLE)
    course = Course(name="edge", steps=steps, rate=RATE, seed=SEED)
    net = train_network(
        EdgeNet(),
        lambda chance: strip_batch(dice, chance.integers(len(dice), size=BATCH), chance),
        edge_loss,
        course,
        COURSES,
    )
    export_edge(as_sure_as_right(net, strips_of(CHOSEN, PER_CHOSEN, plain=True)), EDGE)
    sign(EDGE)


def as_sure_as_right(net: EdgeNet, dice: LearntStrips) -> ToldEdge:
    """The network as the box runs it, as sure of dice that it did not learn from as it is right."""
    with torch.no_grad():
        told = ToldEdge(net.eval())(
            torch.from_numpy(dice.strips.reshape(-1, *dice.strips.shape[2:])),
            torch.from_numpy(dice.known.reshape(-1, dice.known.shape[2])),
        ).numpy()
    true = np.column_stack((dice.steps, dice.asides))
    squares = np.clip((true - told[:, :3]) / told[:, 3:], -MOST_OFF, MOST_OFF) ** 2
    return ToldEdge(net, (float(np.sqrt(squares[:, 0].mean())), float(np.sqrt(squares[:, 1:].mean()))))
