"""The network of edges, as it learns and as the box runs it."""

import numpy as np
import pytest

torch = pytest.importorskip(
    "torch", reason="torch is needed only to make networks (requirements-models.lock)"
)

from models.training.edge_course import (  # noqa: E402
    EdgeNet,
    ToldEdge,
    as_sure_as_right,
    edge_loss,
)
from models.training.edge_cuts import LearntStrips  # noqa: E402


def told_always(step: float, scatter: float) -> EdgeNet:
    """A network that says the same of every die, and that none lies aside."""
    net = EdgeNet()
    net.eval()
    with torch.no_grad():
        net.told.weight.zero_()
        net.told.bias.copy_(torch.tensor([step, scatter, 0.0]))
        net.moved.weight.zero_()
        net.moved.bias.copy_(torch.tensor([0.3, scatter]))
    return net


def test_the_box_is_told_millimetres() -> None:
    strips, known = torch.zeros(8, 64, 6, 6, dtype=torch.uint8), torch.zeros(8, 5)
    told = ToldEdge(told_always(0.5, np.log(0.4)), (1.5, 2.0))(strips, known).detach().numpy()
    assert told == pytest.approx(np.array([[0.05, 0, 0, 0.06, 0.04, 0.04]] * 2), abs=1e-5)


def test_seen_from_the_other_side_a_die_lies_aside_the_other_way() -> None:
    torch.manual_seed(3)
    net = EdgeNet().eval()
    strips, known = torch.randint(0, 256, (4, 6, 64, 6)).float(), torch.randn(4, 5)
    order = torch.tensor([2, 3, 0, 1])
    with torch.no_grad():
        (one,), (other,) = net(strips, known), net(strips[order], known[order])
    turned = one * torch.tensor([1.0, -1.0, -1.0, 1.0, 1.0, 1.0, 1.0])
    assert torch.allclose(turned, other, atol=1e-4)
    assert one[1:3].abs().min() > 1e-3


def test_the_loss_is_least_for_the_truth() -> None:
    step, rounding, aside = torch.tensor([0.05]), torch.tensor([1.6]), torch.tensor([[0.02, -0.03]])

    def loss(told_step: float, told_aside: float = 0.02) -> float:
        told = torch.tensor([[told_step / 0.1, told_aside / 0.05, -0.6, -0.5, -0.5, -0.5, 0.0]])
        return float(edge_loss(lambda *_: told, None, None, step, rounding, aside))

    assert loss(0.05) < min(loss(0.15), loss(0.0), loss(-0.05))
    assert loss(0.05) < min(loss(0.05, 0.04), loss(0.05, 0.0))


def test_a_network_that_is_too_sure_is_made_less_so() -> None:
    chance = np.random.default_rng(2)
    count = 400
    dice = LearntStrips(
        np.zeros((count, 4, 64, 6, 6), np.uint8),
        np.zeros((count, 4, 5), np.float32),
        np.asarray(chance.normal(0, 0.03, count), np.float32),
        np.full(count, 1.6, np.float32),
        np.asarray(chance.normal(0, 0.01, (count, 2)), np.float32),
    )
    wider = as_sure_as_right(told_always(0.0, np.log(0.1)), dice).wider
    assert wider == pytest.approx((2.7, 2.0), abs=0.4)
