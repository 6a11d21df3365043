"""A budget on paper for a Pi 4 and a Pi 5: how many instructions each piece of a box's work takes there.

The instructions are counted in the emulator, the milliseconds follow from what `paper` assumes. The counts
are nearly the same on any machine, busy or not.
"""

import os
import subprocess
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.rigs.budget.counts import Counted, count
from tests.rigs.budget.paper import PIS, Pi, lines, pieces, share
from tests.rigs.budget.scene import record
from tests.rigs.budget.work import PARTS

pytestmark = pytest.mark.rigs

ROOT = Path(__file__).parents[3]
PACKAGES = (
    *("numpy", "opencv-python-headless", "onnxruntime", "click", "msgspec", "tqdm", "apsw", "starlette"),
    *("uvicorn", "gpiozero", "luma.core", "luma.led_matrix", "pynacl", "segno", "av"),
)
FEW, MANY = 1_000_000, 2_000_000
"""Turns of a loop of two instructions."""
A_FEW = 50_000
"""No piece is done with fewer instructions."""


def counted(rigs: Path, cpu: str, folder: Path, program: str, arguments: Sequence[str]) -> list[Counted]:
    """What a program of this folder tells, run by a Pi's processor."""
    packages = " ".join(f"{name}=={version(name)}" for name in PACKAGES)
    rig = rigs / "aarch64" / "run-aarch64"
    script = Path(__file__).with_name(program)
    command = [str(rig), "--cpu", cpu, "--pip", packages, str(script), *arguments]
    try:
        return list(count(command, folder, os.environ | {"PYTHONPATH": str(ROOT)}))
    except subprocess.CalledProcessError as error:
        if "missing command" in error.output:
            pytest.skip(error.output.strip())
        raise AssertionError(error.output) from error


def test_a_loop_of_two_instructions_counts_twice_its_turns(rigs: Path, tmp_path: Path) -> None:
    few, many = counted(rigs, PIS[0].cpu, tmp_path, "exact.py", [str(FEW), str(MANY)])
    assert many.own.all - few.own.all == pytest.approx(2 * (MANY - FEW), rel=0.01)


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the box is shown."""
    folder = tmp_path_factory.mktemp("scene")
    record(folder)
    return folder


@pytest.mark.parametrize("part", list(PARTS))
@pytest.mark.parametrize("pi", PIS, ids=lambda pi: pi.cpu)
def test_a_box_has_a_budget(pi: Pi, part: str, rigs: Path, scene: Path, tmp_path: Path) -> None:
    work = pieces(counted(rigs, pi.cpu, tmp_path, "work.py", [str(scene), part]))
    print("", *lines(pi, work), sep="\n")
    for state in {"still", "moving", "hand"} & work.keys():
        best, worst = share(pi, work[state].own.all)
        print(f"  {state}, 20 frames a second: {best:.0%} to {worst:.0%} of a core")
        assert worst < 1, "one core keeps up with the camera"
    for name, each in work.items():
        assert each.own.all + each.others.all > A_FEW, f"nothing was counted of {name}"
