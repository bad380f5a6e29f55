"""Turns the messages of Java, Spark and py4j into text for users."""

from __future__ import annotations

import re

_CLASS = r"(?:[a-z_]\w*\.){2,}[A-Z][\w$]*"
_CAUSE = re.compile(rf"^Caused by: ({_CLASS})(?:: ([^\n]*))?$", re.MULTILINE)
_PREFIX = re.compile(rf"^:?\s*(?:(?:{_CLASS}|Py4J\w+|[A-Z]\w*(?:Exception|Throwable))\s*:\s*)+")
_CALL = re.compile(r"^An error occurred while calling \S+")
_PROXY = re.compile(r"An exception was raised by the Python Proxy\. Return Message:\s*")
_INSIDES = re.compile(
    rf"{_CLASS}|\b(?:java|javax|scala|jdk|sun|py4j|jpype|org\.apache|org\.sparkproject|io\.rowtime)\.[a-z]"
    r"|\bCannot (?:invoke|read field|load from|store to|assign field|throw exception|enter synchronized)\b"
    r"|\b[Pp]y4[Jj]|\bJPype\b|Python Proxy|\bTraceback\b|\bStackOverflowError\b|\bNullPointerException\b"
    r"|\bat \w+(?:\.\w+)+\(|[A-Z]\w+Exception\b|^Error while (?:sending|receiving)\b"
)
_LONGEST = 4_000
"""The number of characters of a line that are read: some expressions take time in proportion to its square, and a line
may be the answer of any server."""
_MEMORY = re.compile(r"\bOutOfMemoryError\b")
_QUOTED = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|`[^`\n]*`")
_KNOWN = (
    (re.compile(r"\bStackOverflowError\b"), "an expression or a value is nested too deeply"),
    (re.compile(r"No space left on device"), "No space left on device"),
    (re.compile(r"Connection refused"), "Connection refused"),
    (
        re.compile(r"Answer from Java side is empty|Error while sending or receiving|Py4JNetworkError"),
        "Spark has ended",
    ),
    (re.compile(r"^Error while (?:sending|receiving)\b"), "the connection to Spark has ended"),
)


def plain(text: str, *, quotes_values: bool = False) -> str | None:
    """Returns the first line of an exception's text, without the class names before it; for a stack trace, its first
    cause. None if nothing remains, or only text about the internals of programs. `quotes_values`: text in quotes is the
    user's own, and may say anything."""
    text = _PROXY.sub("", text).strip()
    lines = [line[:_LONGEST].strip() for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and _CALL.match(lines[0]):
        # py4j first names the call, and says on the second line what happened.
        lines = lines[1:]
    causes = [said[:_LONGEST] for _, said in _CAUSE.findall(text) if said]
    if _MEMORY.search(text):
        return "Spark has too little memory for it"
    for said in [*lines[:1], *reversed(causes)]:
        found = _PREFIX.sub("", said).strip()
        if found and not _INSIDES.search(_QUOTED.sub("", found) if quotes_values else found):
            return found
    for pattern, words in _KNOWN:
        if pattern.search(text):
            return words
    return None
