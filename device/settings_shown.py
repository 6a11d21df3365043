"""The settings as pages show and change them: what the owner's file says, and whether a restart is due.

What hangs on pins, which programs the box runs and where its console is found is set at the box alone
(`AT_BOX`): whoever got these wrong in a browser would have no browser to mend them in.
"""

import secrets
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

import msgspec
import msgspec.inspect as shape

from device.config import Config, ConfigError, SettingValue, parse
from device.languages import LANGUAGES
from device.people.permissions import OFFICES
from device.people.pin_sessions import NO_PIN
from device.people.pins import PinBook, PinsBroken, pins_path
from device.settings_file import change_settings, load_settings
from device.settings_words import bare_type
from engine.wording import phrase, phrase_later

GROUPS: Mapping[str, tuple[str, ...]] = {
    phrase_later("Language"): ("language",),
    phrase_later("Who may do what"): ("people.table",),
    phrase_later("Reading dice"): (
        "table.reads",
        "table.odds",
        "table.layout",
        "table.still_ms",
        "table.no_picture_ms",
    ),
    phrase_later("Scoreboard"): ("scoreboard.brightness",),
    phrase_later("Voice"): ("voice.speaks", "voice.accent", "voice.words_a_minute", "voice.loudness"),
    phrase_later("Films and pictures"): ("films.keep", "films.disk_mb", "learning.keep_corrections"),
    phrase_later("Camera"): (
        "camera.spec",
        "camera.width_px",
        "camera.height_px",
        "camera.fps",
        "camera.sharp",
        "camera.lock",
    ),
    "End Zone": ("landing.calibration", "landing.far_camera", "landing.far_calibration"),
    phrase_later("Network and hall"): ("console.names", "venue.publish", "venue.answers"),
}
"""What the page shows, by its headings."""
AT_BOX = ("panel", "scoreboard", "camera.python", "console.host", "console.port", "console.visitors")
"""What only the file itself changes, or begins with, where `GROUPS` does not name it."""
CHOICES: Mapping[str, Mapping[str, str]] = {
    "language": LANGUAGES,
    "people.table": {
        "family": phrase_later("Family: everyone may do everything"),
        "club": phrase_later("Club: the host leads"),
        "tournament": phrase_later("Tournament: the referee leads"),
    },
    "table.reads": {
        "roll_done": phrase_later("When ROLL DONE is pressed"),
        "at_rest": phrase_later("As soon as they lie still"),
    },
    "table.odds": {
        "auto": phrase_later("At every table but a tournament's"),
        "shown": phrase_later("Always"),
        "hidden": phrase_later("Never"),
    },
    "voice.speaks": {"none": phrase_later("Nothing"), "espeak-ng": "espeak-ng"},
}
"""The words of a setting's choices."""
NOT_HERE = phrase_later("{key} cannot be set here. It stands in {file}.")
BY_HAND = phrase_later("End Callbox with Ctrl-C and start it again. A game at the table resumes by itself.")


class SettingChoice(msgspec.Struct, frozen=True):
    """One of a setting's choices."""

    value: str
    text: str


class SettingShown(msgspec.Struct, frozen=True, omit_defaults=True):
    """A setting and what it may be."""

    key: str
    text: str
    """What it is, in a sentence."""
    kind: Literal["choice", "number", "text", "switch", "names"]
    value: SettingValue
    """As the file has it."""
    shipped: SettingValue
    unit: str = ""
    waits: bool = False
    """Whether the box still goes by another value, until it starts again."""
    overruled: SettingValue | None = None
    """What the command line says instead, for as long as the box runs."""
    choices: tuple[SettingChoice, ...] = ()
    least: int | None = None
    most: int | None = None
    step: int = 1


class SettingsGroup(msgspec.Struct, frozen=True):
    """Settings that belong together."""

    title: str
    settings: tuple[SettingShown, ...]


class SettingsShown(msgspec.Struct, frozen=True):
    """All settings that a page may change."""

    groups: tuple[SettingsGroup, ...]
    file: str
    """Where they stand."""
    waits: bool
    """Whether something that stands there is taken only when the box starts again."""
    restarts: bool
    """Whether the box can be started again from here."""
    started: str
    """Another word for each start of the box."""
    ok: bool = True
    text: str = ""


