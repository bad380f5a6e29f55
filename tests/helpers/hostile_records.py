"""Generates records of attackers and broken programs: JSON, CSV and Avro, at random."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable

NUMBERS = (
    "1e-300000000", "1e300000000", "0e-999999999", "0e999999999", "-1e2147483647", "1e-2147483647", "1e9999999999",
    "9" * 1_001, "0." + "0" * 999 + "1", "1" * 999, "1e400", "-0", "4.0", "4.50", "1e3", "00", "+1", "1_000", "0x10",
    "NaN", "Infinity", "-Infinity", "²", "١٢٣", "9223372036854775808", "2147483648", "12345678.999", "1e", "--1", "",
)  # fmt: skip
TEXTS = (
    "a", "", " ", "é", "𝄞" * 40, "\ufeff", "\0", "\x01", "a\nb", "a\rb", "\u2028", "'", '"', '""', "null", "true",
    "2024-05-01 10:00:00", "2024-05-01T10:00:00.123456789Z", "0000-01-01 00:00:00", "9999-12-31 23:59:59-18:00",
    "2024-05-01 10:00:00.١", "-999999999999999999", "99999999999999999999", "+999999999-01-01", "2024-02-30", "ff", "f",
    "1 02:03:04", "INTERVAL '1' DAY", "999999999999 00:00:00", "[1, 2]", "[1", '{"a": 1}', '{"x": 1, "y": []}', "[]",
    "x" * 300,
)  # fmt: skip
# Records that are slow to create and to read are rare.
_HUGE = ("9" * 5_000, "x" * 70_000, "." * 100_000, '"' * 10_000)
_NAMES = ("id", "ID", "amount", "name", "at", "share", "day", "open", "bytes", "tags", "notes", "place", "wait", "else")
_ESCAPES = ("\\ud800", "\\udc00\\ud800", "\\u0000", "\\ud83d\\ude00", "\\uFFFF", "\\x", "\\u12", "\\\\", "\\n")


def _any_text(chance: random.Random, texts: tuple[str, ...]) -> str:
    return chance.choice(_HUGE if chance.random() < 0.001 else texts)


def mutate(chance: random.Random, record: bytes) -> bytes:
    """Returns the record with a few bytes, or whole parts, changed, removed, doubled or inserted."""
    made = bytearray(record)
    for _ in range(chance.choice((0, 0, 0, 1, 2, 5))):
        at = chance.randrange(len(made) + 1)
        length = chance.choice((1, 1, 2, 8, 40))
        what = chance.randrange(6)
        if what == 0 and made:
            made[min(at, len(made) - 1)] ^= 1 << chance.randrange(8)
        elif what == 1:
            del made[at : at + length]
        elif what == 2:
            made[at:at] = made[at : at + length]
        elif what == 3:
            made[at:at] = chance.randbytes(length)
        elif what == 4:
            del made[at:]
        else:
            made[at:at] = chance.choice(
                (b"\xff", b"\x80\x80", b"\0", b"{", b"[", b'"', b"\xed\xa0\x80", b"\xf0\x9f", b"e9")
            )
    return bytes(made)


# --- JSON ------------------------------------------------------------------------------------------------------------


GOOD = {
    "id": "1", "amount": "7", "name": '"good"', "at": '"2024-05-01 10:00:00"', "share": "0.5", "day": '"2024-05-01"',
    "open": "true", "bytes": '"ff"', "tags": "[7]", "notes": '{"a": 1}', "place": '{"x": 1, "y": "b"}',
    "wait": '"1 02:03:04"',
}  # fmt: skip
"""A record of JSON: its fields and their values, which every column takes."""


def json_good(number: int) -> bytes:
    return _json({**GOOD, "id": str(number)})


def json_record(chance: random.Random) -> bytes:
    if chance.random() < 0.05:
        return mutate(chance, _json_value(chance, 0).encode("utf-8", "surrogatepass"))
    fields = {name: value for name, value in GOOD.items() if chance.random() < 0.8}
    for _ in range(chance.randrange(3)):
        fields[chance.choice(_NAMES)] = _json_value(chance, 0)
    return mutate(chance, _json(fields))


def _json(fields: dict[str, str]) -> bytes:
    text = ", ".join(f'"{name}": {value}' for name, value in fields.items())
    return ("{" + text + "}").encode("utf-8", "surrogatepass")


def _json_value(chance: random.Random, depth: int) -> str:
    what = chance.randrange(10)
    if what < 3:
        return _any_text(chance, NUMBERS)
    if what < 6:
        return _json_text(chance)
    if what == 6:
        return chance.choice(("null", "true", "false", "nul", "{}", "[]"))
    if depth > 3:
        return "1"
    if what == 7 and chance.random() < 0.02:
        deep = chance.choice((10, 499, 500, 501, 1_001, 50_000))
        return chance.choice(("[" * deep + "]" * deep, '{"a":' * deep + "1" + "}" * deep, "[" * deep))
    if what < 9:
        return "[" + ", ".join(_json_value(chance, depth + 1) for _ in range(chance.randrange(4))) + "]"
    return "{" + ", ".join(f"{_json_text(chance)}: {_json_value(chance, depth + 1)}" for _ in range(3)) + "}"


def _json_text(chance: random.Random) -> str:
    if chance.random() < 0.3:
        return f'"{chance.choice(_ESCAPES)}"'
    text = _any_text(chance, TEXTS if chance.random() < 0.7 else NUMBERS)
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


# --- CSV -------------------------------------------------------------------------------------------------------------


def csv_good(number: int) -> bytes:
    return _csv({**GOOD, "id": str(number)})


def csv_record(chance: random.Random) -> bytes:
    fields = dict(GOOD)
    for _ in range(chance.randrange(3)):
        fields[chance.choice(list(GOOD))] = _any_text(chance, NUMBERS if chance.random() < 0.5 else TEXTS)
    record = _csv(fields)
    what = chance.randrange(20)
    if what < 3:
        place = chance.randrange(len(record))
        record = record[:place] + b'"' + record[place:]
    elif what == 3:
        record += b"," * chance.choice((1, 2, 100, 30_000 if chance.random() < 0.02 else 5))
    return mutate(chance, record)


def _csv(fields: dict[str, str]) -> bytes:
    texts = (value.strip('"') if value.startswith('"') else value for value in fields.values())
    quoted = ('"' + text.replace('"', '""') + '"' for text in texts)
    return ",".join(quoted).encode("utf-8", "surrogatepass")


# --- Avro ------------------------------------------------------------------------------------------------------------

AVRO_SCHEMA = """{"type": "record", "name": "R", "fields": [
    {"name": "id", "type": ["null", "int"]},
    {"name": "amount", "type": {"type": "bytes", "logicalType": "decimal", "precision": 60, "scale": 30}},
    {"name": "name", "type": ["string", "null", {"type": "enum", "name": "E", "symbols": ["a", "b"]}]},
    {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}},
    {"name": "share", "type": "double"},
    {"name": "day", "type": {"type": "int", "logicalType": "date"}},
    {"name": "open", "type": "boolean"},
    {"name": "bytes", "type": {"type": "fixed", "name": "F", "size": 4}},
    {"name": "tags", "type": {"type": "array", "items": ["int", "null", "string"]}},
    {"name": "notes", "type": {"type": "map", "values": "double"}},
    {"name": "place", "type": ["null", {"type": "record", "name": "P", "fields": [
        {"name": "x", "type": "int"}, {"name": "y", "type": "string"}, {"name": "inner", "type": ["null", "P"]}]}]},
    {"name": "nothing", "type": {"type": "array", "items": "null"}},
    {"name": "tree", "type": ["null", {"type": "array", "items": ["null", "R"]}]}]}"""


def avro_good(number: int) -> bytes:
    return b"".join(avro_fields(number))


def avro_fields(number: int) -> list[bytes]:
    """Returns the fields of a record of AVRO_SCHEMA that fit every column."""
    name, at = _zigzag(0) + _text(b"good"), _zigzag(1_714_557_600_000)
    return [
        _zigzag(1) + _zigzag(number), _text(b"\x01"), name, at, struct.pack("<d", 0.5), _zigzag(19_844), b"\x01",
        b"abcd", _zigzag(1) + _zigzag(0) + _zigzag(7) + b"\0", b"\0", _zigzag(0), b"\0", _zigzag(0),
    ]  # fmt: skip


def avro_record(chance: random.Random) -> bytes:
    lengths = (0, 1, 3, 64, -1, -2, 1 << 31, (1 << 63) - 1, -(1 << 63), 1 << 40)
    whole = (0, 1, -1, 2, 3, 1 << 31, -(1 << 31), (1 << 63) - 1, -(1 << 63), 253_402_300_800_000)
    text = chance.choice((b"x", b"", b"\xff\xfe", "é".encode(), b"\xed\xa0\x80", b"y" * 5_000))
    parts = avro_fields(1)
    hostile: tuple[Callable[[], bytes], ...] = (
        lambda: _zigzag(chance.choice((0, 1, 1, 1, 2, 77))) + _zigzag(chance.choice(whole)),
        lambda: _text(chance.choice((b"", b"\x01", b"\xff", b"\x7f" * 25, b"\x01" * 500, b"\x01" * 5_000))),
        lambda: _zigzag(0) + (_text(text) if chance.random() < 0.7 else _zigzag(chance.choice(lengths)) + text),
        lambda: _zigzag(chance.choice(whole)),
        lambda: struct.pack("<d", chance.choice((0.0, float("nan"), float("inf"), 1e300, -1e-300))),
        lambda: _zigzag(chance.choice((0, 1 << 30, -(1 << 31), 19_844))),
        lambda: bytes((chance.randrange(3),)),
        lambda: b"abcd",
        lambda: _block(chance, lengths, _zigzag(0) + _zigzag(5)),
        lambda: _block(chance, lengths, _text(text) + struct.pack("<d", 1.5)),
        lambda: _nested(chance),
        lambda: (
            b"".join(_zigzag(chance.choice((1, 5_000, 99_999, 1 << 33))) for _ in range(chance.randrange(3))) + b"\0"
        ),
        lambda: chance.choice((_zigzag(0), _zigzag(1) + _zigzag(1) + _zigzag(1))),
    )
    for _ in range(chance.randrange(4)):
        field = chance.randrange(len(hostile))
        parts[field] = hostile[field]()
    return mutate(chance, b"".join(parts))


def _nested(chance: random.Random) -> bytes:
    deep = chance.choice((0, 1, 2, 3, 498, 501, 20_000)) if chance.random() < 0.2 else 0
    return (_zigzag(1) + _zigzag(4) + _text(b"p")) * deep + _zigzag(0)


def _block(chance: random.Random, lengths: tuple[int, ...], element: bytes) -> bytes:
    what = chance.randrange(4)
    if what == 0:
        return _zigzag(chance.choice(lengths)) + element + b"\0"
    if what == 1:
        return _zigzag(-2) + _zigzag(2 * len(element)) + element * 2 + b"\0"
    return (_zigzag(1) + element) * chance.randrange(3) + b"\0"


def _text(value: bytes) -> bytes:
    return _zigzag(len(value)) + value


def _zigzag(number: int) -> bytes:
    rest = ((number << 1) ^ (number >> 63)) & ((1 << 64) - 1)
    made = bytearray()
    while rest >= 0x80:
        made.append(rest & 0x7F | 0x80)
        rest >>= 7
    made.append(rest)
    return bytes(made)
