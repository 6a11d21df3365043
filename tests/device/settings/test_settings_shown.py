"""What pages are shown of the settings, what they may change of them, and when a restart is due."""

from pathlib import Path

import msgspec
import pytest

from device.config import Config, ConfigError, parse
from device.people.pins import PinBook, pins_path
from device.settings_shown import AT_BOX, CHOICES, GROUPS, OwnSettings, SettingShown, SettingsShown


def own(folder: Path, text: str = "", *, restarts: bool = True) -> OwnSettings:
    path = folder / "callbox.toml"
    path.write_text(text, encoding="utf-8")
    return OwnSettings(path, parse(text), data=folder, restarts=restarts)


def shown_as(shown: SettingsShown, key: str) -> SettingShown:
    return next(each for group in shown.groups for each in group.settings if each.key == key)


def leaves(value: object, key: str = "") -> list[str]:
    if not isinstance(value, msgspec.Struct):
        return [key]
    names = value.__struct_fields__
    return [leaf for name in names for leaf in leaves(getattr(value, name), f"{key}.{name}".lstrip("."))]


def test_every_setting_is_on_the_page_or_named_as_the_boxs_own() -> None:
    shown = [key for keys in GROUPS.values() for key in keys]
    assert len(set(shown)) == len(shown)
    left = set(leaves(parse(""))) - set(shown)
    assert all(any(key == each or key.startswith(f"{each}.") for each in AT_BOX) for key in left), left
    assert not set(shown) & set(AT_BOX)


def test_a_setting_has_its_sentence_value_unit_and_limits(tmp_path: Path) -> None:
    shown = own(tmp_path, 'language = "fr"\n[voice]\nwords_a_minute = 90\n').show()
    pace = shown_as(shown, "voice.words_a_minute")
    assert (pace.text, pace.unit, pace.kind) == ("Speaking speed.", "words a minute", "number")
    assert (pace.value, pace.shipped, pace.least, pace.most, pace.step) == (90, 155, 80, 300, 1)
    assert shown_as(shown, "camera.width_px").step == 2
    assert [each.value for each in shown_as(shown, "language").choices] == ["en", "de", "fr"]
    assert shown_as(shown, "films.keep").kind == "switch"
    assert shown_as(shown, "console.names").kind == "names"
    assert not shown.waits


def test_each_choice_has_words() -> None:
    for key, words in CHOICES.items():
        for value in words:
            table, _, name = key.rpartition(".")
            line = f'{name} = "{value}"'
            parse(f"[{table}]\n{line}" if table else line)


def test_what_was_changed_waits_for_the_restart(tmp_path: Path) -> None:
    settings = own(tmp_path)
    shown = settings.change({"language": "de", "films.disk_mb": 500})
    assert [shown_as(shown, key).waits for key in ("language", "films.disk_mb", "films.keep")] == [
        True,
        True,
        False,
    ]
    assert shown.waits
    assert not settings.change({"language": "en", "films.disk_mb": 200}).waits


def test_what_the_command_line_says_instead_is_told(tmp_path: Path) -> None:
    begun = parse("")
    table = msgspec.structs.replace(begun.table, reads="at_rest")
    forced = msgspec.structs.replace(begun, table=table)
    settings = OwnSettings(tmp_path / "no.toml", begun, in_force=forced, data=tmp_path, restarts=False)
    assert shown_as(settings.show(), "table.reads").overruled == "at_rest"
    assert shown_as(settings.show(), "table.odds").overruled is None


@pytest.mark.parametrize(
    "key", ["panel.debounce_ms", "camera.python", "console.port", "scoreboard.kind", "x"]
)
def test_pins_programs_and_the_pages_own_address_stay_at_the_box(tmp_path: Path, key: str) -> None:
    settings = own(tmp_path)
    with pytest.raises(ConfigError, match=f"{key} cannot be set here. It stands in "):
        settings.change({key: 3})
    assert (tmp_path / "callbox.toml").read_text(encoding="utf-8") == ""


def test_nobody_locks_everybody_out(tmp_path: Path) -> None:
    settings = own(tmp_path)
    with pytest.raises(ConfigError, match="No PIN is set for the host"):
        settings.change({"people.table": "club"})
    PinBook(pins_path(tmp_path)).put("host", "2468")
    settings.change({"people.table": "club"})
    with pytest.raises(ConfigError, match="No PIN is set for the referee"):
        settings.change({"people.table": "tournament"})
    settings.change({"people.table": "family"})


def test_settings_with_which_the_box_would_not_start_are_not_written(tmp_path: Path) -> None:
    def check(config: Config) -> None:
        raise ConfigError(f"no such camera: {config.camera.spec}")

    path = tmp_path / "callbox.toml"
    settings = OwnSettings(path, parse(""), data=tmp_path, restarts=True, check=check)
    with pytest.raises(ConfigError, match="no such camera: usb:x"):
        settings.change({"camera.spec": "usb:x"})
    assert not path.exists()


def test_a_box_that_nobody_starts_again_does_not_end(tmp_path: Path) -> None:
    settings = own(tmp_path, restarts=False)
    assert settings.restart().startswith("End Callbox with Ctrl-C and start it again.")
    assert not settings.restart_asked.is_set()
    served = own(tmp_path)
    assert served.restart() == ""
    assert served.restart_asked.is_set()


def test_another_start_is_told_from_this_one(tmp_path: Path) -> None:
    assert own(tmp_path).show().started != own(tmp_path).show().started
