"""The settings: device/callbox.toml, with a file of the owner's laid over it, checked value by value.

Every field has a range, a unit and one sentence. The values stand in callbox.toml and nowhere else.
"""

import os
import re
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import msgspec.inspect as shape
from msgspec import Meta

from device.people.actor import TableKind
from device.settings_words import bare_type, shown_value, value_sentence
from device.wiring import (
    PanelConfig,
    ScoreboardConfig,
    WiringError,
    given_way,
    pins_in_use,
    refuse_impossible_wiring,
)
from engine.wording import phrase, phrase_later

SHIPPED = Path(__file__).with_name("callbox.toml")
ENVIRONMENT = "CALLBOX_CONFIG"
LONGEST_TEXT = 1000
"""Characters; longer than any path or name."""
SettingValue = bool | int | str | tuple[str, ...]
"""What a single setting is."""


class ConfigError(Exception):
    """The settings cannot be used. `str(error)` names file, key, value and what is allowed."""


LIVE = re.compile(r"(?:picamera2|usb)(?::.*)?")


def is_live(spec: str) -> bool:
    """Whether a word after --camera names a camera over a real table: a Pi's, or a USB camera."""
    return LIVE.fullmatch(spec) is not None


class CameraConfig(msgspec.Struct, frozen=True):
    """The camera."""

    spec: Annotated[
        str, Meta(min_length=1, description=phrase_later("Camera (the forms that --camera takes)."))
    ]
    width_px: Annotated[
        int,
        Meta(
            ge=320,
            le=4608,
            multiple_of=2,
            description=phrase_later("Picture width."),
            extra={"unit": "px"},
        ),
    ]
    height_px: Annotated[
        int,
        Meta(
            ge=240,
            le=3456,
            multiple_of=2,
            description=phrase_later("Picture height."),
            extra={"unit": "px"},
        ),
    ]
    fps: Annotated[
        int,
        Meta(
            ge=1,
            le=60,
            description=phrase_later("Pictures per second."),
            extra={"unit": phrase_later("pictures a second")},
        ),
    ]
    sharp: Annotated[
        bool,
        Meta(description=phrase_later("Read doubtful dice again in the camera's largest picture.")),
    ]
    python: Annotated[str, Meta(min_length=1, description=phrase_later("The Python that has picamera2."))]
    lock: Annotated[
        str,
        Meta(
            min_length=1,
            description=phrase_later('Camera lock: the file from callbox calibrate lock, or "none".'),
        ),
    ]


class TableConfig(msgspec.Struct, frozen=True):
    """How dice are watched, and what is told of them."""

    layout: Annotated[
        str, Meta(min_length=1, description=phrase_later("The printed mat whose places are read."))
    ]
    reads: Annotated[
        Literal["roll_done", "at_rest"], Meta(description=phrase_later("When to read the dice."))
    ]
    still_ms: Annotated[
        int,
        Meta(
            ge=60,
            le=2000,
            description=phrase_later("How long the table must be still."),
            extra={"unit": "ms"},
        ),
    ]
    no_picture_ms: Annotated[
        int,
        Meta(
            ge=500,
            le=60000,
            description=phrase_later("Report a lost camera after this long without a picture."),
            extra={"unit": "ms"},
        ),
    ]
    odds: Annotated[Literal["auto", "shown", "hidden"], Meta(description=phrase_later("Show the odds."))]


class LandingConfig(msgspec.Struct, frozen=True):
    """End Zone: where landings are measured."""

    calibration: Annotated[
        str,
        Meta(
            min_length=1, description=phrase_later('The file that callbox calibrate table made, or "none".')
        ),
    ]
    far_camera: Annotated[
        str, Meta(min_length=1, description=phrase_later('The camera over the far End Zone, or "none".'))
    ]
    far_calibration: Annotated[
        str, Meta(min_length=1, description=phrase_later('The file made with the far camera, or "none".'))
    ]


class LearningConfig(msgspec.Struct, frozen=True):
    """What is kept to learn from."""

    keep_corrections: Annotated[bool, Meta(description=phrase_later("Keep pictures of corrected readings."))]


class FilmsConfig(msgspec.Struct, frozen=True):
    """The films of throws."""

    keep: Annotated[bool, Meta(description=phrase_later("Keep a short film of each throw."))]
    disk_mb: Annotated[
        int, Meta(ge=10, le=100_000, description=phrase_later("Space for films."), extra={"unit": "MB"})
    ]


