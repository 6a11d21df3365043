"""How the network of edges learns, and from what."""

import numpy as np
import torch

from models.files import COURSES, EDGE
from models.training.edge_cuts import LearntStrips, strip_batch, strips_of
from models.training.edge_net import EdgeNet, ToldEdge, edge_loss
from models.training.export import export_edge, sign
from models.training.fit import Course, train_network

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
