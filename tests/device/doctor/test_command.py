"""`callbox doctor` as people call it, on the machine that runs the tests."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from device import doctor
from device.commands.doctor import command
from device.doctor.machine import Machine, Ran, nearest


@pytest.mark.long
def test_the_command_prints_a_line_for_each_check(tmp_path: Path) -> None:
    done = CliRunner().invoke(command, ["--json", "--data", str(tmp_path)])
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["name"] for line in lines] == list(doctor.CHECKS)
    assert done.exit_code == int(any(line["verdict"] == "fail" for line in lines))
    assert not [line for line in lines if "itself broke" in line["text"]]


@pytest.mark.long
def test_the_command_answers_1_and_names_file_and_key_of_a_wrong_setting(tmp_path: Path) -> None:
    wrong = tmp_path / "my.toml"
    wrong.write_text('[console]\nport = "high"\n')
    done = CliRunner().invoke(command, ["--config", str(wrong), "--data", str(tmp_path)])
    assert done.exit_code == 1
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("fail     settings")]
    assert "my.toml" in line
    assert "port" in line


def test_the_real_machine_answers(tmp_path: Path) -> None:
    machine = Machine()
    (tmp_path / "a").write_text("words")
    assert machine.text(str(tmp_path / "a")) == "words"
    assert machine.text(str(tmp_path)) is None
    assert machine.run(["no-such-command-here"]) is None
    assert machine.run(["sh", "-c", "echo out; echo err >&2; exit 3"]) == Ran(3, "out\n", "err\n")
    assert machine.groups("no-such-user-here") is None
    assert "root" in (machine.groups("root") or set())
    assert nearest(tmp_path / "not" / "yet") == tmp_path
    assert machine.free_mb(tmp_path / "not" / "yet") > 0
    assert machine.distributions()["gpiozero"]
