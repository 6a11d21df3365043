"""`callbox score`, as another program talks to it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from device.cli import callbox

CALLBOX = Path(sys.executable).with_name("callbox")
BETS = b'{"event":"bet","player":"Ann","dots":6}\n{"event":"bet","player":"Zo\xc3\xab","dots":4}\n'


def score(*words: str, said: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run the command with events on standard input."""
    return subprocess.run([CALLBOX, "score", *words], input=said, capture_output=True, check=False)


def test_one_line_of_public_state_after_each_event() -> None:
    done = score("zoinx", "--players", "Ann,Zoë", said=BETS)
    assert (done.returncode, done.stderr) == (0, b"")
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert first["bets"] == ["locked", "thinking"]
    assert "6" not in json.dumps([first["news"], first["bets"], first["line"]])
    assert second["bets"] == [6, 4]
    assert (second["phase"], second["active"]) == ("roll", "Zoë")


def test_a_refused_event_answers_an_error_and_the_run_goes_on() -> None:
    bad = b'{"event":"stop"}\n\n\xff\nnot json\n{"event":"bet","player":"Ann","dots":3}\n'
    done = score("zoinx", "--players", "Ann,Zoë", said=bad + BETS + b'{"event":"undo"}')
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert done.stderr == b""
    assert [line.get("kind") for line in lines[:5]] == [
        "against the rules",
        "unreadable",
        "unreadable",
        "unreadable",
        "against the rules",
    ]
    assert all(line["error"] for line in lines[:5])
    assert [line["bets"] for line in lines[5:]] == [["locked", "thinking"], [6, 4], ["locked", "thinking"]]


def test_a_line_without_end_is_refused_and_the_next_is_taken() -> None:
    done = score("tray", "--players", "Ann", said=b"x" * 300_000 + b'\n{"event":"rolled","dice":[6]}\n')
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert "too long" in first["error"]
    assert second["scores"] == [6]


def test_no_events_are_no_lines() -> None:
    done = score("tray", "--players", "Ann")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_each_answer_comes_before_the_next_question() -> None:
    with subprocess.Popen(
        [CALLBOX, "score", "tray", "--players", "Ann"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as talk:
        assert talk.stdin is not None
        assert talk.stdout is not None
        for total in (3, 6, 9):
            talk.stdin.write(b'{"event":"rolled","dice":[1,2]}\n')
            talk.stdin.flush()
            assert json.loads(talk.stdout.readline())["scores"] == [total]
        talk.stdin.close()
        assert talk.wait() == 0


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["chess", "--players", "Ann,Bob"], "There is no game called chess; there are zoinx, "),
        (["zoinx", "--players", "Ann"], "Zoinx is for two to four players; one player came. (rule 1)"),
        (
            ["zoinx", "--players", "A,B,C,D,E"],
            "Zoinx is for two to four players; five players came. (rule 1)",
        ),
        (
            ["zoinx", "--players", "Ann,Ann"],
            "Two players are both called Ann. Give each a name of their own.",
        ),
        (["zoinx", "--players", "Ann, ann"], "Two players are called Ann and ann."),
        (["zoinx", "--players", "Ann,,Bob"], "A player's name is empty."),
        (["zoinx", "--players", ""], "A player's name is empty."),
        (["zoinx", "--players", "Ann,B\x1bb"], "holds a character that cannot be shown"),
        (["zoinx", "--players", "Ann," + "x" * 50], "is too long"),
        (["zoinx", "--players", "Ann,Bob", "--option", "edition"], "An option is KEY=VALUE"),
        (
            ["zoinx", "--players", "Ann,Bob", "--option", "edition=french"],
            "edition is gamewright or game-factory",
        ),
        (["zoinx", "--players", "Ann,Bob", "--option", "colour=red"], "has no option called colour; it has"),
        (["tray", "--players", "A", "--option", "turn=stop", "--option", "turn=stop"], "turn is given twice"),
        (["zoinx"], "Missing option '--players'"),
        ([], "Missing argument 'GAME'"),
    ],
)
def test_wrong_use_is_a_sentence_and_status_2(words: list[str], reason: str) -> None:
    done = CliRunner().invoke(callbox, ["score", *words])
    assert (done.exit_code, done.stdout) == (2, "")
    assert reason in done.stderr


@pytest.mark.parametrize(
    ("redirected", "status", "told"),
    [
        ("0> /dev/null", 1, "Bad file descriptor"),
        ("> /dev/full", 1, "No space left on device"),
        ("<&-", 0, ""),
    ],
)
def test_input_or_output_that_fails_is_a_sentence(redirected: str, status: int, told: str) -> None:
    shell = f'echo \'{{"event":"undo"}}\' | {CALLBOX} score tray --players Ann {redirected}'
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


def test_a_name_that_is_no_text_is_told() -> None:
    done = subprocess.run(
        [bytes(CALLBOX), b"score", b"zoinx", b"--players", b"Ann,B\xff"], capture_output=True, check=False
    )
    assert done.returncode == 2
    assert b"cannot be shown" in done.stderr
