"""The owner's settings file: what changes in it, what stays, and what is refused before it is written."""

import os
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.config import ConfigError, SettingValue, load, parse
from device.settings_file import (
    change_settings,
    changed_text,
    load_settings,
    settings_path,
)

OWN = """# Our box in the attic.
language = "fr" # for Grandma

[table]
# Bea wants it so.
reads = "at_rest"

[voice]
loudness = 80   # not louder
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "callbox.toml"
    made.write_text(OWN, encoding="utf-8")
    return made


def refusal(path: Path, values: dict[str, SettingValue]) -> str:
    """Why that is not written; the folder is as it was."""
    before = {each.name: each.read_bytes() for each in path.parent.iterdir()}
    with pytest.raises(ConfigError) as caught:
        change_settings(path, values)
    assert {each.name: each.read_bytes() for each in path.parent.iterdir()} == before
    return str(caught.value)


def test_only_what_changes_is_written_and_comments_stay(file: Path) -> None:
    config = change_settings(file, {"language": "de", "films.keep": False})
    said = file.read_text(encoding="utf-8")
    assert said == OWN.replace('"fr"', '"de"') + "\n[films]\nkeep = false\n"
    assert (config.language, config.films.keep, config.voice.loudness) == ("de", False, 80)
    assert load(file) == config


def test_a_value_set_back_to_what_is_shipped_leaves_the_file_and_its_neighbours_stay(file: Path) -> None:
    change_settings(file, {"table.reads": "roll_done", "voice.loudness": 100})
    assert tomllib.loads(file.read_text(encoding="utf-8")) == {"language": "fr", "table": {}, "voice": {}}
    assert "# Our box in the attic." in file.read_text(encoding="utf-8")


def test_what_is_shipped_is_not_written_at_all(file: Path) -> None:
    change_settings(file, {"films.disk_mb": 200, "console.names": ()})
    assert file.read_text(encoding="utf-8") == OWN


def test_names_are_written_as_a_list(file: Path) -> None:
    assert change_settings(file, {"console.names": ("callbox.box", "dice")}).console.names == (
        "callbox.box",
        "dice",
    )
    assert 'names = ["callbox.box", "dice"]' in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"voice.loudness": 900}, "callbox.toml: voice.loudness is 900; allowed is a whole number from 0 to"),
        ({"voice.loudness": True}, "callbox.toml: voice.loudness is true; allowed is a whole number from 0"),
        (
            {"table.reads": "never"},
            'callbox.toml: table.reads is "never"; allowed is "at_rest" or "roll_done"',
        ),
        ({"films.keep": 1}, "callbox.toml: films.keep is 1; allowed is true or false"),
        ({"camera.spec": "a\0b"}, "callbox.toml: camera.spec is "),
        ({"voice.loud": 3}, "callbox.toml: there is no setting voice.loud; did you mean loudness?"),
        ({"language": "de", "camera.fps": 0}, "callbox.toml: camera.fps is 0; allowed is a whole number"),
    ],
)
def test_a_refusal_says_what_the_start_would_say_and_nothing_is_written(
    file: Path, values: dict[str, SettingValue], why: str
) -> None:
    assert refusal(file, values).startswith(why)


def test_a_file_that_is_wrong_already_is_not_touched(file: Path) -> None:
    file.write_text("[table\n", encoding="utf-8")
    assert refusal(file, {"language": "de"}).startswith("callbox.toml is not TOML")


def test_a_file_is_made_where_there_is_none(tmp_path: Path) -> None:
    path = settings_path(None, {}, tmp_path)
    assert path == tmp_path / ".config" / "callbox" / "callbox.toml"
    assert load_settings(path) == parse("")
    change_settings(path, {"language": "de"})
    assert path.read_text(encoding="utf-8") == 'language = "de"\n'
    assert settings_path(None, {}, tmp_path) == path
    assert load_settings(path).language == "de"


def test_the_file_that_was_named_is_the_one_that_is_written(tmp_path: Path) -> None:
    named = tmp_path / "mine.toml"
    assert settings_path(named, {"CALLBOX_CONFIG": "other.toml"}, tmp_path) == named
    assert settings_path(None, {"CALLBOX_CONFIG": str(named)}, tmp_path) == named


def test_a_link_stays_a_link_and_what_it_leads_to_is_written(tmp_path: Path, file: Path) -> None:
    link = tmp_path / "etc" / "callbox.toml"
    link.parent.mkdir()
    link.symlink_to(file)
    change_settings(link, {"language": "de"})
    assert link.is_symlink()
    assert load(file).language == "de"
    assert [each.name for each in link.parent.iterdir()] == ["callbox.toml"]


def test_the_rights_of_a_file_stay_as_they_were(file: Path) -> None:
    file.chmod(0o640)
    change_settings(file, {"language": "de"})
    assert file.stat().st_mode & 0o777 == 0o640
    file.unlink()
    umask = os.umask(0o077)
    try:
        change_settings(file, {"language": "de"})
    finally:
        os.umask(umask)
    assert file.stat().st_mode & 0o777 == 0o644


def test_a_power_cut_before_the_new_file_has_its_name_leaves_the_old_one(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut(self: Path, target: Path) -> Path:
        assert self.parent == Path(target).parent
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", cut)
        with pytest.raises(KeyboardInterrupt):
            change_settings(file, {"language": "de"})
    assert file.read_text(encoding="utf-8") == OWN
    assert change_settings(file, {"language": "de"}).language == "de"
    assert [each.name for each in file.parent.iterdir()] == ["callbox.toml"]


def test_a_disk_that_takes_nothing_is_told_with_the_way_out(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device", str(self), str(target))

    monkeypatch.setattr(Path, "replace", full)
    told = refusal(file, {"language": "de"})
    assert told.startswith(f"The settings cannot be written to {file}: No space left on device.")


@pytest.mark.parametrize(
    "text",
    [
        "table.reads = 'at_rest'\n",
        "table = {reads = 'at_rest', odds = 'shown'}\n",
        "[panel.off]\nhold_s = 3\n[table]\nodds = 'shown'\n[panel]\ndebounce_ms = 30\n",
        "language = 'de'\r\n\r\n[table]\r\nodds = 'shown'\r\n",
        "[table]\nodds = 'shown'",
        "[voice]\n[table] # ours\n\n\n[console]\nnames = [\n  'a', # one\n  'b',\n]\n",
    ],
)
@given(
    values=st.fixed_dictionaries(
        {},
        optional={
            "language": st.sampled_from(["en", "de", "fr"]),
            "table.reads": st.sampled_from(["at_rest", "roll_done"]),
            "table.odds": st.sampled_from(["auto", "hidden"]),
            "console.names": st.lists(st.sampled_from(["box", "dice"]), max_size=2).map(tuple),
            "panel.off.hold_s": st.integers(2, 20),
        },
    )
)
def test_however_a_file_is_written_only_these_values_change(
    text: str, values: dict[str, SettingValue]
) -> None:
    new, old = parse(changed_text(text, values, "callbox.toml")), parse(text)
    for key in ("language", "table.reads", "table.odds", "console.names", "panel.off.hold_s"):
        assert _get(new, key) == values.get(key, _get(old, key)), key
    assert new.panel.debounce_ms == old.panel.debounce_ms


def _get(config: object, key: str) -> object:
    for name in key.split("."):
        config = getattr(config, name)
    return config
