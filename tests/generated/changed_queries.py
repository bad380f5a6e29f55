"""Pairs of random queries of which the second takes the place of the first: the same in other words, or with one part
changed. Every query returns `rowtime`, `k INTEGER` and `n BIGINT`."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

HOUR = "FLOOR(rowtime TO HOUR)"
_CHOICES: dict[str, dict[str, tuple[str, ...]]] = {
    "group": {
        "key": ("a", "b", "a + b"),
        "call": ("SUM(~)", "MIN(~)", "COUNT(~)", "COUNT(DISTINCT ~)", "SUM(~) FILTER (WHERE b > 1)"),
        "window": (HOUR, "TUMBLE(rowtime, INTERVAL '20' MINUTE)", "FLOOR(rowtime TO MINUTE)"),
    },
    "session": {"key": ("a", "b"), "call": ("SUM(~)", "COUNT(DISTINCT ~)"), "gap": ("20", "40")},
    "hop": {"key": ("a", "b"), "call": ("SUM(~)", "MAX(~)"), "slide": ("10", "20"), "size": ("40", "60")},
    "over": {
        "key": ("a", "b"),
        "call": ("SUM(~)", "MAX(~)", "COUNT(DISTINCT ~)"),
        "frame": ("ROWS 2 PRECEDING", "ROWS 3 PRECEDING", "RANGE INTERVAL '30' MINUTE PRECEDING"),
    },
    "top": {"key": ("a", "b"), "order": ("~ DESC", "~"), "limit": ("1", "2")},
    "union": {"key": ("a", "b"), "other": ("r", "(SELECT STREAM * FROM r WHERE b > 1)", "s")},
    "sort": {"key": ("a", "b")},
    "join": {
        "key": ("a", "b"),
        "minutes": ("20", "40"),
        "kind": ("", "LEFT"),
        "on": ("s.a = r.a", "s.a = r.b", "s.b = r.b"),
    },
    "asof": {"key": ("a", "b"), "on": ("s.a = r.a", "s.a = r.b"), "compare": (">=", ">")},
    "plain": {"key": ("a", "b")},
}  # fmt: skip
"""The parts of each kind of query; `~` is its argument."""
_COMMON = {
    "arg": ("x", "y", "x + y", "x - y", "x * 2", "CASE WHEN a > 1 THEN x ELSE y END"),
    "where": ("", "x > 2", "x > 2 AND y < 8", "x < y", "a = 1 OR b = 2"),
    "above": ("n", "n + 1"),
}
"""`where` is below all other operators, `above` is above them."""
_SWAPPED = {
    "x + y": "y + x", "x * 2": "2 * x", "x > 2": "2 < x", "x > 2 AND y < 8": "8 > y AND x > 2", "x < y": "y > x",
    "a = 1 OR b = 2": "2 = b OR a = 1", "a + b": "b + a",
}  # fmt: skip
_STYLES = ("nested", "zero", "swapped", "renamed")


@dataclass(frozen=True)
class Query:
    """A query: its `kind`, the value of each part, and the ways in which its text differs from the plainest one."""

    kind: str
    parts: tuple[tuple[str, str], ...]
    styles: frozenset[str] = field(default=frozenset())

    def part(self, name: str) -> str:
        value = dict(self.parts)[name]
        return _SWAPPED.get(value, value) if "swapped" in self.styles else value

    def text(self, streams: dict[str, str]) -> str:
        """Returns the SQL over the streams `s` and `r`, by their names."""
        arg, where = self.part("arg"), self.part("where")
        if "zero" in self.styles:
            arg = f"0 + ({arg})"
        source = "s"
        if "nested" in self.styles:
            source = f"(SELECT STREAM b, y, x + 0 AS x, a, rowtime FROM s{' WHERE ' + where if where else ''})"
        elif where:
            source = f"(SELECT STREAM * FROM s WHERE {where})"
        inner = getattr(self, f"_{self.kind}")(source, arg)
        name = "total" if "renamed" in self.styles else "n"
        above = self.part("above").replace("n", name)
        columns = f"rowtime, CAST(k AS INTEGER) AS k, CAST({above} AS BIGINT) AS n"
        found = f"SELECT STREAM {columns} FROM ({inner.replace('#', name)})"
        for letter, stream in streams.items():
            found = found.replace(f"FROM {letter}", f"FROM {stream}").replace(f"JOIN {letter} ", f"JOIN {stream} ")
        return found

    def _call(self, arg: str) -> str:
        return self.part("call").replace("~", arg)

    def _group(self, source: str, arg: str) -> str:
        key, window = self.part("key"), self.part("window")
        time = window.replace("TUMBLE(", "TUMBLE_START(")
        columns = f"{time} AS rowtime, {key} AS k, {self._call(arg)} AS #"
        return f"SELECT STREAM {columns} FROM {source} GROUP BY {window}, {key}"

    def _session(self, source: str, arg: str) -> str:
        key, window = self.part("key"), f"(rowtime, INTERVAL '{self.part('gap')}' MINUTE)"
        return (
            f"SELECT STREAM SESSION_END{window} AS rowtime, {key} AS k, {self._call(arg)} AS # FROM {source} "
            f"GROUP BY SESSION{window}, {key}"
        )

    def _hop(self, source: str, arg: str) -> str:
        key = self.part("key")
        window = f"(rowtime, INTERVAL '{self.part('slide')}' MINUTE, INTERVAL '{self.part('size')}' MINUTE)"
        return (
            f"SELECT STREAM HOP_END{window} AS rowtime, {key} AS k, {self._call(arg)} AS # FROM {source} "
            f"GROUP BY HOP{window}, {key}"
        )

    def _over(self, source: str, arg: str) -> str:
        window = f"PARTITION BY {self.part('key')} ORDER BY rowtime {self.part('frame')}"
        return f"SELECT STREAM rowtime, a AS k, {self._call(arg)} OVER ({window}) AS # FROM {source}"

    def _top(self, source: str, arg: str) -> str:
        # An expression in ORDER BY is a column more that is stored.
        order = self.part("order").replace("~", self.part("arg"))
        rank = f"ROW_NUMBER() OVER (PARTITION BY {HOUR}, {self.part('key')} ORDER BY {order})"
        ranked = f"SELECT STREAM *, {rank} AS place FROM {source}"
        return f"SELECT STREAM rowtime, a AS k, {arg} AS # FROM ({ranked}) WHERE place <= {self.part('limit')}"

    def _union(self, source: str, arg: str) -> str:
        branches = [
            f"SELECT STREAM rowtime, {self.part('key')} AS k, {arg} AS # FROM {each}"
            for each in (source, self.part("other"))
        ]
        return " UNION ALL ".join(reversed(branches) if "swapped" in self.styles else branches)

    def _sort(self, source: str, arg: str) -> str:
        key = self.part("key")
        return f"SELECT STREAM rowtime, {key} AS k, {arg} AS # FROM {source} ORDER BY rowtime, {key}"

    def _join(self, source: str, arg: str) -> str:
        window = f"OVER (RANGE INTERVAL '{self.part('minutes')}' MINUTE PRECEDING)"
        on = " = ".join(reversed(self.part("on").split(" = "))) if "swapped" in self.styles else self.part("on")
        row = f"(SELECT STREAM rowtime, a, b, {arg} AS v FROM {source})"
        return (
            f"SELECT STREAM rowtime, s.{self.part('key')} AS k, s.v + r.x AS # "
            f"FROM {row} {window} AS s {self.part('kind')} JOIN r {window} AS r ON {on}"
        )

    def _asof(self, source: str, arg: str) -> str:
        row = f"(SELECT STREAM rowtime, a, b, {arg} AS v FROM {source})"
        return (
            f"SELECT STREAM s.rowtime, s.{self.part('key')} AS k, s.v + r.x AS # FROM {row} AS s "
            f"ASOF JOIN r MATCH_CONDITION s.rowtime {self.part('compare')} r.rowtime ON {self.part('on')}"
        )

    def _plain(self, source: str, arg: str) -> str:
        return f"SELECT STREAM rowtime, {self.part('key')} AS k, {arg} AS # FROM {source}"


def pair(chance: random.Random) -> tuple[Query, Query]:
    """Returns a query and the one that takes its place: half of them the same in other words, most others with one part
    changed, a few of another kind."""
    first = _query(chance, chance.choice([*_CHOICES]))
    styles = frozenset(style for style in _STYLES if chance.random() < 0.5)
    drawn = chance.random()
    if drawn < 0.5:
        return first, replace(first, styles=styles)
    if drawn < 0.95:
        name = chance.choice([name for name, _ in first.parts])
        values = {**_CHOICES[first.kind], **_COMMON}[name]
        other = chance.choice([value for value in values if value != dict(first.parts)[name]])
        return first, replace(first, parts=tuple({**dict(first.parts), name: other}.items()), styles=styles)
    return first, _query(chance, chance.choice([*_CHOICES]))


def _query(chance: random.Random, kind: str) -> Query:
    parts = {**_CHOICES[kind], **_COMMON}
    return Query(kind, tuple((name, chance.choice(values)) for name, values in parts.items()))
