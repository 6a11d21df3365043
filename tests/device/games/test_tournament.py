"""A tournament at the table: matches are begun from it, results flow in, or it is said why not."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from device.journal import Moment
from device.people.actor import Actor, TableKind
from device.requests import (
    BeginMatch,
    CloseTournament,
    DrawTournament,
    ReopenResult,
    SessionRequest,
    SignOffResult,
    TakeMatchBack,
)
from device.tournaments import (
    TournamentBook,
    TournamentFiles,
    tournament_blocks,
    tournament_csv,
    tournament_json,
    view_tournament,
)
from engine.dice import Die
from engine.events import Cache, GameEvent, Rolled
from engine.refusal import Refused
from engine.tournament import DRAW_VERSION, TournamentAgreed
from tests.playing import Playing, playing, simulated

REFEREE = Actor("referee", "Cleo")
NOON = Moment(datetime(2026, 11, 20, 12, 0, tzinfo=UTC), 1000.0)
RULES = {"first": "named", "target": "1000", "last": "none"}
CUP = DrawTournament("Cup", "single", ("Ann", "Bob", "Cat", "Dan"), "ten-thousand", RULES)
GOOD = Rolled(dice=tuple(Die("pip", value) for value in (1, 1, 1, 2, 3, 3)))
BAD = Rolled(dice=tuple(Die("pip", value) for value in (2, 2, 3, 3, 4, 6)))


def win(player: Playing, *, second: bool = False) -> None:
    """The first player wins at once, or the second after the first has rolled nothing."""

    def take() -> None:
        play = player.box.table.play
        assert play is not None
        events: list[GameEvent] = [*([BAD] if second else []), GOOD, Cache()]
        for event in events:
            assert play.match.take((event,), [], NOON), play.match.message.text

    player.box.loop.ask(take)
    player.until(lambda shown: shown.stage == "ended", "the end")


def winners(player: Playing) -> list[str]:
    return [each.winner for each in player.box.api.tournament().matches]


def reply(player: Playing, asked: SessionRequest) -> str:
    """What the referee is told."""
    return player.box.api.request(asked, REFEREE).text


@pytest.mark.parametrize("kind", ["family", "tournament"])
def test_results_flow_in_signed_where_that_is_asked_and_a_restart_keeps_all(
    tmp_path: Path, kind: TableKind
) -> None:
    with playing(tmp_path, simulated(seed=1), kind=kind) as player:
        assert reply(player, BeginMatch(1)) == "No tournament is going on. Draw one first."
        assert reply(player, CUP) == ""
        assert reply(player, BeginMatch(3)) == "Match 3 waits for the winner of match 1."
        assert reply(player, BeginMatch(1)) == ""
        game = player.now.game
        assert game is not None
        assert (game.players, player.now.match) == (("Ann", "Dan"), "Match 1 of Cup")
        assert "was started as game 1" in reply(player, BeginMatch(1))
        win(player, second=True)
        if kind == "tournament":
            assert winners(player) == ["", "", ""]
            assert "waits for the referee" in reply(player, BeginMatch(2))
            assert reply(player, SignOffResult(1)) == ""
        player.until(lambda _: winners(player)[0] == "Dan", "the result")
    with playing(tmp_path, simulated(seed=1), kind=kind) as player:
        shown = player.box.api.tournament()
        assert (shown.matches[0].points, shown.matches[2].sides) == (
            (0, 1000),
            ("Dan", "the winner of match 2"),
        )
        assert shown.next == 2
        kept = json.loads((tmp_path / "tournaments" / "1.json").read_bytes())
        assert [step["what"] for step in kept["steps"]] == ["begun", "result"]
        assert kept["steps"][0]["by"] == "the referee Cleo"


def test_looking_at_results_moves_no_tournament_on(tmp_path: Path) -> None:
    with playing(tmp_path, simulated(seed=1), kind="family") as player:
        assert reply(player, CUP) == ""
        assert reply(player, BeginMatch(1)) == ""

        def win_and_look() -> tuple[int, int]:
            table = player.box.table
            assert table.play is not None
            match, results = table.play.match, table.results
            assert all(match.take((event,), [], NOON) for event in (GOOD, Cache()))
            before = results.tournament.changes
            results.show(match)
            looked = results.tournament.changes - before
            results.advance(match)
            return looked, results.tournament.changes - before

        assert player.box.loop.ask(win_and_look) == (0, 1)
        assert winners(player)[0] == "Ann"


def test_a_corrected_winner_moves_on_until_others_have_played_and_then_it_is_said_why_not(
    tmp_path: Path,
) -> None:
    with playing(tmp_path, simulated(seed=1), kind="tournament") as player:
        assert reply(player, CUP) == ""

        def turn_round(game_id: int) -> str:
            """The same game, but the other one has won it."""
            assert reply(player, ReopenResult(game_id, "the first throw was void")) == ""
            for _ in range(2):
                player.press("undo")
            player.until(lambda shown: shown.stage == "playing", "the throw taken back")
            win(player, second=True)
            return reply(player, SignOffResult(game_id))

        assert reply(player, BeginMatch(1)) == ""
        win(player)
        assert reply(player, SignOffResult(1)) == ""
        assert winners(player)[0] == "Ann"
        assert turn_round(1) == ""
        assert winners(player)[0] == "Dan"
        for match, game in ((2, 2), (3, 3)):
            assert reply(player, BeginMatch(match)) == ""
            win(player)
            assert reply(player, SignOffResult(game)) == ""
        assert player.box.api.tournament().champion == "Dan"
        assert turn_round(2) == (
            "Match 3 was begun by Dan and Bob, and with Cat in match 2 it would not be theirs. "
            "Take match 3 back first."
        )
        assert reply(player, TakeMatchBack(2, "a slip")).startswith("Match 3 was begun by Dan and Bob")
        assert reply(player, TakeMatchBack(3, "match 2 was void")) == ""
        assert reply(player, SignOffResult(2)) == ""
        assert winners(player) == ["Dan", "Cat", ""]
        assert reply(player, CloseTournament()) == ""
        assert reply(player, CUP) == ""
        assert player.box.api.tournament().number == 2


def test_what_cannot_be_drawn_is_refused_and_nothing_is_kept(tmp_path: Path) -> None:
    book = TournamentBook(TournamentFiles(tmp_path), print)
    for wrong, why in (
        (TournamentAgreed("Cup", "single", ("Ann", "ann"), "tray"), "Two players"),
        (TournamentAgreed(" ", "single", ("Ann", "Bob"), "tray"), "name"),
        (TournamentAgreed("Cup", "single", ("Ann", "Bob"), "chess"), "chess"),
        (TournamentAgreed("Cup", "single", ("Ann", "Bob"), "ten-thousand", {"target": "x"}), "target"),
    ):
        with pytest.raises(Refused, match=why):
            book.draw(wrong)
    assert not (tmp_path / "tournaments").exists()


def test_a_shared_win_decides_nothing_and_a_damaged_file_is_told(tmp_path: Path) -> None:
    folder, told = tmp_path / "tournaments", list[str]()
    book = TournamentBook(TournamentFiles(tmp_path), told.append)
    book.draw(CUP.agreed)
    book.begin(1, 7)
    book.add_result(7, ("Ann", "Dan"), (("Ann", 5), ("Dan", 5)))
    assert book.record is not None
    assert view_tournament(book.record, 1).matches[0].state == "undecided"
    assert book.game_of(1) is None
    book.begin(1, 8)
    book.add_result(8, ("Ann",), (("Ann", 6), ("Dan", 5)))
    assert TournamentBook(TournamentFiles(tmp_path), told.append).record == book.record
    (folder / "1.json").write_text("{", encoding="utf-8")
    damaged = TournamentBook(TournamentFiles(tmp_path), told.append)
    assert damaged.record is None
    assert "cannot be read" in told[0]
    damaged.draw(CUP.agreed)
    assert (folder / "1.json").read_text(encoding="utf-8") == "{", (
        "what was damaged stays for who can mend it"
    )


def test_a_tournament_that_an_older_callbox_kept_keeps_its_matches(tmp_path: Path) -> None:
    """A file without a draw version: match 5 is that of the older order, and what comes now goes to it."""
    folder = tmp_path / "tournaments"
    folder.mkdir()
    agreed = {"title": "Cup", "kind": "round-robin", "players": list("ABCDEFGH"), "game": "ten-thousand"}
    steps = [
        {"what": "begun", "at": "2026-11-20T12:00:00Z", "match": 5, "game_id": 7},
        {"what": "result", "at": "2026-11-20T12:30:00Z", "match": 5, "game_id": 7, "winner": "A"},
    ]
    kept = {"agreed": agreed, "at": "2026-11-20T11:00:00Z", "steps": steps}
    (folder / "1.json").write_text(json.dumps(kept), encoding="utf-8")
    book = TournamentBook(TournamentFiles(tmp_path), print)
    assert book.record is not None
    assert [(each.sides, each.winner) for each in view_tournament(book.record, 1).matches[3:6]] == [
        (("D", "E"), ""),
        (("A", "G"), "A"),
        (("H", "F"), ""),
    ]
    assert book.match_to_begin(6).players == ("H", "F")
    book.begin(6, 8)
    book.close()
    book.draw(CUP.agreed)
    stored = [json.loads((folder / f"{number}.json").read_bytes()) for number in (1, 2)]
    assert [each["draw_version"] for each in stored] == [1, DRAW_VERSION]


def test_a_tie_for_first_place_is_played_off_and_kept(tmp_path: Path) -> None:
    book = TournamentBook(TournamentFiles(tmp_path), print)
    names = ("Ann", "Bea", "Cat")
    book.draw(TournamentAgreed("Cup", "round-robin", names, "ten-thousand"))
    assert book.record is not None
    beats = {"Ann": "Bea", "Bea": "Cat", "Cat": "Ann"}

    def play(number: int, game: int, winner: str, *, points: int = 1000) -> None:
        match = book.match_to_begin(number)
        book.begin(number, game)
        scores = tuple((name, points if name == winner else 0) for name in match.players)
        book.add_result(game, (winner,), scores)

    for match in book.record.matches:
        play(match.number, match.number, next(name for name in match.players if beats[name] in match.players))
    shown = view_tournament(book.record, 1)
    assert (shown.champion, shown.next, "play-off" in shown.tie_breaks) == ("", 4, True)
    assert [(each.group, each.sides) for each in shown.matches[3:]] == [
        ("Play-off, round 1", ("Bea", "Cat")),
        ("Play-off, round 2", ("Ann", "the winner of match 4")),
    ]
    play(4, 4, "Cat")
    # Other points of match 1, with the same winner, would part the three: match 4 stands in the way.
    first = book.record.matches[0]
    corrected = tuple((name, 500 if name == first.winner else 0) for name in first.players)
    assert "Match 4 was begun by Bea and Cat" in book.why_not(1, (first.winner,), corrected)
    with pytest.raises(Refused, match="Take match 4 back first"):
        book.take_back(1, "a slip")
    book = TournamentBook(TournamentFiles(tmp_path), print)
    play(5, 5, "Ann")
    again = TournamentBook(TournamentFiles(tmp_path), print)
    assert again.record is not None
    assert view_tournament(again.record, 1).champion == "Ann"
    again.take_back(5, "a die was lost")
    again.take_back(4, "a die was lost")
    again.add_result(1, (first.winner,), corrected)
    shown = view_tournament(again.record, 1)
    assert (len(shown.matches), shown.champion != "") == (3, True)


def test_a_correction_moves_on_through_a_match_that_was_not_played_for_a_withdrawal() -> None:
    book = TournamentBook(None, print)
    book.draw(CUP.agreed)
    book.begin(1, 1)
    book.add_result(1, ("Ann",), (("Ann", 10), ("Dan", 5)))
    book.begin(2, 2)
    book.add_result(2, ("Bob",), (("Bob", 10), ("Cat", 5)))
    book.withdraw("Bob", "")
    assert book.record is not None
    assert view_tournament(book.record, 1).champion == "Ann"
    book.add_result(1, ("Dan",), (("Ann", 5), ("Dan", 10)))
    assert view_tournament(book.record, 1).champion == "Dan"


def test_it_is_told_for_spreadsheets_programs_and_the_wall() -> None:
    book = TournamentBook(None, print)
    book.draw(CUP.agreed)
    book.begin(1, 7)
    book.add_result(7, ("Ann",), (("Ann", 1135), ("Dan", 98)))
    assert book.record is not None
    shown = view_tournament(book.record, 1)
    lines = tournament_csv(shown).splitlines()
    assert lines[0] == "\ufeffmatch,group,player,against,points,won,state,game_id"
    assert lines[1] == "1,Semi-finals,Ann,Dan,1135,true,played,7"
    objects = [json.loads(line) for line in tournament_json(shown)]
    assert [each["kind"] for each in objects] == ["match"] * 3 + ["standing"] * 4
    paper = str(list(tournament_blocks(shown)))
    assert "1,135 : 98" in paper
    assert "the winner of match 2" in paper


def test_who_withdraws_may_come_back_until_others_have_played_on() -> None:
    book = TournamentBook(None, print)
    book.draw(CUP.agreed)
    with pytest.raises(Refused, match="Eve is not in Cup"):
        book.withdraw("Eve", "")
    book.withdraw("dan", "ill")
    assert book.record is not None
    shown = view_tournament(book.record, 1)
    assert (shown.matches[0].winner, shown.matches[2].sides[0]) == ("Ann", "Ann")
    book.bring_back("Dan")
    assert view_tournament(book.record, 1).matches[0].state == "ready"
    book.withdraw("Dan", "")
    book.begin(2, 1)
    book.add_result(1, ("Bob",), (("Bob", 10), ("Cat", 5)))
    book.begin(3, 2)
    with pytest.raises(Refused, match="Match 3 was begun because Dan had withdrawn"):
        book.bring_back("Dan")
    book.withdraw("Cat", "")
    with pytest.raises(Refused, match="Only two are left"):
        book.withdraw("Bob", "")
    assert [step.player for step in book.record.steps if step.player] == ["Dan", "Dan", "Dan", "Cat"]
