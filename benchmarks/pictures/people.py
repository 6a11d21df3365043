"""Pictures of who plays, and of what was played: phones and PINs of a club, a hall's tables and its
desk with a question, a report.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random

import msgspec
from playwright.sync_api import Page, expect

from benchmarks.pictures.games import END_ZONE, LOADED, TABLE_PX, ZOINX, address_of
from benchmarks.pictures.studio import PHONE_PX, Studio, beside, shot_of
from calibration.arrays import Picture
from device.console import ConsoleServer, Doors
from device.hall.desk import HallPage, make_hall_app
from device.hall.ingest import Ingest
from device.hall.ledger import Invitation, KnownBox, Ledger
from device.hall.questions import HallQuestions, RefereePages, people_of_desk
from device.journal import GameId, Journal
from device.journal.outbox import Outbox
from device.match import Match
from device.people.pins import PinBook, pins_path
from device.reports.content import make_report, tell
from device.reports.gathering import gather
from device.reports.html import page as report_page
from device.reports.sheet import sheet_of
from device.requests import StartGame
from device.shown.snapshot import MessageShown, Snapshot, Stage
from device.venue.membership import Membership, key_of
from device.venue.messages import BoxHealth, is_sealed, seal, topic
from device.venue.publishing import AnswersForDesk, OwnConsole
from engine.events import Landed
from engine.game import start_written
from engine.history import History
from engine.rulebooks import rulebook
from tests.device.hall.organiser_desk import PIN as ORGANISER_PIN
from tests.device.hall.organiser_desk import Desk as OrganisedDesk
from tests.device.hall.small_hall import SmallHall, cup
from tests.device.reports.kept import RECORDINGS, keep, keep_recording
from tests.playing import Playing, playing, simulated

HOST_PIN = "2468"
TABLES = (("Ann", "Bea"), ("Zoe", "Ben"), ("Cleo", "Dan"), ("Eva", "Finn"), ("Gus", "Hal"), ("Ida", "Jo"),
          ("Kim", "Lea"), ("Max", "Nia"))  # fmt: skip
WAITS = {
    5: "A die went off the table. Was it caught?",
    2: "Too close to call: 5 or 10? Look at the close-up.",
}
OVER, LOST, AWAY = 6, 7, 8
"""The tables whose game has ended, whose camera gives no picture, and whose box is not connected."""
NO_PICTURE = "No picture comes. Is the camera's cable in?"
MORE_EACH = 3
"""By so many landings each table is further than the one before."""


def make_people(studio: Studio) -> None:
    """A host signs in and hands out codes; a player scans one, has a seat, and bets."""
    folder = studio.scratch / "club"
    folder.mkdir()
    PinBook(pins_path(folder)).put("host", HOST_PIN)
    with playing(folder, simulated(5), kind="club") as player:
        said = player.box.api.request(StartGame("zoinx", ZOINX[1:], {}))
        if not said.ok:
            raise ValueError(said.text)
        phones = list[Picture]()
        with studio.page(address_of(player), PHONE_PX) as host:
            host.get_by_role("button", name="Host").click()
            phones.append(shot_of(host))
            _sign_in(host)
            host.locator("#open-phones").click()
            expect(host.locator("#phones .seat-codes figure")).to_have_count(2)
            phones.append(shot_of(host))
            link = host.evaluate(
                "async () => (await (await import('/static/link.js')).ask('/seats', {})).seats[1].link"
            )
        with studio.page(link, PHONE_PX) as seat:
            expect(seat.locator("#seat .pin")).to_be_visible()
            phones.append(shot_of(seat))
            seat.locator("#seat button").click()
            seat.locator("#bet input[value='4']").check()
            phones.append(shot_of(seat))
    studio.keep(beside(phones, 1000), "img/people.png")


def _sign_in(page: Page) -> None:
    page.get_by_label("PIN").fill(HOST_PIN)
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("#me")).to_have_text("Host")


def make_report_picture(studio: Studio) -> None:
    """The end of a report: a game of Ten Thousand with its scores over the turns."""
    (recording,) = (path for path in RECORDINGS if path.stem == "ten-thousand")
    with Journal.open(studio.scratch / "journal.db") as journal:
        keep_recording(journal, recording)
        report = make_report("", gather(journal, journal.games()), detailed=True)
    page = studio.scratch / "report.html"
    page.write_text(report_page(report.title, tell(report, sheet_of(None))), encoding="utf-8")
    with studio.page(page.as_uri(), (1000, 760)) as shown:
        shown.locator("h2", has_text="Game 1").evaluate(
            "head => scrollBy(0, head.getBoundingClientRect().top - 16)"
        )
        studio.keep_shot(shown, "img/report.png")


def make_hall(studio: Studio) -> None:
    """The page of a hall's desk with eight tables, some of which wait for somebody."""
    with hall_of_eight(studio.scratch) as address, studio.page(address, (1280, 780)) as page:
        expect(page.get_by_text("is not connected")).to_have_count(1)
        expect(page.get_by_text("0 rows kept", exact=True)).to_have_count(0)
        studio.keep_shot(page, "img/hall.png")


