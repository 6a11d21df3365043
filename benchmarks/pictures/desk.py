"""A picture of a hall's desk: a whole box's question, as a referee there sees it."""

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from playwright.sync_api import expect

from benchmarks.pictures.games import END_ZONE, LOADED, TABLE_PX
from benchmarks.pictures.studio import Studio
from device.console import ConsoleServer, Doors
from device.hall.answering import Answering
from device.hall.ledger import Invitation, Ledger
from device.hall.page import HallPage, make_hall_app
from device.hall.reception import Reception
from device.hall.referee import RefereePages, people_of_desk
from device.people.pins import PinBook, pins_path
from device.venue.answering import AnswersForDesk, OwnConsole
from device.venue.membership import key_of
from device.venue.pairing import Pass
from device.venue.wire import BoxHealth, is_sealed, seal, topic
from tests.playing import Playing, playing, simulated

PIN = "2468"


class NoBroker:
    """Brings what desk and box say straight to one another."""

    def __init__(self, folder: Path, console: OwnConsole) -> None:
        self.ledger = Ledger.open(folder)
        self.ledger.invite(Invitation("id", "code", "Table 4", 10.0))
        found = self.ledger.take_up("id", 5.0, "2026-11-20T12:00:00+00:00")
        if found is None:
            raise ValueError("the table was not paired")
        self._box, self._key = found[1].id, key_of(found[1].secret)
        self.reception = Reception(self.ledger, self, lambda _: None)
        self._answers = AnswersForDesk(self, self._box, "run", console, "")
        self._answers.start()

    def say(self, where: str, body: bytes, *, key: bytes | None = None, retain: bool = False) -> bool:  # noqa: ARG002 - as a link has it
        """Bring it to the other."""
        code = seal(key or self._key, where, body)
        if where == self._answers.topic:
            self._answers.hear(where, body, code)
        else:
            self.reception.hear(where, body, code)
        return True

    def ours(self, where: str, body: bytes, code: str) -> bool:
        """Whether a message is from the other."""
        return is_sealed(self._key, where, body, code)

    def tell(self, what: str, body: bytes) -> None:
        """The box says that."""
        self.say(topic(self._box, what), body)


def make_hall_question(studio: Studio) -> None:
    """A close call of a whole box at the desk, where a referee has signed in."""
    folder = studio.scratch / "question"
    with playing(folder, simulated(4, size_px=TABLE_PX, fps=8.0), publish=True) as player:
        said = player.box.desk.start("end-zone", ("Ann", "Bea"), {**END_ZONE, "mode": "score-card"})
        if not said.ok:
            raise ValueError(said.text)
        while player.now.ask != "landing":
            player.roll("line")
        _look_at_it(studio, player)


def _look_at_it(studio: Studio, player: Playing) -> None:
    folder = studio.scratch / "question-desk"
    hall = NoBroker(folder, OwnConsole("127.0.0.1", player.box.console.port))
    PinBook(pins_path(folder)).put("referee", PIN)
    answering = Answering(hall.reception)
    hall.reception.shown = answering.hear
    referee = RefereePages(answering, people_of_desk(folder, print))
    pages = HallPage(hall.ledger, hall.reception, lambda *_: Pass("", "", "", 0, ""))
    doors = Doors(visitors="local", names=(), own_name="desk")
    server = ConsoleServer(make_hall_app(pages, doors, referee.routes()), "127.0.0.1", 0)
    hall.reception.start()
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
        hall.reception.stop()
        referee.close()
