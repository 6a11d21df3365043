"""The odds at the table: who may see them, what of secret bets stands in them, and at the keyboard."""

import re
from collections.abc import Iterator
from itertools import product
from typing import get_args

import msgspec
import pytest
from click.testing import CliRunner
from playwright.sync_api import expect
from starlette.testclient import TestClient

from device.cli import callbox
from device.console.app import ConsoleSettings, make_app
from device.odds import OddsProcess, OddsShown, are_shown, odds_shown
from device.people.actor import TableKind
from engine.events import Bet
from engine.game import Position
from engine.odds import advice, advice_seen, cast_or_cache
from engine.refusal import Refused
from engine.rulebooks import rulebook
from engine.zonk import ZonkPosition
from tests.device.conftest import Opener
from tests.device.console.fake_box import HERE, HOME, TWO, FakeBox, begun, rolling

PLAYERS = ("Ann", "Bea", "Cid")


class SeenOdds:
    """Tells the odds in this process."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def ask(self, line: str) -> tuple[OddsShown, ...]:
        self.lines.append(line)
        return tuple(map(odds_shown, advice_seen(line)))


@pytest.fixture
def process() -> Iterator[OddsProcess]:
    made = OddsProcess()
    yield made
    made.close()


def zoinx(**bets: int) -> Position:
    position = rulebook("zoinx").start(PLAYERS, {})
    for name, dots in bets.items():
        position = position.after(Bet(player=name, dots=dots))
    return position


def asked(desk: FakeBox, odds: SeenOdds | None) -> dict[str, object]:
    """What a page gets."""
    client = TestClient(make_app(desk, ConsoleSettings(odds=odds)), base_url=HOME, client=HERE)
    found: dict[str, object] = client.get("/odds").json()
    return found


def test_public_odds_say_nothing_of_a_bet_that_is_locked_nor_who_has_locked_one() -> None:
    untouched = advice_seen(zoinx().view().line)
    assert {each.player for each in untouched} == set(PLAYERS)
    for ann, bea in product((2, 6, 10), (None, 4, 8)):
        bets = {"Ann": ann} | ({} if bea is None else {"Bea": bea})
        assert advice_seen(zoinx(**bets).view().line) == untouched


def test_a_page_is_told_the_odds_of_the_public_line_alone() -> None:
    odds, desk = SeenOdds(), begun("Zoë", "Ben")
    desk.bet("Ben", 6)
    told = asked(desk, odds)
    assert told["shown"] is True
    assert odds.lines == [told["line"]]
    assert re.search(r"Ben:0@0:[?]", odds.lines[0])


def test_a_dealt_deck_is_no_secret_to_the_odds_and_other_games_have_none() -> None:
    dealt = rulebook("zonk").start(("Ann",), {"deck": "box", "seed": "abc"})
    by_hand = rulebook("zonk").start(("Ann",), {})
    assert advice_seen(dealt.view().line) == advice_seen(by_hand.view().line) != ()
    assert advice_seen(rulebook("tray").start(("Ann",), {}).view().line) == ()
    with pytest.raises(Refused):
        advice_seen("chess")


def test_where_odds_are_hidden_a_page_is_told_none() -> None:
    assert asked(rolling(TWO), None) == {"shown": False}
    tables = {kind: are_shown("auto", kind) for kind in get_args(TableKind)}
    assert tables == {"family": True, "club": True, "tournament": False}
    assert are_shown("shown", "tournament")
    assert not are_shown("hidden", "family")


@pytest.mark.long
def test_the_process_answers_and_is_started_anew_when_it_fell(process: OddsProcess) -> None:
    line = zoinx(Ann=0, Bea=4, Cid=2).view().line
    known = tuple(map(odds_shown, advice_seen(line)))
    assert process.ask(line) == known
    assert process.ask("no position at all") == ()
    running = process._process._running
    assert running
    running.kill()
    running.wait()
    assert process.ask(line) == known
    assert process._process._running is not running


@pytest.mark.long
@pytest.mark.chromium
def test_the_page_tells_them_only_to_who_opens_them(opened: Opener) -> None:
    odds, desk = SeenOdds(), rolling(TWO)
    page = opened(desk, "play?player=Zoë", width=390, height=844, odds=odds)
    expect(page.locator("#odds summary")).to_be_visible()
    assert odds.lines == []
    page.locator("#odds summary").click()
    expect(page.locator("#odds tbody th span")).to_have_text(["roll again", "stop at 2 dots"])
    expect(page.locator("#odds tbody small").first).to_have_text("stop from 5 dots on")
    expect(page.locator("#odds tbody tr").last).to_contain_text("2.00")
    desk.read(TWO)
    expect(page.locator("#odds tbody th span")).to_have_text(["roll again", "stop at 4 dots"])


@pytest.mark.chromium
def test_a_page_has_no_odds_where_they_are_hidden(opened: Opener) -> None:
    page = opened(rolling(TWO))
    expect(page.locator("#scores")).to_be_visible()
    expect(page.locator("#odds")).to_be_hidden()


@pytest.mark.parametrize(
    ("words", "best"),
    [
        (["zoinx"], "bet"),
        (["zoinx", "--bet", "6", "--dots", "7"], "stop at 7 dots"),
        (["zonk", "--points", "450", "--dice", "3"], "cache 450"),
        (["zonk", "--points", "100", "--dice", "5"], "cast five dice"),
        (["zonk", "--roll", "1 1 1 2", "--points", "200"], "cache 1,200"),
        (["zonk", "--roll", "1 5 3 3 3 6"], "cache 450"),
        (["ten-thousand", "--points", "300", "--dice", "2"], "bank 300"),
        (["ten-thousand", "--roll", "1 5 3 3 3 6"], "bank 450"),
        (["ten-thousand", "--option", "dice=5", "--points", "300", "--dice", "2"], "bank 300"),
        (["ten-thousand", "--option", "exact=yes", "--option", "target=500"], "roll six dice"),
        (["zoinx", "--option", "goal=50"], "bet"),
        (["zonk", "--line", rulebook("zonk").start(("Ann",), {}).view().line], "cast six dice"),
    ],
)
def test_the_keyboard_is_told_the_best_first(words: list[str], best: str) -> None:
    told = CliRunner().invoke(callbox, ["odds", *words])
    assert told.exit_code == 0, told.output
    assert best in told.output.splitlines()[1]
    listed = CliRunner().invoke(callbox, ["odds", *words, "--json"])
    assert best in msgspec.json.decode(listed.output, type=list[OddsShown])[0].words


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["zonk", "--roll", "1 9"], "is no roll"),
        (["zonk", "--roll", "1 1 1 2"], "say with --points what"),
        (["zonk", "--roll", "1 1 1 2", "--points", "350"], "No game of ZONK comes to 350 points"),
        (["zonk", "--points", "40", "--dice", "3"], "No game of ZONK comes to 40 points with three dice"),
        (["zonk", "--points", "200", "--dice", "5"], "No game of ZONK comes to 200 points with five dice"),
        (["ten-thousand", "--points", "30", "--dice", "2"], "No game of Ten Thousand"),
        (["ten-thousand", "--points", "200", "--dice", "5"], "No game of Ten Thousand comes to 200"),
        (["ten-thousand", "--roll", "1 2 3", "--dice", "4", "--points", "200"], "leave out --dice"),
        (["zoinx", "--bet", "3"], "bet"),
        (["zoinx", "--dots", "7"], "--dots count once you have bet: say --bet, too."),
        (["zoinx", "--points", "300"], "--points: not for zoinx. Leave it out."),
        (["zonk", "--bet", "4"], "--bet: not for zonk. Leave it out."),
        (["zonk", "--line", "zonk", "--dice", "3"], "A position line says everything: leave out --dice."),
        (["zonk", "--line", zoinx().line()], "That is a position of zoinx, not of zonk."),
        (["zoinx", "--line", "chess"], "chess"),
    ],
)
def test_what_is_no_position_ends_in_a_sentence(words: list[str], says: str) -> None:
    told = CliRunner().invoke(callbox, ["odds", *words])
    assert told.exit_code == 2
    assert says in told.output


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["zonk", "--roll", "2 3 4 6 6 2"], "Nothing of 2 3 4 6 6 2 scores: the turn is over."),
        (["zonk", "--roll", "3", "--points", "250"], "Nothing of 3 scores: the turn is over."),
        (["ten-thousand", "--roll", "2 3 4 6 6 2"], "Nothing of 2 3 4 6 6 2 scores: the turn is over."),
        (["ten-thousand", "--option", "first=roll-off"], "The roll-off is pure chance"),
    ],
)
def test_where_nothing_can_be_chosen_a_sentence_says_why(words: list[str], says: str) -> None:
    told = CliRunner().invoke(callbox, ["odds", *words])
    assert (told.exit_code, told.stdout.startswith(says)) == (0, True), told.output
    listed = CliRunner().invoke(callbox, ["odds", *words, "--json"])
    assert (listed.exit_code, listed.stdout) == (0, "[]\n")
    assert listed.stderr.startswith(says)


@pytest.mark.parametrize(
    "words",
    [
        ["ten-thousand", "--points", "450", "--dice", "4", "--roll", "1 1 1 2"],
        ["zonk", "--points", "450", "--roll", "1 1 1 2"],
        ["zonk", "--roll", "1 5 3 3 3 6"],
    ],
)
def test_each_line_names_one_thing_to_do_and_only_one_banks(words: list[str]) -> None:
    listed = CliRunner().invoke(callbox, ["odds", *words, "--json"])
    found = msgspec.json.decode(listed.output, type=list[OddsShown])
    assert len({each.points for each in found}) == len(found)
    assert [each.risk == 0 for each in found].count(True) == 1


def test_an_agreed_option_changes_what_recasts_are_worth() -> None:
    words = ["odds", "zonk", "--points", "300", "--dice", "6"]
    plain = CliRunner().invoke(callbox, words).output
    assert CliRunner().invoke(callbox, [*words, "--option", "pairs=different"]).output != plain


def test_where_no_odds_are_known_the_reason_is_told() -> None:
    told = CliRunner().invoke(callbox, ["odds", "ten-thousand", "--option", "hot-dice=must"])
    assert told.exit_code == 0
    assert told.output == (
        "Where hot dice must be rolled again, no odds are known: they are told with hot-dice=may.\n"
    )


@pytest.mark.long
def test_casting_or_caching_is_worth_what_a_position_says() -> None:
    start = rulebook("zonk").start(("Ann",), {})
    (cast,) = advice(start)
    assert isinstance(start, ZonkPosition)
    (told,) = cast_or_cache(start, 0, 6)
    assert (cast.points, cast.chance, cast.risk) == (told.points, told.chance, told.risk)
