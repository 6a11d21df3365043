"""A setting in words: what stands in the file, and what is allowed there."""

import json
from collections.abc import Mapping
from functools import reduce
from pathlib import Path

import msgspec
import msgspec.inspect as shape

from engine.wording import phrase, phrase_later

EVEN = phrase_later("an even number from {low} to {high}")
WHOLE = phrase_later("a whole number from {low} to {high}")


def bare_type(kind: shape.Type) -> shape.Type:
    """The type without the notes that `Meta` puts round it."""
    return bare_type(kind.type) if isinstance(kind, shape.Metadata) else kind


def value_sentence(
    error: str, merged: Mapping[str, object], path: Path, settings: type[msgspec.Struct]
) -> str:
    """msgspec's message, which names only the place, as a sentence with value and range."""
    place = error.rpartition("$.")[2].rstrip("`").partition("[")[0].split(".")
    kind: shape.Type = shape.type_info(settings)
    value: object = merged
    for key in place:
        kind = bare_type(kind)
        assert isinstance(kind, shape.StructType)  # noqa: S101 - the place came from this very type
        kind = next(field.type for field in kind.fields if field.encode_name == key)
        value = value.get(key) if isinstance(value, dict) else None
    notes = kind if isinstance(kind, shape.Metadata) else None
    says = (notes.extra_json_schema or {}).get("description", "") if notes else ""
    unit = (notes.extra or {}).get("unit", "") if notes else ""
    allowed = _allowed(kind) + (f" ({phrase(unit)})" if unit else "")
    return phrase(
        "{path}: {place} is {value}; allowed is {allowed}. {says}",
        path=path,
        place=".".join(place),
        value=shown_value(value),
        allowed=allowed,
        says=phrase(says) if says else "",
    ).rstrip()


def _or(words: str, last: str) -> str:
    return phrase("{names} or {last}", names=words, last=last)


def _allowed(kind: shape.Type) -> str:
    """What a field takes, in words."""
    match bare_type(kind):
        case shape.IntType(ge=low, le=high, multiple_of=step):
            return phrase(EVEN if step == 2 else WHOLE, low=low, high=high)
        case shape.LiteralType(values=values):
            return reduce(_or, (f'"{value}"' for value in values))
        case shape.UnionType(types=kinds):
            return reduce(_or, map(_allowed, kinds))
        case shape.VarTupleType(item_type=item, min_length=low, max_length=high):
            return phrase(
                "a list of {low} to {high} entries, each {item}", low=low, high=high, item=_allowed(item)
            )
        case shape.BoolType():
            return phrase("true or false")
        case shape.StrType():
            return phrase('a text in quotes that is not empty, such as "..."')
        case other:
            raise AssertionError(f"no words for {other}")


def shown_value(value: object) -> str:
    """A value as it stands in the file, cut where it is long."""
    match value:
        case bool():
            text = str(value).lower()
        case str():
            text = json.dumps(value, ensure_ascii=not value.isprintable())
        case dict():
            text = phrase("a table")
        case _:
            text = str(value)
    return text if len(text) <= 40 else text[:37] + "..."
