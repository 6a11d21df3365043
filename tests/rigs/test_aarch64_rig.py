"""The Pi's processor, emulated: finder, face reader and `callbox read` answer there as they do here.

Emulation says nothing of speed, and is slow, so the pictures are small. They are drawn; one is read as JPEG,
for its decoder's sake.
"""

import json
import os
import platform
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
import pytest

from calibration.arrays import Singles
from models.scenes import draw
from models.training.targets import lying_of
from tests.rigs.answers import FACES_ANSWER
from vision.learned.contract import cut_out
from vision.learned.finder import shrink

pytestmark = pytest.mark.rigs

ROOT = Path(__file__).parents[2]
PACKAGES = ("numpy", "opencv-python-headless", "onnxruntime", "click", "msgspec", "tqdm")
SCENES = {"pip.jpg": (96_001, "pip"), "bet.png": (96_012, "bet"), "d4.png": (96_022, "d4")}
"""A picture's name; the seed and the kind of dice that it is drawn from."""
MOST_APART = 1e-3
MOST_APART_PX = 0.02
"""The command tells places to a hundredth of a pixel: one step more or less may be rounding."""


class Told(NamedTuple):
    """What one processor answers."""

    networks: dict[str, Singles]
    lines: list[dict[str, Any]]


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with pictures, and with what the networks are given of the first one."""
    folder = tmp_path_factory.mktemp("asked")
    for name, (seed, kind) in SCENES.items():
        scene = draw(seed, 320, 240, kinds=(kind,))
        cv2.imwrite(str(folder / name), scene.picture)
        if name == "pip.jpg":
            places = [lying_of(die.corners_px, die.visible).place for die in scene.dice]
            cuts = np.stack([cut_out(scene.picture, place) for place in places])
            np.savez(
                folder / "asked.npz",
                picture=shrink(scene.picture, 1)[0],
                cuts=cuts,
            )
    return folder


def answered(command: list[str | Path], folder: Path, processor: str) -> Told:
    """What tests/rigs/answers.py tells when a command runs it."""
    script = ROOT / "tests" / "rigs" / "answers.py"
    done = subprocess.run(
        [*command, script, folder, *(folder / name for name in SCENES)],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    if "missing command" in done.stderr:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    with np.load(folder / f"{processor}.npz") as answers:
        networks = {name: answers[name] for name in ("heat", *FACES_ANSWER)}
    return Told(networks, [json.loads(line) for line in done.stdout.splitlines()])


@pytest.fixture(scope="module")
def here(asked: Path) -> Told:
    """This machine's answers."""
    return answered([sys.executable], asked, platform.machine())


@pytest.fixture(scope="module", params=["cortex-a72", "cortex-a76"])
def there(request: pytest.FixtureRequest, rigs: Path, asked: Path) -> Told:
    """The answers of a Pi 4's processor, and of a Pi 5's."""
    rig = rigs / "aarch64" / "run-aarch64"
    packages = " ".join(f"{name}=={version(name)}" for name in PACKAGES)
    return answered([rig, "--cpu", request.param, "--pip", packages], asked, "aarch64")


def test_both_networks_answer_the_same(here: Told, there: Told) -> None:
    apart = {name: float(np.abs(here.networks[name] - there.networks[name]).max()) for name in here.networks}
    print("\nlargest difference:", ", ".join(f"{name} {gap:.1e}" for name, gap in apart.items()))
    assert max(apart.values()) < MOST_APART


def test_the_command_reads_the_same(here: Told, there: Told) -> None:
    assert sum(len(line["dice"]) for line in here.lines) > 5, "there is something to compare"
    apart = {"confidence": 0.0, "center": 0.0, "corners": 0.0}
    for mine, other in zip(here.lines, there.lines, strict=True):
        assert mine["image"] == other["image"]
        assert [readings(die) for die in mine["dice"]] == [readings(die) for die in other["dice"]]
        assert [place["reason"] for place in mine["unsure"]] == [place["reason"] for place in other["unsure"]]
        for one, two in zip(mine["dice"], other["dice"], strict=True):
            for key, most in apart.items():
                gap = np.abs(np.array(one[key]) - np.array(two[key])).max()
                apart[key] = max(most, float(gap))
    print("\nlargest difference:", ", ".join(f"{key} {gap:.1e}" for key, gap in apart.items()))
    assert apart["confidence"] < MOST_APART
    assert max(apart["center"], apart["corners"]) < MOST_APART_PX


def readings(die: dict[str, Any]) -> tuple[str, int | str, str]:
    """What is told of a die in words."""
    return die["kind"], die["value"], die["color"]
