"""How a box and a desk get to know one another: by one code that people carry, good for one box and an hour.

The code is 80 random bits. Its hash names the invitation; what the desk answers is sealed with a key made of
the code (scrypt, then NaCl's secretbox), so who listens in the network learns nothing, and who answers in the
desk's place cannot.
"""

import hashlib
import http.client
import json
import re
import secrets

import msgspec
from nacl.exceptions import CryptoError
from nacl.secret import SecretBox

from device.decode import Undecodable, decode_json
from device.venue.membership import Membership
from engine.wording import phrase

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Without I, L, O and U, which are mistaken for others (Crockford's base 32)."""
LENGTH = 16
PAIR_PORT = 8090
"""Where the desk's page is, unless told otherwise."""
ASK_S = 20.0
_MISTAKEN = str.maketrans("ILO", "110")


class PairingFailed(Exception):
    """Box and desk did not find together. `str(error)` names cause and fix."""


def new_code() -> str:
    """A code as people read it: "K7QM-3FXD-92TA-HVGW"."""
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(LENGTH // 4))


def plain(code: str) -> str:
    """A code as it was meant, however it was typed; raises `PairingFailed`."""
    typed = re.sub(r"[\s-]", "", code).upper().translate(_MISTAKEN)
    if len(typed) != LENGTH or set(typed) - set(LETTERS):
        raise PairingFailed(
            phrase(
                "{code!r} is no code: it is four times four signs, such as K7QM-3FXD-92TA-HVGW.",
                code=code[:40],
            )
        )
    return typed


def invitation_id(code: str) -> str:
    """By which the desk finds the invitation; it does not tell the code."""
    return hashlib.sha256(b"callbox invitation " + plain(code).encode()).hexdigest()[:32]


def seal_membership(code: str, given: Membership) -> bytes:
    """The desk's answer to whoever has the code."""
    return bytes(_box(code).encrypt(msgspec.json.encode(given)))


def open_membership(code: str, sealed: bytes, host: str) -> Membership:
    """What the desk at `host` answered; raises `PairingFailed`."""
    try:
        given = decode_json(_box(code).decrypt(sealed), Membership)
    except (CryptoError, ValueError):
        raise PairingFailed(
            phrase(
                "The answer is not from the desk that gave this code. Look at the address, and for a "
                "second desk."
            )
        ) from None
    return msgspec.structs.replace(given, host=given.host or host)


def ask_desk(host: str, port: int, code: str) -> Membership:
    """Take up an invitation; raises `PairingFailed`."""
    shown = f"[{host}]" if ":" in host else host
    asking = http.client.HTTPConnection(host, port, timeout=ASK_S)
    try:
        asking.request(
            "POST",
            "/pair",
            json.dumps({"invitation": invitation_id(code)}),
            {"content-type": "application/json", "origin": f"http://{shown}:{port}"},
        )
        told = asking.getresponse()
        body = told.read(1_000_000)
    except (OSError, http.client.HTTPException) as error:
        raise PairingFailed(
            phrase(
                "No desk answers at {shown}:{port} ({error}). Is callbox desk running there, and on "
                "that port?",
                shown=shown,
                port=port,
                error=error,
            )
        ) from None
    finally:
        asking.close()
    if told.status != 200:
        raise PairingFailed(
            _reason(body) or phrase("What answers at {shown}:{port} is no desk.", shown=shown, port=port)
        )
    return open_membership(code, body, host)


def _reason(body: bytes) -> str:
    """Why a desk refuses, in its own sentence; "" where it gives none."""
    try:
        return decode_json(body, _Refusal).text
    except Undecodable:
        return ""


class _Refusal(msgspec.Struct, frozen=True):
    text: str = ""


def _box(code: str) -> SecretBox:
    key = hashlib.scrypt(
        plain(code).encode(), salt=b"callbox pairing", n=2**14, r=8, p=1, maxmem=2**26, dklen=32
    )
    return SecretBox(key)
