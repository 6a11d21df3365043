"""Seats and offices: what they need, when they end, and that a restart keeps them."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from device.people.actor import FAMILY, VIEWER, Actor, TableKind
from device.people.login_throttle import FROM_ONE, FROM_ONE_S
from device.people.people import Caller, Clocks, People, people_path
from device.people.pin_sessions import KEPT_S
from device.people.pins import PinBook, pins_path
from device.people.store import PlayerSeat

GAME = 7
PLAYERS = ("Ann", "Ben")


@dataclass
class Time:
    """The clocks, moved by the test."""

    now_s: float = 1_000_000.0
    wall_s: float = 1_795_000_000.0
    boot: str = "this boot"

    def clocks(self) -> Clocks:
        return Clocks(steady_s=lambda: self.now_s, wall_s=lambda: self.wall_s, boot_id=self.boot)


def box(
    folder: Path, kind: TableKind = "club", time: Time | None = None, told: list[str] | None = None
) -> People:
    """The people of a box with both PINs set."""
    book = PinBook(pins_path(folder))
    if book.of("host") is None:
        book.put("host", "2468")
        book.put("referee", "13579")
    heard = [] if told is None else told
    return People(kind, folder, heard.append, (time or Time()).clocks())


def caller(key: str, address: str = "192.168.1.20", count: int = 1) -> Caller:
    return Caller(key=key, count=count, address=address)


def seat_of(people: People, player: str) -> PlayerSeat:
    return next(each for each in people.seats(GAME, PLAYERS) if each.player == player)


def seated(people: People, player: str, key: str) -> str:
    """That page takes the seat; returns the seat's PIN."""
    sat, trouble = people.sit(caller(key), seat_of(people, player).token, "", GAME)
    assert trouble == ""
    assert people.actor_of(key, GAME) == Actor("player", player)
    return sat.pin


def test_everybody_is_family_at_a_familys_table(tmp_path: Path) -> None:
    people = box(tmp_path, "family")
    assert people.actor_of("", None) == people.actor_of("some page", GAME) == FAMILY
    assert people.trouble == ""
    assert "no PIN" in people.sign_in(caller("p"), "host", "", "2468")
    assert "no seat" in people.sit(caller("p"), "token", "", GAME)[1]


def test_the_host_s_pin_makes_a_host_of_that_page_alone(tmp_path: Path) -> None:
    people = box(tmp_path)
    assert people.actor_of("mine", GAME) == VIEWER
    assert people.sign_in(caller("mine"), "host", "Cleo", "2468") == ""
    assert people.actor_of("mine", GAME) == Actor("host", "Cleo")
    assert people.actor_of("mine", None) == Actor("host", "Cleo"), "a host leads before the game, too"
    assert people.actor_of("another", GAME) == people.actor_of("", GAME) == VIEWER


def test_a_wrong_pin_is_told_with_the_way_out(tmp_path: Path) -> None:
    people = box(tmp_path)
    told = people.sign_in(caller("p"), "host", "", "0000")
    assert told == (
        "That is not the host's PIN. If it is forgotten, set a new one on the box: callbox pin host."
    )
    assert people.actor_of("p", GAME) == VIEWER


def test_a_box_without_a_pin_says_how_to_set_one(tmp_path: Path) -> None:
    people = People("tournament", tmp_path, print)
    assert people.trouble == "No PIN is set for the referee. On the box: callbox pin referee."
    assert people.sign_in(caller("p"), "referee", "", "") == people.trouble
    assert people.actor_of("p", None) == VIEWER


def test_a_club_has_no_referee(tmp_path: Path) -> None:
    told = box(tmp_path).sign_in(caller("p"), "referee", "", "13579")
    assert told == "A club has no referee: the host leads here."


def test_wrong_pins_lock_the_address_out_and_the_time_is_said(tmp_path: Path) -> None:
    time = Time()
    people = box(tmp_path, time=time)
    for _ in range(FROM_ONE):
        assert people.sign_in(caller("p"), "host", "", "0000").startswith("That is not")
    locked = people.sign_in(caller("p"), "host", "", "2468")
    assert locked.startswith("Too many wrong PINs were given, so none is looked at for ")
    assert "by the box's clock" in locked
    assert people.actor_of("p", GAME) == VIEWER, "not even the right one"
    assert people.sign_in(caller("p", "192.168.1.99"), "host", "", "2468") == "", "from elsewhere it is"
    time.now_s += FROM_ONE_S
    assert people.sign_in(caller("p"), "host", "", "2468") == ""


def test_a_new_pin_signs_out_who_gave_the_old_one(tmp_path: Path) -> None:
    people = box(tmp_path)
    people.sign_in(caller("p"), "host", "", "2468")
    PinBook(pins_path(tmp_path)).put("host", "9999")
    assert people.actor_of("p", GAME) == VIEWER


def test_signing_in_lasts_a_day(tmp_path: Path) -> None:
    time = Time()
    people = box(tmp_path, time=time)
    people.sign_in(caller("p"), "host", "", "2468")
    time.now_s += KEPT_S - 1
    assert people.actor_of("p", GAME).role == "host"
    time.now_s += 1
    assert people.actor_of("p", GAME) == VIEWER


