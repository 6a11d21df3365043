"""How the network of corners learns, and from what."""

import numpy as np
import torch

from models.files import CORNER, COURSES
from models.training.corner_cuts import LearntCorners, corner_batch, corners_of
from models.training.corner_net import ROUNDINGS_MM, CornerNet, ToldRounding, corner_loss, heat_of
from models.training.export import export_corner, sign
from models.training.fit import Course, train_network

TABLES, PER_TABLE = range(20_000, 20_341), 24
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