class OwnSettings:
    """The owner's settings while the box runs. For any thread; raises `ConfigError` where it says so."""

    def __init__(
        self,
        path: Path,
        begun: Config,
        *,
        in_force: Config | None = None,
        data: Path,
        restarts: bool,
        check: Callable[[Config], None] = lambda _config: None,
    ) -> None:
        """`begun`: what the file said when the box started; `in_force`: with the command line's words.

        `data`: the folder with the PINs. `restarts`: whether a box that ends is started again. `check`
        raises `ConfigError` for settings with which the box would not start.
        """
        self._path, self._begun, self._in_force = path, begun, in_force or begun
        self._check = check
        self._pins = PinBook(pins_path(data))
        self._restarts = restarts
        self._started = secrets.token_hex(8)
        self._lock = threading.Lock()
        self.restart_asked = threading.Event()
        """Set once a page asked for a restart."""

    def show(self) -> SettingsShown:
        """What the file says now; raises `ConfigError`."""
        return self._view(load_settings(self._path))

    @property
    def file(self) -> str:
        """Where the settings stand; "" where all is as shipped."""
        return str(self._path) if self._path.exists() else ""

    def file_trouble(self) -> str:
        """Why the box could not start with what the file says now; "" where it could."""
        try:
            self._check(load_settings(self._path))
        except ConfigError as error:
            return str(error)
        return ""

    def change(self, values: Mapping[str, SettingValue]) -> SettingsShown:
        """Write these values into the file; raises `ConfigError`, and then nothing was changed."""
        for key in values:
            if not any(key in keys for keys in GROUPS.values()):
                raise ConfigError(phrase(NOT_HERE, key=key, file=self._path))
        with self._lock:
            self._refuse_lock_out(values.get("people.table"))
            return self._view(change_settings(self._path, values, self._check))

    def restart(self) -> str:
        """Have the box end, for systemd to start it again; why not where nobody would, "" where it does."""
        if not self._restarts:
            return phrase(BY_HAND)
        self.restart_asked.set()
        return ""

    def _refuse_lock_out(self, kind: SettingValue | None) -> None:
        """Raise `ConfigError` for a table at which nobody could sign in, and so nobody set this back."""
        for table, offices in OFFICES.items():
            for office in offices if table == kind else ():
                try:
                    missing = self._pins.of(office) is None
                except PinsBroken as error:
                    raise ConfigError(str(error)) from None
                if missing:
                    raise ConfigError(phrase(NO_PIN[office]))

    def _view(self, config: Config) -> SettingsShown:
        shipped = parse("")
        groups = tuple(
            SettingsGroup(phrase(title), tuple(self._setting(key, config, shipped) for key in keys))
            for title, keys in GROUPS.items()
        )
        return SettingsShown(
            groups=groups,
            file=str(self._path),
            waits=any(each.waits for group in groups for each in group.settings),
            restarts=self._restarts,
            started=self._started,
        )

    def _setting(self, key: str, config: Config, shipped: Config) -> SettingShown:
        kind, notes = _described(key)
        value, begun, in_force = (_value(each, key) for each in (config, self._begun, self._in_force))
        says = (notes.extra_json_schema or {})["description"]
        shown = SettingShown(
            key=key,
            text=phrase(says),
            kind="text",
            value=value,
            shipped=_value(shipped, key),
            unit=phrase(unit) if (unit := (notes.extra or {}).get("unit", "")) else "",
            waits=value != begun,
            overruled=in_force if in_force != begun else None,
        )
        return _with_limits(shown, kind)


def _with_limits(shown: SettingShown, kind: shape.Type) -> SettingShown:
    """The setting with what its type allows."""
    match kind:
        case shape.LiteralType():
            choices = tuple(SettingChoice(each, phrase(text)) for each, text in CHOICES[shown.key].items())
            return msgspec.structs.replace(shown, kind="choice", choices=choices)
        case shape.IntType(ge=least, le=most, multiple_of=step):
            return msgspec.structs.replace(shown, kind="number", least=least, most=most, step=step or 1)
        case shape.BoolType():
            return msgspec.structs.replace(shown, kind="switch")
        case shape.VarTupleType():
            return msgspec.structs.replace(shown, kind="names")
        case _:
            return shown


def _described(key: str) -> tuple[shape.Type, shape.Metadata]:
    """A setting's bare type, and what `Meta` says of it."""
    kind: shape.Type = shape.type_info(Config)
    for name in key.split("."):
        kind = bare_type(kind)
        assert isinstance(kind, shape.StructType)  # noqa: S101 - the key is one of `GROUPS`
        kind = next(field.type for field in kind.fields if field.encode_name == name)
    assert isinstance(kind, shape.Metadata)  # noqa: S101 - each setting has a sentence
    return bare_type(kind), kind


def _value(config: Config, key: str) -> SettingValue:
    found: object = config
    for name in key.split("."):
        found = getattr(found, name)
    assert isinstance(found, bool | int | str | tuple)  # noqa: S101 - `GROUPS` names no table
    return found
