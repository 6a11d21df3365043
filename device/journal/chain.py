"""The journal's chain: each row's hash is made of what it says and of the hash before it.

So no row can change, go missing or be put between others without the next one telling. A game's own hash
follows the game's before it, its rows follow it one by one, and its ending has a hash of its own. They are
SHA-256, 32 bytes each. They tell of damage; they do not keep out whoever can write the file and knows this.
"""

import hashlib
import struct

START = bytes(32)
"""What the first game follows."""


def link(before: bytes, *fields: int | float | str | bytes) -> bytes:
    """The hash of these fields after `before`; text counts as its UTF-8 bytes."""
    hashed = hashlib.sha256(before)
    for each in fields:
        raw = _raw(each)
        hashed.update(len(raw).to_bytes(8, "big"))
        hashed.update(raw)
    return hashed.digest()


def _raw(field: int | float | str | bytes) -> bytes:
    match field:
        case bytes():
            return field
        case str():
            return field.encode("utf-8", "surrogatepass")
        case int():
            return str(field).encode("ascii")
        case float():
            return struct.pack(">d", field)
