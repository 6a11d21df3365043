"""Changes the owner's settings file: the keys that change and no other, comments kept, whole or not at all.

What is to be written is checked as a file that was written by hand (`device.config`) before the disk is
touched. A setting that is set back to what is shipped leaves the file.
"""

import stat
import tomllib
from collections.abc import Callable, Mapping, MutableMapping
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from calibration.durable import sync_folder, write_whole
from device.config import SHIPPED, Config, ConfigError, SettingValue, find, load, parse, read_text
from engine.wording import phrase

READABLE = 0o644
"""The rights of a file that was not there before: it holds no secret, and commands of every user read it."""


def settings_path(given: Path | None, environ: Mapping[str, str], home: Path) -> Path:
    """The owner's file: `given`, else the first that there is, else where one would be found in `home`."""
    return given or find(environ, home) or home / ".config" / "callbox" / "callbox.toml"


def load_settings(path: Path) -> Config:
    """The settings that this file says now; those that are shipped where there is none.

    Raises `ConfigError`.
    """
    return load(path) if path.exists() else parse("")


def change_settings(
    path: Path, values: Mapping[str, SettingValue], check: Callable[[Config], None] = lambda _config: None
) -> Config:
    """Write these values ("table.reads": "at_rest") into the file, and return the settings it then says.

    Raises `ConfigError`, and then the file is as it was; `check` may do so, too, before anything is written.
    A file behind a link is written where it lies.
    """
    target = path.resolve()
    old = read_text(target) if target.exists() else ""
    new = changed_text(old, values, path.name)
    config = parse(new, path.name)
    check(config)
    if new != old:
        _write(target, new)
    return config


def changed_text(text: str, values: Mapping[str, SettingValue], name: str) -> str:
    """The file's text with these values; raises `ConfigError` for a text or a value that cannot stand there.

    `name`: what the file is called in a refusal.
    """
    parse(text, name)
    wanted, shipped = tomllib.loads(text), tomllib.loads(read_text(SHIPPED))
    try:
        document = tomlkit.parse(text)
        for key, value in values.items():
            for table in (wanted, document):
                _put(table, key.split("."), _own_value(value, _find(shipped, key)))
        new = tomlkit.dumps(document)
        if _filled(tomllib.loads(new)) == _filled(wanted):
            return new
    except (TOMLKitError, tomllib.TOMLDecodeError, TypeError):
        pass  # the library takes this way of writing TOML, or cannot change it
    raise ConfigError(
        phrase("{path} is written in a way that cannot be changed here. Edit it with an editor.", path=name)
    )


def _put(table: MutableMapping[str, Any], key: list[str], value: object) -> None:
    """Set the value of a key in nested tables, and make these; None takes the key away."""
    *outer, last = key
    for name in outer:
        if name not in table:
            if value is None:
                return
            table[name] = tomlkit.table() if isinstance(table, tomlkit.TOMLDocument) else {}
        table = table[name]
    if value is None:
        table.pop(last, None)
    else:
        table[last] = value


def _find(table: object, key: str) -> object:
    """What stands under a key in nested tables; None for nothing."""
    for name in key.split("."):
        table = table.get(name) if isinstance(table, dict) else None
    return table


def _own_value(value: SettingValue, shipped: object) -> object:
    """The value as it stands in a file; None where it is what is shipped, which no file has to say."""
    plain = list(value) if isinstance(value, tuple) else value
    return None if type(plain) is type(shipped) and plain == shipped else plain


def _filled(table: Mapping[str, Any]) -> dict[str, Any]:
    """The tables without those that are empty."""
    inner = {key: _filled(value) if isinstance(value, dict) else value for key, value in table.items()}
    return {key: value for key, value in inner.items() if value != {}}


def _write(path: Path, text: str) -> None:
    """Replace the file whole, with the rights that it had."""
    try:
        rights = stat.S_IMODE(path.stat().st_mode) if path.exists() else READABLE
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text.encode("utf-8"))
        path.chmod(rights)
        sync_folder(path.parent)
    except OSError as error:
        raise ConfigError(
            phrase(
                "The settings cannot be written to {path}: {strerror}. On an installed box: sudo "
                "systemd/install.sh; else give this folder to the user who runs the box.",
                path=path,
                strerror=error.strerror or error,
            )
        ) from None
