"""A tournament over several tables: players are called, results come back, none is taken for another."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from device.call_slip import CurrentCall, MatchCall
from device.tournaments import tournament_csv
from device.venue.membership import key_of
from device.venue.messages import seal, topic
from engine.refusal import Refused
from tests.device.hall.small_hall import AT, EIGHT, SmallHall, cup, undo, win


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[SmallHall]:
    hall = SmallHall(tmp_path)
    yield hall
    hall.close()


@pytest.mark.long
def test_a_bracket_of_eight_over_two_tables_to_the_signed_result_though_the_desk_is_killed_each_time(
    hall: SmallHall,
) -> None:
    hall.organiser.draw(cup())
    hall.go_on()
    assert hall.called() == ["Table 1: Ann, Hal", "Table 2: Dan, Eve"]
    for turn in range(8):
        for box in hall.boxes:
            if box.slip.standing() is not None:
                match = box.play(second=turn == 1, signs=True)
                hall.go_on()
                hall.killed()
                hall.go_on()
                assert "waits for the referee's sign-off" in hall.remarks()
                box.sign(match)
                hall.go_on()
    shown = hall.ingest.tournament.view
    assert shown.tournament.champion == hall.winners()[-1] != ""
    assert (shown.calls, shown.remarks) == ((), ())
    assert sum(each.played for each in shown.tournament.standings) == 14
    lines = tournament_csv(shown.tournament).splitlines()
    assert lines[0].endswith(",game_id,table")
    assert {line.rpartition(",")[2] for line in lines[1:]} == {"Table 1", "Table 2"}


def test_a_box_away_at_the_time_of_the_call_gets_it_when_it_is_back(hall: SmallHall) -> None:
    first, second = hall.boxes
    hall.go_on()
    first.plugged = False
    hall.organiser.draw(cup())
    hall.go_on()
    assert hall.called() == ["Table 1: Ann, Hal", "Table 2: Dan, Eve"]
    assert first.slip.standing() is None
    assert [each.heard for each in hall.ingest.tournament.view.calls] == [False, True]
    second.play()
    second.plugged = False
    hall.go_on()
    hall.killed()
    first.plugged = second.plugged = True
    hall.go_on()
    call = first.slip.standing()
    assert call is not None
    assert call.players == ("Ann", "Hal")
    assert hall.winners()[1] == "Dan", "what was played unplugged is told later"
    assert hall.called()[1] == "Table 2: Bea, Gus"


def test_what_comes_twice_or_late_or_from_others_changes_nothing(hall: SmallHall) -> None:
    hall.organiser.draw(cup())
    hall.go_on()
    box = hall.boxes[0]
    held = box.slip.current()
    where = topic(box.known.id, "call")
    late = b'{"number": 0}'
    box.get(where, late, seal(key_of(box.known.secret), where, late))
    forged = b'{"number": 99}'
    box.get(where, forged, seal(key_of(hall.boxes[1].known.secret), where, forged))
    assert box.slip.current() == held
    hall.go_on()
    assert box.slip.current() == held


def test_a_box_that_holds_a_higher_number_than_the_desk_is_told_anew(hall: SmallHall) -> None:
    box = hall.boxes[0]
    old = MatchCall("old", "Cup", 9, "ten-thousand", ("Xia", "Yan"))
    box.slip.save_current(CurrentCall(40, old, box.known.id))
    hall.organiser.draw(cup())
    for _ in range(2):
        hall.go_on()
    call = box.slip.standing()
    assert call is not None
    assert call.players == ("Ann", "Hal")


def test_names_alone_make_no_result_and_others_in_their_place_do_not_count(hall: SmallHall) -> None:
    hall.organiser.draw(cup())
    hall.go_on()
    first, second = hall.boxes
    match = first.begin(players=("Ann", "Gus"))
    win(match)
    hall.go_on()
    assert hall.winners()[0] == ""
    assert "or others play it. It does not count." in hall.remarks()
    call = second.slip.standing()
    assert call is not None
    first.slip.save_current(CurrentCall(99, call, first.known.id))
    first.play()
    hall.go_on()
    assert hall.winners()[1] == "", "the call was another box's"


def test_a_table_refuses_and_the_match_goes_to_another(hall: SmallHall) -> None:
    hall.organiser.draw(cup(EIGHT[:2]))
    hall.go_on()
    call = hall.boxes[0].slip.standing()
    assert call is not None
    hall.boxes[0].slip.refuse(call.id, "the mat is wet")
    hall.go_on()
    assert hall.called() == ["Table 2: Ann, Bea"]
    assert "Table 1 does not take match 1 (Ann and Bea): the mat is wet" in hall.remarks()
    hall.go_on()
    assert hall.boxes[0].slip.current().call is None
    hall.boxes[1].play()
    hall.go_on()
    assert hall.remarks() == ""


def test_a_call_is_taken_back_and_called_again_by_hand(hall: SmallHall) -> None:
    hall.organiser.draw(cup(EIGHT[:2]))
    hall.go_on()
    hall.organiser.take_call_back(1)
    hall.go_on()
    assert hall.called() == []
    assert hall.boxes[0].slip.standing() is None
    with pytest.raises(Refused, match=r"There is no table Table 9\. There are: Table 1, Table 2"):
        hall.organiser.call(1, "Table 9")
    hall.organiser.call(1, "table 2")
    hall.go_on()
    assert hall.called() == ["Table 2: Ann, Bea"]
    with pytest.raises(Refused, match="called to table 2 already"):
        hall.organiser.call(1, "table 2")


def test_a_match_at_a_table_that_falls_ill_is_moved_and_what_was_begun_there_does_not_count(
    hall: SmallHall,
) -> None:
    hall.organiser.draw(cup(EIGHT[:2]))
    hall.go_on()
    first, second = hall.boxes
    match = first.begin()
    hall.go_on(first)
    assert hall.ingest.tournament.view.tournament.matches[0].state == "begun"
    first.look(online=False)
    hall.work()
    assert "Match 1 is played at Table 1, which is not connected." in hall.remarks()
    hall.organiser.call(1, "Table 2")
    second.look()
    hall.work()
    second.look()
    assert hall.called() == ["Table 2: Ann, Bea"]
    win(match)
    hall.go_on(first)
    assert hall.winners() == [""]
    assert "begun although the call was taken back" in hall.remarks()
    second.play(second=True)
    hall.go_on()
    assert hall.winners() == ["Bea"]
    assert hall.remarks() == ""


def test_a_result_that_is_corrected_moves_on_and_those_who_were_called_meanwhile_are_called_back(
    hall: SmallHall,
) -> None:
    hall.organiser.draw(cup(EIGHT[:3]))
    hall.go_on()
    first = hall.boxes[0]
    assert hall.called() == ["Table 1: Bea, Cid"]
    match = first.play()
    hall.go_on()
    assert hall.called() == ["Table 1: Ann, Bea"], "Ann had a bye"
    undo(match, 2)
    win(match, second=True)
    hall.go_on()
    assert hall.winners()[0] == "Cid"
    assert hall.called() == ["Table 1: Ann, Cid"]
    final = first.play()
    hall.go_on()
    undo(match, 3)
    win(match)
    hall.go_on()
    assert "Take match 2 back first." in hall.remarks()
    hall.organiser.take_back(2, "match 1 was misread")
    hall.go_on()
    assert hall.winners() == ["Bea", ""]
    assert hall.called() == ["Table 1: Ann, Bea"]
    assert final.view.ending is not None


def test_who_withdraws_is_called_no_more_and_the_other_goes_on(hall: SmallHall) -> None:
    hall.organiser.draw(cup(EIGHT[:4]))
    hall.go_on()
    hall.boxes[0].begin()
    hall.go_on(hall.boxes[0])
    hall.organiser.withdraw("Dan", "ill")
    hall.go_on()
    assert hall.winners() == ["Ann", "", ""]
    assert hall.called() == ["Table 2: Bea, Cid"]
    hall.organiser.bring_back("Dan")
    hall.go_on()
    assert hall.called() == ["Table 1: Ann, Dan", "Table 2: Bea, Cid"]


def test_in_a_round_robin_nobody_is_called_to_two_tables_and_a_tie_is_played_off(hall: SmallHall) -> None:
    hall.organiser.draw(cup(EIGHT[:3], "round-robin"))
    played = 0
    for _ in range(6):
        hall.go_on()
        assert len(hall.called()) <= 1
        for box in hall.boxes:
            if box.slip.standing() is not None:
                box.play()
                played += 1
    assert played == 5, "who is named first wins by as much, so all three play for first place"
    assert hall.ingest.tournament.view.tournament.champion != ""


def test_tables_that_are_not_named_are_left_alone_and_an_abandoned_match_is_called_again(
    hall: SmallHall,
) -> None:
    hall.organiser.draw(cup(EIGHT[:4]), ["Table 2"])
    hall.go_on()
    assert hall.called() == ["Table 2: Ann, Dan"]
    box = hall.boxes[1]
    match = box.begin()
    box.journal.end(match.game_id, "abandoned", AT)
    hall.go_on()
    assert hall.ingest.tournament.view.tournament.matches[0].state == "undecided"
    assert hall.called() == ["Table 2: Ann, Dan"]
    hall.organiser.close()
    hall.go_on()
    assert hall.called() == []
    assert box.slip.current().call is None
