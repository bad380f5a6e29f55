"""What goes wrong inside Spark, as diagnostics: one line of what happened, never a stack trace."""

from __future__ import annotations

import re
from typing import Any

from rowtime.errors import RowtimeError, error

_CONDITION = re.compile(r"\[([A-Z][A-Z0-9_]*(?:\.[A-Z0-9_]+)*)\]\s*([^\n]+)")
_WRAPPERS = frozenset(("STREAM_FAILED", "FAILED_EXECUTE_UDF", "TASK_WRITE_FAILED", "FOREACH_BATCH_USER_FUNCTION_ERROR"))
_SQLSTATE = re.compile(r"\s*SQLSTATE: \w+.*\Z")
_ADVICE = re.compile(r"\s*(?:If necessary\b|Use `?\w+`? to\b|To (?:return|tolerate)\b|You may\b|Please\b).*\Z")

# What rowtime's own code says where it fails: which of several counts, its code and the way out. A traceback shows the
# line that raises before it says what was raised.
_OURS = (
    (re.compile(r"(Function '[^'\n]+' failed: [^\n]+)"), -1, "RT0530", "The fault is in the code of the function"),
    (re.compile(r"(Adapter '[^'\n]+' failed: [^\n]+)"), -1, "RT0547", "The fault is in the code of the adapter"),
    (re.compile(r"([A-Z0-9_$ ]+ cannot be computed: [^\n]+)"), 0, "RT0510", None),
    (re.compile(r"(The schema registry [^\n]+)"), 0, "RT0510", "Start it again when the registry answers"),
)

_SKIP_CHANGES = "The option skip_changes 'true' of the foreign stream passes over commits that change or delete rows"
_HINTS = {
    "DIVIDE_BY_ZERO": "Divide by NULLIF(x, 0) where x can be zero",
    "ARITHMETIC_OVERFLOW": "CAST an operand to a wider type, such as BIGINT or DECIMAL",
    "CAST_INVALID_INPUT": "SAFE_CAST gives NULL in place of the error",
    "CAST_OVERFLOW": "CAST to a wider type",
    "DELTA_SOURCE_TABLE_IGNORE_CHANGES": _SKIP_CHANGES,
    "DELTA_SOURCE_IGNORE_DELETE": _SKIP_CHANGES,
}


def query_fault(fault: BaseException, what: str) -> RowtimeError:
    """The error of a query that failed while it ran (RT0510); `what` names it. RowtimeErrors stay what they are."""
    if isinstance(fault, RowtimeError):
        return fault
    for pattern, place, code, hint in _OURS:
        found = pattern.findall(_text(fault)) or pattern.findall(str(fault))
        if found:
            return error(code, f"{what} failed: {found[place].strip()}", hint=hint)
    condition, reason = _condition(_text(fault))
    suffix = f" ({condition})" if condition else ""
    return error("RT0510", f"{what} failed: {reason}{suffix}", hint=_HINTS.get(condition.split(".")[0]))


def _text(fault: BaseException) -> str:
    described: Any = getattr(fault, "desc", None) or getattr(fault, "_desc", None)
    return str(described or fault)


def _condition(text: str) -> tuple[str, str]:
    text = text.rsplit("terminated with exception: ", 1)[-1]
    for condition, reason in _CONDITION.findall(text):
        if condition not in _WRAPPERS:
            reason = _ADVICE.sub("", _SQLSTATE.sub("", reason))
            return condition, reason.strip().rstrip(".")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and lines[0].startswith("An error occurred while calling"):
        # py4j says first which call it was, and on the second line what happened.
        lines = [lines[1].lstrip(": ")]
    return "", _SQLSTATE.sub("", lines[0]) if lines else "unknown"
