"""`callbox desk tournament` keeps what the organiser says in the desk's ledger; the desk need not run."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from device.cli import callbox
from device.commands.desk import tournament
from device.hall.organiser_page import OrganiserAct
from tests.device.hall.small_hall import SmallHall

RULES = (
    "--game",
    "ten-thousand",
    "--option",
    "first=named",
    "--option",
    "target=1000",
    "--option",
    "last=none",
)


@pytest.fixture
def hall(tmp_path: Path) -> SmallHall:
    return SmallHall(tmp_path)


def run(hall: SmallHall, *words: str) -> Result:
    return CliRunner().invoke(callbox, ["desk", "--data", str(hall.folder / "desk"), "tournament", *words])


@pytest.mark.long
def test_the_organiser_draws_calls_moves_withdraws_and_writes(hall: SmallHall) -> None:
    assert "no tournament was drawn yet" in run(hall, "show").output
    wrong = run(hall, "draw", "Cup", "Ann", "Bea", "--table", "Table 9")
    assert (wrong.exit_code, "There is no table Table 9" in wrong.output) == (1, True)
    assert run(hall, "draw", "Cup", "Ann", "Bea", "Cid", "Dan", *RULES).exit_code == 0
    hall.go_on()
    assert "called  Table 1: Ann, Dan, match 1" in run(hall, "show").output
    assert run(hall, "call-back", "1").exit_code == 0
    hall.go_on()
    assert "Table 1: Ann, Dan" not in run(hall, "show").output
    assert run(hall, "call", "1", "table 1").exit_code == 0
    hall.go_on()
    hall.boxes[0].play()
    hall.go_on()
    assert run(hall, "withdraw", "Cid", "ill").exit_code == 0
    hall.go_on()
    assert hall.winners() == ["Ann", "Bea", ""]
    assert "Match 3 was begun" not in run(hall, "bring-back", "cid").output
    assert "not been begun" in run(hall, "take-back", "3", "a slip").output
    assert run(hall, "take-back", "1", "a slip").exit_code == 0
    paper = hall.folder / "cup.pdf"
    assert run(hall, "show", "-o", str(paper)).exit_code == 0
    assert paper.read_bytes().startswith(b"%PDF")
    assert run(hall, "close").exit_code == 0
    hall.go_on()
    assert hall.called() == []
    hall.close()


def test_results_are_signed_off_and_decided_at_the_keyboard(hall: SmallHall) -> None:
    players = ("Ann", "Bea", "Cid", "Dan")
    assert run(hall, "draw", "Cup", *players, *RULES, "--number", "4711", "--seeds", "4").exit_code == 0
    hall.go_on()
    hall.boxes[0].play(signs=True)
    hall.go_on()
    assert "Drawn by number 4711" in hall.ingest.tournament.view.tournament.chance
    assert "has no result to sign off" in run(hall, "sign", "1", "Dan").output
    assert run(hall, "sign", "1", "ann").output == "Match 1 is signed off.\n"
    hall.go_on()
    assert hall.winners()[0] == "Ann"
    assert "Zoe is not in Cup" in run(hall, "rule", "2", "Zoe", "on paper").output
    assert "NAME=POINTS" in run(hall, "rule", "2", "Cid", "on paper", "--points", "Cid").output
    points = ("--points", "cid=1200", "--points", "Bea=-50")
    decided = run(hall, "rule", "2", "cid", "a die was misread", *points)
    assert decided.output == "Match 2 is decided: cid has won.\n"
    hall.go_on()
    match = hall.ingest.tournament.view.tournament.matches[1]
    assert (match.winner, match.ruled, match.points) == ("Cid", "a die was misread", (-50, 1200))
    hall.close()


def test_the_keyboard_has_each_act_of_the_page() -> None:
    acts = {
        str(each.__struct_config__.tag).removeprefix("organiser/") for each in OrganiserAct.__subclasses__()
    }
    assert acts - {"again"} | {"take-back"} <= set(tournament.commands)
