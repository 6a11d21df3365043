"""The language of the settings is what box, voice and pages speak."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

from device.cli import callbox, speak_as_set
from device.config import parse
from device.console.app import make_app
from device.languages import LANGUAGES, speak_as_started, speak_language
from device.voice import accent_of
from engine.rulebooks import RULEBOOKS
from engine.wording import phrase, spoken_language
from tests.device.console.fake_box import HERE, HOME, FakeBox


def settings(folder: Path, text: str) -> str:
    """The name of a settings file that says `text`."""
    path = folder / "callbox.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_command_speaks_the_language_of_its_settings(tmp_path: Path, code: str) -> None:
    named = settings(tmp_path, f'language = "{code}"\n')
    for args in (["play", "--config", named], ["play", f"--config={named}"]):
        speak_as_set(args)
        assert spoken_language() == code


def test_texts_that_are_not_compiled_are_told_and_english_is_spoken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("device.languages.COMPILED", tmp_path)
    speak_as_set(["play", "--config", settings(tmp_path, 'language = "de"\n')])
    assert spoken_language() == "en"
    assert "Run: python -m device.languages.compile" in capsys.readouterr().err
    monkeypatch.setenv("CALLBOX_LANGUAGE", "de")
    speak_as_started()
    assert spoken_language() == "en"


def test_the_settings_that_a_command_finds_by_itself_count_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CALLBOX_CONFIG", settings(tmp_path, 'language = "de"\n'))
    CliRunner().invoke(callbox, ["games", "--data", str(tmp_path)])
    assert phrase("three") == "drei"


def test_settings_that_cannot_be_read_are_told_in_english(tmp_path: Path) -> None:
    speak_language("de")
    named = settings(tmp_path, 'language = "en_GB"\n')
    told = CliRunner().invoke(callbox, ["play", "--config", named])
    assert 'language is "en_GB"; allowed is "de" or "en" or "fr".' in told.output
    assert spoken_language() == "en"


def test_the_voice_is_the_languages_own_unless_one_is_named() -> None:
    speak_language("de")
    assert accent_of(parse("").voice) == "de"
    assert accent_of(parse('[voice]\naccent = "en-us"').voice) == "en-us"


def test_pages_get_their_words_in_the_language_of_the_house() -> None:
    client = TestClient(make_app(FakeBox()), base_url=HOME, client=HERE)
    english = client.get("/words.js")
    assert english.text == 'export const LANGUAGE = "en";\nexport const WORDS = {};\n'
    known = {"if-none-match": english.headers["etag"]}
    assert client.get("/words.js", headers=known).status_code == 304
    speak_language("de")
    german = client.get("/words.js", headers=known)
    assert german.headers["content-type"] == "text/javascript; charset=utf-8"
    assert german.text.startswith('export const LANGUAGE = "de";\nexport const WORDS = {')


def test_pages_get_the_rulebooks_words_in_the_language_of_the_house() -> None:
    client = TestClient(make_app(FakeBox()), base_url=HOME, client=HERE)
    english = client.get("/rulebooks.js").text
    assert all(f'"{name}":{{"risk":' in english for name in RULEBOOKS)
    assert '"name":"Points to reach"' in english
    speak_language("de")
    german = client.get("/rulebooks.js").text
    assert '"name":"Punkteziel"' in german
    assert "Content-Type" not in german, "an empty text is not the catalogue's head"


def test_a_page_is_told_once_in_each_language_and_kept_by_the_browser() -> None:
    client = TestClient(make_app(FakeBox()), base_url=HOME, client=HERE)
    english = client.get("/")
    assert '<html lang="en">' in english.text
    assert '<h2 id="table-title">The table</h2>' in english.text
    known = {"if-none-match": english.headers["etag"]}
    assert client.get("/", headers=known).status_code == 304
    speak_language("de")
    german = client.get("/", headers=known)
    assert '<html lang="de">' in german.text
    assert '<h2 id="table-title">Der Tisch</h2>' in german.text


@pytest.mark.parametrize("path", ["/words.js", "/static/main.js"])
def test_what_a_page_fetches_comes_compressed(path: str) -> None:
    speak_language("de")
    client = TestClient(make_app(FakeBox()), base_url=HOME, client=HERE)
    plain = client.get(path, headers={"accept-encoding": "identity"})
    packed = client.get(path, headers={"accept-encoding": "gzip"})
    assert (packed.text, packed.headers["content-encoding"]) == (plain.text, "gzip")
    again = client.get(path, headers={"accept-encoding": "gzip", "if-none-match": packed.headers["etag"]})
    assert again.status_code == 304