class VoiceConfig(msgspec.Struct, frozen=True):
    """The box's own voice."""

    speaks: Annotated[Literal["none", "espeak-ng"], Meta(description=phrase_later("Voice."))]
    accent: Annotated[
        str,
        Meta(
            pattern=r"^[a-z][A-Za-z0-9_+-]{1,39}$",
            description=phrase_later("Accent: a voice of espeak-ng, or auto."),
        ),
    ]
    words_a_minute: Annotated[
        int,
        Meta(
            ge=80,
            le=300,
            description=phrase_later("Speaking speed."),
            extra={"unit": phrase_later("words a minute")},
        ),
    ]
    loudness: Annotated[int, Meta(ge=0, le=200, description=phrase_later("Volume; 100 is the usual one."))]


class PeopleConfig(msgspec.Struct, frozen=True):
    """Who may do what."""

    table: Annotated[TableKind, Meta(description=phrase_later("Kind of table: who may do what."))]


class VenueConfig(msgspec.Struct, frozen=True):
    """The desk of a hall with several boxes."""

    publish: Annotated[bool, Meta(description=phrase_later("Report to the paired desk."))]
    answers: Annotated[
        bool,
        Meta(description=phrase_later("Let the desk's referee answer questions and sign results off.")),
    ]


class ConsoleConfig(msgspec.Struct, frozen=True):
    """The web console."""

    host: Annotated[str, Meta(min_length=1, description=phrase_later("The address to listen on."))]
    port: Annotated[int, Meta(ge=1, le=65535, description=phrase_later("The port to listen on."))]
    visitors: Annotated[Literal["local", "anybody"], Meta(description=phrase_later("Who may connect."))]
    names: Annotated[tuple[str, ...], Meta(max_length=8, description=phrase_later("More names for the box."))]


class Config(msgspec.Struct, frozen=True):
    """All settings of one box."""

    language: Annotated[
        Literal["en", "de", "fr"], Meta(description=phrase_later("Language of box, pages and voice."))
    ]
    panel: PanelConfig
    scoreboard: ScoreboardConfig
    camera: CameraConfig
    table: TableConfig
    landing: LandingConfig
    learning: LearningConfig
    films: FilmsConfig
    console: ConsoleConfig
    people: PeopleConfig
    venue: VenueConfig
    voice: VoiceConfig

    def pins_in_use(self) -> list[tuple[str, int]]:
        """(key, BCM number) of every pin that the settings claim, SPI lines included."""
        return list(pins_in_use(self.panel, self.scoreboard))


def find(environ: Mapping[str, str], home: Path, etc: Path = Path("/etc")) -> Path | None:
    """The owner's file when no --config was given; None when there is none."""
    if named := environ.get(ENVIRONMENT):
        return Path(named)
    places = (home / ".config" / "callbox" / "callbox.toml", etc / "callbox" / "callbox.toml")
    return next(filter(_is_there, places), None)


def _is_there(place: Path) -> bool:
    """Whether a file stands there; one that may not even be looked for does, and reading it says why not."""
    try:
        return place.is_file()
    except OSError:
        return True


def load(path: Path | None = None) -> Config:
    """The settings from `path`, or from the first place in callbox.toml's head; raises `ConfigError`."""
    if path is None:
        path = find(os.environ, Path(os.path.expanduser("~")))  # noqa: PTH111 - Path.home() raises when there is none
    shipped = _read(SHIPPED)
    if path is None:
        return _checked(shipped, {}, SHIPPED)
    own = _read(path)
    _refuse_program_for_root(own, path)
    return _checked(shipped, own, path)


def _refuse_program_for_root(own: Mapping[str, object], path: Path) -> None:
    """Refuse to name a program for root in a file that somebody else may write: the page Settings does."""
    camera = own.get("camera")
    if not isinstance(camera, dict) or "python" not in camera or os.geteuid() != 0:
        return
    if path.stat().st_uid != 0:
        raise ConfigError(
            phrase(
                "{path} names a program, camera.python, and belongs to another user than root. Run this as "
                "that user: sudo -u callbox callbox ...",
                path=path,
            )
        )


def parse(text: str, name: str = "callbox.toml") -> Config:
    """The settings when the owner's file says `text`; raises `ConfigError`."""
    return _checked(_read(SHIPPED), _toml(text, Path(name)), Path(name))


