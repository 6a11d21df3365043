"""A journal that version 0.1.0 wrote: whatever becomes of Callbox, these games open, and are what they were.

`games.sql` is that journal as text: Zoinx with bets by touch and by phone, refusals, corrections, UNDO and a
secret bet (game 1), and with a reading that waits (2); Ten Thousand on its mat, read from pixels (3); End
Zone with questions, answers, rulings, close-ups and a question that waits (4), between two cameras (5), at
the dot (6). `said.txt` is what the commands of that version said of it, and `resumed.json` where its box went
on: the position and what was shown, and what one more step made of it ("then", "kept").
"""

import hashlib
import json
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import apsw
import pytest
from click.testing import CliRunner

from device.cli import callbox
from device.journal import Journal, Moment
from device.journal.rows import kind_of, write_body
from device.journal.schema import APPLICATION_ID
from device.landings import LandingMatch
from device.landings.detector import known_from
from device.match import Match
from device.panel import Press
from engine.dice import Die

HERE = Path(__file__).parent / "written_by_0_1_0"
SAID = [
    tuple(part.split("\n", 1))
    for part in (HERE / "said.txt").read_text(encoding="utf-8").removeprefix("$ ").split("\n$ ")
]
"""Each command with its answer."""
RESUMED: dict[str, dict[str, Any]] = json.loads((HERE / "resumed.json").read_text(encoding="utf-8"))
LATER = Moment(datetime(2026, 11, 23, 18, 0, tzinfo=UTC), 5000.0)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data folder with that journal, in a house whose clock shows UTC."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    old = apsw.Connection(str(tmp_path / "journal.db"))
    old.execute((HERE / "games.sql").read_text(encoding="utf-8"))
    old.pragma("application_id", APPLICATION_ID)
    old.pragma("user_version", 1)
    old.close()
    yield tmp_path
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def journal(data: Path) -> Iterator[Journal]:
    with Journal.open(data / "journal.db") as opened:
        yield opened


def test_the_commands_say_what_they_said(data: Path) -> None:
    for command, answer in SAID:
        words, _, digest = command.partition(" | ")
        result = CliRunner().invoke(callbox, [*words.split()[1:], "--data", str(data)])
        assert result.exit_code == 0, command
        said = result.stdout_bytes
        # `sha256sum` stands for what is long.
        told = hashlib.sha256(said).hexdigest() if digest else said.decode("utf-8").rstrip("\n")
        assert told == answer.rstrip("\n"), command


def test_every_row_would_be_written_today_as_it_was_then(journal: Journal) -> None:
    seen = set()
    for record in journal.games():
        for entry in journal.rows(record.id):
            seen.add(type(entry.row).__name__)
            assert kind_of(entry.row) == entry.kind
            assert json.dumps(write_body(entry.row)) == json.dumps(entry.body)
    assert seen == {
        *("EventRow", "PressRow", "DiceReading", "LandingReading"),
        *("RefusedNote", "CorrectionNote", "PlacesNote", "AnswerNote", "CloseUpNote"),
    }


@pytest.mark.parametrize("game", ["1", "2", "3"])
def test_a_game_of_rolls_goes_on_where_it_was(game: str, journal: Journal) -> None:
    match = Match.resume(journal, int(game))
    assert standing(match) == wanted(game, standing(match))
    STEPS[game](match)
    assert gone_on(match, journal) == wanted(game, gone_on(match, journal))


@pytest.mark.parametrize("game", ["4", "5", "6"])
def test_a_game_of_landings_goes_on_where_it_was(game: str, journal: Journal) -> None:
    landings = LandingMatch.resume(journal, int(game))
    match = landings
    assert standing(match) == wanted(game, standing(match))
    assert tracked(landings) == wanted(game, tracked(landings))
    STEPS[game](match)
    assert gone_on(match, journal) == wanted(game, gone_on(match, journal))


def wanted(game: str, found: dict[str, str]) -> dict[str, str]:
    """What 0.1.0 had of the same."""
    return {key: json.dumps(RESUMED[game][key]) for key in found}


def standing(match: Match) -> dict[str, str]:
    """Where a game stands, as JSON."""
    return in_json(
        line=match.line,
        message=[match.message.text, match.message.tone, match.message.shout],
        pending=match.pending,
        readings=match.readings,
        lamps=sorted(name for name, lit in match.lamps().items() if lit),
    )


def tracked(landings: LandingMatch) -> dict[str, str]:
    """What is known of a game's throws, and asked about them."""
    asked = landings.questions.pending
    return in_json(
        asked=asked
        and {
            "kind": asked.kind,
            "text": asked.text,
            "options": [[option.words, option.key, option.die] for option in asked.options],
        },
        past=[
            [past.landing, past.player, past.words, past.reading, past.evidence, past.ruled]
            for past in landings.show().landings
        ],
        dice=[
            (
                die.id,
                die.die.value,
                die.die.color,
                die.die.center_mm,
                die.place,
                die.counted,
                die.told,
                die.aim,
            )
            for die in known_from(landings)
        ],
    )


def gone_on(match: Match, journal: Journal) -> dict[str, str]:
    """What the step has come to, and the rows that it left: their keys in order, too."""
    newest = [entry for entry in journal.rows(match.game_id) if entry.at == LATER.iso]
    return in_json(
        then=[match.line, match.message.text, match.message.tone],
        kept=[[entry.kind, entry.body] for entry in newest],
    )


def in_json(**found: object) -> dict[str, str]:
    return {key: json.dumps(value) for key, value in found.items()}


def bet_is_locked(match: Match) -> None:
    """The dial had been turned twice before the box was switched off."""
    match.press(Press("bet1", "long", 0.0), LATER)


def dice_are_named(match: Match) -> None:
    match.correct((Die("zoinx", "dot"),) * 4, "all seen", LATER)


def undone(match: Match) -> None:
    match.press(Press("undo", "short", 0.0), LATER)


def die_has_decided(match: Match) -> None:
    match.choose(3, "one die shows 2: 1", LATER)


def dot_is_covered(match: Match) -> None:
    match.press(Press("cache", "short", 0.0), LATER)


STEPS: dict[str, Callable[[Match], None]] = {
    "1": bet_is_locked,
    "2": dice_are_named,
    "3": undone,
    "4": die_has_decided,
    "5": undone,
    "6": dot_is_covered,
}
"""One more step for each game."""
