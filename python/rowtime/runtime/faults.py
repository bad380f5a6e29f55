"""Turns errors inside Spark into diagnostics: one line of what happened, never a stack trace."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from rowtime.catalog.faults import full, is_full
from rowtime.delta.state import RESTORE
from rowtime.errorlog import note
from rowtime.errors import Diagnostic, RowtimeError, error
from rowtime.jvm.messages import plain
from rowtime.jvm.process import fault_of_end
from rowtime.plan.state import OTHER_VERSION
from rowtime.privatefolder import temporary_folders
from rowtime.runtime.checkpoint.checkpoints import state_fault

_CONDITION = re.compile(r"\[([A-Z][A-Z0-9_]*(?:\.[A-Z0-9_]+)*)\]\s*([^\n]+)")
_WRAPPERS = frozenset(("STREAM_FAILED", "FAILED_EXECUTE_UDF", "TASK_WRITE_FAILED", "FOREACH_BATCH_USER_FUNCTION_ERROR"))
_RAISED = "USER_RAISED_EXCEPTION"
"""The condition of errors that the translation raises, whose message says all."""
_SQLSTATE = re.compile(r"(?<!\s)\s*SQLSTATE: \w.*\Z")
_ADVICE = re.compile(
    r"(?<!\s)\s*(?:If necessary\b|Use [`']?\w+[`']? to\b|To (?:return|tolerate)\b|You may\b|Please\b).*\Z"
)

_MOST_CAUSES = 10
_OTHER_STATE = {"STATE_STORE_KEY_SCHEMA_NOT_COMPATIBLE", "STATE_STORE_VALUE_SCHEMA_NOT_COMPATIBLE"}
_YEARS = "Years are 1 to 9999"
_BEFORE_YEAR_1 = "ordinal must be >= 1"
"""What Python says of such a DATE; a TIMESTAMP is out of range."""

# The form of messages from rowtime's own code: which of several errors applies, its code and the way out. A traceback
# shows the line that raises before the message itself.
_OURS = (
    (re.compile(r"(Function '[^'\n]+' failed: [^\n]+)"), -1, "RT0530", "The error is in the code of the function"),
    (re.compile(r"(Adapter '[^'\n]+' failed: [^\n]+)"), -1, "RT0547", "The error is in the code of the adapter"),
    # Matches from the beginning of a run of such characters, and not from within it: a message may quote a very long
    # number.
    (re.compile(r"(?<![A-Z0-9_$ ])([A-Z0-9_$ ]{1,100} cannot be computed: [^\n]+)"), 0, "RT0510", None),
    (re.compile(r"(The log of '[^\n]*' is damaged: [^\n]+)"), 0, "RT0605", RESTORE),
    (
        re.compile(r"(The state has \d+ partitions, but the query runs with \d+)"),
        0,
        "RT0627",
        "Continue from an intact checkpoint, or start with a new one; ALTER PUMP … START RESET resets a pump",
    ),
    (re.compile(r"(year -?\d+ is out of range|date value out of range)"), -1, "RT0555", _YEARS),
    (
        re.compile(r"(The query needs table '[^\n']+' as of [^\n]+)"),
        0,
        "RT0520",
        "Exclude the rows before it; a table with OPTIONS (history '7 DAYS') keeps a longer history",
    ),
    (
        re.compile(r"SEARCH_KEY: (the [^\n]+? does not answer: [^\n]+)"),
        -1,
        "RT0549",
        "A pump continues by itself when the system is back; a query has already waited for its outage-timeout",
    ),
    (re.compile(r"SEARCH_KEY: (the [^\n]+? refused the look-up: [^\n]+)"), -1, "RT0545", None),
    (
        re.compile(r"(A claim of the planner is violated by [^\n]+)"),
        0,
        "RT0998",
        "This is a bug in rowtime, not an error in your SQL. Please report it with the query",
    ),
    (
        re.compile(r"(Two rows of the result are equal in its unique key)"),
        0,
        "RT0558",
        "The PRIMARY KEY of a table is not enforced: delete one of the rows, and create the pump or materialized view "
        "that has read both again; or create the table without the key",
    ),
    (
        re.compile(r"(Kafka does not (?:answer|take rows) for the topic [^\n]+)"),
        0,
        "RT0526",
        "Check that the broker is running. A pump continues by itself when it answers",
    ),
    (
        re.compile(r"(A pump in real time needs a core for each [^\n]+)"),
        0,
        "RT0661",
        "Give Spark more cores, on one machine with --conf spark.master=local[n]; or leave out mode 'realtime'",
    ),
    (re.compile(r"(The schema registry [^\n]+)"), 0, "RT0510", "Start it again when the registry responds"),
    (
        re.compile(r"(The result (?:has more than|needs too much of the disk)[^\n]+)"),
        0,
        "RT0639",
        "Select fewer rows or columns, or raise the limit with ROWTIME_RESULT_MB",
    ),
)

_RETYPED = re.compile(
    r"/(?:streams|tables)/[0-9a-f]{32}/[^\n]*\. Data type mismatches when reading Parquet column \[(.+?)\]\."
)
"""What Spark says of a file of the warehouse that was written after a column had got a wider type."""

_UNREADABLE = re.compile(
    r"Encountered error while reading file (?:file:)?(/[^\n]*?/(?:streams|tables)/[0-9a-f]{32}/[^\n]+?\.parquet)\."
    r"( File does not exist)?"
)
"""What Spark says of a file of rows of the warehouse that is damaged or missing."""
_CAUSE = re.compile(r"^Caused by: [\w.$]+: (?:file:)?(?:/\S+ )?([^\n]+)", re.MULTILINE)

_LOOKUP = re.compile(r"A table cannot be read: (RT\d{4}) ([^\n]+)")

_ROW_FAULT = re.compile(r"rowtime-row-fault (\{[^\n]*\})")
"""See io.rowtime.rowfault.RowFault."""
_LONGEST_VALUE, _MOST_VALUES = 60, 12
_ON_ERROR = (
    "The option on_error 'skip' of a pump, or the hint ON_ERROR('skip') of a query, sets such rows aside; "
    "CREATE OR REPLACE PUMP keeps the position"
)

_SKIP_CHANGES = "The option skip_changes 'true' of the foreign stream skips commits that change or delete rows"
_HINTS = {
    "DIVIDE_BY_ZERO": "Divide by NULLIF(x, 0) if x can be zero",
    "ARITHMETIC_OVERFLOW": "CAST an operand to a wider type, such as BIGINT or DECIMAL",
    "CAST_INVALID_INPUT": "SAFE_CAST returns NULL instead of an error",
    "CAST_OVERFLOW": "CAST to a wider type",
    "DELTA_SOURCE_TABLE_IGNORE_CHANGES": _SKIP_CHANGES,
    "DELTA_SOURCE_IGNORE_DELETE": _SKIP_CHANGES,
}


def query_fault(
    fault: BaseException, what: str, state: Path | None = None, anew: str | None = None, skip: str | None = None
) -> RowtimeError:
    """Returns the error of a query that failed while it ran (RT0510); `what` names it. RowtimeErrors are returned
    unchanged; RT0638 if the JVM of Spark has ended. `state` is the folder of its saved state, and `anew` says how to
    start over if that is lost (RT0607), `skip` how to step over one row."""
    if isinstance(fault, RowtimeError):
        return fault
    ended = fault_of_end(fault)
    if ended is not None:
        return ended
    if str(fault) == _BEFORE_YEAR_1:
        return error("RT0555", f"{what} failed: year 0 is out of range", hint=_YEARS)
    row = _ROW_FAULT.search(_text(fault)) or _ROW_FAULT.search(str(fault))
    if row:
        return _of_row(row[1], what, skip)
    retyped = _RETYPED.search(_text(fault)) or _RETYPED.search(str(fault))
    if retyped:
        problem = f"{what} failed: the type of column {retyped[1]} has changed since it began"
        return error("RT0510", problem, hint="Start it again, to read the column by its new type")
    unreadable = _UNREADABLE.search(_text(fault)) or _UNREADABLE.search(str(fault))
    if unreadable:
        return _unreadable(unreadable[1], unreadable[2] is not None, what, _trace(fault))
    lookup = _LOOKUP.search(_text(fault)) or _LOOKUP.search(str(fault))
    if lookup:
        return error(lookup[1], f"{what} failed: {lookup[2]}")
    for pattern, place, code, hint in _OURS:
        found = pattern.findall(_text(fault)) or pattern.findall(str(fault))
        if found:
            return error(code, f"{what} failed: {_own_message(found[place].strip())}", hint=hint)
    if is_full(_text(fault)) or is_full(str(fault)):
        return full(f"{what} failed", *temporary_folders(), *([] if state is None else [state]))
    lost = state_fault(_text(fault), _trace(fault), what, state, anew)
    if lost is not None:
        return lost
    condition, reason = condition_and_reason(_text(fault))
    if condition in _OTHER_STATE:
        # Signatures of state say what it means; Spark also records its types, which another version may have changed.
        return error("RT0516", f"{what} failed: its saved state no longer fits its query: {OTHER_VERSION}", hint=anew)
    if not reason:
        log = note(fault)
        # An unexpected error is in technical terms, for readers who know them.
        hint = f"For details, see '{log}'" if log else None
        return error("RT0510", f"{what} failed for an unknown reason", hint=hint)
    if condition == "FAILED_TO_PARSE_TOO_COMPLEX":
        return error("RT0003", f"{what} is nested too deeply for Spark", hint="Split the statement into views")
    suffix = f" ({condition})" if condition not in ("", _RAISED) else ""
    return error("RT0510", f"{what} failed: {reason}{suffix}", hint=_HINTS.get(condition.split(".")[0]))


def _unreadable(file: str, is_missing: bool, what: str, trace: str) -> RowtimeError:
    """Returns the error for a file of rows that Spark cannot read; `trace` has the reason."""
    if is_missing:
        # Clean-up keeps files for a while that a query may still be reading, but not for as long as any query takes.
        hint = f"If it was cleaned up while the query read it, run the query again. {RESTORE}"
        return error("RT0605", f"{what} failed: the file '{file}' is missing", hint=hint)
    reasons = [reason for reason in map(plain, _CAUSE.findall(trace)) if reason is not None]
    why = f" ({reasons[-1].rstrip('.')})" if reasons else ""
    return error("RT0605", f"{what} failed: the file '{file}' cannot be read{why}", hint=RESTORE)


class RowFault(RowtimeError):
    """The error of a row whose values cannot be computed. It is in `stream` at `position`; None if that is unknown, or
    the row is a result of several rows."""

    stream: str | None = None
    position: str | None = None


def placed(position: str) -> str:
    """Returns a position in words: rows of streams of the warehouse are numbered, others say what it is."""
    return f"position {position}" if position.isdecimal() else position


class _FaultyRow(msgspec.Struct):
    expression: str
    source: str | None
    reason: str
    position: str | None
    row: dict[str, str | None]


_faulty_row = msgspec.json.Decoder(_FaultyRow)


def _of_row(message: str, what: str, skip: str | None) -> RowtimeError:
    """Returns the error of an expression that has no value for a row; `message` is JSON."""
    try:
        faulty = _faulty_row.decode(message)
    except msgspec.MsgspecError:
        return error("RT0510", f"{what} failed for a row")
    (found,) = query_fault(RuntimeError(faulty.reason), what).diagnostics
    at = faulty.position if faulty.source is not None else None
    whose = "a row" if faulty.source is None else f"a row of '{faulty.source}'"
    if at is not None:
        whose = f"the row of '{faulty.source}' at {placed(at)}"
    values = [f"{name} = {_shortened(value)}" for name, value in faulty.row.items()]
    if len(values) > _MOST_VALUES:
        values = [*values[:_MOST_VALUES], "…"]
    with_values = f" with {', '.join(values)}" if values else ""
    over = None if skip is None or at is None else f"{skip} steps over this row"
    hint = ". ".join(each for each in (found.hint, over, _ON_ERROR) if each is not None)
    message = f"{found.message}, in {faulty.expression} of {whose}{with_values}"
    fault = RowFault(Diagnostic(code=found.code, message=message, hint=hint))
    fault.stream, fault.position = faulty.source, at
    return fault


def _shortened(value: str | None) -> str:
    if value is None:
        return "NULL"
    value = " ".join(value.split())
    return value if len(value) <= _LONGEST_VALUE else value[: _LONGEST_VALUE - 1] + "…"


def _own_message(said: str) -> str:
    """Returns the message of our code; Calcite, which computes for it, may add its internals."""
    operator, computed, why = said.partition(" cannot be computed: ")
    return (
        said if not computed or plain(why, quotes_values=True) else f"{operator} cannot be computed from its arguments"
    )


def _text(fault: BaseException) -> str:
    described: Any = getattr(fault, "desc", None) or getattr(fault, "_desc", None)
    return str(described or fault)


def _trace(fault: BaseException) -> str:
    """Returns the full text of an error and its causes: their messages, and the stacks of Java's."""
    texts: list[str] = []
    each: Any = fault
    while each is not None and len(texts) < _MOST_CAUSES:
        texts.append("\n".join((_text(each), str(each), str(getattr(each, "_stackTrace", None) or ""))))
        # What ended a streaming query is the cause of PySpark's error.
        each = getattr(each, "_cause", None)
    return "\n".join(texts)


def condition_and_reason(text: str) -> tuple[str, str | None]:
    """Returns the name of the error condition in a message of Spark, or an empty text, and what happened; None if the
    message does not say it for users."""
    text = text.rsplit("terminated with exception: ", 1)[-1]
    for condition, reason in _CONDITION.findall(text):
        if condition not in _WRAPPERS:
            reason = _ADVICE.sub("", _SQLSTATE.sub("", reason))
            said = plain(reason, quotes_values=True)
            if said is not None:
                return condition, said.rstrip(".")
    return "", _SQLSTATE.sub("", plain(text) or "") or None