@contextmanager
def hall_of_eight(folder: Path) -> Iterator[str]:
    """A desk that has heard of eight tables, with its files in that folder; its page's address."""
    ledger = Ledger.open(folder / "desk")
    ingest = Ingest(ledger, SaysNothing(), lambda _: None)
    hall = HallPage(ledger, ingest, partial(Membership, host="", port=0, certificate=""))
    doors = Doors(visitors="local", names=(), own_name="desk")
    server = ConsoleServer(make_hall_app(hall, doors), "127.0.0.1", 0)
    boxes = [_paired(ledger, number) for number in range(1, len(TABLES) + 1)]
    ingest.meet()
    ingest.start()
    server.start()
    try:
        for number, box in enumerate(boxes, 1):
            _tell_of_table(folder / f"table-{number}" / "journal.db", ingest, box, number)
        yield server.address
    finally:
        server.stop()
        ingest.stop()
        ledger.close()


def make_hall_calls(studio: Studio) -> None:
    """The page of a desk that runs a tournament: who is called where, and the bracket so far."""
    hall = SmallHall(studio.scratch / "calls", tables=3)
    page = HallPage(hall.ledger, hall.ingest, partial(Membership, host="", port=0, certificate=""))
    doors = Doors(visitors="local", names=(), own_name="desk")
    server = ConsoleServer(make_hall_app(page, doors), "127.0.0.1", 0)
    server.start()
    try:
        hall.organiser.draw(cup())
        hall.go_on()
        hall.boxes[0].play()
        hall.boxes[1].begin()
        hall.go_on(hall.boxes[1])
        with studio.page(server.address, (1280, 1180)) as shown:
            expect(shown.locator("#calls li")).to_have_count(3)
            studio.keep_shot(shown, "img/hall-calls.png")
    finally:
        server.stop()
        hall.close()


def make_hall_organiser(studio: Studio) -> None:
    """The organiser's page while a tournament is played: what is to be done now."""
    desk = OrganisedDesk(studio.scratch / "organiser", tables=3)
    server = ConsoleServer(desk.app, "127.0.0.1", 0)
    server.start()
    try:
        hall = desk.hall
        hall.go_on()
        hall.organiser.draw(cup())
        hall.go_on()
        hall.boxes[0].play(signs=True)
        hall.boxes[1].begin()
        hall.go_on(*hall.boxes[:2])
        hall.organiser.withdraw("Gus", "ill")
        hall.go_on(*hall.boxes[:2])
        with studio.page(f"{server.address}organiser", (1280, 900)) as page:
            page.locator("#locked .sign").click()
            page.locator("#sign [name=pin]").fill(ORGANISER_PIN)
            page.locator("#sign [name=name]").fill("Cleo")
            page.locator("#sign .main").click()
            expect(page.locator("#to-sign li button")).to_have_count(2)
            studio.keep_shot(page, "img/hall-organiser.png")
    finally:
        server.stop()
        hall.close()


class SaysNothing:
    """A link to boxes that are not there."""

    def send(self, where: str, body: bytes, *, key: bytes | None = None, retain: bool = False) -> bool:  # noqa: ARG002 - as a link has it
        """Nobody hears it."""
        return True


def _paired(ledger: Ledger, number: int) -> KnownBox:
    ledger.invite(Invitation(f"id {number}", "code", f"Table {number}", 10.0))
    found = ledger.take_up(f"id {number}", 5.0, "2026-11-20T12:00:00+00:00")
    if found is None:
        raise ValueError(f"table {number} was not paired")
    return found[1]


def _tell_of_table(path: Path, ingest: Ingest, box: KnownBox, number: int) -> None:
    """What the box of that table says to the desk: how it is, what it shows, and what was played."""
    players, options = TABLES[number - 1], {"mode": "first-of-500", "order": "seats"}
    events = _landings(players, options, number)
    path.parent.mkdir()  # a journal's mark lies beside it
    with Journal.open(path) as journal:
        game_id = keep(journal, "end-zone", players, options, events)
        shown = _snapshot(journal, game_id, number)
        batch = Outbox(path).next({})
    now = datetime.now(UTC).isoformat()
    for what, said in (("health", BoxHealth("run", number != AWAY, now)), ("state", shown), ("rows", batch)):
        where, body = topic(box.id, what), msgspec.json.encode(said)
        ingest.hear(where, body, seal(key_of(box.secret), where, body))


