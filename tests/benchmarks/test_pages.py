"""What a page weighs is what it is made of, as it is and as it was sent; and when it shows something."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import sync_playwright
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from benchmarks.pages import Opening, open_once, served
from benchmarks.pictures.studio import find_chromium
from tests.device.conftest import ARGUMENTS
from tests.waiting import PATIENCE_S

PAGE = """<!doctype html><title>A page</title><script src="/part.js" defer></script><p id="link">Here
<img src="/picture" alt="">"""
SCRIPT = f"document.querySelector('#link').dataset.link = 'up'; // {'x' * 10_000}"
FILES = {"/": (PAGE, "text/html"), "/part.js": (SCRIPT, "text/javascript"), "/picture": ("", "image/jpeg")}

pytestmark = pytest.mark.chromium


async def answer(request: Request) -> Response:
    content, kind = FILES[request.url.path]
    return Response(content, media_type=kind)


def _opened(chromium: str, address: str) -> Opening:
    with sync_playwright() as playwright:
        launch = playwright.chromium.launch
        with launch(executable_path=chromium, args=ARGUMENTS, timeout=1000 * PATIENCE_S) as browser:
            return open_once(browser, address, 1.0, phone=True)


def test_a_page_weighs_what_it_is_made_of_and_no_picture_of_the_table() -> None:
    if (found := find_chromium()) is None:
        pytest.skip("no Chromium here; on Debian: apt install chromium")
    routes = [Route(path, answer) for path in FILES]
    app = Starlette(routes=routes, middleware=[Middleware(GZipMiddleware)])
    with served(app) as address, ThreadPoolExecutor(1) as aside:
        # In a thread of its own, for the driver of other tests' browsers may hold this one's event loop.
        opening = aside.submit(_opened, found, address).result()
    assert opening.weight.requests == 2
    assert opening.weight.raw_bytes == len(PAGE) + len(SCRIPT)
    assert len(PAGE) < opening.weight.sent_bytes < 2_000, "the script came compressed"
    assert opening.painted_ms > 0
    assert opening.told_ms is not None
