"""The networks, for training: of dice a finder, a face reader and one that tells how they stand.

They are small on purpose: they run on a Raspberry Pi beside a game. They are plain residual networks (He et
al., 2016); the finder looks at three sizes and puts what it saw together again (Lin et al., 2017).
"""

from typing import Any

import torch
from torch import nn

from vision.learned.contract import CLASSES, CUT_SIDE_PX, MOVES, POSES, STANCE_SIDE_PX

FINDER_OUT = 8
"""The finder's numbers for each place: heat, offset x and y, log of the half edge, two of stretch, cosine and
sine of the turn."""
FINE = 2
"""Each of the finder's cells answers for FINE x FINE places."""
EMBEDDING = 64


def conv(inside: int, outside: int, size: int, stride: int = 1, groups: int = 1) -> nn.Sequential:
    """A convolution that keeps the size (but for its stride), then normalisation and rectification."""
    return nn.Sequential(
        nn.Conv2d(inside, outside, size, stride, size // 2, groups=groups, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(),
    )


class Near(nn.Module):
    """Adds features of the neighbouring cells to each cell's."""

    def __init__(self, width: int) -> None:
        """`width` is the number of channels in and out."""
        super().__init__()
        self.seen = conv(width, width, 3)

    def forward(self, x: Any) -> Any:
        """Takes and gives N x width x h x w."""
        return x + self.seen(x)


class Far(nn.Module):
    """Adds features of up to five cells away to each cell's, first in each channel alone, then mixed."""

    def __init__(self, width: int) -> None:
        """`width` is the number of channels in and out."""
        super().__init__()
        self.seen = nn.Sequential(conv(width, width, 5, groups=width), conv(width, width, 1))

    def forward(self, x: Any) -> Any:
        """Takes and gives N x width x h x w."""
        return x + self.seen(x)


class FinderNet(nn.Module):
    """Takes a picture (N x 3 x H x W, 0 to 255, H and W multiples of 32) to the finder's numbers (N x 8 x H/4
    x W/4)."""

    def __init__(self, width: int = 32) -> None:
        """`width` is the number of channels at a quarter of the picture's size."""
        super().__init__()
        w1, w2, w3 = width, 2 * width, 4 * width
        self.quarter = nn.Sequential(nn.Conv2d(3, w1, 6, 4, 1, bias=False), nn.BatchNorm2d(w1), nn.ReLU())
        self.eighth = nn.Sequential(Near(w1), conv(w1, w2, 3, 2), Near(w2))
        self.sixteenth = nn.Sequential(conv(w2, w3, 3, 2), Near(w3), Near(w3))
        self.thirty = nn.Sequential(conv(w3, w3, 3, 2, groups=w3), conv(w3, w3, 1), Far(w3), Far(w3), Far(w3))
        self.from_thirty = nn.Conv2d(w3, w3, 1)
        self.from_sixteenth = nn.Conv2d(w3, w2, 1)
        self.last = nn.Sequential(Near(w2), Near(w2), conv(w2, w3, 1))
        self.head = nn.Conv2d(w3, FINDER_OUT * FINE * FINE, 1)
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        self.spread = nn.PixelShuffle(FINE)
        with torch.no_grad():
            self.head.bias.zero_()
            self.head.bias[: FINE * FINE] = -4.6  # nearly no place is the middle of a die
            self.head.bias[3 * FINE * FINE : 4 * FINE * FINE] = 3.0  # whose half edge is some twenty pixels

    def forward(self, picture: Any) -> Any:
        """Heat comes as log odds, offsets in places, the half edge as log of pixels."""
        eighth = self.eighth(self.quarter(picture / 127.5 - 1))
        sixteenth = self.sixteenth(eighth)
        sixteenth = sixteenth + self.up(self.from_thirty(self.thirty(sixteenth)))
        return self.spread(self.head(self.last(eighth + self.up(self.from_sixteenth(sixteenth)))))


def eighth(w1: int, w2: int, w3: int, inside: int = 3) -> nn.Sequential:
    """Layers that bring a picture of so many channels to an eighth of its sides, with these numbers of
    channels at a half, a quarter and an eighth."""
    return nn.Sequential(
        conv(inside, w1, 5, 2),
        Near(w1),
        conv(w1, w2, 3, 2),
        Near(w2),
        Near(w2),
        conv(w2, w3, 3, 2),
        Near(w3),
        Near(w3),
    )


def stance_head(inside: int) -> nn.Sequential:
    """Layers that tell from so many numbers the step from foot to up-face and the log of its scatter."""
    return nn.Sequential(
        nn.Flatten(),
        nn.Linear(inside, EMBEDDING),
        nn.BatchNorm1d(EMBEDDING),
        nn.ReLU(),
        nn.Linear(EMBEDDING, 3),
    )


class StanceNet(nn.Module):
    """Takes dice cut out with their sides (N x 3 x 48 x 48, 0 to 255) to the step from foot to up-face, in
    half edges, and the log of its scatter (N x 3)."""

    def __init__(self, width: int = 24) -> None:
        """`width` is the number of channels at half size."""
        super().__init__()
        w3 = 4 * width
        self.body = eighth(width, 2 * width, w3)
        self.told = stance_head(w3 * (STANCE_SIDE_PX // 8) ** 2)

    def forward(self, cuts: Any) -> Any:
        """Step x, step y and log scatter (N x 3)."""
        return self.told(self.body(cuts / 127.5 - 1))


class FaceReader(nn.Module):
    """Takes faces cut out and set upright (N x 3 x 48 x 48, 0 to 255) to class, pose, embedding and place:
    about 1.6 million weights."""

    def __init__(self, widths: tuple[int, int, int, int] = (32, 64, 128, 192)) -> None:
        """`widths`: channels at a half, a quarter, an eighth and a sixteenth of the cut's sides."""
        super().__init__()
        w1, w2, w3, w4 = widths
        self.body = nn.Sequential(eighth(w1, w2, w3), conv(w3, w4, 3, 2), Near(w4), Near(w4))
        inside = w4 * (CUT_SIDE_PX // 16) ** 2
        self.pool = nn.Sequential(nn.Flatten(), nn.Linear(inside, EMBEDDING), nn.BatchNorm1d(EMBEDDING))
        self.drop = nn.Dropout(0.1)
        self.askew = nn.Sequential(
            nn.Flatten(),
            nn.Linear(inside, EMBEDDING),
            nn.BatchNorm1d(EMBEDDING),
            nn.ReLU(),
            nn.Linear(EMBEDDING, MOVES),
        )
        self.classes = nn.Linear(EMBEDDING, len(CLASSES))
        self.poses = nn.Linear(EMBEDDING, len(POSES))

    def forward(self, cuts: Any) -> tuple[Any, Any, Any, Any]:
        """Class logits, pose logits, the embedding (N x 64, rectified), and how the face lies in the cut (N x
        9, `MOVES`)."""
        seen = self.body(cuts / 127.5 - 1)
        embedding = torch.relu(self.pool(seen))
        used = self.drop(embedding)
        return self.classes(used), self.poses(used), embedding, self.askew(seen)
