"""What the box is set to, one line a setting that matters when it is set up."""

from pathlib import Path

from device.config import Config
from device.languages import LANGUAGES
from device.setup.shown import LineShown
from engine.wording import phrase

NONE = "none"


def settings_shown(config: Config, file: str, folder: Path) -> tuple[LineShown, ...]:
    """The settings in force. `file` is the owner's own, "" where there is none; `folder` holds the data.

    What the set-up made, and no setting names yet, stands there with the line to write.
    """
    at = config.camera
    size = phrase(
        "{width} x {height}, {fps} pictures a second", width=at.width_px, height=at.height_px, fps=at.fps
    )
    own = file or phrase("none: all is as it is shipped. Yours would be /etc/callbox/callbox.toml.")
    pins = phrase("{count} on pins", count=len(config.panel.buttons.fitted()))
    return (
        LineShown(phrase("settings file"), "ok", own),
        LineShown(phrase("language"), "ok", LANGUAGES[config.language]),
        LineShown(phrase("camera"), "ok", f"{at.spec}: {size}"),
        LineShown(phrase("table"), "ok", f"{config.people.table}; {_read_words(config)}"),
        LineShown(phrase("buttons"), "ok", pins),
        _named(phrase("lock"), "[camera] lock", at.lock, folder / "lock.json"),
        _named("End Zone", "[landing] calibration", config.landing.calibration, folder / "table.json"),
        LineShown(phrase("data"), "ok", str(folder)),
    )


def _read_words(config: Config) -> str:
    if config.table.reads == "at_rest":
        return phrase("dice are read as soon as they lie still")
    return phrase("dice are read when ROLL DONE is pressed")


def _named(name: str, key: str, named: str, made: Path) -> LineShown:
    """A file that a setting names, or could."""
    table, _, word = key.partition(" ")
    if named != NONE:
        return LineShown(name, "ok", named)
    if not made.exists():
        return LineShown(name, "not here", f'{key} = "none"')
    return LineShown(
        name, "warn", phrase("{file} is there and not used.", file=made), f'{table}\n{word} = "{made}"'
    )
