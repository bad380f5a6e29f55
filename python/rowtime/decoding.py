"""Decodes JSON into structs, with everything that msgspec needs prepared at import.

msgspec prepares a type when it first meets it, and crashes the process if two threads do so at once. An import happens
once, in one thread. So each type has its `Decoder` at module level, and no code calls `msgspec.json.decode(…, type=…)`
or `msgspec.convert`.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import msgspec

T = TypeVar("T")


class Decoder(Generic[T]):
    """Decodes into `type`. Create it at module level. Its methods raise msgspec.MsgspecError for invalid input."""

    def __init__(self, type: type[T]) -> None:
        self._type = type
        self._json: msgspec.json.Decoder[T] = msgspec.json.Decoder(type)

    def decode(self, text: str | bytes) -> T:
        """Returns the value of a JSON text."""
        try:
            return self._json.decode(text)
        except UnicodeDecodeError as fault:
            raise msgspec.DecodeError(f"not UTF-8: {fault.reason}") from fault

    def convert(self, plain: Any) -> T:
        """Returns the value of the dicts and lists that a JSON reader has returned."""
        return msgspec.convert(plain, self._type)
