"""Runs a plan step by step, by what its operators promise: rows come out when the planner says that they may, and all
that the planner claims about them is checked against the rows that come later."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import msgspec

from rowtime.plan.clock import ClockStep

from .clocks import forward
from .expressions import local_bound, value

Plan = dict[str, Any]
_NEVER = -(10**15)


@dataclass
class Row:
    values: list[Any]
    rowtime: Any
    """None if the node's rows have none."""


def bound(clock: list[dict[str, Any]], watermark: int) -> int:
    return forward(msgspec.convert(clock, list[ClockStep]), watermark, local_bound)


class Claims:
    """What the planner says of the rows of one node, from one step to the next."""

    def __init__(self, node: Plan) -> None:
        self.node = node
        self.bound = _NEVER
        self.watermark = _NEVER
        self.reached: dict[int, Any] = {}
        self.latest: Any = None
        self.rows = 0

    def check(self, rows: list[Row], watermark: int) -> None:
        """Checks the rows of a step against what was known before it, and takes the step into account."""
        node = self.node
        for row in rows:
            if row.rowtime is not None and node["clock"] is not None:
                assert row.rowtime >= self.bound, f"{self._name()}: {row.rowtime} comes after the bound {self.bound}"
            if self.latest is not None and row.rowtime is not None and node["inOrder"] != "NEVER":
                assert row.rowtime >= self.latest, f"{self._name()}: {row.rowtime} comes after {self.latest}"
            for claim in node["claims"]["bounds"] if self.watermark > _NEVER else []:
                self._check_bound(claim, row.values[claim["index"]])
            for claim in node["claims"]["orders"]:
                if claim["index"] in self.reached:
                    self._check(claim, row.values[claim["index"]], self.reached[claim["index"]])
        self.rows += len(rows)
        self._take(rows)
        self.watermark = watermark
        if node["clock"] is not None:
            self.bound = bound(node["clock"], watermark)

    def _name(self) -> str:
        return f"{self.node['op']} {self.node['id']}"

    def _check_bound(self, claim: Plan, found: Any) -> None:
        least = bound(claim["clock"], self.watermark)
        name = self.node["fields"][claim["index"]]["name"]
        assert found is None or found >= least, f"{self._name()}: {name} {found} comes after its bound {least}"

    def _check(self, claim: Plan, found: Any, reached: Any) -> None:
        if found is None:
            return
        disorder, column = claim["disorder"], self.node["fields"][claim["index"]]
        order = column["monotonicity"]
        ok = (
            found >= reached - disorder
            if order.endswith("INCREASING")
            else found <= reached + disorder
            if order.endswith("DECREASING")
            else found == reached
        )
        assert ok, (
            f"{self._name()}: {column['name']} is {order} with disorder {disorder}, and {found} comes after {reached}"
        )

    def _take(self, rows: list[Row]) -> None:
        for i in (claim["index"] for claim in self.node["claims"]["orders"]):
            found = [row.values[i] for row in rows if row.values[i] is not None]
            order = self.node["fields"][i]["monotonicity"]
            if not found:
                continue
            known = [self.reached[i]] if i in self.reached else []
            self.reached[i] = (
                min(*found, *known, found[0]) if order.endswith("DECREASING") else max(*found, *known, found[0])
            )
        times = [row.rowtime for row in rows if row.rowtime is not None]
        if times:
            self.latest = max(*times, times[0], times[0] if self.latest is None else self.latest)


