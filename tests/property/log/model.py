"""A model of a log in plain Python: one row after another, one list per stage, without optimisation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Row = dict[str, Any]


class RequestRefused(Exception):
    """The step is an error, and has no effect."""


@dataclass
class Attached:
    clock: int | None = None
    promised: int | None = None


@dataclass
class Model:
    """Times are numbers. `disorder` is the LATENESS of ROWTIME; `watermarks`, `lateness`, `monotonic` are by column."""

    disorder: int | None = None
    watermarks: dict[str, int] = field(default_factory=dict)
    lateness: dict[str, int] = field(default_factory=dict)
    monotonic: dict[str, str] = field(default_factory=dict)
    stream: bool = True

    bound: int | None = None
    entered: list[Row] = field(default_factory=list)
    rejected: list[tuple[Row, str, str | None]] = field(default_factory=list)
    producers: dict[str, Attached] = field(default_factory=dict)
    waiting: list[tuple[Row, str | None, Attached | None]] = field(default_factory=list)
    held: list[tuple[int, Row, str | None]] = field(default_factory=list)
    marks: dict[str, int] = field(default_factory=dict)
    clocks: dict[str, int] = field(default_factory=dict)
    last: dict[str, int] = field(default_factory=dict)
    promised: int | None = None
    arrivals: int = 0

    @property
    def slack(self) -> int:
        return self.disorder or 0

    def step(
        self, rows: list[Row], producer: str | None, bound: int | None, detach: bool, sort: bool, now: int
    ) -> None:
        before = dict(self.clocks)
        if not self.stream:
            came = [(row, producer, None) for row in rows]
            for row, whose, _ in self.released(came) if self.watermarks else came:
                self.enter(row, whose, before)
            return
        if producer is None:
            me = self.newcomer()
        elif producer not in self.producers and detach and not rows and bound is None:
            return
        else:
            me = self.producers.setdefault(producer, self.newcomer())
        attached = list(self.producers.items()) + ([(None, me)] if producer is None else [])
        start = self.bound_of(me, False)
        timed = [{**row, "ROWTIME": row["ROWTIME"]} for row in rows]
        if sort:
            timed.sort(key=lambda row: now if row["ROWTIME"] is None else row["ROWTIME"])
        passed: list[tuple[Row, str | None, Attached]] = []
        if self.watermarks:
            for row in timed:
                if row["ROWTIME"] is None:
                    row["ROWTIME"] = max(now, start) if start is not None else now
                if me.promised is not None and row["ROWTIME"] < me.promised:
                    self.reject(row, "late", producer)
                else:
                    passed.append((row, producer, me))
            if bound is not None:
                if me.promised is not None and bound < me.promised:
                    raise RequestRefused
                me.promised = bound
                self.promised = max(bound, self.promised or bound) if self.promised is not None else bound
            nobody = me if producer is None else self.newcomer()
            passed = self.let_go(passed, [one for _, one in attached], nobody)
            if bound is not None and me.clock is not None and bound < me.clock - self.slack:
                raise RequestRefused
        else:
            floors = {id(me): start}
            passed = self.in_time([(row, producer, me) for row in timed], floors, now)
            if bound is not None:
                if self.bound_of(me) is not None and bound < self.bound_of(me):
                    raise RequestRefused
                me.promised = bound
        # While the sender is attached, and again after it has detached.
        self.merge([one for _, one in attached], me if producer is None else None, self.counted(passed), before)
        if producer is None or detach:
            if producer is not None:
                del self.producers[producer]
            alive = list(self.producers.values())
            freed = self.let_go([], alive, self.newcomer()) if self.watermarks else []
            self.merge(alive, None, self.counted(freed), before)

    def counted(self, rows: list[Any]) -> list[Any]:
        fresh = []
        for row, whose, _ in rows:
            fresh.append((self.arrivals, row, whose))
            self.arrivals += 1
        return fresh

    def let_go(self, came: list[Any], alive: list[Attached], nobody: Attached) -> list[Any]:
        floors = {id(one): self.later(self.floor(one), self.bound) for one in [*alive, nobody]}
        judged = []
        for row, whose, sender in self.released(came, alive):
            judged.append((row, whose, sender if any(sender is one for one in alive) else nobody))
        return self.in_time(judged, floors)

    # --- stages
    # ----------------------------------------------------------------------------------------------------------

    def in_time(self, rows: list[Any], floors: dict[int, int | None], now: int = 0) -> list[Any]:
        good = []
        moved: dict[int, int] = {}
        for row, whose, sender in rows:
            floor = floors[id(sender)]
            if self.disorder is None and id(sender) in moved:
                floor = self.later(floor, moved[id(sender)])
            if row["ROWTIME"] is None:
                row["ROWTIME"] = now if floor is None else max(now, floor)
            if floor is not None and row["ROWTIME"] < floor:
                self.reject(row, "late", whose)
                continue
            moved[id(sender)] = max(moved.get(id(sender), row["ROWTIME"]), row["ROWTIME"])
            sender.clock = self.later(sender.clock, row["ROWTIME"])
            good.append((row, whose, sender))
        return good

    def released(self, rows: list[Any], alive: list[Attached] | None = None) -> list[Any]:
        for row, _, _ in rows:
            for column in self.watermarks:
                if row[column] is not None:
                    self.marks[column] = max(row[column], self.marks.get(column, row[column]))
        self.waiting += rows
        free = [one for one in self.waiting if self.is_free(one, alive or [])]
        self.waiting = [one for one in self.waiting if not any(one is other for other in free)]
        first = next(iter(self.watermarks))
        return sorted(free, key=lambda one: (one[0][first] is not None, one[0][first] or 0))

    def is_free(self, one: Any, alive: list[Attached]) -> bool:
        row, _, sender = one
        for column, wait in self.watermarks.items():
            value = row[column]
            if value is None or value + wait <= self.marks[column]:
                continue
            attached = any(sender is other for other in alive)
            promise = sender.promised if attached else self.promised
            if not (self.stream and column == "ROWTIME" and promise is not None and value <= promise):
                return False
        return True

    def merge(self, attached: list[Attached], anonymous: Attached | None, fresh: list[Any], before: Any) -> None:
        bounds = [self.bound_of(one, one is not anonymous) for one in attached]
        least = None if None in bounds or not bounds else min(bounds)
        everybody = not attached
        may = [(everybody or (least is not None and row["ROWTIME"] <= least + self.slack)) for _, row, _ in self.held]
        come = sorted(
            (one for one, yes in zip(self.held, may, strict=True) if yes), key=lambda one: (one[1]["ROWTIME"], one[0])
        )
        self.held = [one for one, yes in zip(self.held, may, strict=True) if not yes]
        now = [one for one in fresh if everybody or (least is not None and one[1]["ROWTIME"] <= least + self.slack)]
        self.held += [one for one in fresh if not any(one is other for other in now)]
        come += now
        if self.disorder is None:
            come.sort(key=lambda one: (one[1]["ROWTIME"], one[0]))
        entered = [row["ROWTIME"] for _, row, whose in come if self.enter(row, whose, before)]
        if everybody and entered:
            self.bound = self.later(self.bound, max(entered) - self.slack)
        if least is not None and self.entered:
            self.bound = self.later(self.bound, least)

    def enter(self, row: Row, whose: str | None, before: dict[str, int]) -> bool:
        for column, late in self.lateness.items():
            if row[column] is not None and column in before and before[column] - late > row[column]:
                self.reject(row, "late", whose)
                return False
        for column, direction in self.monotonic.items():
            value, last = row[column], self.last.get(column)
            if value is not None and last is not None and (value < last if direction == "INCREASING" else value > last):
                self.reject(row, "not monotonic", whose)
                return False
        for column in self.monotonic:
            if row[column] is not None:
                self.last[column] = row[column]
        for column in self.lateness:
            if row[column] is not None:
                self.clocks[column] = max(row[column], self.clocks.get(column, row[column]))
        self.entered.append(row)
        return True

    # --- bounds ------------------------------------------------------------------------------------------------------

    def newcomer(self) -> Attached:
        return Attached(None if self.bound is None else self.bound + self.slack)

    def floor(self, one: Attached) -> int | None:
        return None if one.clock is None else one.clock - self.slack

    def bound_of(self, one: Attached, waits: bool = True) -> int | None:
        found = self.later(self.floor(one), one.promised)
        waiting = [row["ROWTIME"] for row, _, sender in self.waiting if sender is one] if waits else []
        return found if found is None else min([found, *waiting])

    def reject(self, row: Row, reason: str, whose: str | None) -> None:
        self.rejected.append((row, reason, whose))

    @staticmethod
    def later(one: int | None, other: int | None) -> int | None:
        return max((x for x in (one, other) if x is not None), default=None)
