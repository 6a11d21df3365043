"""Settings: the shipped file, a file laid over it, and a sentence for each thing that can be wrong."""

import os
import re
import tomllib
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.config import SHIPPED, Config, ConfigError, find, load, parse
from device.wiring import BUTTONS

FILE = "my.toml"


def refusal(text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        parse(text, FILE)
    return str(caught.value)


def test_the_shipped_file_is_complete_and_sound() -> None:
    config = parse("")
    assert list(config.panel.buttons.fitted()) == list(config.panel.lamps.fitted()) == list(BUTTONS)
    assert (config.scoreboard.kind, config.table.reads) == ("max7219", "roll_done")


def test_every_value_in_the_shipped_file_has_a_comment_above_it_or_above_its_group() -> None:
    commented = False
    for line in SHIPPED.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            commented = False
        elif line.startswith("#"):
            commented = True
        elif line:
            assert commented, line


def test_every_field_has_a_sentence() -> None:
    schema = msgspec.json.schema(Config)["$defs"]
    fields = {
        f"{name}.{key}": field
        for name, struct in schema.items()
        for key, field in struct["properties"].items()
    }
    lacking = [
        key for key, field in fields.items() if "description" not in field and not key.startswith("Config.")
    ]
    assert lacking == []


def test_an_own_file_is_laid_over_the_shipped_one_key_by_key() -> None:
    config = parse("[panel]\ndebounce_ms = 40\n[panel.lamps]\ncache = 'none'\n[console]\nport = 80\n")
    shipped = parse("")
    assert (config.panel.debounce_ms, config.console.port) == (40, 80)
    assert (config.panel.long_press_ms, config.console.host) == (
        shipped.panel.long_press_ms,
        shipped.console.host,
    )
    assert config.panel.lamps.fitted() == {
        k: v for k, v in shipped.panel.lamps.fitted().items() if k != "cache"
    }
    assert config.panel.buttons == shipped.panel.buttons


def test_an_unknown_key_names_its_nearest_neighbour() -> None:
    assert (
        refusal("[panel]\ndebounce = 5")
        == "my.toml: there is no setting panel.debounce; did you mean debounce_ms?"
    )
    assert refusal("[panel.buttons]\nbet5 = 5").startswith(
        "my.toml: there is no setting panel.buttons.bet5; did you"
    )
    assert refusal("[consol]\nport = 5").endswith("there is no setting consol; did you mean console?")
    known = (
        "language, panel, scoreboard, camera, table, landing, learning, films, console, people, venue, voice"
    )
    assert refusal("qqq = 5").endswith(f"there are {known}.")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "[panel]\ndebounce_ms = 500",
            "panel.debounce_ms is 500; allowed is a whole number from 1 to 200 (ms).",
        ),
        (
            "[panel]\ndebounce_ms = 'x'",
            'panel.debounce_ms is "x"; allowed is a whole number from 1 to 200 (ms).',
        ),
        (
            "[panel]\ndebounce_ms = true",
            "panel.debounce_ms is true; allowed is a whole number from 1 to 200 (ms).",
        ),
        (
            "[panel]\ndebounce_ms = 2.5",
            "panel.debounce_ms is 2.5; allowed is a whole number from 1 to 200 (ms).",
        ),
        ("[panel]\npull = 'left'", 'panel.pull is "left"; allowed is "down" or "none" or "up".'),
        (
            "[panel.buttons]\nstop = 28",
            'panel.buttons.stop is 28; allowed is a whole number from 2 to 27 or "none".',
        ),
        (
            "[panel.buttons]\nstop = 'off'",
            'panel.buttons.stop is "off"; allowed is a whole number from 2 to 27 or "none".',
        ),
        (
            "[panel.buttons]\nstop = {pin = 3}",
            'panel.buttons.stop is a table; allowed is a whole number from 2 to 27 or "none".',
        ),
        (
            "[scoreboard]\nsegment_pins = [2, 3]",
            "scoreboard.segment_pins is [2, 3]; allowed is a list of 7 to 8 entries, "
            "each a whole number from 2 to 27.",
        ),
        (
            "[scoreboard]\ndigit_pins = [14, 99]",
            "scoreboard.digit_pins is [14, 99]; allowed is a list of 2 to 8 entries, "
            "each a whole number from 2 to 27.",
        ),
        ("[scoreboard]\nmodules = 5", "scoreboard.modules is 5; allowed is a whole number from 1 to 4."),
        (
            "[camera]\nwidth_px = 1281",
            "camera.width_px is 1281; allowed is an even number from 320 to 4608 (px).",
        ),
        ("[camera]\nspec = ''", 'camera.spec is ""; allowed is a text in quotes that is not empty'),
        ("[table]\nreads = 1", 'table.reads is 1; allowed is "at_rest" or "roll_done".'),
        (
            "[landing]\ncalibration = ''",
            'landing.calibration is ""; allowed is a text in quotes that is not empty',
        ),
        ("panel = 5", "panel is 5; it is a table, written as [panel]."),
        ("[panel]\nbuttons = []", "panel.buttons is []; it is a table, written as [panel.buttons]."),
    ],
)
def test_a_wrong_value_is_named_with_what_is_allowed(text: str, sentence: str) -> None:
    assert refusal(text).startswith(f"my.toml: {sentence}")