@pytest.mark.parametrize("jump_s", [3600.0, 25 * 3600.0, -365 * 86400.0, -1.7e9])
def test_a_clock_that_is_set_signs_nobody_out_and_keeps_nobody_in(tmp_path: Path, jump_s: float) -> None:
    time = Time()
    people = box(tmp_path, time=time)
    people.sign_in(caller("p"), "host", "Cleo", "2468")
    time.wall_s += jump_s
    assert people.actor_of("p", GAME) == Actor("host", "Cleo")
    assert box(tmp_path, time=time).actor_of("p", GAME) == Actor("host", "Cleo"), (
        "nor where the box is started anew"
    )
    time.now_s += KEPT_S
    assert people.actor_of("p", GAME) == VIEWER


def test_a_reboot_signs_host_and_referee_out_and_keeps_seats(tmp_path: Path) -> None:
    before = box(tmp_path, time=Time())
    before.sign_in(caller("p"), "host", "Cleo", "2468")
    seated(before, "Ann", "phone")
    after = box(tmp_path, time=Time(now_s=12.0, boot="the next boot"))
    assert after.actor_of("p", GAME) == VIEWER, "nobody can say how long the box was off"
    assert after.actor_of("phone", GAME) == Actor("player", "Ann"), "a seat ends with its game"
    assert after.sign_in(caller("p"), "host", "Cleo", "2468") == ""
    assert after.actor_of("p", GAME) == Actor("host", "Cleo")


def test_guessing_locks_out_no_host_who_was_never_wrong_and_is_told_with_its_address(tmp_path: Path) -> None:
    told: list[str] = []
    people = box(tmp_path, told=told)
    for guess in range(40):
        answer = people.sign_in(caller("p", f"192.168.1.{guess // 5}"), "host", "", "0000")
    assert "Wrong PINs came from 192.168.1." in answer
    assert "A wrong PIN came from 192.168.1.0." in told
    assert people.sign_in(caller("q", "192.168.1.99"), "host", "Cleo", "2468") == ""


def test_signing_out_is_at_once(tmp_path: Path) -> None:
    people = box(tmp_path)
    people.sign_in(caller("p"), "host", "", "2468")
    assert people.leave("p") == ""
    assert people.actor_of("p", GAME) == VIEWER
    assert people.leave("p").startswith("Nobody is signed in")


def test_joining_is_one_step(tmp_path: Path) -> None:
    people = box(tmp_path)
    pin = seated(people, "Ann", "ann's phone")
    assert len(pin) == 4
    assert pin.isdecimal()


def test_a_stranger_does_not_take_a_seat_that_is_taken(tmp_path: Path) -> None:
    people = box(tmp_path)
    pin = seated(people, "Ann", "ann's phone")
    code = seat_of(people, "Ann").token
    sat, told = people.sit(caller("stranger"), code, "", GAME)
    assert (sat.wants_pin, sat.pin) == (True, "")
    assert told == "This seat is Ann's, on another page. Give its PIN to take it over."
    wrong = f"{(int(pin) + 1) % 10_000:04}"
    assert "Have the seat taken back" in people.sit(caller("stranger"), code, wrong, GAME)[1]
    assert people.actor_of("stranger", GAME) == VIEWER
    assert people.actor_of("ann's phone", GAME) == Actor("player", "Ann")


def test_guessing_a_seat_s_pin_is_locked_out_as_well(tmp_path: Path) -> None:
    people = box(tmp_path)
    pin = seated(people, "Ann", "ann's phone")
    code = seat_of(people, "Ann").token
    for step in range(FROM_ONE):
        people.sit(caller("stranger"), code, f"{(int(pin) + 1 + step) % 10_000:04}", GAME)
    assert people.sit(caller("stranger"), code, pin, GAME)[1].startswith("Too many wrong PINs")
    assert people.actor_of("stranger", GAME) == VIEWER


def test_code_and_pin_take_the_seat_to_another_phone(tmp_path: Path) -> None:
    people = box(tmp_path)
    pin = seated(people, "Ann", "old phone")
    sat, told = people.sit(caller("new phone"), seat_of(people, "Ann").token, pin, GAME)
    assert (sat.player, sat.pin, told) == ("Ann", "", "")
    assert people.actor_of("new phone", GAME) == Actor("player", "Ann")
    assert people.actor_of("old phone", GAME) == VIEWER


def test_who_scans_the_own_code_again_keeps_the_seat(tmp_path: Path) -> None:
    people = box(tmp_path)
    seated(people, "Ann", "phone")
    assert people.sit(caller("phone"), seat_of(people, "Ann").token, "", GAME)[1] == ""


def test_a_page_has_one_seat(tmp_path: Path) -> None:
    people = box(tmp_path)
    seated(people, "Ann", "phone")
    seated(people, "Ben", "phone")
    assert not seat_of(people, "Ann").key


