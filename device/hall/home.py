"""What Home Assistant is told of each table, so that it finds them by itself (MQTT discovery, by device).

It shows what a box tells everybody who is let in by the broker: the retained snapshot and the box's health.
Automations can go by it: light the lamp over table 4 when it waits for somebody.
"""

import tomllib
from importlib.metadata import version
from importlib.resources import files

import msgspec

from device.venue.wire import topic
from engine.wording import phrase, phrase_later

LABELS = {
    "game": phrase_later("Game"),
    "turn": phrase_later("Whose turn"),
    "news": phrase_later("News"),
    "winners": phrase_later("Winner"),
    "scores": phrase_later("Scores"),
    "waits": phrase_later("Waits for somebody"),
}
"""By their names in `home.toml`: what people read."""


def introduction_topic(table_id: str, prefix: str) -> str:
    """Where Home Assistant hears of a table; an empty retained message there makes it forget the table."""
    return f"{prefix}/device/callbox_{table_id}/config"


def introduce(table_id: str, name: str) -> bytes:
    """A table as Home Assistant shows it: a device with what is played there, and whether it waits."""
    told = tomllib.loads(files("device.hall").joinpath("home.toml").read_text(encoding="utf-8"))
    for key, part in told["components"].items():
        part |= {"name": phrase(LABELS[key]), "unique_id": f"callbox_{table_id}_{key}"}
    return msgspec.json.encode(
        {
            "device": {
                "identifiers": [f"callbox_{table_id}"],
                "name": phrase("Callbox {name}", name=name),
                "manufacturer": "Callbox",
            },
            "origin": {"name": "Callbox", "sw_version": version("callbox")},
            "state_topic": topic(table_id, "state"),
            "availability_topic": topic(table_id, "health"),
            **told,
        }
    )
