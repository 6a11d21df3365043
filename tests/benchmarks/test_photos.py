"""Sources of photographs that networks learnt from are measured with networks that did not."""

import pytest

from benchmarks.photographs import unseen
from models.files import FACES, FINDER
from models.scenes import draw
from models.training.photos import HELD_FROM
from vision.reader import Reader

SEED = 96_017
"""A drawn scene of eight plain pip dice, which nothing learns from."""


@pytest.mark.parametrize("source", HELD_FROM["upper"])
def test_held_out_sources_are_read_by_networks_that_lie_beside_the_benchmarks(source: str) -> None:
    networks = unseen(source)
    assert networks is not None
    assert networks.finder not in (FINDER, FACES)
    assert networks.faces not in (FINDER, FACES)


def test_those_networks_read_dice() -> None:
    scene = draw(SEED, 1280, 960, kinds=("pip",))
    read = Reader(networks=unseen("rune55_trays")).read(scene.picture, "pip").dice
    assert len(read) >= 5
    assert {die.value for die in read} <= {die.value for die in scene.dice}


def test_a_source_that_nothing_learnt_from_is_read_by_the_project_s_own() -> None:
    networks = unseen("fudw_bowl")
    assert networks is not None
    assert (networks.finder, networks.faces) == (FINDER, FACES)
