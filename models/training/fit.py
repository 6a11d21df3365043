"""The training loops: steps, checkpoints every few minutes, a mean of the weights over time for use."""

import copy
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional
from tqdm import tqdm

from models.scenes.chance import Chance
from models.training.cuts import NOT_ASKED

SAVED_EVERY_S = 120.0
MEAN_OVER = 150
"""About how many steps the weights are averaged over (Polyak and Juditsky, 1992)."""

DRAWERS = max(1, (os.cpu_count() or 1) // 4)
"""How many threads draw batches ahead: a GPU learns faster than one of them draws."""

HALF = torch.bfloat16
"""What a network reckons with while it learns: sixteen bits take two thirds of the time; its weights keep
their 32."""

Draw = Callable[[Chance], tuple[Any, ...]]
"""Makes one batch, as arrays, from a random generator."""
Loss = Callable[..., Any]


class Sorted(Protocol):
    """N cuts with what is true of them."""

    @property
    def classes(self) -> NDArray[np.int64]:
        """The class of each cut (N)."""
        ...

    @property
    def poses(self) -> NDArray[np.int64]:
        """How the die in each cut lies (N)."""
        ...

    def __len__(self) -> int:
        """How many."""
        ...


Cut = TypeVar("Cut", bound=Sorted)


def by_shares(
    sets: Sequence[tuple[Cut, float]],
    shown: Callable[[Cut, NDArray[np.intp], Chance], tuple[Any, ...]],
    size: int,
) -> Draw:
    """Batches of that size with cuts of each set by its share: as `shown`, then their classes and poses."""
    shares = np.cumsum([share for _, share in sets]) / sum(share for _, share in sets)
    ends = [0, *(round(float(share) * size) for share in shares)]

    def draw(chance: Chance) -> tuple[Any, ...]:
        arrays = []
        for (cuts, _), (first, last) in zip(sets, pairwise(ends), strict=True):
            rows = chance.integers(len(cuts), size=last - first)
            arrays.append((*shown(cuts, rows, chance), cuts.classes[rows], cuts.poses[rows]))
        return tuple(np.concatenate(parts) for parts in zip(*arrays, strict=True))

    return draw


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """How long and how fast a network learns."""

    name: str
    steps: int
    rate: float
    seed: int
    held: float = 0.0
    """For this share of the steps the rate is kept before it falls: a course can be made longer meanwhile."""
    minutes: float = float("inf")
    """It ends after so many, or after its steps; the rate falls by whichever is nearer."""


Look = Callable[[Any, int], None]
"""Is shown the mean network, and told the step, whenever a checkpoint is written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How a course is fitted to a machine that is there for some minutes only."""

    size: int | None = None
    """A batch's size; None: the course's own."""
    minutes: float = float("inf")
    """The course ends after so many."""
    look: Look = lambda _net, _step: None


OWN_PACE = Pace()
"""Until all steps are made, in batches of the course's own size."""


class CourseError(ValueError):
    """A course cannot be gone on with as it is asked for."""


def train_network(
    net: Any,
    draw: Draw,
    loss: Loss,
    course: Course,
    folder: Path,
    look: Look = lambda _net, _step: None,
) -> Any:
    """The mean network after all steps of a course; goes on from the course's checkpoint where there is one.

    Batches depend on seed and step only, so a course that was interrupted sees what it would have seen.
    `look` is shown the mean network, and told the step, whenever a checkpoint is written. It learns on
    whatever device `net` is. Raises CourseError where its checkpoint has more steps."""
    device = next(net.parameters()).device
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{course.name}.pt"
    mean = copy.deepcopy(net)
    optimizer = _optimizer(net, course.rate)
    begun = _take_up(path, net, mean, optimizer, course.steps)
    if begun == course.steps:
        return mean.eval()
    net.train()
    begun_s = saved_s = time.monotonic()
    bar, shown = _bar(course, begun), 0.0
    for step, arrays in _drawn_ahead(draw, course, bar):
        value = loss(net, *(torch.from_numpy(array).to(device) for array in arrays))
        share = max(step / course.steps, min((time.monotonic() - begun_s) / 60 / course.minutes, 1.0))
        _step(net, optimizer, value, course.rate * _rate(share, step, course.held))
        _follow(mean, net, 1 / MEAN_OVER if step > MEAN_OVER else 1 / (1 + step))
        shown = _show_loss(bar, shown, float(value.detach()))
        if time.monotonic() - saved_s > SAVED_EVERY_S:
            _save(path, net, mean, optimizer, step + 1)
            look(mean.eval(), step + 1)
            saved_s = time.monotonic()
        begun = step + 1
        if share >= 1:
            break
    _save(path, net, mean, optimizer, begun)
    look(mean.eval(), begun)
    return mean.eval()


def _bar(course: Course, begun: int) -> Any:
    """The steps that are left of a course, shown as they go by."""
    left = range(begun, course.steps)
    return tqdm(left, initial=begun, total=course.steps, desc=course.name, mininterval=5)


def _show_loss(bar: Any, shown: float, value: float) -> float:
    """Show the loss, its mean over some fifty steps, which is returned."""
    mean = 0.98 * shown + 0.02 * value if shown else value
    bar.set_postfix(loss=f"{mean:.4f}", refresh=False)
    return mean


def seed_of(name: str) -> int:
    """The seed of the course of that name, where it has no other."""
    return sum(name.encode()) * 7919


def best_device() -> str:
    """Where a network learns fastest here: on the GPU, where there is one."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def half_pays(device: str) -> bool:
    """Whether a device reckons with sixteen bits by itself: a processor that only imitates it takes ten times
    as long."""
    return device != "cpu" or bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())


def mean_of(one: Any, other: Any) -> Any:
    """A network whose weights are the means of two of which one went on learning from the other: of what
    neither saw it often knows more than either (Wortsman et al., 2022)."""
    mean = copy.deepcopy(one)
    told = copy.deepcopy(other).to(next(one.parameters()).device).state_dict()
    mean.load_state_dict(
        {
            name: (part + told[name]) / 2 if part.is_floating_point() else part
            for name, part in one.state_dict().items()
        }
    )
    return mean.eval()


def _optimizer(net: Any, rate: float) -> torch.optim.AdamW:
    """AdamW with a decay of the weights alone (Loshchilov and Hutter, 2019)."""
    weights = [p for p in net.parameters() if p.ndim > 1]
    others = [p for p in net.parameters() if p.ndim <= 1]
    groups = [{"params": weights, "weight_decay": 0.02}, {"params": others, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=rate)


def _step(net: Any, optimizer: torch.optim.AdamW, value: Any, rate: float) -> None:
    """Change the weights a little, to make this loss smaller."""
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.zero_grad()
    value.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    optimizer.step()


def _take_up(path: Path, net: Any, mean: Any, optimizer: torch.optim.AdamW, steps: int) -> int:
    """Set all three as a checkpoint has them, and return its step: 0 where there is none.

    Raises CourseError for one of more `steps` than that: its rate has not fallen as in a course so short.
    """
    if not path.is_file():
        return 0
    saved = torch.load(path, weights_only=True, map_location=next(net.parameters()).device)
    if saved["step"] > steps:
        raise CourseError(
            f"{path} has {saved['step']} steps already, more than the {steps} that are asked for: "
            "ask for as many or more, or remove it to begin anew"
        )
    net.load_state_dict(saved["net"])
    mean.load_state_dict(saved["mean"])
    optimizer.load_state_dict(saved["optimizer"])
    return int(saved["step"])


def _drawn_ahead(draw: Draw, course: Course, steps: Iterable[int]) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """Each step with its batch; the next batches are drawn while this one is learnt from."""

    def make_batch(step: int) -> tuple[Any, ...]:
        return draw(np.random.default_rng((course.seed, step)))

    with ThreadPoolExecutor(DRAWERS) as drawers:
        waiting: deque[tuple[int, Future[tuple[Any, ...]]]] = deque()
        for step in steps:
            waiting.append((step, drawers.submit(make_batch, step)))
            if len(waiting) > DRAWERS:
                number, batch = waiting.popleft()
                yield number, batch.result()
        for number, batch in waiting:
            yield number, batch.result()


def _rate(share: float, step: int, held: float) -> float:
    """The rate's factor: a short rise, the full rate for the share `held`, then half a cosine down."""
    fallen = max(0.0, share - held) / (1 - held)
    return float(min(1.0, (step + 1) / 100) * (0.5 + 0.5 * np.cos(np.pi * fallen)) + 0.005)


def _follow(mean: Any, net: Any, share: float) -> None:
    with torch.no_grad():
        for kept, new in zip(mean.state_dict().values(), net.state_dict().values(), strict=True):
            if kept.dtype.is_floating_point:
                kept.lerp_(new, share)
            else:
                kept.copy_(new)


def _save(path: Path, net: Any, mean: Any, optimizer: Any, step: int) -> None:
    part = path.with_suffix(".part")
    torch.save(
        {
            "net": net.state_dict(),
            "mean": mean.state_dict(),
            "optimizer": optimizer.state_dict(),
            "step": step,
        },
        part,
    )
    part.replace(path)


def predict(net: Any, shown: Any, *known: Any) -> Any:
    """What the network says of pictures (N x C x H x W) and of what is known beside them, in 32 bits."""
    with torch.autocast(shown.device.type, HALF, enabled=half_pays(shown.device.type)):
        told = net(shown.float().contiguous(memory_format=torch.channels_last), *known)
    return tuple(each.float() for each in told) if isinstance(told, tuple) else told.float()


def finder_loss(net: Any, pictures: Any, truth: Any) -> Any:
    """The finder's loss: heat by the focal loss of CornerNet (Law and Deng, 2018), the other numbers by their
    distance where the true heat is high."""
    told = predict(net, pictures)
    heat, weight = truth[:, 0], truth[:, 1]
    logit = told[:, 0]
    share = torch.sigmoid(logit)
    middle = (heat == 1).float()
    yes = -functional.logsigmoid(logit) * (1 - share) ** 2 * middle
    no = -functional.logsigmoid(-logit) * share**2 * (1 - heat) ** 4 * (1 - middle)
    count = middle.sum().clamp(min=4)
    focal = ((yes + no) * weight).sum() / count
    sized, turned = truth[:, 9] * weight, truth[:, 10] * weight
    many = sized.sum().clamp(min=8)
    offset = (
        functional.smooth_l1_loss(told[:, 1:3], truth[:, 2:4], reduction="none", beta=0.3).sum(1) * sized
    ).sum()
    size = ((told[:, 3] - truth[:, 4]).abs() * sized).sum()
    stretch = ((told[:, 4:6] - truth[:, 5:7]).abs().sum(1) * turned).sum()
    turn = (((told[:, 6:8] - truth[:, 7:9]) ** 2).sum(1) * turned).sum()
    return focal + (0.5 * offset + 2.0 * size + 2.0 * stretch + 0.7 * turn) / many


def reader_loss(net: Any, cuts: Any, moves: Any, classes: Any, poses: Any) -> Any:
    """The face reader's loss: cross entropy of class and of pose, each where it is asked, and how far the
    place is off."""
    class_logits, pose_logits, _, told = predict(net, cuts)
    by_class = functional.cross_entropy(class_logits, classes, ignore_index=NOT_ASKED, reduction="sum")
    by_pose = functional.cross_entropy(pose_logits, poses, ignore_index=NOT_ASKED, reduction="sum")
    place, turn, triangle = moves[:, 9], moves[:, 10], moves[:, 11]
    off = functional.smooth_l1_loss(told[:, :5], moves[:, :5], reduction="none", beta=0.1)
    away = (off[:, :3].sum(1) * place + off[:, 3:].sum(1) * turn).sum()
    turned = (((told[:, 5:7] - moves[:, 5:7]) ** 2).sum(1) * turn).sum()
    turned = turned + (((told[:, 7:9] - moves[:, 7:9]) ** 2).sum(1) * triangle).sum()
    by_place = (2.0 * away + 0.5 * turned) / place.sum().clamp(min=1)
    asked = (classes >= 0).sum().clamp(min=1)
    return by_class / asked + 0.4 * by_pose / (poses >= 0).sum().clamp(min=1) + by_place


def stance_loss(net: Any, cuts: Any, steps: Any) -> Any:
    """The stance network's loss: the negative log of a two-dimensional Laplace distribution whose scatter the
    network tells itself."""
    return step_loss(predict(net, cuts), steps)


def step_loss(told: Any, steps: Any) -> Any:
    """The same of steps and the log of their scatter (N x 3), as they were told."""
    away = ((told[:, :2] - steps) ** 2).sum(1).add(1e-6).sqrt()
    scatter = told[:, 2].clamp(-5, 2)
    return (away * torch.exp(-scatter) + 2 * scatter).mean()
