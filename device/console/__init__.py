"""The web console: shows what the box shows, and sends the same events as the buttons."""

from device.console.answers import answer, respond
from device.console.app import ConsoleSettings, make_app
from device.console.authorize import Authorizer, Post
from device.console.feed import CROWDED, StreamShares
from device.console.guard import Doors, Guard
from device.console.pages import SMALLER, STATIC, PageFiles, Pages, rulebooks, words
from device.console.people import BoxTold, PeopleRoutes
from device.console.server import ConsoleError, ConsoleServer
from device.console.tournament import TournamentPages

__all__ = [
    "CROWDED",
    "SMALLER",
    "STATIC",
    "Authorizer",
    "BoxTold",
    "ConsoleError",
    "ConsoleServer",
    "ConsoleSettings",
    "Doors",
    "Guard",
    "PageFiles",
    "Pages",
    "PeopleRoutes",
    "Post",
    "StreamShares",
    "TournamentPages",
    "answer",
    "make_app",
    "respond",
    "rulebooks",
    "words",
]
