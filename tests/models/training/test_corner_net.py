"""The network of corners, as it learns and as the box runs it."""

import numpy as np
import pytest

torch = pytest.importorskip(
    "torch", reason="torch is needed only to make networks (requirements-models.lock)"
)

from models.training.corner_course import (  # noqa: E402 - torch first: without it nothing here can be loaded
    ROUNDINGS_MM,
    CornerNet,
    ToldRounding,
    corner_loss,
    heat_of,
)


def test_the_box_is_told_the_mean_of_the_chances_and_how_far_they_scatter() -> None:
    net = CornerNet().eval()
    with torch.no_grad():
        net.told.weight.zero_()
        net.told.bias.fill_(-30.0)
        net.told.bias[[7, 11]] = 0.0
    cuts = torch.zeros(8, 32, 32, 6, dtype=torch.uint8)
    told = ToldRounding(net).eval()(cuts, torch.zeros(8, 8)).detach().numpy()
    assert told == pytest.approx(np.array([[1.2, 0.2], [1.2, 0.2]]), abs=0.003)


def test_the_loss_is_least_for_the_truth() -> None:
    true, step = torch.tensor([1.65]), torch.tensor([0.05])

    def loss(rounding: float, told_step: float) -> float:
        odds = torch.full((1, 33), -8.0)
        odds[0, :-2] = torch.tensor(-np.abs(ROUNDINGS_MM - rounding) * 20, dtype=torch.float32)
        odds[0, -2:] = torch.tensor([told_step / 0.1, -0.5])
        return float(corner_loss(lambda *_: odds, None, None, true, step))

    assert loss(1.65, 0.05) < min(loss(1.9, 0.05), loss(1.4, 0.05), loss(1.65, 0.2), loss(1.65, -0.1))


def test_a_network_that_is_too_sure_is_cooled() -> None:
    chance = np.random.default_rng(2)
    true = chance.uniform(0.5, 3.0, 800)
    off = true + chance.normal(0, 0.3, 800)
    odds = -(((ROUNDINGS_MM[None] - off[:, None]) / 0.15) ** 2) / 2
    assert heat_of(odds, true) == pytest.approx(4.0, abs=1.2)
