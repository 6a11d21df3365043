"""Whether a die slid instead of rolling: over how much of its way the same face looked up. Told, never ruled.

Theory of operation
- A die that rolls shows another face with each edge's length of its way. One that slides shows the same
  face up from the hand to where it lies; at most that face turns about the vertical, and slowly.
- So the die is followed back (`followed`), and in each picture two things are weighed: how like its up-face
  it looks there, and how evenly that seems to turn. How often which likeness and which turn are found of
  dice that slide, and of dice that roll, was counted on the simulated table; the logarithms of how many
  times likelier they are of one that slides are added up.
- The last edge's length says nothing: every die comes to rest on a face. Nor do pictures that are blurred
  by more than a die's edge, or are from farther back than `FARTHEST_EDGES`.
- Where fewer than `LEAST_STEPS` pictures are left, or they show a shorter way than `LEAST_WAY_EDGES`, nothing
  is known, unless they show already that it rolled.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import degrees, exp, log

import numpy as np

from calibration.arrays import Floats
from calibration.view import View
from vision.landing.followed import BLURS, FollowedFace, FollowedStep, Shot
from vision.landing.measured import MeasuredDie

NEAREST_EDGES, FARTHEST_EDGES = 0.75, 16.0
MOST_BLUR_EDGES = 1.1
LEAST_STEPS, MOST_STEPS = 3, 8
LEAST_WAY_EDGES = 4.0
"""Who was seen over a shorter way may have been set down."""
SURE = 8.5
"""The least sum that is told. One rolled die in a hundred comes near it, and these slid in the end."""
HOPELESS = -5.0
"""Below nothing is looked at any more: it rolled."""
GAP_MS = 300.0
"""What moved so long before is another throw's."""
LIKE, LIKE_SPREAD = 0.86, 0.08
"""How like its up-face a die is that slides: a picture's correlation, and its spread."""
UNLIKE, UNLIKE_SPREAD = 0.60, 0.15
"""The same of one that rolls."""
LIKE_MOST, LIKE_LEAST = 1.5, -4.0
"""No single picture says more."""
USUAL_MS = 50.0
EVEN_DEG, FAR_EVEN_DEG, UNEVEN_DEG = 5.0, 15.0, 28.0
"""By how much the turn within `USUAL_MS` differs from the one before: when sliding, when sliding far away,
and when rolling."""
FAR_EDGES = 12.5
TURN_MOST, TURN_LEAST = 1.5, -2.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Slide:
    """How a die came to where it lies."""

    way_mm: float
    """How much of its way the pictures show that were looked at."""
    evidence: float
    """How much likelier, as a logarithm, what was seen is of a die that showed the same face all that way."""

    @property
    def slid(self) -> bool:
        """Whether it surely did."""
        return self.evidence >= SURE


def find_slide(rest: Shot, shots: Sequence[Shot], view: View, die: MeasuredDie) -> Slide | None:
    """How a die slid, or did not; None where too little of its way was seen.

    `rest`: the picture in which it was measured, and since when it lies so. `shots`: earlier ones in which
    something moves, the oldest first.
    """
    if die.pose != "flat":
        return None
    face = FollowedFace(rest, view, die)
    steps: list[FollowedStep] = []
    found: _Judged | None = None
    later_ms = rest.time_ms
    for shot in reversed([one for one in shots if one.time_ms < rest.time_ms]):
        if later_ms - shot.time_ms > GAP_MS:
            break
        steps.append(face.back(shot))
        later_ms = shot.time_ms
        found = _judged(steps, die)
        if found.way_mm > FARTHEST_EDGES * die.edge_mm or found.told.evidence < HOPELESS:
            break
    return found.slide(die.edge_mm) if found else None


@dataclass(frozen=True, slots=True)
class _Told:
    """What several pictures say together."""

    evidence: float = 0.0
    count: int = 0
    """How many of them say anything."""
    edges: float = 0.0
    """How far back the last of these is, in edges."""


@dataclass(frozen=True, slots=True)
class _Judged:
    """What is known so far."""

    way_mm: float
    """How far the die was followed."""
    told: _Told

    def slide(self, edge_mm: float) -> Slide | None:
        """The same for others; None where it is too little."""
        short = self.told.count < LEAST_STEPS or self.told.edges < LEAST_WAY_EDGES
        if short and self.told.evidence >= HOPELESS:
            return None
        return Slide(way_mm=self.told.edges * edge_mm, evidence=self.told.evidence)


def _judged(steps: Sequence[FollowedStep], die: MeasuredDie) -> _Judged:
    """What the steps say, by the share of blur by which they say it best."""
    places = np.array([die.center_mm, *(step.at_mm for step in steps)])
    lengths = np.hypot(*np.diff(places, axis=0).T)
    told = (_told(steps, lengths / die.edge_mm, number) for number in range(len(BLURS)))
    return _Judged(float(lengths.sum()), max(told, key=lambda one: one.evidence))


def _told(steps: Sequence[FollowedStep], lengths_edges: Floats, number: int) -> _Told:
    """What they say with that share of blur."""
    told, turn_rad = _Told(), 0.0
    before: float | None = None
    ways = np.cumsum(lengths_edges)
    for index, step in enumerate(steps):
        turned = degrees(step.turns_rad[number] - turn_rad) * USUAL_MS / step.ago_ms
        uneven = None if before is None else turned - before
        # How long before the first picture it came to rest is not known well.
        turn_rad, before = step.turns_rad[number], turned if index else None
        if ways[index] < NEAREST_EDGES:
            continue
        blurred = lengths_edges[index] * BLURS[number] > MOST_BLUR_EDGES
        if blurred or ways[index] > FARTHEST_EDGES or told.count == MOST_STEPS:
            break
        says = _by_likeness(step.likeness[number]) + _by_turn(uneven, float(ways[index]))
        told = _Told(told.evidence + says, told.count + 1, float(ways[index]))
    return told


def _by_likeness(likeness: float) -> float:
    """What one picture's likeness says."""
    if likeness >= LIKE:
        return LIKE_MOST
    same = -0.5 * ((likeness - LIKE) / LIKE_SPREAD) ** 2 - log(LIKE_SPREAD)
    other = -0.5 * ((likeness - UNLIKE) / UNLIKE_SPREAD) ** 2 - log(UNLIKE_SPREAD)
    return min(max(same - other, LIKE_LEAST), LIKE_MOST)


def _by_turn(uneven_deg: float | None, way_edges: float) -> float:
    """What one picture's turn says, by how much it differs from the next one's."""
    if uneven_deg is None:
        return 0.0
    share = min(max(way_edges / FAR_EDGES - 1, 0.0), 1.0)
    even_deg = EVEN_DEG + (FAR_EVEN_DEG - EVEN_DEG) * share
    same = 0.9 * exp(-abs(uneven_deg) / even_deg) / even_deg + 0.1 / 90
    other = 0.85 * exp(-abs(uneven_deg) / UNEVEN_DEG) / UNEVEN_DEG + 0.15 / 90
    return min(max(log(same / other), TURN_LEAST), TURN_MOST)