def test_a_pin_wanted_twice() -> None:
    found = refusal("[panel.buttons]\nstop = 18")
    assert found.startswith(
        "my.toml: pin 18 is wanted twice, by panel.buttons.stop and by panel.lamps.bet1. Free pins are "
    )
    assert re.findall(r"\d+", found.partition("Free pins are")[2]) == ["6"]


@pytest.mark.parametrize("pin", [7, 8, 9, 10, 11])
def test_the_scoreboards_spi_pins_are_reserved(pin: int) -> None:
    found = refusal(f"[panel.lamps]\nundo = {pin}")
    assert f'pin {pin} is wanted twice, by panel.lamps.undo and by scoreboard.kind = "max7219"' in found
    assert parse(f"[panel.lamps]\nundo = {pin}\n[scoreboard]\nkind = 'none'").panel.lamps.undo == pin


def test_bare_digits_need_pins_of_their_own() -> None:
    own = "[scoreboard]\nkind = 'digits'\n"
    found = refusal(own)
    assert "pin 13 is wanted twice, by panel.buttons.cache and by scoreboard.digit_pins" in found
    without = own + "[panel.buttons]\ncache = 'none'\n[panel.lamps]\ncache = 'none'\n"
    assert parse(without).scoreboard.digit_pins == (14, 15, 13, 16)
    assert "by scoreboard.segment_pins and by scoreboard.segment_pins" in refusal(
        own + "segment_pins = [2, 2, 4, 7, 8, 9, 10]"
    )


def test_pull_and_level_have_to_fit() -> None:
    assert 'panel.pressed is "high", but with panel.pull = "up" a pressed button is "low"' in refusal(
        "[panel]\npressed = 'high'"
    )
    assert parse("[panel]\npull = 'down'\npressed = 'high'").panel.pull == "down"
    for pressed in ("low", "high"):
        assert parse(f"[panel]\npull = 'none'\npressed = '{pressed}'").panel.pressed == pressed


def test_a_pin_with_a_fixed_pull_cannot_be_pulled_down() -> None:
    down = "[panel]\npull = 'down'\npressed = 'high'\n[panel.buttons]\nstop = 3"
    assert "panel.buttons.stop is 3" in refusal(down)
    assert parse("[panel.buttons]\nstop = 3").panel.buttons.stop == 3


def test_a_long_press_has_to_be_longer_than_the_bounces() -> None:
    assert "panel.long_press_ms is 200" in refusal("[panel]\nlong_press_ms = 200\ndebounce_ms = 100")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"[panel\n", "is not TOML"),
        (b"[panel]\npull = up\n", "is not TOML"),
        (b"[panel]\ndebounce_ms = 1\ndebounce_ms = 2\n", "is not TOML"),
        ("[console]\nhost = '\xe4'".encode("latin-1"), "is not UTF-8"),
        ("[console]".encode("utf-16"), "is not UTF-8"),
        (b"a = " + b"[" * 5000, "is not a settings file|is not TOML"),
        (b"\x00", "is not TOML"),
    ],
)
def test_a_broken_file_is_one_sentence(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / FILE
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=says) as caught:
        load(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('[landing]\ncalibration = "\\u0000"', "landing.calibration"),
        ('[camera]\nlock = "a\\u0000b"', "camera.lock"),
        ('[console]\nnames = ["box.lan", "box\\u001b[2J"]', "console.names"),
        (f'[table]\nlayout = "{"x" * 5000}"', "table.layout"),
    ],
)
def test_a_text_that_no_path_or_name_can_be_is_refused(text: str, place: str) -> None:
    told = refusal(text)
    assert f"{place} is " in told
    assert told.endswith("allowed is a text of at most 1000 characters that can all be shown.")
    assert told.isprintable()


def test_a_file_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    path = tmp_path / FILE
    path.write_bytes("[console]\r\nport = 99\r\n".encode("utf-8-sig"))
    assert load(path).console.port == 99


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"There is no settings file .*gone.toml"):
        load(tmp_path / "gone.toml")
    with pytest.raises(ConfigError, match="is a folder"):
        load(tmp_path)


def test_where_the_file_is_looked_for(tmp_path: Path) -> None:
    home, etc = tmp_path / "home", tmp_path / "etc"
    mine, boxes = home / ".config" / "callbox" / "callbox.toml", etc / "callbox" / "callbox.toml"
    assert find({}, home, etc) is None
    for path in (boxes, mine):
        path.parent.mkdir(parents=True)
        path.write_text("")
        assert find({}, home, etc) == path
    assert find({"CALLBOX_CONFIG": "/else.toml"}, home, etc) == Path("/else.toml")
    assert find({"CALLBOX_CONFIG": ""}, home, etc) == mine


