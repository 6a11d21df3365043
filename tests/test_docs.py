"""What the documents point to is there: every link, and every file of ours that is named."""

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("models/**/*.md")])
ROOMS = "device|vision|engine|calibration|models|systemd|tests|benchmarks|docs"
LINK = re.compile(r"\]\(([^)#\s]+)")
NAMED = re.compile(rf"`((?:{ROOMS})/[\w/.-]+\.(?:py|toml|txt|md|onnx|sh|service|json))`")
TOUR = re.compile(r"## A newcomer's tour\n(.*?)\n## ", re.DOTALL)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_a_document_points_to_is_there(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    links = [document.parent / link for link in LINK.findall(text) if not re.match(r"[a-z]+:", link)]
    named = [ROOT / name for name in NAMED.findall(text)]
    missing = [str(path) for path in (*links, *named) if not path.exists()]
    assert missing == []


def slug(title: str) -> str:
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", re.sub(r"\]\([^)]*\)", "", title).lower()).strip().replace(" ", "-")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_each_link_into_a_document_finds_its_heading(document: Path) -> None:
    missing = []
    for name, anchor in re.findall(r"\]\(([\w./-]*)#([\w-]+)\)", document.read_text(encoding="utf-8")):
        target = document.parent / name if name else document
        headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
        if anchor not in map(slug, headings):
            missing.append(f"{name}#{anchor}")
    assert missing == []


def test_the_tour_goes_three_ways() -> None:
    """A frame, a press and a landing, each from the camera or the finger to the screen, in existing files."""
    found = TOUR.search((ROOT / "docs" / "architecture.md").read_text(encoding="utf-8"))
    assert found
    ways = re.split(r"^\*\*", found[1], flags=re.MULTILINE)[1:]
    assert [way.split(":")[0] for way in ways] == ["A frame", "A press", "A landing"]
    for way in ways:
        files = [link for link in LINK.findall(way) if link.endswith(".py")]
        assert len(files) >= 6
        assert all((ROOT / "docs" / link).is_file() for link in files)


def test_the_tables_made_from_code_are_up_to_date() -> None:
    """`python docs/tables.py` rewrites them."""
    spec = importlib.util.spec_from_file_location("tables", ROOT / "docs" / "tables.py")
    assert spec
    assert spec.loader
    tables = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tables)
    guides = dict(tables.rewritten())
    assert ROOT / "docs" / "architecture.md" in guides
    assert [path.name for path, text in guides.items() if path.read_text(encoding="utf-8") != text] == []


def test_a_dead_link_is_seen(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("[there](page.md) [gone](gone.md) `device/gone.py`", encoding="utf-8")
    assert LINK.findall(page.read_text(encoding="utf-8")) == ["page.md", "gone.md"]
    page.write_text("# There\n[there](#there) [gone](#gone)", encoding="utf-8")
    with pytest.raises(AssertionError, match="gone"):
        test_each_link_into_a_document_finds_its_heading(page)
    page.write_text("[gone](gone.md)", encoding="utf-8")
    with pytest.raises(AssertionError, match="gone"):
        test_what_a_document_points_to_is_there(page)
