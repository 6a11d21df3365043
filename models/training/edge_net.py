"""The network that tells how long a die's edge is from strips across its four sides, and its loss.

The same layers look at each side, piece by piece along it. What they see of all pieces is put together by its
mean and by a mean in which the pieces that tell more weigh more: one may lie in a shadow, show a pip at the
rim or another die. Colours are told apart in light, and against those of the whole die.
"""

from typing import Any

import torch
from torch import nn

from vision.learned.strip_contract import ACROSS, ALONG, KNOWN, SIDES

STEP_MM, ROUNDING_MM = 0.1, 0.5
"""The edge's step and its scatter are told in the one, the rounding about 1.6 mm in the other."""
FREEDOM = 6.0
"""The degrees of freedom of Student's distribution of the step's errors: some are far off."""
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
    """Takes the strips of N dice (4 N x 6 x 64 x 6, 0 to 255) and what is known of each side (4 N x 5) to the
    edge's step, the log of its scatter, and the rounding (N x 3)."""

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
        self.piece = nn.Sequential(nn.Linear(inside + KNOWN, SEEN), nn.ReLU())
        self.weight = nn.Linear(SEEN, 1)
        self.die = nn.Sequential(nn.Linear(2 * SEEN + KNOWN, SEEN), nn.ReLU())
        self.drop = nn.Dropout(0.1)
        self.told = nn.Linear(SEEN, 3)

    def forward(self, strips: Any, known: Any) -> Any:
        """N x 3."""
        seen = self.body(_in_light(strips)).permute(0, 3, 1, 2).flatten(2)
        sides = torch.cat([seen, known[:, None].expand(-1, ALONG, -1)], 2)
        pieces = self.piece(sides).reshape(-1, SIDES * ALONG, SEEN)
        share = torch.softmax(self.weight(pieces), 1)
        mean = known.reshape(-1, SIDES, KNOWN).mean(1)
        die = self.die(torch.cat([pieces.mean(1), (share * pieces).sum(1), mean], 1))
        return self.told(self.drop(die))


def _in_light(strips: Any) -> Any:
    """Strips (4 N x ...) in light, each die's about 0 and with a spread of 1."""
    light = (strips / 255.0) ** GAMMA
    dice = light.reshape(-1, SIDES * light.shape[1] * light.shape[2] * light.shape[3])
    away = dice - dice.mean(1, keepdim=True)
    spread = (away**2).mean(1, keepdim=True).sqrt()
    return (away / (spread + FAINT)).reshape(strips.shape)


class ToldEdge(nn.Module):
    """A network that has learnt, as the box runs it: bytes in, millimetres out."""

    def __init__(self, net: EdgeNet, wider: float = 1.0) -> None:
        """`wider` is by how much one sigma is more than the scatter that the network tells."""
        super().__init__()
        self.net, self.wider = net, wider

    def forward(self, strips: Any, known: Any) -> Any:
        """From 4 N x 64 x 6 x 6 bytes and 4 N x 5 to N x 2 (`vision.learned.strip_contract.TOLD`)."""
        told = self.net(strips.float().permute(0, 3, 1, 2), known)
        sigma = self.wider * torch.exp(told[:, 1].clamp(-3.0, 1.5))
        return STEP_MM * torch.stack([told[:, 0], sigma], 1)


def edge_loss(net: Any, strips: Any, known: Any, steps: Any, roundings: Any) -> Any:
    """The negative log of Student's distribution of the edge's step (Lange, Little and Taylor, 1989). The
    rounding is learnt beside it: where a side seems to end depends on that."""
    told = net(strips, known)
    scatter = told[:, 1].clamp(-3.0, 1.5)
    off = (steps / STEP_MM - told[:, 0]) * torch.exp(-scatter)
    by_edge = (scatter + (FREEDOM + 1) / 2 * torch.log1p(off**2 / FREEDOM)).mean()
    by_rounding = (told[:, 2] - (roundings - 1.6) / ROUNDING_MM) ** 2
    return by_edge + 0.1 * by_rounding.mean()
