"""Formats expressions of the plan contract as SQL-like text for people; nothing parses it again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_INFIX = {
    "OR": 1, "AND": 2,
    "=": 4, "<>": 4, "<": 4, "<=": 4, ">": 4, ">=": 4, "LIKE": 4, "SIMILAR TO": 4,
    "IS DISTINCT FROM": 4, "IS NOT DISTINCT FROM": 4,
    "+": 5, "-": 5, "||": 5, "*": 6, "/": 6, "%": 6,
}  # fmt: skip
_POSTFIX = ("IS NULL", "IS NOT NULL", "IS TRUE", "IS NOT TRUE", "IS FALSE", "IS NOT FALSE")
_UNITS = (("DAY", 86_400_000), ("HOUR", 3_600_000), ("MINUTE", 60_000), ("SECOND", 1_000))
_ATOM = 9
_SHOWN = 5
"""How many rows of a long list are shown."""


def rex_text(rex: dict[str, Any], names: Sequence[str]) -> str:
    """Returns an expression over a row whose columns have these `names`."""
    return _text(rex, names)[0]


def _text(rex: dict[str, Any], names: Sequence[str]) -> tuple[str, int]:
    """Returns the text and how tightly its outermost operator binds."""
    kind = rex["kind"]
    if kind == "ref":
        index = rex["index"]
        return (names[index] if 0 <= index < len(names) else f"${index}"), _ATOM
    if kind == "literal":
        return _literal(rex), _ATOM
    if kind == "symbol":
        return str(rex["value"]), _ATOM
    if kind == "element":
        return str(rex["name"]), _ATOM
    args = [_text(arg, names) for arg in rex.get("args", [])]
    if kind == "cast":
        return f"{'TRY_CAST' if rex.get('safe') else 'CAST'}({args[0][0]} AS {rex['type']})", _ATOM
    if kind == "function":
        return f"{rex['name']}({', '.join(text for text, _ in args)})", _ATOM
    if kind == "lambda":
        return f"{rex['element']} -> {args[0][0]}", _ATOM
    if kind == "in":
        return _in_list(rex, [text for text, _ in args]), 4
    if kind == "field":
        # A field of the current row of the enclosing query, unless it is one of a value.
        return f"{args[0][0] if args else rex['correlation']}.{rex['name']}", _ATOM
    return _call(str(rex["op"]), rex.get("args", []), args)


def _in_list(rex: dict[str, Any], args: list[str]) -> str:
    """Returns an IN with its first values, and the number of the others."""
    values, width = rex["values"], len(args)
    types = [arg.get("type", "") for arg in rex["args"]]
    shown = []
    for at in range(0, min(len(values), _SHOWN * width), width):
        row = [
            _literal({"value": value, "type": type}) for value, type in zip(values[at : at + width], types, strict=True)
        ]
        shown.append(row[0] if width == 1 else f"({', '.join(row)})")
    left = len(values) // width - len(shown)
    more = f", … {left:,} more" if left else ""
    return f"{args[0] if width == 1 else '(' + ', '.join(args) + ')'} IN ({', '.join(shown)}{more})"


def _call(op: str, rexes: list[dict[str, Any]], args: list[tuple[str, int]]) -> tuple[str, int]:
    texts = [text for text, _ in args]
    if op in ("DATETIME_PLUS", "DATETIME_MINUS"):
        op = (op[-4:] == "PLUS" and "+") or "-"
    if op in _INFIX and len(args) >= 2:
        tightness = _INFIX[op]
        parts = [
            text if own > tightness or (own == tightness and op in ("AND", "OR", "||")) else f"({text})"
            for text, own in args[1:]
        ]
        first = args[0][0] if args[0][1] >= tightness else f"({args[0][0]})"
        return f" {op} ".join([first, *parts]), tightness
    if op in _POSTFIX:
        return f"{_tight(args[0], 4)} {op}", 4
    if op == "NOT":
        return f"NOT {_tight(args[0], 4)}", 3
    if op == "NEGATE":
        return f"-{_tight(args[0], _ATOM)}", 8
    if op == "CASE":
        whens = [f"WHEN {texts[i]} THEN {texts[i + 1]}" for i in range(0, len(texts) - 1, 2)]
        return f"CASE {' '.join(whens)} ELSE {texts[-1]} END", _ATOM
    if op in ("FLOOR", "CEIL") and len(rexes) == 2 and rexes[1]["kind"] == "symbol":
        return f"{op}({texts[0]} TO {texts[1]})", _ATOM
    if op == "EXTRACT" and len(texts) == 2:
        return f"EXTRACT({texts[0]} FROM {texts[1]})", _ATOM
    return f"{op}({', '.join(texts)})", _ATOM


def _tight(arg: tuple[str, int], least: int) -> str:
    return arg[0] if arg[1] > least else f"({arg[0]})"


def _literal(rex: dict[str, Any]) -> str:
    value, type = rex["value"], str(rex.get("type", ""))
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    base = type.split("(", maxsplit=1)[0].split(" ", maxsplit=1)[0]
    if base == "INTERVAL":
        return _interval(int(value), type)
    if base in ("DATE", "TIME", "TIMESTAMP"):
        return f"{base} '{str(value).replace('T', ' ')}'"
    if base in ("CHAR", "VARCHAR"):
        return "'" + str(value).replace("'", "''") + "'"
    if base in ("BINARY", "VARBINARY"):
        return f"X'{value}'"
    return str(value)


def _interval(value: int, type: str) -> str:
    sign, size = ("-" if value < 0 else ""), abs(value)
    if "YEAR" in type or "MONTH" in type:
        return f"INTERVAL '{sign}{size}' MONTH" if size % 12 else f"INTERVAL '{sign}{size // 12}' YEAR"
    for unit, millis in _UNITS:
        if size % millis == 0:
            return f"INTERVAL '{sign}{size // millis}' {unit}"
    return f"INTERVAL '{sign}{size / 1000}' SECOND"
