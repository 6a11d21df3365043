"""Dice of kinds that nobody named are told, and prints that look like them are not."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from calibration.arrays import Picture, Singles
from models.scenes import draw
from vision.face_place import FacePlace
from vision.learned.contract import CLASSES, NONE, POSES
from vision.learned.d4 import read_d4_closely
from vision.learned.faces import FLAT, Face, Stance
from vision.learned.networks import Networks
from vision.learned.reader import (
    LIKELY_UNEXPECTED,
    WARM_UNEXPECTED,
    find_unknown_dice,
    judge,
    leave_shapeless_out,
    look_for_kind,
    mark_sized,
)
from vision.reader import Reader

PLAIN = np.full((300, 900, 3), 90, np.uint8)
OTHER_KIND = "a die of a kind that was not expected"
STRANGERS = range(99_500, 99_512)
"""Drawn scenes of dice with numerals, symbols and letters, from which nothing learns."""


@dataclass
class TellsSteps:
    """Networks that tell of each die a step of so many sigmas."""

    sigmas: float
    shown: int = 0
    """How many dice they were shown."""

    def stance(self, cuts: Picture) -> Singles:
        """x and y in half edges, and the log of the scatter, from which one sigma is made."""
        self.shown += len(cuts)
        off = 3**0.5 * 0.1 / 2
        return np.asarray([(2 * self.sigmas * off, 0, np.log(0.1))] * len(cuts), np.float32)


class KnowsNoD4:
    """Networks that find every D4 where it was looked for, and no number on it."""

    def read_d4(self, cuts: Picture) -> tuple[Singles, Singles, Singles]:
        """Classes, poses and points."""
        classes = np.tile(np.array((0, 0, 0, 0, 9), np.float32), (len(cuts), 1))
        return classes, np.ones((len(cuts), len(POSES)), np.float32), np.zeros((len(cuts), 8), np.float32)


def find(x_px: float = 400.0, half_px: float = 20.0, *, kind: str = "bet", none: float = 0.1) -> Face:
    """What looks like an 8, or a D4's 3, but for that chance of no face."""
    chances = np.zeros(len(CLASSES), np.float32)
    chances[NONE], chances[CLASSES.index((kind, 3 if kind in ("d4", "pip") else 8))] = none, 1 - none
    return Face(
        place=FacePlace(np.array((x_px, 150), np.float32), np.asarray(np.eye(2) * half_px, np.float32)),
        heat=0.7,
        off=0.0,
        chances=chances,
        poses=np.eye(len(POSES), dtype=np.float32)[FLAT],
        embedding=np.zeros(64, np.float32),
    )


def is_strange(face: Face, sigmas: float = 5.0) -> bool:
    networks: Networks = TellsSteps(sigmas)  # type: ignore[assignment]
    (out,) = find_unknown_dice(PLAIN, [face], networks)
    assert out.stance is face.stance  # it is no company for others
    return out.strange


def test_what_looks_like_a_die_that_nobody_named_and_rises_is_strange() -> None:
    seen = look_for_kind(find(), "pip")
    assert seen.is_none
    assert seen.unexpected == pytest.approx(0.9)
    assert is_strange(seen)
    assert not is_strange(seen, sigmas=1.0)  # a print lies on the table


@pytest.mark.parametrize(
    "other",
    [
        look_for_kind(find(none=1.05 - LIKELY_UNEXPECTED), "pip"),
        replace(look_for_kind(find(), "pip"), heat=WARM_UNEXPECTED - 0.01),
        look_for_kind(find(kind="pip"), "pip"),
        look_for_kind(find(none=0.01), "pip"),  # told as a die of another kind anyway
        find(none=0.9),
    ],
)
def test_others_are_not_and_nobody_looks_how_they_stand(other: Face) -> None:
    steps = TellsSteps(5.0)
    networks: Networks = steps  # type: ignore[assignment]
    assert not find_unknown_dice(PLAIN, [other], networks)[0].strange
    assert steps.shown == 0


def test_a_d4_without_a_number_that_its_network_knows_is_strange_where_its_tip_stands_high() -> None:
    networks: Networks = KnowsNoD4()  # type: ignore[assignment]
    (face,) = read_d4_closely(PLAIN, [find(kind="d4", half_px=60.0)], networks)
    assert face.close
    assert face.is_none
    assert face.unexpected == pytest.approx(0.9)
    for sigmas, strange in ((5.0, True), (1.0, False)):
        stands = replace(face, stance=Stance(np.array((0.0, 0.06 * sigmas), np.float32), 0.06))
        (told,) = find_unknown_dice(PLAIN, [stands], networks)  # nobody looks: its tip has told
        assert told.strange == strange
    assert judge(PLAIN, replace(face, strange=True)).reason == "its face does not show clearly"


def strange_ones(*finds: Face) -> list[float]:
    """Where the strange ones of these are kept, beside two threes of 20 pixels."""
    dice = [find(x_px, kind="pip", none=0.0) for x_px in (100.0, 200.0)]
    looked = [judge(PLAIN, face) for face in (*dice, *finds)]
    kept = leave_shapeless_out(mark_sized(looked))
    return [float(one.face.place.center[0]) for one in kept if one.face.strange]


def test_a_strange_die_is_told_unless_it_is_far_larger_or_smaller_than_the_dice_or_lies_on_one() -> None:
    strange = replace(look_for_kind(find(), "pip"), strange=True)
    every = [
        replace(strange, place=find(x_px, half_px).place)
        for x_px, half_px in ((400.0, 28.0), (500.0, 40.0), (600.0, 14.0), (700.0, 10.0), (215.0, 20.0))
    ]
    assert strange_ones(*every) == [400.0, 600.0]
    (alone,) = leave_shapeless_out(mark_sized([judge(PLAIN, every[1])]))
    assert alone.reason == OTHER_KIND


@pytest.mark.long
def test_dice_with_numerals_that_lie_there_are_mentioned_where_pip_dice_are_due() -> None:
    reader = Reader(threads=1)
    flat = mentioned = 0
    for seed in STRANGERS:
        scene = draw(seed, 1280, 960, kinds=("foreign",))
        told = [one.center_px for one in reader.read(scene.picture, "pip").unsure]
        for die in (die for die in scene.dice if die.pose == "flat"):
            middle = die.corners_px.mean(axis=0)
            reach = 1.2 * float(np.hypot(*(die.corners_px[0] - middle)))
            flat += 1
            mentioned += any(np.hypot(*(middle - at)) < reach for at in told)
    assert flat > 50
    assert mentioned / flat > 0.85  # 0.81 before strange dice were told
