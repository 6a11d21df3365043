"""In a virtual machine: buttons and lamps on kernel GPIO, and the box as a service under a real systemd."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.rigs.virtual_machine import job, run

pytestmark = pytest.mark.rigs

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent


def test_every_button_and_every_lamp_on_kernel_gpio(machine: Path, tmp_path: Path) -> None:
    out = run(machine, job(tmp_path, "gpio"))
    names = "bet1 bet2 bet3 bet4 stop cache roll_done undo"
    assert out.splitlines()[-3:] == [f"buttons {names}", f"lamps {names}", "ok"]


def test_the_service_starts_comes_back_and_ends_under_systemd(machine: Path, tmp_path: Path) -> None:
    out = run(machine, job(tmp_path, "service"), "--systemd")
    assert out.splitlines()[-1] == "ok"


def game(kind: str) -> list[str]:
    """The lines of a whole game on this machine."""
    script = HERE / "zoinx" / "zoinx_game.py"
    done = subprocess.run(
        [sys.executable, script, kind],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout.splitlines()


def test_a_whole_game_of_zoinx_on_kernel_gpio_is_line_for_line_that_on_mock_pins(
    machine: Path, tmp_path: Path
) -> None:
    there = run(machine, job(tmp_path, "zoinx")).splitlines()
    here = game("mock")
    assert len(here) > 20
    assert [line for line in there if not line.startswith("told:")][-len(here) :] == here


def test_a_box_is_ready_without_a_network_on_a_root_that_takes_no_writes_and_its_off_button_ends_it(
    machine: Path, tmp_path: Path
) -> None:
    out = run(machine, job(tmp_path, "appliance"), "--systemd")
    assert out.splitlines()[-1] == "ok"
