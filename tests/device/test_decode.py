"""What comes from outside is decoded in one place: bounded in depth and in numbers, refused in a sentence."""

import json
from contextlib import suppress

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.decode import MAX_DEPTH, MAX_NUMBER, Undecodable, decode_json


class Message(msgspec.Struct, forbid_unknown_fields=True):
    number: int = 0
    inside: msgspec.Raw = msgspec.Raw(b"null")


@pytest.mark.parametrize("depth", [MAX_DEPTH, 3000, 100_000])
def test_what_is_nested_too_deep_is_refused(depth: int) -> None:
    for opening, closing in ((b"[", b"]"), (b'{"a":', b"}")):
        raw = b'{"inside":' + opening * depth + b"1" + closing * depth + b"}"
        with pytest.raises(Undecodable, match="nested more than 32 deep") as refused:
            decode_json(raw, Message)
        assert refused.value.is_json


def test_brackets_in_a_text_are_no_depth() -> None:
    text = '"[{' * 500 + "\\"
    found = decode_json(json.dumps({"inside": text}).encode(), Message)
    assert json.loads(bytes(found.inside)) == text


@pytest.mark.parametrize("number", [str(2**63), str(-(2**70)), "1e300", "9" * 5000, "1e999", "-1e400"])
def test_a_number_that_no_database_keeps_is_refused(number: str) -> None:
    with pytest.raises(Undecodable, match="a number beyond 9007199254740991"):
        decode_json(f'{{"number":{number}}}'.encode(), Message)
    with pytest.raises(Undecodable, match="a number beyond"):
        decode_json(f'{{"inside":[{number}]}}'.encode(), Message)


def test_the_largest_number_is_taken() -> None:
    assert decode_json(b'{"number":%d}' % MAX_NUMBER, Message).number == MAX_NUMBER
    assert decode_json(b'{"number":-%d}' % MAX_NUMBER, Message).number == -MAX_NUMBER


def test_a_message_that_is_too_long_is_refused_unread() -> None:
    with pytest.raises(Undecodable, match="it has 111 bytes, and at most 100 are taken"):
        decode_json(b'{"inside":"' + b"x" * 99 + b'"', Message, max_bytes=100)


def test_wide_is_not_deep() -> None:
    assert len(decode_json(b"[" + b"[],[{}]," * 1000 + b"1]", list[object])) == 2001


def test_what_is_no_json_and_what_has_another_shape_are_told_apart() -> None:
    with pytest.raises(Undecodable) as no_json:
        decode_json(b'{"number":', Message)
    with pytest.raises(Undecodable, match="got `str`") as other_shape:
        decode_json(b'{"number":"1"}', Message)
    assert (no_json.value.is_json, other_shape.value.is_json) == (False, True)


@given(
    st.binary(max_size=300) | st.text(alphabet='[]{}",:\\eE+-.0123456789nul', max_size=300).map(str.encode)
)
def test_no_bytes_raise_anything_else(raw: bytes) -> None:
    with suppress(Undecodable):
        decode_json(raw, Message)
