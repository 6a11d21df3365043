"""The page's modules, without a browser: a name taken from where it stood once darkens a page."""

import re
from pathlib import Path
from urllib.parse import urljoin

from starlette.testclient import TestClient

from device.console.app import make_app
from device.console.pages import STATIC, TEMPLATES
from device.requests import LockBet
from tests.device.console.fake_box import HERE, HOME, begun
from tests.device.people.page import SealedPage

TAKES = re.compile(r'import\s*\{([^}]*)\}\s*from\s*"(\.[^"]+)"')
OFFERS = re.compile(r"^export (?:async )?(?:function|const|let|class) (\w+)", re.MULTILINE)
MODULES = sorted(path for path in STATIC.rglob("*.js") if path.name != "nacl.min.js")


MADE_BY_THE_BOX = ("/words.js", "/rulebooks.js")


def taken(module: Path) -> list[tuple[str, Path]]:
    """Each name that a module takes, and the file that it takes it from."""
    return [
        (name.strip().split(" as ")[0], (module.parent / where).resolve())
        for names, where in TAKES.findall(module.read_text(encoding="utf-8"))
        for name in names.split(",")
        if name.strip() and not where.endswith(MADE_BY_THE_BOX)
    ]


def test_no_sheet_of_styles_says_a_word_that_nobody_can_translate() -> None:
    words = re.compile(r'content: "[^"/]*[a-z]{2}')
    assert [
        path.name for path in STATIC.glob("*.css") if words.search(path.read_text(encoding="utf-8"))
    ] == []


def test_a_module_takes_what_others_offer() -> None:
    missing = [
        f"{module.name}: {name} of {other.name}"
        for module in MODULES
        for name, other in taken(module)
        if name not in OFFERS.findall(other.read_text(encoding="utf-8"))
    ]
    assert missing == []


def test_modules_take_something() -> None:
    assert len([name for module in MODULES for name in taken(module)]) > 100


ROOTED = re.compile(r"""(?:href=|src=|href: |src = |fetch\(|EventSource\(|assign\(|from )["'`]/[^"'`]*""")


def test_no_page_names_an_address_from_the_root_of_its_host() -> None:
    """Behind a proxy that serves the box under a path of its own, such an address is another program's."""
    found = {
        file.name: rooted
        for file in (*MODULES, *TEMPLATES.rglob("*.html"))
        if (rooted := ROOTED.findall(file.read_text(encoding="utf-8")))
    }
    assert found == {}


def test_pages_and_what_they_load_are_there_under_a_path_of_a_proxy() -> None:
    desk = begun()
    client = TestClient(make_app(desk), base_url=HOME, client=HERE, root_path="/dice")
    for path in ("/", "/play", "/setup", "/?screen", "/?referee", "/?tournament"):
        page = client.get(f"/dice{path}")
        assert page.status_code == 200
        for address in re.findall(r'(?:href|src)="([^"#]+)"', page.text):
            found = urljoin(f"{HOME}/dice{path}", address)
            assert found.startswith(f"{HOME}/dice/")
            assert client.get(found).status_code < 500
    gone_on = client.get("/dice/?player=Ann", follow_redirects=False)
    assert urljoin(f"{HOME}/dice/", gone_on.headers["location"]) == f"{HOME}/dice/play?player=Ann"
    sealed = SealedPage(client)
    letter = sealed.envelope("/bets", {"player": "Ann", "dots": 4})
    answer = client.post("/dice/bets", json=letter, headers={"origin": HOME})
    assert answer.status_code == 200
    assert desk.said(LockBet) == [LockBet("Ann", 4)]
