"""Who did what stands in the journal: beside the rows that it is about, in words, and in what is exported."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from device.journal import Journal, Moment
from device.journal.export import bare_events, json_lines
from device.journal.replay import Replay, replay
from device.journal.rows import ByNote, CorrectionNote, EventRow, PressRow, Row
from device.journal.verify import verify
from device.journal.words import tell_game
from device.people.actor import FAMILY, Actor
from device.requests import PressButton, StartGame
from engine.dice import Die
from engine.events import Bet, Corrected, Rolled, Stop
from tests.playing import playing, simulated

REFEREE = Actor("referee", "Cleo")
DICE = tuple(Die("zoinx", face) for face in ("dot", "dot", "square", "square"))


def at(second: int) -> Moment:
    return Moment(datetime(2026, 11, 23, 18, 0, second, tzinfo=UTC), 1000.0 * second)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "journal.db") as opened:
        yield opened


def told(journal: Journal, game_id: int) -> Replay:
    return replay(journal.game(game_id), journal.rows(game_id))


def game_of(journal: Journal) -> int:
    """Begun by a host, bets from two pages, a roll, and a referee's correction of it."""
    with journal.heard_from(Actor("host")):
        game_id = journal.begin("zoinx", ("Ann", "Zoe"), {}, at(0))
    for second, (player, dots) in enumerate((("Ann", 4), ("Zoe", 2)), 1):
        with journal.heard_from(Actor("player", player)):
            journal.append(game_id, [EventRow(Bet(player=player, dots=dots))], at(second))
    journal.append(game_id, [PressRow("roll_done", "short"), EventRow(Rolled(dice=DICE))], at(3))
    with journal.heard_from(REFEREE):
        rows: list[Row] = [CorrectionNote("seen"), EventRow(Corrected(dice=DICE[:1] * 4, reason="seen"))]
        journal.append(game_id, rows, at(4))
    return game_id


def test_each_row_says_whose_doing_it_is(journal: Journal) -> None:
    steps = told(journal, game_of(journal)).steps
    assert [step.by for step in steps] == [
        Actor("host"),
        *[Actor("player", "Ann")] * 2,
        *[Actor("player", "Zoe")] * 2,
        None,
        None,
        *[REFEREE] * 3,
    ]
    assert sum(isinstance(step.entry.row, ByNote) for step in steps) == 4


def test_it_is_part_of_the_chain_of_hashes(journal: Journal, tmp_path: Path) -> None:
    game_of(journal)
    journal.close()
    assert verify(tmp_path / "journal.db").damages == []


def test_show_says_it_beside_what_was_done(journal: Journal) -> None:
    lines = "\n".join(tell_game(told(journal, game_of(journal))))
    assert "by the host" in lines
    assert "Ann bets 4 - Ann" in lines
    assert "(seen) - the referee Cleo" in lines
    assert "press: roll_done short\n" in lines, "a finger at the box needs no name"


def test_export_has_it_and_the_events_stay_as_score_reads_them(journal: Journal) -> None:
    game = told(journal, game_of(journal))
    lines = [json.loads(line) for line in json_lines(game)]
    corrected = next(
        line for line in lines if line["kind"] == "event" and line["body"]["event"] == "corrected"
    )
    assert corrected["by"] == {"role": "referee", "name": "Cleo"}
    assert "by" not in next(line for line in lines if line["kind"] == "press")
    assert next(set(json.loads(event)) for event in bare_events(game)) == {"event", "player", "dots"}


def test_what_is_secret_is_signed_by_nobody(journal: Journal) -> None:
    with journal.heard_from(FAMILY):
        game_id = journal.begin("zoinx", ("Ann", "Zoe"), {}, at(0))
    with journal.heard_from(Actor("player", "Zoe")):
        journal.append(game_id, [PressRow("bet2", "short")], at(1))
        journal.append(game_id, [EventRow(Bet(player="Zoe", dots=6))], at(2))
    game = told(journal, game_id)
    shown = [line for line in json_lines(game) if "withheld" in line]
    assert len(shown) == 1
    assert "by" not in json.loads(shown[0])
    assert not any(line.endswith(" - Zoe") for line in tell_game(game))


def test_nothing_is_signed_that_nobody_asked_for(journal: Journal) -> None:
    game_id = journal.begin("zoinx", ("Ann", "Zoe"), {}, at(0))
    with journal.heard_from(REFEREE):
        journal.append(game_id, [], at(1), ended="")
    journal.append(game_id, [EventRow(Stop())], at(2))
    assert [type(entry.row) for entry in journal.rows(game_id)] == [EventRow]


def test_a_branch_says_who_made_it(journal: Journal) -> None:
    game_id = game_of(journal)
    with journal.heard_from(REFEREE):
        branched = journal.branch(game_id, 3, at(9))
    assert journal.rows(branched)[-1].row == ByNote("referee", "Cleo")


def test_presses_at_the_box_and_on_a_page_are_told_apart(tmp_path: Path) -> None:
    """Through a whole box: page, panel, table and journal."""
    with playing(tmp_path, simulated(seed=3)) as player:
        assert player.box.api.request(StartGame("tray", (), {}), Actor("host", "Cleo")).ok
        for by in (REFEREE, None):
            for down in (True, False):
                assert player.box.api.request(PressButton(down=down, button="undo"), by).ok
                player._pass(100)
        player.until(lambda shown: shown.message.text, "an answer")
        game_id = player.now.game_id
        assert game_id is not None
        steps = told(player.box.journal, game_id).steps
        assert [step.by for step in steps if isinstance(step.entry.row, PressRow)] == [REFEREE, None]
        assert steps[0].entry.row == ByNote("host", "Cleo")
