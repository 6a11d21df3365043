"""The pages' scripts, without a browser: what they work out by themselves, and how few a page loads."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from gettext import NullTranslations
from pathlib import Path
from urllib.parse import urljoin

import pytest
from starlette.testclient import TestClient

from device.console import make_app
from device.console.pages import STATIC
from device.languages import speak_language
from engine.wording import speak
from tests.device.console.fake_box import HERE, HOME, FakeBox

NODE = shutil.which("node")
SCRIPT = re.compile(r'<script[^>]*\ssrc="([^"]+)"')
TAKEN = re.compile(r'^import\s[^"]*"([^"]+)"', re.MULTILINE)
MOST = 12


def scripts_of(client: TestClient, page: str) -> set[str]:
    """The addresses of all scripts that a page loads, by itself or through another."""
    found: set[str] = set()
    waiting = [urljoin(f"{HOME}{page}", src) for src in SCRIPT.findall(client.get(page).text)]
    while waiting:
        address = waiting.pop()
        if address not in found:
            found.add(address)
            waiting += [urljoin(address, taken) for taken in TAKEN.findall(client.get(address).text)]
    return found


def test_the_page_of_the_table_loads_few_scripts() -> None:
    client = TestClient(make_app(FakeBox()), base_url=HOME, client=HERE)
    loaded = scripts_of(client, "/")
    assert {f"{HOME}/{name}" for name in ("static/main.js", "static/dom.js", "words.js")} <= loaded
    assert len(loaded) <= MOST


@pytest.fixture
def pages(tmp_path: Path) -> Iterator[Path]:
    """The scripts in a folder, with what a French-speaking box makes for them."""
    speak_language("fr")
    client = TestClient(make_app(FakeBox()), base_url=HOME, client=HERE)
    for made in ("words.js", "rulebooks.js"):
        (tmp_path / made).write_text(client.get(f"/{made}").text, encoding="utf-8")
    shutil.copytree(STATIC, tmp_path / "static")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    yield tmp_path
    speak(NullTranslations())


@pytest.mark.skipif(NODE is None, reason="Node.js is not installed: apt install nodejs")
def test_what_pages_work_out_by_themselves(pages: Path) -> None:
    assert NODE is not None
    command = [NODE, "--test", str(Path(__file__).with_name("pages.test.mjs"))]
    environment = {**os.environ, "PAGES": str(pages)}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
