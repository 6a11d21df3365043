"""The organiser at the desk: list, draw, calls, withdrawals, sign-offs, rulings, by whoever gave the PIN."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.device.hall.organiser_desk import At, Desk
from tests.device.people.page import SealedPage


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.hall.close()


def test_a_pasted_list_is_drawn_by_its_number_and_anybody_can_draw_again(desk: Desk) -> None:
    cleo = desk.sign_in()
    assert cleo.save(players=" 1. Ann \n\n2) Bea\nCid\n  Dan   Dee ") == "The list is saved."
    assert desk.client.get("/organiser/entries").json()["kept"]["entries"]["players"] == [
        "Ann",
        "Bea",
        "Cid",
        "Dan Dee",
    ]
    assert cleo.ask("draw", seen=1) == "Autumn Cup is drawn."
    order = sorted(
        ("Ann", "Bea", "Cid", "Dan Dee"), key=lambda name: hashlib.sha256(f"4711 {name}".encode()).hexdigest()
    )
    shown = desk.view.tournament
    assert [each.sides for each in shown.matches[:2]] == [(order[0], order[3]), (order[1], order[2])]
    assert shown.chance == "Drawn by number 4711."


def test_seeds_keep_their_places_and_a_missing_number_is_made_by_chance_and_told(desk: Desk) -> None:
    cleo = desk.sign_in()
    cleo.save(seeds=2, number=None)
    cleo.ask("draw", seen=1)
    shown = desk.view.tournament
    assert shown.chance == "Drawn by number 99; the first 2 players named are seeded."
    assert [each.sides[0] for each in shown.matches[:2]] == ["Ann", "Bea"]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"players": "Ann\nann"}, "Two players are called ann"),
        ({"players": "\n".join(f"P{number}" for number in range(65))}, "at most 64"),
        ({"players": f"Ann\n{'x' * 41}"}, "no name of at most 40 letters"),
        ({"seeds": -1}, "seeds"),
        ({"kind": "chess"}, "kind"),
    ],
)
def test_a_list_that_cannot_be_is_refused_in_a_sentence(
    desk: Desk, changes: dict[str, object], why: str
) -> None:
    said = desk.sign_in().save(**changes)
    assert said.startswith("No: ")
    assert why in said
    assert desk.client.get("/organiser/entries").json()["kept"]["version"] == 0


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"players": "Ann"}, "for 2 to 64 players"),
        ({"title": " "}, "Give the tournament a name"),
        ({"game": "chess"}, "chess"),
        ({"tables": ["Table 9"]}, "There is no table Table 9"),
    ],
)
def test_a_list_that_is_not_ready_is_kept_and_not_drawn(
    desk: Desk, changes: dict[str, object], why: str
) -> None:
    cleo = desk.sign_in()
    assert cleo.save(**changes) == "The list is saved."
    said = cleo.ask("draw", seen=1)
    assert said.startswith("No: ")
    assert why in said
    assert desk.hall.ingest.tournament.calls.newest() == 0


def test_of_two_organisers_none_overwrites_what_the_other_did(desk: Desk) -> None:
    cleo, max_ = desk.sign_in(), desk.sign_in("Max")
    assert cleo.save() == "The list is saved."
    assert "Cleo has changed the list meanwhile" in max_.save(players="Xia\nYan")
    assert "Cleo has changed the list meanwhile" in max_.ask("draw", seen=0)
    assert cleo.ask("draw", seen=1) == "Autumn Cup is drawn."
    assert "Autumn Cup goes on. Close it first." in max_.ask("draw", seen=1)
    called = desk.view.calls[0]
    moved = {"cup": 1, "match": called.match, "seen_at": called.table}
    assert cleo.ask("call-back", **moved) == f"The call of match {called.match} is taken back."
    assert "has changed meanwhile" in max_.ask("call", **moved, table="Table 2")
    match = desk.match(1)
    ruled = {"cup": 1, "match": 1, "seen": match.steps, "reason": "on paper"}
    assert "is decided" in cleo.ask("rule", **ruled, winner=match.sides[0])
    assert "has changed meanwhile" in max_.ask("rule", **ruled, winner=match.sides[1])
    assert "has changed meanwhile" in max_.ask(
        "sign", cup=1, match=1, seen=match.steps, winner=match.sides[0]
    )
    assert cleo.ask("close", cup=1) == "The tournament is over."
    assert cleo.ask("draw", seen=1) == "Autumn Cup is drawn."
    assert "Another tournament was drawn meanwhile" in max_.ask("close", cup=1)


def test_only_who_gave_the_pin_acts(desk: Desk) -> None:
    viewer = At(desk, SealedPage(desk.client))
    assert "Only the referee may change the list of players here" in viewer.save()
    for act, said in (
        ("draw", {"seen": 0}),
        ("call", {"cup": 1, "match": 1}),
        ("call-back", {"cup": 1, "match": 1}),
        ("sign", {"cup": 1, "match": 1, "seen": 0, "winner": "Ann"}),
        ("rule", {"cup": 1, "match": 1, "seen": 0, "winner": "Ann", "reason": "x"}),
        ("again", {"cup": 1, "match": 1, "seen": 0, "reason": "x"}),
        ("withdraw", {"cup": 1, "player": "Ann"}),
        ("bring-back", {"cup": 1, "player": "Ann"}),
        ("close", {"cup": 1}),
    ):
        assert "Only the referee may" in viewer.ask(act, **said)
    own = {"origin": "http://127.0.0.1:8090"}
    assert desk.client.post("/organiser/close", json={"cup": 1}, headers=own).status_code == 403
    assert desk.client.get("/organiser").status_code == 200


def test_a_match_is_called_withdrawn_from_and_brought_back(desk: Desk) -> None:
    cleo = desk.sign_in()
    cleo.draw()
    called = {each.match: each.table for each in desk.view.calls}
    assert called == {1: "Table 1", 2: "Table 2"}
    cleo.ask("call-back", cup=1, match=1, seen_at="Table 1")
    assert desk.view.held == (1,)
    assert cleo.ask("call", cup=1, match=1, table="Table 1") == "Match 1 is called to Table 1."
    assert "There is no match 9" in cleo.ask("call", cup=1, match=9)
    gone = desk.match(1).sides[0]
    assert cleo.ask("withdraw", cup=1, player=gone, reason="ill") == f"{gone} has withdrawn."
    assert f"{gone} has withdrawn already" in cleo.ask("withdraw", cup=1, player=gone)
    shown = desk.view.tournament
    assert (shown.withdrawn, shown.matches[0].winner) == ((gone,), shown.matches[0].sides[1])
    assert cleo.ask("bring-back", cup=1, player=gone) == f"{gone} plays again."
    assert "Zoe is not in Autumn Cup" in cleo.ask("withdraw", cup=1, player="Zoe")


def test_a_result_that_waits_at_its_table_is_signed_off_at_the_desk(desk: Desk) -> None:
    cleo = desk.sign_in()
    cleo.draw()
    desk.hall.go_on()
    box = desk.hall.boxes[0]
    match = box.play(signs=True)
    shown = desk.match(1)
    assert (shown.unsigned, shown.winner) == (shown.sides[0], "")
    assert shown.points[0] > shown.points[1]
    said = {"cup": 1, "match": 1, "seen": shown.steps}
    assert "has no result to sign off" in cleo.ask("sign", **said, winner=shown.sides[1])
    assert cleo.ask("sign", **said, winner=shown.sides[0]) == "Match 1 is signed off."
    after = desk.match(1)
    assert (after.winner, after.signed, after.unsigned) == (shown.sides[0], "Cleo", "")
    assert "waits for the referee" not in desk.hall.remarks()
    scores = tuple(zip(match.view.players, match.view.scores, strict=True))
    (told,) = box.slip.current().signed
    assert (told.game, told.scores, told.by) == (match.game_id, scores, "Cleo")
    desk.hall.killed()
    desk.hall.go_on()
    assert box.slip.current().signed == (told,), "it is said until the table is signed, whoever is killed"
    box.sign(match)
    assert (desk.match(1).signed, desk.hall.winners()[0]) == ("Cleo", shown.sides[0])
    assert box.slip.current().signed == ()
    desk.hall.killed()
    assert desk.match(1).signed == "Cleo"


def test_a_sign_off_that_was_taken_back_is_not_told_to_a_table_that_was_away(desk: Desk) -> None:
    cleo = desk.sign_in()
    cleo.draw()
    desk.hall.go_on()
    first, second = desk.hall.boxes
    second.play(signs=True)
    for box in (first, second):
        before = first.play(signs=True) if box is first else None
        shown = desk.match(1 if before else 2)
        box.plugged = False
        said = {"cup": 1, "match": shown.number, "seen": shown.steps}
        assert "is signed off" in cleo.ask("sign", **said, winner=shown.sides[0])
    shown = desk.match(1)
    again = {"cup": 1, "match": 1, "seen": shown.steps, "reason": "a die was lost"}
    assert "is taken back" in cleo.ask("again", **again)
    shown = desk.match(2)
    ruled = {
        "cup": 1,
        "match": 2,
        "seen": shown.steps,
        "winner": shown.sides[1],
        "reason": "a die was misread",
    }
    assert "is decided" in cleo.ask("rule", **ruled)
    desk.hall.go_on()
    for box in (first, second):
        box.plugged = True
    desk.hall.go_on()
    assert [box.slip.current().signed for box in (first, second)] == [(), ()]


def test_after_a_dispute_the_desk_s_word_stands_whatever_the_box_tells_again(desk: Desk) -> None:
    cleo = desk.sign_in()
    cleo.draw()
    desk.hall.go_on()
    desk.hall.boxes[0].play()
    shown = desk.match(1)
    assert shown.winner == shown.sides[0]
    ruled = {"cup": 1, "match": 1, "seen": shown.steps, "winner": shown.sides[1]}
    assert "the reason is kept" in cleo.ask("rule", **ruled, reason=" ")
    assert "is decided" in cleo.ask(
        "rule", **ruled, reason="a die was misread", scores=[["Ann", 1], ["Bea", 2]]
    )
    after = desk.match(1)
    assert (after.winner, after.ruled) == (shown.sides[1], "a die was misread")
    again = {"cup": 1, "match": 1, "seen": after.steps, "reason": "played once more"}
    assert cleo.ask("again", **again) == "Match 1 is taken back, and is called again."
    assert desk.match(1).winner == ""
    ruled["seen"] = desk.match(1).steps
    assert "is decided" in cleo.ask("rule", **ruled, reason="a die was misread")
    desk.hall.killed()
    assert (desk.match(1).winner, desk.match(1).state) == (shown.sides[1], "played")
    assert 1 not in [each.match for each in desk.view.calls]
