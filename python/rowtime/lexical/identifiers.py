"""Names in SQL."""

from __future__ import annotations

import re

_PLAIN = re.compile(r"[A-Z_][A-Z0-9_]*")


def quoted(name: str) -> str:
    """Returns a name as an identifier in double quotes, which keeps its letter case."""
    return '"' + name.replace('"', '""') + '"'


def identifier(name: str) -> str:
    """Returns a name as it is usually written: in double quotes only if it would be another one without."""
    return name if _PLAIN.fullmatch(name) else quoted(name)


def folded(name: str) -> str:
    """Returns the name that an identifier stands for: in upper case, unless it is in double quotes."""
    if len(name) > 1 and name[0] == name[-1] == '"':
        return name[1:-1].replace('""', '"')
    return name.upper()
