"""The console's pages, from the templates in `templates/`, and their files, as they stand in `static/`."""

import io
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote, urlencode

import msgspec
import segno
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from device.console.answers import no_such, wants_page
from device.languages import page_module
from engine.game import Rulebook
from engine.rulebooks import RULEBOOKS
from engine.wording import phrase, spoken_language

STATIC = Path(str(files("device.console"))) / "static"
TEMPLATES = STATIC.with_name("templates")
SMALLER = [Middleware(GZipMiddleware, compresslevel=6)]
"""For texts that hold no secret: what may not be guessed by its size is sent as it is."""
SCREENS = {"screen", "overlay"}


class PageFiles(StaticFiles):
    """The pages' files; asked for anew each time (by ETag), so that an update of the box shows at once."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """As starlette does, and not to be kept unasked."""
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = "no-cache"
        return response


class Pages:
    """Pages that are templates: each is told once in a language, and kept. Browsers ask anew, by ETag."""

    def __init__(self, *folders: Path) -> None:
        """A template is looked for in these folders, and then among the console's."""
        self._templates = Environment(
            loader=FileSystemLoader([*folders, TEMPLATES]),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=StrictUndefined,
        )
        self._templates.globals["phrase"] = phrase
        self._told: dict[tuple[str, str], bytes] = {}

    async def answer(self, request: Request, name: str) -> Response:
        """The page of the template `name`, in the language of the house."""
        return _unless_known(request, await run_in_threadpool(self._tell, name), "text/html")

    def _tell(self, name: str) -> bytes:
        language = spoken_language()
        if (name, language) not in self._told:
            html = self._templates.get_template(name).render(language=language)
            self._told[name, language] = html.encode()
        return self._told[name, language]


PAGES = Pages()


async def table_page(request: Request) -> Response:
    """The whole table; `?screen` is the big screen, `?overlay` its strip for streaming software.

    `?referee` is the referee's view, `?tournament` the bracket with its standings.
    Who comes by an older code of a player's goes on to that player's page.
    """
    asked = request.query_params
    if "player" in asked:  # what stands behind the # goes along
        return RedirectResponse(f"play?{urlencode({'player': asked['player'][:40]})}")
    for view in ("referee", "tournament"):
        if view in asked:
            return await PAGES.answer(request, f"{view}.html")
    return await PAGES.answer(request, "index.html" if SCREENS.isdisjoint(asked) else "screen.html")


async def missing_page(request: Request, error: Exception) -> Response:
    """What is answered at an address that is none: a page to whoever opens it, else a sentence in JSON."""
    if not wants_page(request) or (isinstance(error, HTTPException) and error.status_code != 404):
        return await no_such(request, error)
    page = await PAGES.answer(request, "missing.html")
    # Its links are as deep as the address that was opened, wherever a proxy has put the console.
    root = "../" * (request.url.path.count("/") - 1) or "./"
    return HTMLResponse(bytes(page.body).replace(b'="ROOT/', f'="{root}'.encode()), status_code=404)


async def player_page(request: Request) -> Response:
    """What one player needs; whose it is is decided in the page."""
    return await PAGES.answer(request, "player.html")


async def setup_page(request: Request) -> Response:
    """The set-up, step by step; the page asks what it may."""
    return await PAGES.answer(request, "setup.html")


async def settings_page(request: Request) -> Response:
    """The settings; the page asks what it may."""
    return await PAGES.answer(request, "settings.html")


async def maintenance_page(request: Request) -> Response:
    """Release, findings and log; the page asks what it may."""
    return await PAGES.answer(request, "maintenance.html")


async def words(request: Request) -> Response:
    """What `dom.js` takes: the language of the house and its words. Asked for anew each time, by ETag."""
    return _unless_known(request, (await run_in_threadpool(page_module)).encode(), "text/javascript")


async def rulebooks(request: Request) -> Response:
    """What `game.js` takes: each game's options in words, and what its odds call a lost turn."""
    return _unless_known(request, _rulebooks_module().encode(), "text/javascript")


def _rulebooks_module() -> str:
    told = {name: {"risk": book.risk, "options": _options_told(book)} for name, book in RULEBOOKS.items()}
    return f"export const RULEBOOKS = {msgspec.json.encode(told).decode()};\n"


def _options_told(book: Rulebook) -> dict[str, object]:
    return {
        option: {
            "name": phrase(words.name),
            "values": {value: phrase(text) for value, text in words.values.items()},
            "hint": phrase(words.hint) if words.hint else "",
            "front": words.front,
            "only_with": words.only_with,
            "seats": {value: (seats.start, seats.stop - 1) for value, seats in words.seats.items()},
            "free": words.free,
        }
        for option, words in book.option_words.items()
    }


def _unless_known(request: Request, content: bytes, media_type: str) -> Response:
    """The content, or that the browser has it already."""
    headers = {"cache-control": "no-cache", "etag": f'"{sha256(content).hexdigest()[:32]}"'}
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=media_type, headers=headers)


# QR codes: what a phone opens when it scans them.


def qr_svg(text: str) -> bytes:
    """The code of a text, as SVG."""
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        out, kind="svg", scale=8, border=4, light="#fff", xmldecl=False
    )
    return out.getvalue()


def page_link(address: str, player: str = "", *, key: str, token: str = "") -> str:
    """What a player's code says: the player's page, and behind the # what no browser sends over the network.

    `player`: "" where the page asks who it is. `key`: the box's public key, for which the page seals.
    `token`: the seat's, "" where no seat is needed.
    """
    named = f"?player={quote(player[:40], safe='')}" if player else ""
    secret = f"seat={token}&" if token else ""
    return f"{address.rstrip('/')}/play{named}#{secret}key={key}"
