"""Calls rowtime's operators in Spark's JVM."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from rowtime.jvm.py4j import java_message
from rowtime.plan.codec import mismatch

_INVALID = "io.rowtime.operator.spec.InvalidSpecException"


def spec_text(spec: Mapping[str, Any]) -> str:
    """Returns the record of an operator, as the planner wrote it, for Java."""
    return msgspec.json.encode(spec).decode()


def call_with_spec(run: Callable[[], Any]) -> Any:
    """Returns the result of a call of Java that reads a spec. Raises RowtimeError (RT0999) if Java cannot read it."""
    from py4j.protocol import Py4JJavaError

    try:
        return run()
    except Py4JJavaError as fault:
        if fault.java_exception.getClass().getName() != _INVALID:
            raise
        raise mismatch(java_message(fault)) from fault
