"""The log of throws at the console: fetched once for each change, and never because of a bet."""

import msgspec
from starlette.testclient import TestClient

from device.shown.snapshot import MessageShown
from device.shown.throws import ThrowShown, ThrowsShown
from tests.device.console.fake_box import FOUR, PlayingBox, begun, console, rolling


def log_of(count: int) -> ThrowsShown:
    throws = tuple(
        ThrowShown(number, f"2026-11-23T18:00:{number:02}.000Z", "Zoë", f"roll {number}", "counts", number)
        for number in range(count, 0, -1)
    )
    return ThrowsShown(1, count, throws)


def looks(desk: PlayingBox) -> list[object]:
    """Each time the desk was asked for what is new."""
    return [each for each in desk.looked_up if each == (0, True)]


def get(page: TestClient, **headers: str) -> tuple[int, str, bytes]:
    response = page.get("/throws", headers=headers)
    return response.status_code, response.headers["etag"], response.content


def test_the_log_is_asked_for_once_however_many_look_and_anew_when_something_changed() -> None:
    desk = rolling(FOUR)
    desk.thrown = log_of(1)
    page = console(desk)
    status, tag, told = get(page)
    assert (status, msgspec.json.decode(told, type=ThrowsShown)) == (200, log_of(1))
    assert get(page, **{"if-none-match": tag}) == (304, tag, b"")
    assert len(looks(desk)) == 1
    desk.thrown = log_of(2)
    desk.show(message=MessageShown("Ruled."))
    assert msgspec.json.decode(get(page, **{"if-none-match": tag})[2], type=ThrowsShown).count == 2
    assert len(looks(desk)) == 2


def test_older_throws_are_told_by_the_throw_before_which_they_were() -> None:
    desk = rolling(FOUR)
    desk.thrown = log_of(5)
    told = msgspec.json.decode(console(desk).get("/throws?before=3").content, type=ThrowsShown)
    assert [each.throw for each in told.throws] == [2, 1]
    for odd in ("x", "-1", "0", "²", "9" * 400):
        assert console(desk).get(f"/throws?before={odd}").status_code == 200


def test_no_bet_leads_to_a_look_into_the_journal_while_bets_are_secret() -> None:
    desk = begun()
    page = console(desk)
    first = get(page)
    looked = len(looks(desk))
    desk.bet("Zoë", 4)
    assert get(page) == first
    assert len(looks(desk)) == looked
    desk.bet("Ben", 0)
    get(page)
    assert len(looks(desk)) == looked + 1
