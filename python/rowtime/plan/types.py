"""SQL types: parses the planner's type texts into a small model, and writes that as Spark's DDL."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from rowtime.errors import RowtimeError, error
from rowtime.numerals import natural

EXACT_INTEGERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT")
APPROXIMATE = ("REAL", "FLOAT", "DOUBLE")
CHARACTER = ("CHAR", "VARCHAR")
BINARY = ("BINARY", "VARBINARY")
DAY_TIME_UNITS = ("WEEK", "DAY", "HOUR", "MINUTE", "SECOND", "MILLISECOND", "MICROSECOND", "NANOSECOND")

_SPARK_NAMES = {
    "BOOLEAN": "BOOLEAN",
    "TINYINT": "TINYINT",
    "SMALLINT": "SMALLINT",
    "INTEGER": "INT",
    "BIGINT": "BIGINT",
    "REAL": "FLOAT",
    "FLOAT": "DOUBLE",
    "DOUBLE": "DOUBLE",
    "CHAR": "STRING",
    "VARCHAR": "STRING",
    "BINARY": "BINARY",
    "VARBINARY": "BINARY",
    "DATE": "DATE",
    "TIMESTAMP": "TIMESTAMP",
    "NULL": "VOID",
    "SYMBOL": "STRING",
    "ANY": "STRING",
}

MAX_SPARK_PRECISION = 38


@dataclass(frozen=True)
class SqlType:
    """A SQL type.

    `name` is the type's name without its numbers (`DECIMAL`, `TIMESTAMP`, `INTERVAL DAY TO SECOND`, `ARRAY`, `MAP`,
    `ROW` …); `precision` is a length for character and binary types. `arguments` are the element type of ARRAY and
    MULTISET, key and value of MAP, the fields' types of ROW, whose names are in `names`.
    """

    name: str
    precision: int | None = None
    scale: int | None = None
    arguments: tuple[SqlType, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def is_integer(self) -> bool:
        return self.name in EXACT_INTEGERS

    @property
    def is_decimal(self) -> bool:
        return self.name == "DECIMAL"

    @property
    def is_exact(self) -> bool:
        return self.is_integer or self.is_decimal

    @property
    def is_approximate(self) -> bool:
        return self.name in APPROXIMATE

    @property
    def is_numeric(self) -> bool:
        return self.is_exact or self.is_approximate

    @property
    def is_character(self) -> bool:
        return self.name in CHARACTER

    @property
    def is_binary(self) -> bool:
        return self.name in BINARY

    @property
    def is_interval(self) -> bool:
        return self.name.startswith("INTERVAL")

    @property
    def is_day_time(self) -> bool:
        """Whether it is an interval of a fixed length: weeks, days and shorter units."""
        return self.is_interval and self.name.split()[1] in DAY_TIME_UNITS

    @property
    def is_year_month(self) -> bool:
        return self.is_interval and not self.is_day_time

    @property
    def is_datetime(self) -> bool:
        return self.name in ("DATE", "TIME", "TIMESTAMP")

    def spark(self) -> str:
        """Returns the type as Spark's DDL writes it, such as `DECIMAL(10, 2)` or ``STRUCT<`A`: INT>``."""
        if self.name == "DECIMAL":
            precision = min(self.precision or MAX_SPARK_PRECISION, MAX_SPARK_PRECISION)
            return f"DECIMAL({precision}, {min(self.scale or 0, precision)})"
        if self.name == "TIME":
            return f"TIME({min(self.precision or 0, 6)})"
        if self.is_interval:
            return "INTERVAL DAY TO SECOND" if self.is_day_time else "INTERVAL YEAR TO MONTH"
        if self.name in ("ARRAY", "MULTISET"):
            return f"ARRAY<{self.arguments[0].spark()}>"
        if self.name == "MAP":
            return f"MAP<{self.arguments[0].spark()}, {self.arguments[1].spark()}>"
        if self.name == "ROW":
            fields = (f"{quote_name(n)}: {t.spark()}" for n, t in zip(self.names, self.arguments, strict=True))
            return f"STRUCT<{', '.join(fields)}>"
        return _SPARK_NAMES[self.name]


def quote_name(name: str) -> str:
    """Returns a name in backticks, as Spark SQL writes it."""
    return "`" + name.replace("`", "``") + "`"


