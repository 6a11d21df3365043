"""Claims of dice: what is true of those that are made up."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from models.scenes import draw
from models.training.claim_cuts import (
    AS_CLAIMED,
    LEAST_OFF,
    NO_DIE,
    OTHERWISE,
    ClaimCuts,
    claim_batch,
    claims_of_shard,
    landed_cuts,
)
from models.training.store import describe_dice

pytestmark = pytest.mark.long
SCENES = 12


@pytest.fixture(scope="module", name="cuts")
def _cuts(tmp_path_factory: pytest.TempPathFactory) -> ClaimCuts:
    """The dice of some scenes, kept as a shard is."""
    path = Path(tmp_path_factory.mktemp("scenes")) / "2000.json"
    scenes = [draw(seed, kinds=("pip",), leaning=0.4) for seed in range(SCENES)]
    packed: dict[str, Any] = {f"{i:02d}": cv2.imencode(".png", s.picture)[1] for i, s in enumerate(scenes)}
    with path.with_suffix(".jpgs").open("wb") as file:
        np.savez(file, **packed)
    path.write_text(json.dumps([{"dice": describe_dice(scene), "things": []} for scene in scenes]))
    return claims_of_shard(path)


def test_where_a_die_lies_flat_a_flat_one_would_stand_so_and_where_one_leans_not(cuts: ClaimCuts) -> None:
    off = np.hypot(*(cuts.flat_steps - cuts.steps).T)
    known = np.isfinite(off)
    flat, leaning = off[known & ~cuts.leans], off[known & cuts.leans]
    assert min(len(flat), len(leaning)) >= 3
    assert np.median(flat) < LEAST_OFF / 2 < LEAST_OFF < np.median(leaning)


def test_claims_are_told_as_what_they_are(cuts: ClaimCuts) -> None:
    chance = np.random.default_rng(1)
    claims = claim_batch(cuts, chance.integers(len(cuts), size=200), chance)
    away = np.hypot(*(claims.steps - claims.true_steps).T)
    assert set(claims.truth.tolist()) == {AS_CLAIMED, OTHERWISE, NO_DIE}
    assert np.quantile(away[claims.truth == AS_CLAIMED], 0.95) < LEAST_OFF
    assert np.median(away[claims.truth == OTHERWISE]) > LEAST_OFF
    assert np.isnan(away[claims.truth == NO_DIE]).all()


def test_the_same_chance_makes_the_same_claims(cuts: ClaimCuts) -> None:
    one, other = (claim_batch(cuts, np.arange(6), np.random.default_rng(3)) for _ in range(2))
    assert np.array_equal(one.shown, other.shown)
    assert np.array_equal(one.steps, other.steps)


def test_on_an_end_zone_it_is_known_how_a_flat_die_would_stand_in_the_place_of_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("models.training.claim_cuts.LANDED", tmp_path)
    landed = landed_cuts([50_002], 6)
    off = np.hypot(*(landed.flat_steps - landed.steps).T)
    assert landed.dice.all()
    assert min(landed.leans.sum(), (~landed.leans).sum()) >= 3
    assert off[~landed.leans].max(initial=0) < LEAST_OFF / 2 < LEAST_OFF < np.median(off[landed.leans])
