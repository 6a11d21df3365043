"""docs/events.md and docs/rulings.md say what the code does: examples are run, tables compared."""

import importlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine import end_zone, pig, ten_thousand, tray, zoinx, zonk
from engine.game import GameView
from engine.rulebooks import RULEBOOKS
from engine.wire import EVENTS, event_object, read_event

ROOT = Path(__file__).parents[2]
MANUAL = (ROOT / "docs" / "events.md").read_text(encoding="utf-8")
RULINGS = (ROOT / "docs" / "rulings.md").read_text(encoding="utf-8")
END_ZONE = sorted((ROOT / "engine" / "end_zone").glob("[a-z]*.py"))
MODES = [importlib.import_module(f"engine.end_zone.{path.stem}") for path in END_ZONE]
END_ZONE_RULES = SimpleNamespace(__doc__="\n".join(str(mode.__doc__) for mode in (end_zone, *MODES)))
"""End Zone's rules stand at the head of its folder and of its modes' files."""
EXAMPLES = re.findall(r"```console\n\$ (.*?\nEND\n)(.*?)```", MANUAL, re.DOTALL)


@pytest.mark.long
@pytest.mark.parametrize(("command", "output"), EXAMPLES, ids=[text.split("<<")[0] for text, _ in EXAMPLES])
def test_an_example_prints_what_the_manual_shows(command: str, output: str) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, check=False, env={**os.environ, "PATH": path}
    )
    assert done.stderr == ""
    assert done.stdout == output


def test_every_rulebook_has_an_example_and_every_example_is_run() -> None:
    assert {command.split()[2] for command, _ in EXAMPLES} == set(RULEBOOKS)
    assert MANUAL.count("```console") == len(EXAMPLES)


def test_the_zoinx_example_is_a_whole_game() -> None:
    assert "wins with" in EXAMPLES[1][1]


def test_the_ten_thousand_example_is_a_whole_game() -> None:
    assert "wins with" in next(output for command, output in EXAMPLES if "ten-thousand" in command)


def test_the_zonk_example_is_a_whole_run() -> None:
    output = next(output for command, output in EXAMPLES if "score zonk" in command)
    assert output.count("draws two cards") == 8
    assert "Ann wins: all three quotas met" in output


def test_every_event_stands_in_the_table_with_an_example() -> None:
    rows = re.findall(r"^\| `(\w+)` \| .* \| `(\{.*\})` \|$", MANUAL, re.MULTILINE)
    assert [word for word, _ in rows] == list(EVENTS)
    for word, example in rows:
        assert event_object(read_event(example)) == json.loads(example)
        assert json.loads(example)["event"] == word


def test_every_key_of_the_answer_stands_in_the_table() -> None:
    table = MANUAL[MANUAL.index("| key |") : MANUAL.index("```console")]
    keys = [
        key
        for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
        for key in re.findall(r"`(\w+)`", row)
    ]
    assert keys == list(GameView.__dataclass_fields__)


@pytest.mark.parametrize(
    "phases",
    [zoinx.PHASES, zonk.PHASES, ten_thousand.PHASES, end_zone.PHASES],
    ids=["zoinx", "zonk", "ten-thousand", "end-zone"],
)
def test_the_phases_of_a_rulebook_are_the_table_s(
    phases: Mapping[str, Mapping[type, tuple[str, ...]]],
) -> None:
    rows = []
    for phase, takes in phases.items():
        rows += [f"| {phase} | {event.__name__.lower()} | {', '.join(to)} |" for event, to in takes.items()]
        rows += [] if takes else [f"| {phase} | | |"]
    assert "| phase | takes | and leads to |\n| --- | --- | --- |\n" + "\n".join(rows) + "\n\n" in MANUAL


def rule_numbers(text: str) -> set[str]:
    """The numbers that stand as `rule 4a` or `rules 9, 9a`."""
    told = re.findall(r"\brules? (\d+[a-z]?(?:, \d+[a-z]?)*)", text)
    return {number for listed in told for number in listed.split(", ")}


def headed(text: str | None) -> set[str]:
    """The numbers of the rules at the head of a rulebook."""
    found = re.findall(r"(?m)^ ?(\d+[a-z]?) {1,3}\S|\b(\d+[a-z]):", text or "")
    return {heading or inline for heading, inline in found}


@pytest.mark.parametrize(
    ("book", "texts"),
    [
        (zoinx, [zoinx.__file__, zoinx.__file__]),
        (tray, [tray.__file__]),
        (pig, [pig.__file__]),
        (zonk, [str(path) for path in (ROOT / "engine" / "zonk").glob("*.py")]),
        (ten_thousand, [str(path) for path in (ROOT / "engine" / "ten_thousand").glob("*.py")]),
        (END_ZONE_RULES, [str(path) for path in END_ZONE]),
    ],
    ids=["zoinx", "tray", "pig", "zonk", "ten-thousand", "end-zone"],
)
def test_every_rule_number_in_code_stands_at_the_rulebook_s_head(book: object, texts: list[str]) -> None:
    known = headed(book.__doc__)
    assert known
    for text in texts:
        code = Path(text).read_text(encoding="utf-8")
        # A guide names values of options, such as "5" dice.
        quoted = set() if text.endswith("guide.py") else set(re.findall(r'"(\d+[a-z]?)"', code))
        assert rule_numbers(code) | quoted <= known


RULED = {"Zoinx": zoinx, "Ten Thousand": ten_thousand, "ZONK": zonk, "End Zone": END_ZONE_RULES}
"""Each heading of the rulings and the rulebook whose rules it names."""


def test_every_heading_of_the_rulings_has_its_rulebook() -> None:
    assert set(re.findall(r"^## (.*)$", RULINGS, re.MULTILINE)) == set(RULED)


@pytest.mark.parametrize("heading", RULED)
def test_rulings_are_numbered_and_name_rules_that_exist(heading: str) -> None:
    section = RULINGS.split(f"## {heading}\n")[1].split("\n## ")[0]
    numbers = re.findall(r"^\*\*(\d+)\. ", section, re.MULTILINE)
    assert numbers
    assert numbers == [str(number) for number in range(1, len(numbers) + 1)]
    assert rule_numbers(section) <= headed(RULED[heading].__doc__)


def test_every_option_is_told() -> None:
    for book in RULEBOOKS.values():
        for option, values in book.options.items():
            assert all(f"`{word}`" in MANUAL for word in (option, *values))