def quote_text(text: str) -> str:
    """Returns a text as a literal of Spark SQL."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


@lru_cache(maxsize=4096)
def parse_type(text: str) -> SqlType:
    """Parses a type text such as `DECIMAL(10, 2)`, `INTERVAL DAY TO SECOND` or `ROW(A INTEGER, B VARCHAR ARRAY)`.

    Raises RowtimeError (RT0999) if rowtime does not know the type; the planner refuses such types.
    """
    reader = _Reader(text)
    read = reader.type()
    reader.end()
    return read


_TOKEN = re.compile(r"""\s*(?:(?P<quoted>"(?:[^"]|"")*"|`(?:[^`]|``)*`)|(?P<word>[^\s(),<>"`]+)|(?P<mark>[(),<>]))""")

_SYNONYMS = {
    "INT": "INTEGER",
    "CHARACTER": "CHAR",
    "DEC": "DECIMAL",
    "NUMERIC": "DECIMAL",
    "BOOL": "BOOLEAN",
    "UNKNOWN": "NULL",
}
_MODIFIERS = {"DECIMAL": 2}
_PLAIN = frozenset(_SPARK_NAMES) | {"DECIMAL", "TIME"}


class _Reader:
    """Recursive descent over the tokens of one type text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = []
        at = 0
        while at < len(text) and not text[at:].isspace():
            match = _TOKEN.match(text, at)
            if match is None:
                raise self.fault()
            self.tokens.append((match.lastgroup or "", match.group(match.lastgroup or 0)))
            at = match.end()
        self.at = 0

    def fault(self) -> RowtimeError:
        return error("RT0999", f"The planner should have refused: the type {self.text}")

    def peek(self) -> str | None:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else None

    def take(self) -> str:
        token = self.peek()
        if token is None:
            raise self.fault()
        self.at += 1
        return token

    def skip(self, *wanted: str) -> bool:
        if [t for _, t in self.tokens[self.at : self.at + len(wanted)]] != list(wanted):
            return False
        self.at += len(wanted)
        return True

    def need(self, wanted: str) -> None:
        if not self.skip(wanted):
            raise self.fault()

    def end(self) -> None:
        if self.peek() is not None:
            raise self.fault()

    def type(self) -> SqlType:
        read = self.base()
        while True:
            if self.peek() in ("ARRAY", "MULTISET"):
                read = SqlType(self.take(), arguments=(read,))
            elif not self.skip("NOT", "NULL"):
                return read

    def base(self) -> SqlType:
        name = self.take()
        name = _SYNONYMS.get(name, name)
        if name == "INTERVAL":
            return self.interval()
        if name == "MAP":
            self.need("<")
            key = self.type()
            self.need(",")
            value = self.type()
            self.need(">")
            return SqlType("MAP", arguments=(key, value))
        if name in ("ROW", "RecordType"):
            return self.row()
        if name == "DOUBLE":
            self.skip("PRECISION")
        if name not in _PLAIN:
            raise self.fault()
        numbers = self.numbers()
        if len(numbers) > _MODIFIERS.get(name, 1):
            raise self.fault()
        return SqlType(name, *numbers)  # type: ignore[arg-type]

    def numbers(self) -> tuple[int, ...]:
        if not self.skip("("):
            return ()
        found = [self.number()]
        while self.skip(","):
            found.append(self.number())
        self.need(")")
        return tuple(found)

    def number(self) -> int:
        token = self.take()
        number = natural(token.removeprefix("-"))
        if number is None:
            raise self.fault()
        return -number if token.startswith("-") else number

    def interval(self) -> SqlType:
        units = [self.unit()]
        if self.skip("TO"):
            units.append(self.unit())
        return SqlType("INTERVAL " + " TO ".join(units))

    def unit(self) -> str:
        unit = self.take()
        if unit not in (*DAY_TIME_UNITS, "MONTH", "QUARTER", "YEAR"):
            raise self.fault()
        self.numbers()  # the number of digits that an interval may show does not affect its values
        return unit

    def row(self) -> SqlType:
        self.need("(")
        names, types = [], []
        while True:
            names.append(self.name())
            types.append(self.type())
            if not self.skip(","):
                break
        self.need(")")
        return SqlType("ROW", arguments=tuple(types), names=tuple(names))

    def name(self) -> str:
        kind = self.tokens[self.at][0] if self.at < len(self.tokens) else ""
        token = self.take()
        if kind == "quoted":
            return token[1:-1].replace(token[0] * 2, token[0])
        return token
