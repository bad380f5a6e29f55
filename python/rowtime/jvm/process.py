"""The process of Spark's JVM: whether it has ended, and why. Without it, nothing that a session promises happens."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rowtime.errors import Diagnostic, RowtimeError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

on_end: Callable[[int], None] | None = None
"""A command that ends with the JVM sets this. It is called with the JVM's exit code when a statement fails because of
that, in the thread of the statement, and does not return."""

_PATIENCE = 2.0
"""Seconds from the end of a connection to the end of its process, which may write out its memory in between."""
_OUT_OF_MEMORY = (3, 52)
"""The exit codes of Java and of Spark."""
_LOST = (
    "Answer from Java side is empty",
    "Error while sending or receiving",
    "Error while receiving",
    # What py4j says of a class or method if it gets no answer to whether there is one.
    "does not exist in the JVM",
)


def process_of(spark: SparkSession) -> subprocess.Popen[bytes] | None:
    """Returns the JVM that this process has started for Spark; None if another program has."""
    return _process(spark.sparkContext._gateway)


def fault_of_end(fault: BaseException) -> RowtimeError | None:
    """Returns the error for a statement that has failed because the JVM that this process started has ended (RT0638);
    None if it has not."""
    pyspark = sys.modules.get("pyspark")
    process = None if pyspark is None else _process(pyspark.SparkContext._gateway)
    if process is None:
        return None
    if _is_lost(fault):
        # Its connections end a moment before it.
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            return None
    code = process.poll()
    if code is None:
        return None
    if on_end is not None:
        on_end(code)
    return RowtimeError(diagnostic_of_end(code))


def diagnostic_of_end(code: int) -> Diagnostic:
    """Returns what to say of a JVM that has ended with this exit code, negative for a signal."""
    return Diagnostic(
        code="RT0638",
        message=f"The Java process of Spark has ended: {_reason(code)}",
        hint="Start again. What was committed is kept, and pumps continue where they were",
    )


def _process(gateway: Any) -> subprocess.Popen[bytes] | None:
    # py4j looks up what the gateway lacks in the JVM.
    return None if gateway is None else gateway.__dict__.get("proc")


def _is_lost(fault: BaseException) -> bool:
    """Returns whether an exception, or one that led to it, says that a connection to the JVM has ended."""
    seen: set[int] = set()
    each: BaseException | None = fault
    while each is not None and id(each) not in seen:
        seen.add(id(each))
        if isinstance(each, ConnectionError | EOFError) or type(each).__name__ == "Py4JNetworkError":
            return True
        if any(text in str(each) for text in _LOST):
            return True
        each = each.__cause__ or each.__context__
    return False


def _reason(code: int) -> str:
    if code < 0:
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        return f"{name} killed it" + (", as the system does if memory runs out" if name == "SIGKILL" else "")
    return "it ran out of memory" if code in _OUT_OF_MEMORY else f"its exit code was {code}"
