"""The intended differences from Calcite; docs/differences.md explains each under its name."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any


@dataclass(frozen=True)
class Case:
    """One template over one row: `expected` is Calcite's value, `actual` Spark's or `failure` its error."""

    template: str
    values: dict[str, Any]
    expected: Any
    actual: Any
    failure: str | None

    def matches(self, pattern: str) -> bool:
        return re.search(pattern, self.template) is not None

    @property
    def is_rounded(self) -> bool:
        """Returns whether both values are the same number except for the last digits."""
        try:
            wanted, found = Decimal(str(self.expected)), Decimal(str(self.actual))
        except InvalidOperation:
            return False
        return abs(wanted - found) <= max(Decimal("1e-5"), abs(wanted) * Decimal("1e-15"))

    def fails(self, pattern: str) -> bool:
        return self.failure is not None and re.search(pattern, self.failure) is not None


_EMOJI = re.compile("[\U00010000-\U0010ffff]")

DIFFERENCES: dict[str, Callable[[Case], bool]] = {
    "Integer overflow": lambda c: c.fails("ARITHMETIC_OVERFLOW|CAST_OVERFLOW|BINARY_ARITHMETIC_OVERFLOW"),
    "Division by zero": lambda c: c.fails("DIVIDE_BY_ZERO"),
    "Digits of a DECIMAL": lambda c: c.matches(r"^(ROUND\(D|D\d [-+*/] )") and (c.failure is not None or c.is_rounded),
    "Negated DECIMALs of more than 34 digits": lambda c: c.matches("^-D3") and c.fails("NUMERIC_VALUE"),
    "Very small DECIMALs as text": lambda c: (
        c.matches("^CAST.D3 AS (VAR)?CHAR") and abs(Decimal(c.values["D3"])) < Decimal("1e-6")
    ),
    "Fractions of seconds as text": lambda c: c.matches(r"^CAST\((TS1|TM1) AS VARCHAR"),
    "Fractions of a second that the type has no place for": lambda c: c.matches(r"AS TIME(STAMP)?\(0\)\)"),
    "DOUBLE to small integers": lambda c: c.matches(r"CAST\((X1|R1) AS (TINYINT|SMALLINT|INTEGER)\)"),
    "Months from the end of a month": lambda c: c.matches(r"^(TIMESTAMPDIFF\(|\(TS1 - TS2\) )(MONTH|QUARTER)"),
    "POSITION from a negative place": lambda c: c.matches("^POSITION.* FROM N") and c.values["N"] < 0,
    "Numbers as intervals": lambda c: c.matches(r"^CAST\(N AS INTERVAL"),
    "Characters beyond the BMP": lambda c: any(isinstance(v, str) and _EMOJI.search(v) for v in c.values.values()),
    "The end of a day": lambda c: c.expected == 86_400_000,
    "CEIL TO DECADE, CENTURY, MILLENNIUM": lambda c: c.matches("^CEIL.* TO (DECADE|CENTURY|MILLENNIUM)"),
    "LAST_DAY before 1970": lambda c: c.matches("^LAST_DAY.TS1") and c.values["TS1"] < 0,
    "A DATE and a part of a day": lambda c: c.matches(r"^DT1 [-+] IV1") and c.values["IV1"] % 86_400_000 != 0,
    "ADD_MONTHS of NULL months": lambda c: c.matches("^ADD_MONTHS") and c.values["N"] is None,
}


def difference_name(template: str, values: dict[str, Any], expected: Any, actual: Any, failure: str | None) -> str:
    """Returns the name of the difference; '' if it has none."""
    case = Case(template, values, expected, actual, failure)
    return next((name for name, meant in DIFFERENCES.items() if meant(case)), "")