@dataclass
class Operator:
    """A node, and the operators below it."""

    node: Plan
    inputs: list[Operator]
    claims: Claims
    waiting: list[Row] = field(default_factory=list)
    ended: set[Any] = field(default_factory=set)
    arrived: dict[Any, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, node: Plan) -> Operator:
        return cls(node, [cls.of(below) for below in node["inputs"]], Claims(node))

    def all(self) -> list[Operator]:
        return [self, *(each for below in self.inputs for each in below.all())]

    def step(self, sources: dict[str, list[list[Any]]], watermark: int) -> list[Row]:
        """Returns the rows that come out in a step, given the rows that arrive at the sources in it."""
        rows = [below.step(sources, watermark) for below in self.inputs]
        out = getattr(self, f"_{self.node['op']}")(rows[0] if rows else sources, rows, watermark)
        self.claims.check(out, watermark)
        return out

    def _row(self, values: list[Any], hidden: Any) -> Row:
        names = [column["name"] for column in self.node["fields"]]
        rowtime = self.node["rowtime"]
        return Row(values, hidden if rowtime is None else values[names.index(rowtime)])

    def _below(self, watermark: int) -> int:
        return bound(self.node["inputs"][0]["clock"], watermark)

    def _scan(self, sources: Any, rows: Any, watermark: int) -> list[Row]:
        return [self._row(list(values), None) for values in sources[self.node["source"]]]

    def _project(self, given: list[Row], rows: Any, watermark: int) -> list[Row]:
        return [self._row([value(rex, row.values) for rex in self.node["exprs"]], row.rowtime) for row in given]

    def _filter(self, given: list[Row], rows: Any, watermark: int) -> list[Row]:
        # What is true of all rows is true of those that a filter lets through.
        return [self._row(row.values, row.rowtime) for row in given]

    def _hop(self, given: list[Row], rows: Any, watermark: int) -> list[Row]:
        out = []
        for row in given:
            time = value(self.node["time"], row.values)
            for start in windows(self.node, time):
                out.append(self._row([*row.values, start, start + self.node["size"]], row.rowtime))
        return out

    def _check_arrival(self, given: list[Row], times: list[Any], arrival: Plan) -> None:
        """Checks how far the rows of this step are behind those of earlier ones."""
        case = arrival["ordered"]
        most = 0 if not case["disordered"] else case["maxDisorder"]
        before = self.arrived.get(id(arrival))
        for time in times:
            if before is not None and most is not None:
                assert time >= before - most, f"{self.claims._name()}: {time} arrives after {before}, not {most} behind"
        if times:
            self.arrived[id(arrival)] = max(*times, times[0], times[0] if before is None else before)

    def _closed(self, given: list[Row], key: Any, watermark: int) -> list[tuple[Any, list[Row]]]:
        """Returns the groups that are complete, with their rows; no row of an ended group may arrive."""
        for row in given:
            assert key(row) not in self.ended, f"{self.claims._name()}: {row} arrives after its group has come out"
        self.waiting += given
        reached = self._below(watermark)
        groups = defaultdict(list)
        for row in self.waiting:
            groups[key(row)].append(row)
        closed = [(k, g) for k, g in groups.items() if value(self.node["closes"], g[0].values) <= reached]
        self.ended |= {k for k, _ in closed}
        self.waiting = [row for row in self.waiting if key(row) not in self.ended]
        return closed

    def _aggregate(self, given: list[Row], rows: Any, watermark: int) -> list[Row]:
        if "arrival" in self.node:
            self._check_arrival(given, [row.rowtime for row in given if row.rowtime is not None], self.node["arrival"])
        out = []
        for key, group in self._closed(given, lambda row: tuple(row.values[k] for k in self.node["keys"]), watermark):
            results = [_result(call, group) for call in self.node["calls"]]
            out.append(self._row([*key, *results], None))
        return out

    _group_aggregate = _aggregate

    def _top_n(self, given: list[Row], rows: Any, watermark: int) -> list[Row]:
        self._check_arrival(given, [row.rowtime for row in given], self.node["arrival"])
        closed = self._closed(given, lambda row: tuple(row.values[k] for k in self.node["partition"]), watermark)
        ranks = [None] * len(self.node["ranks"])
        return [
            self._row([*row.values, *ranks], row.rowtime) for _, group in closed for row in group[: self.node["limit"]]
        ]

    def _union(self, given: Any, rows: list[list[Row]], watermark: int) -> list[Row]:
        self.waiting += [self._row(row.values, row.rowtime) for branch in rows for row in branch]
        return self._release(lambda row: row.rowtime, bound(self.node["clock"], watermark))

    def _sort(self, given: list[Row], rows: Any, watermark: int) -> list[Row]:
        self.waiting += [self._row(row.values, row.rowtime) for row in given]
        return self._release(lambda row: value(self.node["closes"], row.values), self._below(watermark))

    def _release(self, due: Any, reached: int) -> list[Row]:
        out = [row for row in self.waiting if due(row) <= reached]
        self.waiting = [row for row in self.waiting if due(row) > reached]
        return out

    def _window(self, given: list[Row], rows: Any, watermark: int) -> list[Row]:
        (part,) = self.node["passes"]
        at = (lambda row: row.rowtime) if part["time"] is None else (lambda row: row.values[part["time"]["index"]])
        self._check_arrival(given, [at(row) for row in given], part["arrival"])
        frames = [self.node["windows"][i]["frame"] for i in part["windows"]]
        ahead = max(int(f["upper"]["offset"]["value"]) if f["upper"]["kind"] == "FOLLOWING" else 0 for f in frames)
        self.waiting += given
        clock = part["clock"] if part["time"] is None else part["time"]["clock"]
        reached, closed = bound(clock, watermark), bound(part["clock"], watermark)
        some = [self.node["windows"][i] for i in part["windows"]]
        whole = any(not w["byTime"] or w["frame"]["upper"]["kind"] == "UNBOUNDED_FOLLOWING" for w in some)
        # Rows of one time are numbered by further columns, once all of them have arrived.
        peers = any(len(w["order"]) > 1 for w in some)

        def due(row: Row) -> bool:
            if whole:
                return bool(value(part["closes"], row.values) <= closed)
            if peers:
                return bool(reached > at(row) + ahead)
            if part["closes"] is not None and value(part["closes"], row.values) <= closed:
                return True
            if part["waits"]:
                return reached > at(row) + ahead
            return not part["arrival"]["ordered"]["disordered"] or reached >= at(row)

        out = [row for row in self.waiting if due(row)]
        self.waiting = [row for row in self.waiting if not due(row)]
        calls = [None] * (len(self.node["fields"]) - len(self.node["inputs"][0]["fields"]))
        return [self._row([*row.values, *calls], row.rowtime) for row in out]

    def _session(self, given: list[Row], rows: Any, watermark: int) -> list[Row]:
        out = []
        for start, end, session in self._sessions(
            given, self.node["time"], self.node["keys"], self.node["gap"], watermark
        ):
            out += [self._row([*row.values, start, end], None) for row in session]
        return out

    def _session_aggregate(self, given: list[Row], rows: Any, watermark: int) -> list[Row]:
        key, gap = self.node["session"]["key"], self.node["session"]["gap"]
        others = [k for k in self.node["keys"] if k != key]
        out = []
        for start, _, session in self._sessions(given, key, others, gap, watermark):
            keys = [start if k == key else session[0].values[k] for k in self.node["keys"]]
            out.append(self._row([*keys, *(_result(call, session) for call in self.node["calls"])], None))
        return out

    def _sessions(
        self, given: list[Row], time: int, keys: list[int], gap: int, watermark: int
    ) -> list[tuple[int, int, list[Row]]]:
        self._check_arrival(given, [row.values[time] for row in given], self.node["arrival"])
        self.waiting += given
        reached = self._below(watermark)
        groups = defaultdict(list)
        for row in sorted(self.waiting, key=lambda row: row.values[time]):
            sessions = groups[tuple(row.values[k] for k in keys)]
            if sessions and row.values[time] - sessions[-1][-1].values[time] <= gap:
                sessions[-1].append(row)
            else:
                sessions.append([row])
        out, self.waiting = [], []
        for session in (session for sessions in groups.values() for session in sessions):
            first, last = session[0].values[time], session[-1].values[time]
            if last + gap < reached:
                out.append((first, last + gap, session))
            else:
                self.waiting += session
        return out

    def _hop_aggregate(self, given: list[Row], rows: Any, watermark: int) -> list[Row]:
        node = self.node
        pane = node["pane"]
        self._check_arrival(given, [row.values[pane] for row in given], node["arrival"])
        keys = [key for key in node["keys"] if isinstance(key, int)]
        groups = self.arrived.setdefault("groups", defaultdict(list))
        for row in given:
            for start in windows(node, row.values[pane]):
                group = (start, *(row.values[key] for key in keys))
                assert group not in self.ended, f"{self.claims._name()}: {row} arrives after its window has come out"
                groups[group].append(row)
        reached = self._below(watermark) - node["late"]
        out = []
        for group in sorted((g for g in groups if g[0] + node["size"] <= reached), key=lambda g: g[0]):
            by_key = dict(zip(keys, group[1:], strict=True))
            borders = {"START": group[0], "END": group[0] + node["size"]}
            found = [borders[key] if isinstance(key, str) else by_key[key] for key in node["keys"]]
            out.append(self._row([*found, *(None for _ in node["calls"])], None))
            self.ended.add(group)
            del groups[group]
        return out


def windows(hop: Plan, time: int) -> list[int]:
    """Returns the starts of the windows that contain a time."""
    slide, size, offset = hop["slide"], hop["size"], hop["offset"]
    last = (time - offset) // slide * slide + offset
    return [start for start in range(last - (size // slide) * slide, last + 1, slide) if start <= time < start + size]


def _result(call: Plan, rows: list[Row]) -> Any:
    """Returns a result that the tests need: MAX of a time."""
    if call["function"] not in ("MAX", "MIN"):
        return None
    found = [row.values[call["args"][0]] for row in rows if row.values[call["args"][0]] is not None]
    return (max if call["function"] == "MAX" else min)(found) if found else None
