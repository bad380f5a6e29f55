"""The type texts of plans and catalog, such as `DECIMAL(10, 2)` or `ROW(A INTEGER, B VARCHAR ARRAY)`, as values."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

DAY_TIME = frozenset(("DAY", "HOUR", "MINUTE", "SECOND"))
YEAR_MONTH = frozenset(("YEAR", "MONTH"))

_TOKEN = re.compile(r'\s*("(?:[^"]|"")*"|[A-Za-z_$][\w$]*|\d+|[(),<>])')
_TWO_WORDS = {"DOUBLE": "PRECISION", "CHARACTER": "VARYING", "BINARY": "VARYING"}


@dataclass(frozen=True, slots=True)
class SqlType:
    """`name` is the type's first words (`VARCHAR`, `INTERVAL DAY TO SECOND`, `ARRAY`), `args` its numbers in brackets;
    `parts` the element of an ARRAY or MULTISET, key and value of a MAP, the fields of a ROW, with `names` for those."""

    name: str
    args: tuple[int, ...] = ()
    parts: tuple[SqlType, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def is_day_time(self) -> bool:
        """Whether this is an interval of days to seconds, which plans write in milliseconds."""
        return self.name.startswith("INTERVAL ") and self.name.split()[1] in DAY_TIME

    @property
    def is_year_month(self) -> bool:
        return self.name.startswith("INTERVAL ") and self.name.split()[1] in YEAR_MONTH


@lru_cache(maxsize=1024)
def parse(text: str) -> SqlType:
    """The type that `text` names. Raises ValueError where it is no type."""
    parser = _Parser(text)
    parsed = parser.type()
    if parser.peek():
        raise ValueError(f"Not a type: {text!r}")
    return parsed


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[str] = []
        at = 0
        while text[at:].strip():
            match = _TOKEN.match(text, at)
            if match is None:
                raise ValueError(f"Not a type: {text!r}")
            self.tokens.append(match.group(1))
            at = match.end()
        self.at = 0

    def peek(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else ""

    def take(self, expected: str | None = None) -> str:
        token = self.peek()
        if not token or (expected is not None and token.upper() != expected):
            raise ValueError(f"Not a type: {self.text!r}")
        self.at += 1
        return token

    def type(self) -> SqlType:
        found = self.plain()
        while self.peek().upper() in ("ARRAY", "MULTISET"):
            found = SqlType(self.take().upper(), parts=(found,))
        return found

    def plain(self) -> SqlType:
        name = self.take().upper()
        if name == "ROW":
            return self.row()
        if name == "MAP":
            self.take("<")
            key = self.type()
            self.take(",")
            value = self.type()
            self.take(">")
            return SqlType("MAP", parts=(key, value))
        if name == "INTERVAL":
            name += " " + self.take().upper()
            args = self.args()
            if self.peek().upper() == "TO":
                self.take()
                name += " TO " + self.take().upper()
                args += self.args()
            return SqlType(name, args)
        if self.peek().upper() == _TWO_WORDS.get(name):
            self.take()
            name = {"DOUBLE": "DOUBLE", "CHARACTER": "VARCHAR", "BINARY": "VARBINARY"}[name]
        return SqlType({"DEC": "DECIMAL", "NUMERIC": "DECIMAL", "INT": "INTEGER"}.get(name, name), self.args())

    def args(self) -> tuple[int, ...]:
        if self.peek() != "(":
            return ()
        self.take("(")
        numbers = [int(self.take())]
        while self.peek() == ",":
            self.take()
            numbers.append(int(self.take()))
        self.take(")")
        return tuple(numbers)

    def row(self) -> SqlType:
        self.take("(")
        names: list[str] = []
        parts: list[SqlType] = []
        while True:
            name = self.take()
            names.append(name[1:-1].replace('""', '"') if name.startswith('"') else name)
            parts.append(self.type())
            if self.peek() != ",":
                break
            self.take()
        self.take(")")
        return SqlType("ROW", parts=tuple(parts), names=tuple(names))
