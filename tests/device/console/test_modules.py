"""The page's modules, without a browser: a name taken from where it stood once darkens a page."""

import re
from pathlib import Path

import pytest

from device.console.pages import STATIC

TAKES = re.compile(r'import\s*\{([^}]*)\}\s*from\s*"(\.[^"]+)"')
OFFERS = re.compile(r"^export (?:async )?(?:function|const|let|class) (\w+)", re.MULTILINE)
MODULES = sorted(path for path in STATIC.rglob("*.js") if path.name != "nacl.min.js")


def taken(module: Path) -> list[tuple[str, Path]]:
    """Each name that a module takes, and the file that it takes it from."""
    return [
        (name.strip().split(" as ")[0], (module.parent / where).resolve())
        for names, where in TAKES.findall(module.read_text(encoding="utf-8"))
        for name in names.split(",")
        if name.strip()
    ]


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(STATIC)))
def test_a_module_takes_what_others_offer(module: Path) -> None:
    missing = [
        f"{name} of {other.name}"
        for name, other in taken(module)
        if name not in OFFERS.findall(other.read_text(encoding="utf-8"))
    ]
    assert missing == []


def test_modules_take_something() -> None:
    assert len([name for module in MODULES for name in taken(module)]) > 100
