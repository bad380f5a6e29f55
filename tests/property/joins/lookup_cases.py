"""Random joins of a stream with a table that changes, as SQL and as what they mean; random rows and changes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from .cases import START, text

Entry = tuple[int, int | None]
"""A row of the table: `m` and the key `k`."""
FORMS = ("INNER", "LEFT", "RIGHT", "COMMA", "EXISTS", "NOT EXISTS", "IN", "MAX")


@dataclass(frozen=True)
class Row:
    """A row of the stream: `time` in milliseconds, `n` its position in order of arrival."""

    time: int
    n: int
    k: int | None

    def sql(self) -> str:
        return f"(TIMESTAMP '{text(self.time)}', {self.n}, {null(self.k)})"


@dataclass(frozen=True)
class Lookup:
    """A query that returns `n` of the stream's rows and `m` of the table's; all pairs without `keyed` and `rest`."""

    form: str
    keyed: bool
    rest: bool

    def sql(self, stream: str, table: str) -> str:
        on = " AND ".join([*(["s.k = t.k"] if self.keyed else []), *(["MOD(s.n + t.m, 3) <> 0"] if self.rest else [])])
        on = on or "TRUE"
        if self.form in ("INNER", "LEFT"):
            return f"SELECT STREAM s.n, t.m FROM {stream} AS s {self.form} JOIN {table} AS t ON {on}"
        if self.form == "RIGHT":
            return f"SELECT STREAM s.n, t.m FROM {table} AS t RIGHT JOIN {stream} AS s ON {on}"
        if self.form == "COMMA":
            return f"SELECT STREAM s.n, t.m FROM {table} AS t, {stream} AS s WHERE {on}"
        if self.form == "MAX":
            found = f"(SELECT MAX(m) FROM {table} AS t WHERE s.k = t.k)"
            return f"SELECT STREAM s.n, {found} AS m FROM {stream} AS s"
        if self.form == "IN":
            return f"SELECT STREAM s.n, s.n AS m FROM {stream} AS s WHERE s.k IN (SELECT k FROM {table})"
        inside = f"SELECT * FROM {table} AS t WHERE s.k = t.k"
        return f"SELECT STREAM s.n, s.n AS m FROM {stream} AS s WHERE {self.form} ({inside})"

    def expected(self, rows: Sequence[Row], table: Sequence[Entry]) -> list[tuple[int, int | None]]:
        """Returns the result of a step's rows, joined with the table as it is then."""
        found: list[tuple[int, int | None]] = []
        for row in rows:
            same = [m for m, k in table if row.k is not None and row.k == k]
            if self.form == "MAX":
                found.append((row.n, max(same, default=None)))
            elif self.form in ("EXISTS", "IN", "NOT EXISTS"):
                found += [(row.n, row.n)] if bool(same) == (self.form != "NOT EXISTS") else []
            else:
                met: list[int | None] = list(same) if self.keyed else [m for m, _ in table]
                met = [m for m in met if not self.rest or m is None or (row.n + m) % 3 != 0]
                found += [(row.n, m) for m in met or ([None] if self.form in ("LEFT", "RIGHT") else [])]
        return found


def lookup(chance: random.Random) -> Lookup:
    return Lookup(chance.choice(FORMS), chance.random() < 0.8, chance.random() < 0.4)


class Story:
    """Returns the steps of a script. Rows are inserted into both tables; those of `plain` are also updated and
    deleted."""

    def __init__(self, chance: random.Random, stream: str, plain: str, log: str) -> None:
        self._chance = chance
        self._stream, self._plain, self._log = stream, plain, log
        self._clock, self._n, self._m = START, 0, 0
        self.tables: dict[str, list[Entry]] = {plain: [], log: []}

    def step(self) -> tuple[str, list[Row]]:
        """Returns a line of the script, and the rows that it inserts into the stream."""
        kind = self._chance.choice(["rows", "rows", "insert", "insert", "update", "delete", "restart"])
        if kind == "rows":
            rows = [self._row() for _ in range(self._chance.choice([1, 2, 9]))]
            return f"INSERT INTO {self._stream} VALUES {', '.join(row.sql() for row in rows)};\n", rows
        if kind == "insert":
            return self._insert(), []
        entries, k = self.tables[self._plain], self._chance.choice([1, 2])
        if kind == "update":
            self.tables[self._plain] = [(m + 100, of) if of == k else (m, of) for m, of in entries]
            return f"UPDATE {self._plain} SET m = m + 100 WHERE k = {k};\n", []
        if kind == "delete":
            everything = self._chance.random() < 0.3
            self.tables[self._plain] = [] if everything else [(m, of) for m, of in entries if of != k]
            return f"DELETE FROM {self._plain}{'' if everything else f' WHERE k = {k}'};\n", []
        return "!restart\n", []

    def _row(self) -> Row:
        self._clock += self._chance.choice([0, 1, 1000, 20_000])
        self._n += 1
        return Row(self._clock, self._n, self._chance.choice([1, 1, 2, 3, None]))

    def _insert(self) -> str:
        new = [(self._m + i, self._chance.choice([1, 2, 2, 3, None])) for i in range(self._chance.choice([1, 4]))]
        self._m += len(new)
        for entries in self.tables.values():
            entries += new
        plain = ", ".join(f"({m}, {null(k)})" for m, k in new)
        logged = ", ".join(f"({m}, {null(k)}, {m})" for m, k in new)
        return f"INSERT INTO {self._plain} VALUES {plain};\nINSERT INTO {self._log} VALUES {logged};\n"


def null(value: int | None) -> str:
    return "NULL" if value is None else str(value)
