"""The page in a real Chromium where not everybody may do everything: PIN, seat, and the sealed bet."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from device.console import ConsoleServer, Doors, make_app
from device.console.app import ConsoleSettings
from device.people.people import People
from device.people.pins import PinBook, pins_path
from device.requests import LockBet
from tests.device.conftest import ELSEWHERE, Opener
from tests.device.console.fake_box import TWO, begun, rolling
from tests.device.console.test_page import hold_and_let_go

pytestmark = pytest.mark.chromium


def club(folder: Path) -> People:
    """A club whose host's PIN is 2468."""
    PinBook(pins_path(folder)).put("host", "2468")
    return People("club", folder, print)


def test_a_host_signs_in_and_leads(opened: Opener, tmp_path: Path) -> None:
    desk = rolling(TWO)
    page = opened(desk, people=club(tmp_path))
    expect(page.locator("#watching")).to_contain_text("You are watching.")
    for hidden in ("#panel", "#open-correct", "#lobby"):
        expect(page.locator(hidden)).to_be_hidden()
    page.get_by_role("button", name="Host").click()
    page.get_by_label("PIN").fill("1111")
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("#sign .trouble")).to_contain_text("That is not the host's PIN.")
    page.get_by_label("PIN").fill("2468")
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("#me")).to_have_text("Host")
    expect(page.locator("#open-correct")).to_be_visible()
    hold_and_let_go(page, desk, "u", "undo")
    page.reload()
    expect(page.locator("#me")).to_have_text("Host")


def test_a_seat_is_taken_in_one_step_and_bets(opened: Opener, tmp_path: Path) -> None:
    desk, people = begun(), club(tmp_path)
    assert desk.shown.game_id is not None
    seat = people.seats(desk.shown.game_id, ("Zoë", "Ben"))[0]
    page = opened(desk, f"play?player=Zoë#seat={seat.token}&key={people.seal.public}", people=people)
    expect(page.locator("#seat")).to_contain_text("Zoë, this page is your seat")
    expect(page.locator("#seat .pin")).to_have_text(re.compile("^[0-9]{4}$"))
    assert page.evaluate("location.hash") == "", "who looks at the address learns no code"
    expect(page.locator("#panel [data-button]")).to_have_count(0)
    page.locator("#bet input[value='4']").check()
    page.get_by_role("button", name="Lock my bet").click()
    desk.hears(LockBet("Zoë", 4))


def test_in_a_rematch_the_page_keeps_its_seat_and_bets_without_being_asked(
    opened: Opener, tmp_path: Path
) -> None:
    desk, people = begun(), club(tmp_path)
    assert desk.shown.game_id is not None
    seat = people.seats(desk.shown.game_id, ("Zoë", "Ben"))[0]
    page = opened(desk, f"play?player=Zoë#seat={seat.token}&key={people.seal.public}", people=people)
    page.get_by_role("button", name="Got it").click()
    expect(page.locator(".players .name").first).to_contain_text("Zoë")
    assert desk.start("zoinx", ("Ben", "Zoë"), {}).ok
    expect(page.locator(".players .name").first).to_contain_text("Ben")  # the form before was the same
    expect(page.locator("#bet-title")).to_have_text("Zoë: your secret bet")
    expect(page.locator("#seat")).to_be_hidden()
    page.locator("#bet input[value='4']").check()
    page.get_by_role("button", name="Lock my bet").click()
    desk.hears(LockBet("Zoë", 4))
    assert desk.start("zoinx", ("Cleo", "Zoë"), {}).ok
    expect(page.locator("#watching")).to_be_visible()


def test_a_box_with_another_key_gets_no_bet(opened: Opener) -> None:
    desk = begun()
    page = opened(desk, f"play?player=Zoë#key={People().seal.public}")
    page.locator("#bet input[value='4']").check()
    page.get_by_role("button", name="Lock my bet").click()
    expect(page.locator("#notice")).to_contain_text("This is not the box whose code was scanned.")
    assert desk.said(LockBet) == []


def test_over_a_network_a_bet_key_opens_the_sealed_bet(chromium: Browser) -> None:
    """Every byte that the page posts: no press that could be counted, and no bet that could be read."""
    desk, posted = begun(), []
    settings = ConsoleSettings(doors=Doors(names=(ELSEWHERE,)))
    server = ConsoleServer(make_app(desk, settings), "127.0.0.1", 0)
    server.start()
    page = chromium.new_page()
    page.on(
        "request",
        lambda request: posted.append((request.url, request.post_data)) if request.method == "POST" else None,
    )
    page.goto(f"http://{ELSEWHERE}:{server.port}/")
    page.locator('[data-button="bet2"]').click()
    expect(page.locator("#bet-title")).to_have_text("Ben: your secret bet")
    expect(page.locator("#bet-title")).to_be_focused()
    page.locator("#bet input[value='4']").check()
    page.get_by_role("button", name="Lock my bet").click()
    expect(page.locator("#notice")).to_contain_text("Ben’s bet is locked.")
    expect(page.locator("#notice")).to_have_attribute("data-tone", "good")
    expect(page.locator("#bet")).to_be_hidden()
    page.close()
    server.stop()
    assert desk.asked == [LockBet("Ben", 4)]
    assert [url.rpartition("/")[2] for url, _ in posted] == ["bets"]
    # In quotes, as JSON has them: three letters alone may stand in what is sealed by chance.
    assert not re.search('"(Ben|dots|player)"', str(posted[0][1]))
