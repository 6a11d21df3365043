"""The mean of two networks has the means of their weights."""

from typing import Any

import pytest

torch = pytest.importorskip(
    "torch", reason="torch is needed only to make networks (requirements-models.lock)"
)

from models.training.fit import mean_of  # noqa: E402


def network(weight: float) -> Any:
    """A layer with that weight everywhere, before a norm that has seen two batches of it."""
    net = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.BatchNorm1d(2))
    for each in net.parameters():
        torch.nn.init.constant_(each, weight)
    for _ in range(2):
        net(torch.ones(4, 3))
    return net


def test_the_mean_lies_between_both_and_leaves_them_as_they_were() -> None:
    low, high = network(1.0), network(3.0)
    mean = mean_of(low, high)
    assert not mean.training
    assert all(torch.equal(each, torch.full_like(each, 2.0)) for each in mean.parameters())
    assert all(torch.equal(each, torch.full_like(each, 1.0)) for each in low.parameters())
    assert torch.allclose(mean[1].running_mean, (low[1].running_mean + high[1].running_mean) / 2)
    assert int(mean[1].num_batches_tracked) == 2
