"""Names in SQL."""

from __future__ import annotations

import re
from collections.abc import Sequence

_PLAIN = re.compile(r"[A-Z_][A-Z0-9_]*")


def quoted(name: str) -> str:
    """Returns a name as an identifier in double quotes, which keeps its letter case."""
    return '"' + name.replace('"', '""') + '"'


def is_plain(name: str) -> bool:
    """Returns whether a name stays the same without double quotes."""
    return _PLAIN.fullmatch(name) is not None


def identifier(name: str) -> str:
    """Returns a name as it is usually written: in double quotes only if it needs them."""
    return name if is_plain(name) else quoted(name)


def folded(name: str) -> str:
    """Returns the name that an identifier stands for: in upper case, unless it is in double quotes."""
    if len(name) > 1 and name[0] == name[-1] == '"':
        return name[1:-1].replace('""', '"')
    return name.upper()


def matching(name: str, names: Sequence[str]) -> str | None:
    """Returns the name of `names` that a field of a row means: the same, or else the last that differs only in case;
    None if there is none."""
    if name in names:
        return name
    return next((each for each in reversed(names) if each.upper() == name.upper()), None)