def test_codes_cannot_be_guessed(tmp_path: Path) -> None:
    people = box(tmp_path)
    codes = [each.token for game in range(50) for each in people.seats(game, PLAYERS)]
    assert len(set(codes)) == 100
    assert min(map(len, codes)) >= 22, "16 bytes"
    assert people.sit(caller("p"), "A" * 22, "", GAME)[1].startswith("This code is not good")


def test_a_seat_and_its_code_end_with_the_game(tmp_path: Path) -> None:
    people = box(tmp_path)
    seated(people, "Ann", "phone")
    code = seat_of(people, "Ann").token
    for game_id in (None, GAME + 1):
        assert people.actor_of("phone", game_id) == VIEWER
        assert people.sit(caller("phone"), code, "", game_id)[1].startswith("This code is not good")
    assert people.actor_of("phone", GAME) == Actor("player", "Ann"), "an UNDO of the end brings the game back"
    assert code not in {each.token for each in people.seats(GAME + 1, PLAYERS)}
    assert people.actor_of("phone", GAME) == VIEWER


def test_everybody_keeps_the_seat_in_a_rematch_whoever_begins(tmp_path: Path) -> None:
    people = box(tmp_path)
    seated(people, "Ann", "phone")
    pin, code = seated(people, "Ben", "tablet"), seat_of(people, "Ben").token
    people.keep_seats(GAME + 1, PLAYERS[::-1])
    people.keep_seats(GAME + 2, PLAYERS)
    after = box(tmp_path)
    for each in (people, after):
        assert each.actor_of("phone", GAME + 2) == Actor("player", "Ann")
        assert each.actor_of("tablet", GAME + 2) == Actor("player", "Ben")
        assert each.actor_of("phone", GAME) == VIEWER
    assert after.sit(caller("another"), code, pin, GAME + 2)[1] == "", "with the code and PIN of before"


@pytest.mark.parametrize(
    ("game_id", "players"),
    [(GAME + 1, ("Ann", "Cleo")), (GAME + 1, ("Ann", "Ben", "Cleo")), (GAME + 2, PLAYERS)],
)
def test_other_players_or_a_game_between_end_the_seats(
    tmp_path: Path, game_id: int, players: tuple[str, ...]
) -> None:
    people = box(tmp_path)
    seated(people, "Ann", "phone")
    people.keep_seats(game_id, players)
    assert people.actor_of("phone", game_id) == VIEWER


def test_a_saved_game_that_is_resumed_after_another_of_the_same_players_has_its_seats(tmp_path: Path) -> None:
    people = box(tmp_path)
    seated(people, "Ann", "phone")
    for game_id in (GAME + 1, GAME):
        people.keep_seats(game_id, PLAYERS)
        assert people.actor_of("phone", game_id) == Actor("player", "Ann")


def test_a_seat_that_is_taken_back_is_nobody_s_and_has_a_new_code(tmp_path: Path) -> None:
    people = box(tmp_path)
    seated(people, "Ann", "phone")
    code = seat_of(people, "Ann").token
    assert people.take_back(GAME, "Ann") == ""
    assert people.actor_of("phone", GAME) == VIEWER
    assert people.sit(caller("phone"), code, "", GAME)[1].startswith("This code is not good")
    assert len(seated(people, "Ann", "phone")) == 4
    assert people.take_back(GAME, "Zoe") == "Zoe has no seat in this game."


def test_a_restart_keeps_seats_host_and_key(tmp_path: Path) -> None:
    before = box(tmp_path)
    before.sign_in(caller("host's page"), "host", "Cleo", "2468")
    pin = seated(before, "Ann", "phone")
    after = box(tmp_path)
    assert after.seal.public == before.seal.public, "codes on the wall stay good"
    assert after.seal.word != before.seal.word, "but letters of before do not"
    assert after.actor_of("host's page", GAME) == Actor("host", "Cleo")
    assert after.actor_of("phone", GAME) == Actor("player", "Ann")
    assert after.sit(caller("new"), seat_of(after, "Ann").token, pin, GAME)[1] == ""


def test_what_is_kept_is_for_the_box_alone_and_holds_no_pin(tmp_path: Path) -> None:
    people = box(tmp_path)
    pin = seated(people, "Ann", "phone")
    path = people_path(tmp_path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert f'"{pin}"' not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("content", [b"", b"{", b'{"seats": 3}', b'{"secret": "00"}', b"\xff\xfe"])
def test_a_damaged_file_throws_everybody_out_and_nobody_else(tmp_path: Path, content: bytes) -> None:
    box(tmp_path)
    people_path(tmp_path).write_bytes(content)
    told: list[str] = []
    people = box(tmp_path, told=told)
    assert people.sign_in(caller("p"), "host", "", "2468") == ""
    if content != b'{"secret": "00"}':
        assert len(told) == 1
        assert "everybody has to scan and sign in again" in told[0]


def test_a_full_disk_is_told_and_the_table_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    people = box(tmp_path, told=told)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("device.people.store.write_whole", full)
    assert people.sign_in(caller("p"), "host", "", "2468") == ""
    assert people.actor_of("p", GAME).role == "host"
    assert told[-1].startswith("Seats and sign-ins will be lost at the next restart (No space left")
