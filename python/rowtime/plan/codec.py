"""Converts plans between JSON and structs. Decoding is strict: an unknown field, tag or version is an error."""

from __future__ import annotations

from typing import Any

import msgspec

from rowtime.decoding import Decoder
from rowtime.errors import RowtimeError, error
from rowtime.plan.depth import deep
from rowtime.plan.nodes import Node

VERSION = 1

_decoder: Decoder[Node] = Decoder(Node)  # type: ignore[arg-type]


def decode_plan(source: str | bytes | dict[str, Any]) -> Node:
    """Returns the plan in `source`: JSON text, or the dicts and lists of a JSON reader.

    Raises RowtimeError (RT0999) if it is not a plan of this version: the planner's jar and this package differ.
    """
    try:
        with deep():
            return _decoder.convert(source) if isinstance(source, dict) else _decoder.decode(source)
    except (msgspec.MsgspecError, ValueError) as fault:
        raise mismatch(f"The planner's plan cannot be read: {fault}") from fault


def check_version(reply: dict[str, Any]) -> None:
    """Raises RowtimeError (RT0999) unless the planner's reply has the version that this package reads."""
    if reply.get("version") != VERSION:
        raise mismatch(f"The planner speaks version {reply.get('version')!r} of the plan, rowtime version {VERSION}")


def mismatch(message: str) -> RowtimeError:
    """Returns the error for versions of Java and Python that do not match (RT0999), with the way out."""
    hint = "The jar and the Python package are of different builds: run `make setup`, or install rowtime again."
    return error("RT0999", message, hint=hint)