def test_a_named_file_that_is_missing_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CALLBOX_CONFIG", str(tmp_path / "gone.toml"))
    with pytest.raises(ConfigError, match=r"gone\.toml"):
        load()
    monkeypatch.setenv("CALLBOX_CONFIG", "")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert load().console.port > 0


TABLES = {
    name: list(table)
    for name, table in tomllib.loads(SHIPPED.read_text(encoding="utf-8")).items()
    if isinstance(table, dict)
}
keys = st.sampled_from([(table, key) for table, names in TABLES.items() for key in names])
values = st.one_of(
    st.integers(-(10**30), 10**30).map(str),
    st.integers(0, 30).map(str),
    st.floats().map(str),
    st.sampled_from(
        ["true", "[]", "{}", "{a = 1}", "[[1]]", "1979-05-27", "07:32:00", '""', '"none"', '"low"']
    ),
    st.lists(st.integers(0, 30), max_size=9).map(str),
)


def sentence(text: str) -> str:
    """What is wrong with these settings; empty when nothing is."""
    try:
        parse(text)
    except ConfigError as error:
        return str(error)
    return ""


@given(keys, values)
def test_no_value_ends_in_anything_but_settings_or_a_sentence(key: tuple[str, str], value: str) -> None:
    table, name = key
    said = sentence(f"[{table}]\n{name} = {value}\n")
    assert said == "" or (said.startswith("callbox.toml") and "\n" not in said)


@given(st.text(max_size=60))
def test_no_text_ends_in_anything_but_settings_or_a_sentence(text: str) -> None:
    said = sentence(text)
    assert said == "" or said.startswith("callbox.toml")


def test_a_sentence_stays_one_line_whatever_the_file_says() -> None:
    assert refusal('[panel]\npull = "a\\nb\\u001b"').startswith(
        'my.toml: panel.pull is "a\\nb\\u001b"; allowed'
    )
    assert refusal('"a\\nb" = 1').startswith("my.toml: there is no setting 'a\\nb';")


def test_a_settings_folder_that_may_not_be_looked_into_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the folder belongs to somebody else; root, who runs some tests, may look everywhere."""
    closed = tmp_path / ".config" / "callbox" / "callbox.toml"

    really_read = Path.read_bytes

    def refuse(path: Path) -> bytes:
        if path == closed:
            raise PermissionError(13, "Permission denied", str(path))
        return really_read(path)

    monkeypatch.setattr(Path, "is_file", refuse)
    assert find({}, tmp_path, tmp_path) == closed
    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(ConfigError, match=r"callbox\.toml cannot be read: Permission denied"):
        load(closed)


def test_a_panel_wired_before_there_was_an_off_button_keeps_its_pins() -> None:
    """Plain digits want the pins that off button and status lamp have as shipped."""
    no_cache = "[panel.buttons]\ncache = 'none'\n[panel.lamps]\ncache = 'none'\n"
    panel = parse(no_cache + "[scoreboard]\nkind = 'digits'\n").panel
    assert (panel.off.button, panel.off.lamp, panel.status.fitted()) == ("none", "none", {})
    moved = parse("[panel.buttons]\nbet1 = 4\n").panel
    assert (moved.off.button, moved.off.lamp, moved.status.fitted()) == (3, 2, {})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "[panel.buttons]\nbet1 = 3\n[panel.off]\nbutton = 3\n",
            "pin 3 is wanted twice, by panel.buttons.bet1",
        ),
        ("[panel.status]\nred = 'none'\n", 'panel.status.red is "none"; the status lamp needs all three'),
        ("[panel.off]\nlamp_lit = 'high'\n", "the lamp would always be lit"),
        ("[panel.off]\nhold_s = 1\n", "panel.off.hold_s is 1; allowed is a whole number from 2 to 20 (s)"),
    ],
)
def test_an_off_button_or_status_lamp_that_cannot_be_is_told(text: str, says: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(says)):
        parse(text)


def test_no_desk_is_told_anything_unless_the_owner_says_so() -> None:
    assert not load(None).venue.publish
    assert parse("[venue]\npublish = true").venue.publish


def test_root_runs_no_program_that_another_user_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The service may write its settings: whoever breaks into it must not become root by the doctor."""
    path = tmp_path / "callbox.toml"
    path.write_text('[camera]\npython = "/home/me/python"\n', encoding="utf-8")
    if os.geteuid() == 0:
        os.chown(path, 65534, 65534)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with pytest.raises(ConfigError, match=r"names a program, camera\.python, .* sudo -u callbox callbox"):
        load(path)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert load(path).camera.python == "/home/me/python"
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    path.write_text("[camera]\nfps = 20\n", encoding="utf-8")
    assert load(path).camera.fps == 20
