"""The pictures of the guides: each has a maker, each is shown, and a round of making them is not lost."""

import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.pictures import makers as picture_round
from benchmarks.pictures.__main__ import main
from benchmarks.pictures.makers import MAKERS, Maker, look_alike, make_round
from benchmarks.pictures.studio import NotHere, Studio

ROOT = Path(__file__).parents[2]
GUIDES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SHOWN = re.compile(r"\]\(([^)\s]+\.(?:png|jpg|svg|webp))\)|<img[^>]* src=\"([^\"]+)\"")
RARE = "rare: left as it is. There are no photographs."
SLOW = 'Left as they are, for they take hours: slow. Remake them with ONLY="slow".'
MOST_BYTES = 2_000_000
"""No picture of a guide is larger, the film of README included."""


def shown_pictures() -> set[str]:
    """All pictures that the guides show, below `docs/`."""
    found = set()
    for guide in GUIDES:
        for markdown, tag in SHOWN.findall(guide.read_text(encoding="utf-8")):
            path = (guide.parent / (markdown or tag)).resolve()
            found.add(str(path.relative_to(ROOT / "docs")))
    return found


def test_every_picture_that_a_guide_shows_has_a_maker_and_every_made_picture_is_shown() -> None:
    made = [name for maker in MAKERS.values() for name in maker.files]
    assert len(made) == len(set(made)), "two makers make one picture"
    assert set(made) == shown_pictures()


def test_no_other_picture_lies_beside_them_and_none_is_heavy() -> None:
    there = {path for path in (ROOT / "docs").rglob("*") if path.suffix in (".png", ".jpg", ".svg", ".webp")}
    assert {str(path.relative_to(ROOT / "docs")) for path in there} == shown_pictures()
    assert max(path.stat().st_size for path in there) < MOST_BYTES


def grey(level: int) -> np.ndarray:
    return np.full((60, 80, 3), level, np.uint8)


@pytest.fixture
def docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of guides with two makers of its own; what the second takes is not here."""

    def make_dull(studio: Studio) -> None:
        studio.keep(grey(90), "img/dull.png")

    def make_rare(studio: Studio) -> None:
        raise NotHere("There are no photographs.")

    makers = {
        "dull": Maker(("img/dull.png",), make_dull),
        "rare": Maker(("rare.svg",), make_rare),
        "slow": Maker(("slow.svg",), make_rare, takes_hours=True),
    }
    monkeypatch.setattr(picture_round, "MAKERS", makers)
    return tmp_path / "docs"


def test_a_round_that_is_broken_off_goes_on_and_the_next_begins_anew(docs: Path, tmp_path: Path) -> None:
    made = tmp_path / "made.txt"
    begun = make_round([], docs, made)
    assert next(begun) == "dull: dull.png is new"
    begun.close()
    assert list(make_round([], docs, made)) == [RARE, SLOW]
    assert list(make_round([], docs, made)) == ["dull: dull.png looks as before", RARE, SLOW]


def test_what_cannot_be_made_here_is_left_as_it_is_and_said(docs: Path, tmp_path: Path) -> None:
    assert list(make_round(["rare"], docs, tmp_path / "made.txt")) == [RARE]
    assert not (docs / "rare.svg").exists()


@pytest.mark.parametrize(("change", "alike"), [("noise", True), ("word", False), ("size", False)])
def test_noise_is_no_other_picture_but_a_word_is(tmp_path: Path, change: str, alike: bool) -> None:
    old, new = tmp_path / "old.png", tmp_path / "new.jpg"
    cv2.imwrite(str(old), grey(120))
    other = grey(120) if change != "size" else grey(120)[:-2]
    if change == "noise":
        other += np.random.default_rng(1).integers(0, 9, other.shape, np.uint8)
    elif change == "word":
        cv2.putText(other, "5", (30, 40), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (20, 20, 20), 2)
    cv2.imwrite(str(new), other)
    assert look_alike(new, old) == alike


def save_film(path: Path, *frames: np.ndarray) -> Path:
    film = cv2.Animation()
    film.frames = list(frames)
    film.durations = [80] * len(frames)
    assert cv2.imwriteanimation(str(path), film)
    return path


def test_a_film_is_another_one_where_only_its_end_is(tmp_path: Path) -> None:
    old = save_film(tmp_path / "old.webp", grey(90), grey(120))
    assert look_alike(save_film(tmp_path / "same.webp", grey(91), grey(119)), old)
    assert not look_alike(save_film(tmp_path / "other.webp", grey(90), grey(200)), old)
    assert not look_alike(save_film(tmp_path / "longer.webp", grey(90), grey(120), grey(20)), old)


def test_the_film_of_the_readme_moves_and_ends() -> None:
    there, film = cv2.imreadanimation(str(ROOT / "docs" / "img" / "throw.webp"))
    assert there
    assert len(film.frames) > 20
    assert 8_000 < sum(film.durations) < 20_000


def test_an_unknown_name_is_told_with_those_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["consol"]) == 2
    said = capsys.readouterr().err
    assert "No maker of pictures is called consol." in said
    assert "film, console, screen-throw" in said
