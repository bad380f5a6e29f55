"""Names in SQL."""

from __future__ import annotations


def quoted(name: str) -> str:
    """Returns a name as an identifier in double quotes, which keeps its letter case."""
    return '"' + name.replace('"', '""') + '"'
