"""The console's pages and their files, as they stand in `static/`."""

from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from device.languages import page_module

STATIC = Path(str(files("device.console"))) / "static"
SCREENS = {"screen", "overlay"}


class PageFiles(StaticFiles):
    """The pages' files; asked for anew each time (by ETag), so that an update of the box shows at once."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """As starlette does, and not to be kept unasked."""
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = "no-cache"
        return response


async def table_page(request: Request) -> Response:
    """The whole table; `?screen` is the big screen, `?overlay` its strip for streaming software.

    `?referee` is the referee's view, `?tournament` the bracket with its standings.
    Who comes by an older code of a player's goes on to that player's page.
    """
    asked = request.query_params
    if "player" in asked:  # what stands behind the # goes along
        return RedirectResponse(f"/play?{urlencode({'player': asked['player'][:40]})}")
    for view in ("referee", "tournament"):
        if view in asked:
            return await _html(f"{view}.html")
    return await _html("index.html" if SCREENS.isdisjoint(asked) else "screen.html")


async def player_page(request: Request) -> Response:  # noqa: ARG001 - whose it is is decided in the page
    """What one player needs."""
    return await _html("player.html")


async def setup_page(request: Request) -> Response:  # noqa: ARG001 - the page asks what it may
    """The set-up, step by step."""
    return await _html("setup.html")


async def words(request: Request) -> Response:
    """What `phrase.js` takes: the language of the house and its words. Asked for anew each time, by ETag."""
    module = (await run_in_threadpool(page_module)).encode()
    headers = {"cache-control": "no-cache", "etag": f'"{sha256(module).hexdigest()[:32]}"'}
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    return Response(module, media_type="text/javascript", headers=headers)


async def _html(name: str) -> Response:
    html = await run_in_threadpool((STATIC / name).read_bytes)
    return Response(html, media_type="text/html", headers={"cache-control": "no-cache"})