def _landings(players: tuple[str, ...], options: dict[str, str], number: int) -> list[Landed]:
    """The landings of a game at that table, drawn by its number; one game is played to its end."""
    rng, events = Random(number), list[Landed]()
    history = History(start_written(rulebook("end-zone"), players, options))
    while history.position.view().ending is None and (number == OVER or len(events) < MORE_EACH * number):
        events.append(Landed(value=rng.randint(1, 6), zone=rng.choice((0, 1, 2, 5, 5, 10, 20))))
        history.take(events[-1])
    return events


def _snapshot(journal: Journal, game_id: GameId, number: int) -> Snapshot:
    """What that table shows to everybody."""
    match, asked = Match.resume(journal, game_id), WAITS.get(number, "")
    stage: Stage = "ended" if number == OVER else "playing"
    lost = MessageShown(NO_PICTURE if number == LOST else "", "alarm")
    return Snapshot(
        stage=stage,
        game_id=game_id,
        game=match.show(),
        message=MessageShown(asked),
        ask="landing" if asked else "",
        camera=lost,
    )


PIN = "2468"


class NoBroker:
    """Brings what desk and box say straight to one another."""

    is_there = True

    def __init__(self, folder: Path, console: OwnConsole) -> None:
        self.ledger = Ledger.open(folder)
        self.ledger.invite(Invitation("id", "code", "Table 4", 10.0))
        found = self.ledger.take_up("id", 5.0, "2026-11-20T12:00:00+00:00")
        if found is None:
            raise ValueError("the table was not paired")
        at = Membership(found[1].id, found[1].name, found[1].secret, "", 0, "")
        self._box, self._key = at.table_id, at.key
        self.ingest = Ingest(self.ledger, self, lambda _: None)
        self._answers = AnswersForDesk(self, at, "run", console, may_answer=False)
        self._answers.start()

    def send(self, where: str, body: bytes, *, key: bytes | None = None, retain: bool = False) -> bool:  # noqa: ARG002 - as a link has it
        """Bring it to the other."""
        code = seal(key or self._key, where, body)
        if where == self._answers.topic:
            self._answers.hear(where, body, code)
        else:
            self.ingest.hear(where, body, code)
        return True

    def is_from_desk(self, where: str, body: bytes, code: str) -> bool:
        """Whether a message is from the other."""
        return is_sealed(self._key, where, body, code)

    def tell(self, what: str, body: bytes) -> None:
        """The box says that."""
        self.send(topic(self._box, what), body)


def make_hall_question(studio: Studio) -> None:
    """A close call of a whole box at the desk, where a referee has signed in."""
    folder = studio.scratch / "question"
    with playing(folder, simulated(4, size_px=TABLE_PX, fps=8.0), publish=True) as player:
        said = player.box.api.request(
            StartGame("end-zone", ("Ann", "Bea"), {**END_ZONE, "mode": "score-card"})
        )
        if not said.ok:
            raise ValueError(said.text)
        while player.now.ask != "landing":
            player.roll("line")
        _look_at_it(studio, player)


def _look_at_it(studio: Studio, player: Playing) -> None:
    folder = studio.scratch / "question-desk"
    hall = NoBroker(folder, OwnConsole("127.0.0.1", player.box.console.port))
    PinBook(pins_path(folder)).put("referee", PIN)
    questions = HallQuestions(hall.ingest)
    hall.ingest.hear_reply = questions.hear
    referee = RefereePages(questions, people_of_desk(folder, print))
    pages = HallPage(hall.ledger, hall.ingest, lambda *_: Membership("", "", "", "", 0, ""))
    doors = Doors(visitors="local", names=(), own_name="desk")
    server = ConsoleServer(make_hall_app(pages, doors, referee.routes()), "127.0.0.1", 0)
    hall.ingest.start()
    hall.tell("health", msgspec.json.encode(BoxHealth("run", True, datetime.now(UTC).isoformat())))
    hall.tell("state", msgspec.json.encode(player.now))
    server.start()
    with closing(hall.ledger), studio.page(server.address, (1280, 900)) as page:
        page.locator("#open-sign").click()
        page.locator("#sign [name=pin]").fill(PIN)
        page.locator("#sign [name=name]").fill("Cleo")
        page.locator("#sign .main").click()
        page.get_by_role("button", name="Look at Table 4").click()
        for place in (1, 2):
            page.wait_for_function(LOADED, arg=f"#question figure:nth-child({place}) img")
        expect(page.locator("#question .answers button")).not_to_have_count(0)
        studio.keep_shot(page, "img/hall-question.png")
        server.stop()
        hall.ingest.stop()
        referee.close()