def _read(path: Path) -> dict[str, object]:
    """A file's keys, or the reason why it cannot be read."""
    return _toml(read_text(path), path)


def read_text(path: Path) -> str:
    """What a settings file says; raises `ConfigError` with the reason why it cannot be read."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise ConfigError(
            phrase("There is no settings file {path}. Write one, or leave --config away.", path=path)
        ) from None
    except IsADirectoryError:
        raise ConfigError(
            phrase("{path} is a folder; the settings are one TOML file, such as callbox.toml.", path=path)
        ) from None
    except UnicodeDecodeError:
        raise ConfigError(
            phrase("{path} is not UTF-8 text. Save it again with the encoding UTF-8.", path=path)
        ) from None
    except OSError as error:
        raise ConfigError(
            phrase(
                "The settings file {path} cannot be read: {strerror}.",
                path=path,
                strerror=error.strerror or error,
            )
        ) from None


def _toml(text: str, path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(
            phrase("{path} is not TOML: {error}. Each line is: name = value.", path=path, error=error)
        ) from None
    except RecursionError:
        raise ConfigError(
            phrase("{path} is not a settings file: its lists stand too deep inside each other.", path=path)
        ) from None


def _checked(shipped: dict[str, object], own: dict[str, object], path: Path) -> Config:
    """Both files as settings, or the first thing that is wrong, said of `path`."""
    _refuse_unknown_keys(own, Config, (), path)
    _refuse_unprintable(own, (), path)
    merged = _laid_over(shipped, own)
    try:
        config = msgspec.convert(merged, Config)
    except msgspec.ValidationError as error:
        raise ConfigError(value_sentence(str(error), merged, path, Config)) from None
    panel = given_way(config.panel, config.scoreboard, own.get("panel"))
    try:
        refuse_impossible_wiring(panel, config.scoreboard)
    except WiringError as error:
        raise ConfigError(f"{path}: {error}") from None
    return msgspec.structs.replace(config, panel=panel)


def _refuse_unprintable(value: object, place: tuple[str, ...], path: Path) -> None:
    """Raise `ConfigError` for a text with a NUL or the like: no file, address or name has one."""
    match value:
        case dict():
            for key, each in value.items():
                _refuse_unprintable(each, (*place, key), path)
        case list():
            for each in value:
                _refuse_unprintable(each, place, path)
        case str() if not value.isprintable() or len(value) > LONGEST_TEXT:
            raise ConfigError(
                phrase(
                    "{path}: {place} is {value}; allowed is a text of at most {most} characters that can all "
                    "be shown.",
                    path=path,
                    place=".".join(place),
                    value=shown_value(value),
                    most=LONGEST_TEXT,
                )
            )


def _laid_over(below: Mapping[str, object], above: Mapping[str, object]) -> dict[str, object]:
    """`above` wins, table by table and key by key."""
    merged = dict(below)
    for key, value in above.items():
        under = merged.get(key)
        merged[key] = (
            _laid_over(under, value) if isinstance(under, dict) and isinstance(value, dict) else value
        )
    return merged


def _fields(struct: type[msgspec.Struct]) -> dict[str, shape.Type]:
    """Field names and their types, bare of the notes that `Meta` puts round them."""
    described = shape.type_info(struct)
    assert isinstance(described, shape.StructType)  # noqa: S101 - for the type checker
    return {field.encode_name: field.type for field in described.fields}


def _refuse_unknown_keys(
    own: Mapping[str, object], struct: type[msgspec.Struct], place: tuple[str, ...], path: Path
) -> None:
    fields = _fields(struct)
    for key, value in own.items():
        where = ".".join((*place, key if key.isprintable() else ascii(key)))
        if key not in fields:
            near = get_close_matches(key, fields, n=1)
            hint = (
                phrase("did you mean {near}?", near=near[0])
                if near
                else phrase("there are {fields}.", fields=", ".join(fields))
            )
            raise ConfigError(
                phrase("{path}: there is no setting {where}; {hint}", path=path, where=where, hint=hint)
            )
        kind = bare_type(fields[key])
        if isinstance(kind, shape.StructType):
            if not isinstance(value, dict):
                raise ConfigError(
                    phrase(
                        "{path}: {where} is {value}; it is a table, written as [{where}].",
                        path=path,
                        where=where,
                        value=shown_value(value),
                    )
                )
            _refuse_unknown_keys(value, kind.cls, (*place, key), path)
