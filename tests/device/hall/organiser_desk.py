"""A small hall with the organiser's addresses, and somebody's page there."""

from functools import partial
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from device.console import Doors
from device.hall.desk import PAGES, HallPage, make_hall_app
from device.hall.organiser_page import OrganiserPages
from device.hall.questions import HallQuestions, RefereePages, people_of_desk
from device.people.pins import PinBook, pins_path
from device.venue.membership import Membership
from tests.device.hall.small_hall import EIGHT, RULES, SmallHall
from tests.device.people.page import SealedPage

PIN = "13579"
LIST = {
    "title": "Autumn Cup",
    "kind": "single",
    "game": "ten-thousand",
    "options": RULES,
    "players": "\n".join(EIGHT[:4]),
    "number": 4711,
}


class Desk:
    """A hall with the organiser's addresses."""

    def __init__(self, folder: Path, tables: int = 2) -> None:
        self.hall = SmallHall(folder, tables)
        PinBook(pins_path(folder / "desk")).put("referee", PIN)
        page = HallPage(
            self.hall.ledger, self.hall.ingest, partial(Membership, host="", port=0, certificate="")
        )
        people = people_of_desk(folder / "desk", print)
        organiser = OrganiserPages(self.hall.ledger, people, PAGES.answer, chance=lambda: 99)
        referee = RefereePages(HallQuestions(self.hall.ingest), people)
        self.app = make_hall_app(
            page, Doors(visitors="local", names=(), own_name="desk"), [*referee.routes(), *organiser.routes()]
        )
        self.client = TestClient(self.app, base_url="http://127.0.0.1:8090", client=("127.0.0.1", 5000))

    def sign_in(self, name: str = "Cleo") -> "At":
        page = SealedPage(self.client)
        assert page.post("/sign-in", {"office": "referee", "pin": PIN, "name": name})["ok"]
        return At(self, page)

    @property
    def view(self) -> Any:
        self.hall.go_on()
        return self.hall.ingest.tournament.view

    def match(self, number: int) -> Any:
        return self.view.tournament.matches[number - 1]


class At:
    """Somebody's page."""

    def __init__(self, desk: Desk, page: SealedPage) -> None:
        self.desk, self._page = desk, page

    def ask(self, act: str, /, **said: object) -> str:
        """Do something; returns what the desk says."""
        answer = self._page.post(f"/organiser/{act}", said)
        return ("" if answer["ok"] else "No: ") + str(answer["text"])

    def save(self, seen: int = 0, /, **changes: object) -> str:
        return self.ask("entries", seen=seen, **(LIST | changes))

    def draw(self) -> None:
        assert self.save() == "The list is saved."
        assert self.ask("draw", seen=1) == "Autumn Cup is drawn."
