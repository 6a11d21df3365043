"""Kept scenes are found again as long as the painter draws the same."""

import pytest

from models.scenes import KINDS, Scene, draw
from models.training import store


@pytest.mark.long
def test_a_painter_that_draws_otherwise_keeps_its_scenes_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "PROBES", 2)
    here = store.scenes_folder()

    def painted(seed: int, width_px: int, height_px: int, kinds: tuple[str, ...] | None) -> Scene:
        return draw(seed + (seed == 1 and kinds == ("d4",)), width_px, height_px, kinds=kinds)

    monkeypatch.setattr(store, "draw", painted)
    assert store.scenes_folder() != here


def test_a_process_draws_its_probes_once(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []

    def painted(seed: int, width_px: int, height_px: int, kinds: tuple[str, ...] | None) -> Scene:
        drawn.append(seed)
        return draw(seed, width_px, height_px, kinds=kinds)

    monkeypatch.setattr(store, "PROBES", 1)
    monkeypatch.setattr(store, "draw", painted)
    assert store.scenes_folder() == store.scenes_folder()
    assert drawn == [0] * len(KINDS)
