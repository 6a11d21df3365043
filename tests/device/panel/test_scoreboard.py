"""The scoreboard's rows, written as the text that stands on them."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from device.panel.displays import POINT, Rows, digits, drawable
from device.panel.scoreboard import (
    BLINK_MS,
    GREETING_MS,
    PAGE_MS,
    READY,
    STEP_MS,
    Alert,
    Scoreboard,
    alert_of,
    board,
    console_words,
)
from device.shown.snapshot import GameShown, MessageShown, Snapshot

ROLLING = GameShown(
    game="zoinx",
    edition="gamewright",
    phase="roll",
    players=("Ann", "Bob", "Cid"),
    scores=(17, 23, 4),
    active="Bob",
    running=12,
    bets=(6, 8, 10),
    allowed=(),
    wanted="four Zoinx dice",
    wanted_kind="zoinx",
    wanted_count=4,
    news="",
    banner="",
    winners=(),
    cause="",
    line="",
    last_roll=(),
)
BETTING = replace(ROLLING, phase="bet", running=None, bets=("locked", "thinking", "locked"))
ENDED = replace(
    ROLLING, phase="ended", active=None, running=None, bets=(), winners=("Bob",), scores=(17, 33, 4)
)
ZONK = replace(ROLLING, game="zonk", bets=(), running=1500, scores=(950, 10250, 0))
FOUR = replace(ROLLING, players=("Ann", "Bob", "Cid", "Dee"), scores=(17, 23, 4, 0), bets=(6, 8, 10, 0))


def rows(*texts: str) -> Rows:
    """What these texts look like on rows of eight."""
    shown = [digits(text) for text in texts]
    return tuple(each + (0,) * (8 - len(each)) for each in shown)


def shows(game: GameShown | None, count: int, alert: Alert = "", age_ms: float = 0, width: int = 8) -> Rows:
    return board(game, alert, age_ms=age_ms, rows=count, width=width)


def cycle(
    game: GameShown | None, count: int, alert: Alert = "", width: int = 8, pages: int = 8
) -> list[Rows]:
    """What stands there at the middle of each page; points left out, as they blink."""
    ages = [page * PAGE_MS + PAGE_MS / 2 for page in range(pages)]
    shown = [shows(game, count, alert, age, width) for age in ages]
    return [tuple(tuple(digit & ~POINT for digit in row) for row in each) for each in shown]


def test_a_row_for_every_player_tells_all_at_once() -> None:
    assert shows(ROLLING, 3) == rows("1  17b 6", "2.  23=12", "3   4b10")
    assert shows(FOUR, 4) == rows("1  17b 6", "2.  23=12", "3   4b10", "4   0b 0")


def test_the_turns_dots_and_the_players_own_bet_take_turns() -> None:
    assert cycle(ROLLING, 3, pages=3) == [
        rows("1  17b 6", "2  23=12", "3   4b10"),
        rows("1  17b 6", "2  23b 8", "3   4b10"),
        rows("1  17b 6", "2  23=12", "3   4b10"),
    ]


def test_the_point_of_the_player_whose_turn_it_is_blinks() -> None:
    points = [
        [row[0] & POINT for row in shows(ROLLING, 3, age_ms=age)] for age in (0, BLINK_MS - 1, BLINK_MS)
    ]
    assert points == [[0, POINT, 0], [0, POINT, 0], [0, 0, 0]]


def test_before_all_are_locked_only_that_a_bet_is_locked_is_told() -> None:
    assert cycle(BETTING, 3, pages=2) == [rows("1  17  -", "2  23  _", "3   4  -")] * 2
    assert cycle(BETTING, 1, pages=3) == [rows("2bEt -_-"), rows("1  17"), rows("2  23")]


def test_a_free_row_carries_the_message() -> None:
    zoinx = replace(ROLLING, banner="ZOINX")
    assert cycle(zoinx, 4, pages=1) == [rows("1  17b 6", "2  23=12", "3   4b10", "ZOINX")]
    assert cycle(ROLLING, 4, pages=1) == [rows("1  17b 6", "2  23=12", "3   4b10", "")]


def test_without_a_free_row_the_message_takes_turns_with_the_last_one() -> None:
    assert shows(replace(ROLLING, banner="30!"), 3) == rows("1  17b 6", "2.  23=12", "30!")
    assert cycle(replace(ROLLING, banner="ZOINX"), 3, pages=2) == [
        rows("1  17b 6", "2  23=12", "ZOINX"),
        rows("1  17b 6", "2  23b 8", "3   4b10"),
    ]


def test_one_module_takes_turns() -> None:
    assert cycle(FOUR, 1, pages=6) == [
        rows("2=12 b 8"),
        rows("1  17b 6"),
        rows("2  23b 8"),
        rows("3   4b10"),
        rows("4   0b 0"),
        rows("2=12 b 8"),
    ]


def test_two_totals_never_stand_in_one_row() -> None:
    """Ann has 59 and Bob nothing: that is not 592."""
    close = replace(ROLLING, players=("Ann", "Bob"), scores=(59, 0), bets=(), running=None)
    assert cycle(close, 1, pages=3) == [rows("2"), rows("1  59"), rows("2   0")]


def test_one_module_shows_a_message_first_and_at_once() -> None:
    zoinx = replace(FOUR, banner="ZOINX")
    assert shows(zoinx, 1) == rows("ZOINX")
    assert cycle(zoinx, 1, pages=2) == [rows("ZOINX"), rows("2=12 b 8")]


def test_two_and_three_modules_keep_the_turn_in_sight() -> None:
    assert cycle(FOUR, 2, pages=3) == [
        rows("2=12 b 8", "1  17b 6"),
        rows("2=12 b 8", "2  23b 8"),
        rows("2=12 b 8", "3   4b10"),
    ]
    assert cycle(FOUR, 3, "UNSURE", pages=2) == [
        rows("2=12 b 8", "1  17b 6", "UNSURE"),
        rows("2=12 b 8", "1  17b 6", "2  23b 8"),
    ]


def test_four_bare_digits_take_turns_in_smaller_bites() -> None:
    assert cycle(ROLLING, 1, width=4, pages=8) == [
        rows("2=12"),
        rows("2b 8"),
        rows("1 17"),
        rows("2 23"),
        rows("3  4"),
        rows("1b 6"),
        rows("2b 8"),
        rows("3b10"),
    ]


def test_what_is_too_wide_scrolls() -> None:
    start = PAGE_MS // 2
    ages = [0, start, start + STEP_MS, start + 2 * STEP_MS, PAGE_MS, PAGE_MS + 2 * STEP_MS]
    shown = [shows(None, 1, "UNSURE", age, 4) for age in ages]
    assert shown == [rows(text) for text in ("UNSU", "UNSU", "NSUR", "SURE", "SURE", READY[:4])]


def test_scores_of_a_bigger_game_have_a_row_of_their_own() -> None:
    assert cycle(ZONK, 1, pages=4) == [
        rows("2  =1500"),
        rows("1 950"),
        rows("2  10250"),
        rows("3   0"),
    ]


def test_scores_of_a_bigger_game_take_turns_on_the_players_row() -> None:
    assert cycle(ZONK, 3, pages=2) == [
        rows("1 950", "2  =1500", "3   0"),
        rows("1 950", "2  10250", "3   0"),
    ]


def test_the_end_names_the_winners_seats() -> None:
    assert cycle(ENDED, 1, pages=3) == [rows("2    1St"), rows("1  17"), rows("2  33")]
    assert shows(replace(ENDED, active="Ann"), 3) == rows("1  17", "2  331St", "3   4")
    shared = replace(ENDED, winners=("Ann", "Cid"))
    assert shows(shared, 1) == rows("1.3.   1St")
    assert shows(shared, 3) == rows("1  171St", "2  33", "3   41St")


def test_a_winners_name_is_shown_where_it_can_be_drawn() -> None:
    assert shows(replace(ENDED, banner="Bob"), 1) == rows("Bob")
    assert shows(replace(ENDED, banner="Kim"), 1) == rows("2.    1St")


def test_a_tray_for_one_player_fills_its_row() -> None:
    tray = replace(ROLLING, game="tray", players=("Ann",), scores=(12,), active="Ann", running=None, bets=())
    assert shows(tray, 1) == rows("1.  12")
    assert shows(replace(tray, running=7), 1) == rows("1.  12 =7")
    assert cycle(replace(tray, running=7), 1, width=4, pages=2) == [rows("1 =7"), rows("1 12")]


def test_nobody_plays_yet() -> None:
    assert shows(None, 2) == rows(READY, "")
    assert cycle(None, 1, "no PIC", pages=2) == [rows("no PIC"), rows(READY)]


def test_alerts_follow_the_console() -> None:
    said = Snapshot(message=MessageShown("Which is it?", "unsure"))
    assert alert_of(Snapshot()) == ""
    assert alert_of(said) == alert_of(Snapshot(ask="correct")) == "UNSURE"
    assert alert_of(Snapshot(message=MessageShown("The disk is full.", "alarm"))) == "Err"
    assert alert_of(replace(said, camera=MessageShown("No picture.", "alarm"))) == "no PIC"
    assert alert_of(Snapshot(message=MessageShown("Not your turn.", "refused"))) == ""


def test_all_words_of_the_box_can_be_drawn() -> None:
    assert [word for word in (READY, *get_args(Alert)) if not drawable(word)] == []


def test_a_change_is_shown_at_once_and_starts_the_turns_anew() -> None:
    scoreboard = Scoreboard(1)
    game = Snapshot(game=FOUR)
    first = scoreboard.at(game, 1000)
    assert scoreboard.at(game, 1000 + PAGE_MS) != first
    thrown = replace(game, game=replace(FOUR, running=15))
    assert scoreboard.at(thrown, 1000 + PAGE_MS) == rows("2.=15 b 8")
    # What does not stand on the board does not start it anew.
    assert scoreboard.at(replace(thrown, number=9), 1000 + 2 * PAGE_MS) == rows("1  17b 6")


@pytest.mark.parametrize("count", [1, 2, 4])
def test_what_is_drawn_once_a_step_is_what_is_due_at_any_time(count: int) -> None:
    scoreboard = Scoreboard(count)
    game = Snapshot(game=FOUR, message=MessageShown("Not sure.", "unsure"))
    scoreboard.at(game, 1000)
    seen = set()
    for age_ms in range(0, 9 * PAGE_MS, 37):
        due = board(FOUR, "UNSURE", age_ms=age_ms, rows=count)
        assert scoreboard.at(game, 1000 + age_ms) == due
        seen.add(due)
    assert len(seen) > 1


def test_a_clock_that_steps_back_shows_the_start() -> None:
    scoreboard = Scoreboard(1)
    first = scoreboard.at(Snapshot(game=FOUR), 5000)
    assert scoreboard.at(Snapshot(game=FOUR), 4000) == first


@pytest.mark.parametrize(("count", "width"), [(0, 8), (5, 8), (1, 1), (1, 9)])
def test_boards_that_there_are_not(count: int, width: int) -> None:
    with pytest.raises(ValueError, match="a board has 1 to 4 rows"):
        shows(ROLLING, count, width=width)


scores = st.integers(-500, 99999)
shown_bets = st.sampled_from([0, 2, 4, 6, 8, 10, "locked", "thinking"])


@st.composite
def games(draw: st.DrawFn) -> GameShown:
    players = tuple(f"Player {seat}" for seat in range(1, draw(st.integers(1, 16)) + 1))
    count = len(players)
    ended = draw(st.booleans())
    return replace(
        ROLLING,
        players=players,
        scores=tuple(draw(scores) for _ in players),
        active=None if ended else draw(st.sampled_from(players)),
        running=None if ended else draw(st.none() | st.integers(0, 99999)),
        bets=draw(st.just(()) | st.tuples(*[shown_bets] * count)),
        banner=draw(st.sampled_from(["", "ZOINX", "30!", "Kim", "SHARED", "Maximilian", "Bobbie-Sue"])),
        winners=players[draw(st.integers(0, count - 1)) :] if ended else (),
    )


@given(games(), st.sampled_from(get_args(Alert)), st.integers(1, 4), st.integers(2, 8), st.floats(0, 1e7))
def test_whatever_the_game_rows_have_eight_digits_and_the_missing_ones_are_dark(
    game: GameShown, alert: Alert, count: int, width: int, age_ms: float
) -> None:
    shown = shows(game, count, alert, age_ms, width)
    assert [len(row) for row in shown] == [8] * count
    assert all(row[width:] == (0,) * (8 - width) for row in shown)
    assert all(0 <= digit <= 255 for row in shown for digit in row)


@given(games(), st.integers(1, 4), st.floats(0, 1e5))
def test_nothing_changes_between_two_steps(game: GameShown, count: int, age_ms: float) -> None:
    assert shows(game, count, age_ms=age_ms) == shows(game, count, age_ms=age_ms // STEP_MS * STEP_MS)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("http://192.168.1.20:8080/", ("192.168.1.20", "P 8080")),
        ("http://10.0.0.7/", ("10.0.0.7",)),
        ("http://10.0.0.7:99/", ("10.0.0.7", "Port 99")),
        ("http://127.0.0.1:8080/", ()),
        ("http://[fd00::1]:8080/", ()),
        ("http://callbox.local:8080/", ()),
        ("", ()),
    ],
)
def test_an_address_is_told_where_a_phone_can_open_it(address: str, words: tuple[str, ...]) -> None:
    assert console_words(address) == words
    assert all(drawable(word) for word in words)


def test_the_lobby_shows_where_the_console_is() -> None:
    lobby = Snapshot(address="http://10.0.0.7:8080/")
    one, two = Scoreboard(1), Scoreboard(2)
    shown = [one.at(lobby, page * PAGE_MS) for page in range(4)]
    assert shown == [rows(text) for text in (READY, "10.0.0.7", "P 8080", READY)]
    assert [two.at(lobby, page * PAGE_MS)[1:] for page in range(2)] == [rows("10.0.0.7"), rows("P 8080")]


def test_a_box_that_goes_on_with_a_game_tells_its_address_first_and_once() -> None:
    scoreboard = Scoreboard(1)
    at_once = Snapshot(game=ROLLING, address="http://10.0.0.7:8080/")
    assert scoreboard.at(at_once, 0) == rows(READY)
    assert scoreboard.at(at_once, PAGE_MS) == rows("10.0.0.7")
    assert scoreboard.at(at_once, GREETING_MS) == shows(ROLLING, 1)
    renewed = replace(at_once, address="http://10.0.0.9:8080/")
    assert scoreboard.at(renewed, GREETING_MS + STEP_MS) == shows(ROLLING, 1, age_ms=STEP_MS)


def test_without_a_network_a_box_is_ready_and_tells_its_address_when_there_is_one() -> None:
    scoreboard = Scoreboard(1)
    alone = Snapshot(game=ROLLING, address="http://127.0.0.1:8080/")
    assert scoreboard.at(alone, 0) == shows(ROLLING, 1)
    joined = replace(alone, address="http://10.0.0.7:8080/")
    assert scoreboard.at(joined, PAGE_MS) == rows(READY)
    assert scoreboard.at(joined, 2 * PAGE_MS) == rows("10.0.0.7")
