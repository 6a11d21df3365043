"""Persons are remembered with colour and PIN; a PIN keeps their seat and their entry theirs."""

from pathlib import Path

from device.people.people import Caller
from device.people.player_profiles import Person, Persons, persons_path
from tests.device.people.test_people import GAME, box

ANN = Caller(key="ann", count=1, address="here")
EVE = Caller(key="eve", count=1, address="there")
PLAYERS = ("Ann", "Ben")


def test_persons_are_remembered_beyond_a_restart_and_known_whatever_the_capitals(tmp_path: Path) -> None:
    people = box(tmp_path, "family")
    assert people.put_person(ANN, "Ann", "red", "", None) == ""
    assert people.put_person(ANN, "ben", "blue", "", "4711") == ""
    assert people.put_person(ANN, "ANN", "green", "", None) == ""
    again = box(tmp_path, "family").persons()
    assert [(each.name, each.color, bool(each.pin)) for each in again] == [
        ("ANN", "green", False),
        ("ben", "blue", True),
    ]
    assert b"4711" not in persons_path(tmp_path).read_bytes()


def test_whoever_has_a_pin_is_changed_and_forgotten_with_it_alone(tmp_path: Path) -> None:
    people = box(tmp_path, "family")
    people.put_person(ANN, "Ann", "red", "", "4711")
    assert people.put_person(EVE, "Ann", "pink", "", None) == "Ann has a PIN. Give it."
    assert people.forget_person(EVE, "ann", "0000") == "That is not Ann's PIN."
    assert people.put_person(EVE, "Bea", "pink", "", "12") == "A PIN has 4 to 12 digits and nothing else."
    assert people.put_person(ANN, "Ann", "pink", "4711", None) == ""
    assert people.persons()[0].pin is not None
    assert people.put_person(ANN, "Ann", "pink", "4711", "") == ""
    assert people.persons()[0].pin is None
    assert people.forget_person(EVE, "ann", "") == ""
    assert people.forget_person(EVE, "ann", "") == "Nobody called ann is remembered here."


def test_a_seat_of_somebody_with_a_pin_is_taken_with_it_alone(tmp_path: Path) -> None:
    people = box(tmp_path, "club")
    people.put_person(ANN, "ann", "red", "", "4711")
    ann, ben = people.seats(GAME, PLAYERS)
    sat, trouble = people.sit(EVE, ann.token, "", GAME)
    assert (sat.wants_pin, trouble != "") == (True, True)
    assert people.sit(EVE, ann.token, "9999", GAME)[1].startswith("That is not the PIN")
    sat, trouble = people.sit(ANN, ann.token, "4711", GAME)
    assert (sat.player, sat.pin, trouble) == ("Ann", "", "")
    assert people.actor_of("ann", GAME).name == "Ann"
    sat, _ = people.sit(EVE, ben.token, "", GAME)
    assert len(sat.pin) == 4, "whoever has none is told one, as ever"


def test_a_damaged_file_is_said_and_not_written_over(tmp_path: Path) -> None:
    persons_path(tmp_path).write_text("{", encoding="utf-8")
    told: list[str] = []
    people = box(tmp_path, "family", told=told)
    assert "cannot be read" in told[0]
    assert "cannot be read" in people.put_person(ANN, "Ann", "red", "", None)
    assert persons_path(tmp_path).read_text(encoding="utf-8") == "{"


def test_a_name_that_cannot_be_shown_is_refused_and_a_place_is_made_for_so_many(tmp_path: Path) -> None:
    people = box(tmp_path, "family")
    assert "cannot be shown" in people.put_person(ANN, "A\x07", "red", "", None)
    persons = Persons(None, print)
    persons.put(Person(" Ann ", "red"))
    assert persons.find("ANN") == Person("Ann", "red")
