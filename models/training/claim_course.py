"""The network that tells whether a die lies as it is claimed, and how it learns.

`python -m models.training.claim_course --folder DIR`: DIR has the wide scenes that it learns from
(`models.training.wide_scenes`), beside End Zones that are drawn where they are not kept; it begins with what
the stance network knows. A course that was broken off goes on.
"""

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from models.files import CLAIM, COURSES, STANCE
from models.scenes.chance import Chance
from models.training.augmentation import in_any_light
from models.training.claim_cuts import ClaimCuts, claim_batch, claim_cuts, landed_cuts
from models.training.export import export_claim, sign
from models.training.fit import Course, predict, seed_of, step_loss, train_network
from models.training.nets import EMBEDDING, StanceNet, eighth, stance_head
from models.training.quantize import recall
from models.training.store import joined
from models.training.train import from_one_on, learning
from models.training.wide_scenes import FIRST, HELD_OUT
from vision.learned.contract import CLAIM_SIDE_PX, CLAIMS

BATCH, THINGS, LEANING, LANDED, RATE = 64, 10, 12, 8, 1e-3
"""How many cuts a batch has, how many of them show what is no die, how many lean where it is known how a flat
die would stand, and how many lie on an End Zone."""
TABLES, PER_TABLE = range(50_000, 50_039), 24
"""The End Zones that it learns from, and how many landings there are on each."""
MOST_STEP = 1.5
"""The longest step from foot to up-face, in half edges, of dice that it learns from: no camera over an End
Zone sees them from further aside."""
HARDNESS = 0.7
"""How hard the light is in which cuts are shown (`models.training.augmentation.show_lit`)."""


class ClaimNet(nn.Module):
    """Takes claims (N x 6 x 48 x 48, 0 to 255) and the steps from foot to up-face that they claim (N x 2) to
    the log odds of what is true of them, the true step and the log of its scatter (N x 6).

    It sees what the stance network sees and, drawn over it, the claim.
    """

    def __init__(self, width: int = 24) -> None:
        """`width` is the number of channels at half size."""
        super().__init__()
        w3 = 4 * width
        inside = w3 * (CLAIM_SIDE_PX // 8) ** 2
        self.body = eighth(width, 2 * width, w3, inside=6)
        self.stance = stance_head(inside)
        self.seen = nn.Sequential(
            nn.Flatten(), nn.Linear(inside, EMBEDDING), nn.BatchNorm1d(EMBEDDING), nn.ReLU(), nn.Dropout(0.1)
        )
        self.told = nn.Sequential(nn.Linear(EMBEDDING + OFF, 32), nn.ReLU(), nn.Linear(32, len(CLAIMS)))

    def begin_with(self, known: StanceNet) -> "ClaimNet":
        """This network with what one knows that tells how dice stand; of claims it knows nothing yet."""
        state = known.body.state_dict()
        first = next(iter(state))
        state[first] = torch.cat((state[first], torch.zeros_like(state[first])), 1)
        self.body.load_state_dict(state)
        self.stance.load_state_dict(known.told.state_dict())
        return self

    def forward(self, claims: Any, steps: Any) -> Any:
        """N x 6."""
        body = self.body(claims / 127.5 - 1)
        stance = self.stance(body)
        off = stance[:, :2] - steps
        far = (off.square().sum(1, keepdim=True) + 1e-6).sqrt()
        scatter = stance[:, 2:].clamp(-5.0, 2.0)
        beside = torch.cat((far, scatter, far * torch.exp(-scatter).clamp(max=30)), 1)
        return torch.cat((self.told(torch.cat((self.seen(body), beside), 1)), stance), 1)


OFF = 3
"""The numbers that tell how far off the claimed step is."""
STEP_SHARE = 0.25
"""How much the step's loss weighs beside the verdict's."""


def claim_loss(net: Any, claims: Any, steps: Any, truth: Any, true_steps: Any) -> Any:
    """The cross entropy of the verdict, and the stance network's loss of the step where a die is."""
    told = predict(net, claims, steps)
    verdicts, stances = told.split((len(CLAIMS), 3), dim=1)
    asked = torch.isfinite(true_steps[:, 0])
    return functional.cross_entropy(verdicts, truth) + STEP_SHARE * step_loss(
        stances[asked], true_steps[asked]
    )


class ToldClaim(nn.Module):
    """A network that has learnt, as the box runs it: the verdict alone."""

    def __init__(self, net: ClaimNet) -> None:
        """`net` has learnt."""
        super().__init__()
        self.net = net

    def forward(self, claims: Any, steps: Any) -> Any:
        """Log odds (N x 3)."""
        return self.net(claims, steps)[:, : len(CLAIMS)]


def learn_claims(cuts: ClaimCuts, landed: ClaimCuts, steps: int, begin: ClaimNet) -> Any:
    """The mean network after so many steps with dice and things of wide scenes, and dice that `landed`."""
    course = Course(name="claim", steps=steps, rate=RATE, seed=seed_of("claim"), held=0.4)
    asked = cuts.dice & (np.hypot(*cuts.steps.T) < MOST_STEP)
    dice, things = np.flatnonzero(asked), np.flatnonzero(~cuts.dice)
    leaning = np.flatnonzero(asked & cuts.leans & np.isfinite(cuts.flat_steps[:, 0]))
    on_tables = len(cuts) + np.arange(len(landed))
    shares = (
        (dice, BATCH - THINGS - LEANING - LANDED),
        (leaning, LEANING),
        (on_tables, LANDED),
        (things, THINGS),
    )
    cuts = joined(ClaimCuts, [cuts, landed])

    def draw(chance: Chance) -> tuple[Any, ...]:
        rows = np.concatenate([chance.choice(those, count) for those, count in shares])
        claims = claim_batch(cuts, rows, chance)
        claims.shown[:, :3] = in_any_light(np.ascontiguousarray(claims.shown[:, :3]), chance, HARDNESS)
        return claims.shown, claims.steps, claims.truth, claims.true_steps

    return train_network(begin, draw, claim_loss, course, COURSES)


def main() -> None:
    """Learn from all wide scenes of a folder, then write the file and sign its card."""
    parser = argparse.ArgumentParser(description="Teaches the network of claims.")
    parser.add_argument("--folder", type=Path, required=True, help="where wide scenes are kept")
    parser.add_argument("--steps", type=from_one_on, default=8000)
    parser.add_argument("--threads", type=from_one_on, default=1)
    asked = parser.parse_args()
    with learning(asked.threads):
        cuts = claim_cuts(asked.folder / "scenes", FIRST, HELD_OUT - FIRST)
        shown = claim_batch(cuts, np.arange(BATCH), np.random.default_rng(0)).shown[:, :3]
        known = recall(StanceNet(), STANCE, torch.from_numpy(np.ascontiguousarray(shown)).float())
        landed = landed_cuts(TABLES, PER_TABLE)
        learnt = learn_claims(cuts, landed, asked.steps, ClaimNet().begin_with(known))
        export_claim(ToldClaim(learnt), CLAIM)
        sign(CLAIM)


if __name__ == "__main__":
    main()
