"""Runs composed queries as streams: many at once over the same input, some of them in a pump.

The rows must be those of the relation. No row may be earlier than the bound that its query had announced, no target
may reject one as late, and what the planner accepts must run.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rowtime.errors import RowtimeError
from rowtime.plan.parts import Field
from rowtime.runtime.query.query import Query as RunningQuery
from rowtime.runtime.relation import Relation as Result
from rowtime.script.producers import ScriptProducers
from rowtime.session import Session

from .cases import Case
from .data import ALL_RELATIONS, LATE_VIEWS, LATENESS, VIEWS, rows
from .engines import NAMES
from .feeding import ENDS, Bound, Restart, Step, rounds, statement, write_file
from .rows import difference
from .streaming import midnight
from .timing import measured

_DURATION = re.compile(r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d+))?S)?)?\Z")


@dataclass
class _Sink:
    """Records rows, and those that are earlier than the bound that the query had after the last step."""

    rowtime: int | None
    rows: list[tuple[Any, ...]] = field(default_factory=list)
    bound: dt.datetime | None = None
    overtaken: str = ""

    def open(self, fields: Sequence[Field]) -> None: ...

    def write(self, rows: list[Any]) -> None:
        self.rows += [tuple(row) for row in rows]
        if self.rowtime is not None and self.bound is not None:
            for row in rows:
                if midnight(row[self.rowtime]) < self.bound:
                    self.overtaken = f"{tuple(row)} came after the bound {self.bound}"


def text_of(case: Case, names: dict[str, str], partitions: int) -> str:
    """Returns the streaming query with the number of its partitions."""
    text = case.query.text(names, streaming=True)
    return text.replace("SELECT STREAM ", f"SELECT STREAM /*+ PARTITIONS({partitions}) */ ", 1)


def target(case: Case, name: str) -> str:
    """Returns the stream that a pump fills: as far out of order as the query's ROWTIME can be."""
    listed = []
    for each in case.fields:
        more = " NOT NULL" if each.name == "ROWTIME" else ""
        if each.name == "ROWTIME" and each.disorder:
            more += f" LATENESS INTERVAL '{_seconds(each.disorder)}' SECOND(9)"
        listed.append(f'"{each.name}" {each.type}{more}')
    return f"CREATE STREAM {name} ({', '.join(listed)}) OPTIONS (history 'all')"


def _seconds(duration: str) -> int:
    found = _DURATION.match(duration)
    assert found is not None, duration
    days, hours, minutes, seconds, rest = (int(part or 0) for part in found.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds + (1 if rest else 0)


def names_of(suffix: str) -> dict[str, str]:
    """Returns the names of one run of a block."""
    streams = {each.letter for each in ALL_RELATIONS if each.stream} | set(VIEWS) | set(LATE_VIEWS)
    return {letter: f"{name}_{suffix}" if letter in streams else name for letter, name in NAMES.items()}


def definitions(names: dict[str, str], folder: Path) -> list[str]:
    """Returns the streams and views. A foreign stream is read through a view without the rows that end its files."""
    found = []
    for each in ALL_RELATIONS:
        name = names[each.letter]
        if each.foreign:
            options = f"OPTIONS (connector 'files', path '{folder / each.letter}', format 'json')"
            found.append(f"CREATE FOREIGN STREAM {name}_FILES ({each.types('rowtime')}) {options}")
            found.append(f"CREATE VIEW {name} AS SELECT STREAM * FROM {name}_FILES WHERE id > {ENDS}")
        elif each.stream:
            found.append(f"CREATE STREAM {name} ({each.types('rowtime')})")
    for letter, view in (VIEWS | LATE_VIEWS).items():
        found.append(f"CREATE VIEW {names[letter]} AS {view.replace('~S~', names['S'])}")
    return [*found, *(f"LATENESS {names[letter]}.rowtime {LATENESS}" for letter in LATE_VIEWS)]


@dataclass
class Block:
    """Cases that run together."""

    session: Session
    cases: Sequence[Case]
    names: dict[str, str]
    folder: Path
    partitions: int
    open: dict[int, tuple[RunningQuery, _Sink]] = field(default_factory=dict)
    """Queries by the index of their case."""
    pumps: dict[str, Case] = field(default_factory=dict)
    files: int = 0

    def run(self, some: Sequence[Sequence[Step]]) -> None:
        listeners = self.session.runtime.listeners
        listeners.on_rejected, listeners.on_fault = self._rejected, self._failed
        producers = ScriptProducers(self.session)
        try:
            for each in ALL_RELATIONS:
                if each.foreign:
                    (self.folder / each.letter).mkdir(parents=True)
            with measured("starts"):
                for sql in definitions(self.names, self.folder):
                    self.session.sql(sql)
                for index, case in enumerate(self.cases):
                    self._open(index, case)
            for steps in some:
                for step in steps:
                    with measured("restarts" if isinstance(step, Restart) else "input"):
                        self._perform(step, producers)
                with measured("micro-batches"):
                    self._settle()
            with measured("comparisons"):
                self._compare()
        finally:
            with measured("ends"):
                self._end()
                producers.close()
            listeners.on_rejected = listeners.on_fault = None

    def _end(self) -> None:
        """Drops everything: a catalog that grows makes each plan slower."""
        for query, _ in self.open.values():
            query.stop()
        # A pump, then its target; after them what they read.
        names = [f"T_{name.removeprefix('P_')}" for name in self.pumps]
        names += [self.names[r.letter] for r in ALL_RELATIONS if r.stream and not r.foreign]
        dropped = [f"PUMP {name}" for name in self.pumps] + [f"STREAM {name} CASCADE" for name in names]
        dropped += [f"STREAM {self.names[r.letter]}_FILES CASCADE" for r in ALL_RELATIONS if r.foreign]
        for each in dropped:
            with contextlib.suppress(RowtimeError):
                self.session.sql(f"DROP {each}")

    def _open(self, index: int, case: Case) -> None:
        text = text_of(case, self.names, self.partitions)
        try:
            if case.pumped:
                name = f"{self.names['S']}_{index}"
                self.session.sql(target(case, f"T_{name}"))
                options = f"OPTIONS (partitions {self.partitions})"
                query = case.query.text(self.names, streaming=True)
                self.pumps[f"P_{name}"] = case
                self.session.sql(f"CREATE PUMP P_{name} STARTED {options} AS INSERT INTO T_{name} {query}")
            else:
                sink = _Sink(case.rowtime)
                self.open[index] = self.session.submit(text, sink), sink
            case.streamed = ""
        except RowtimeError as fault:
            case.streamed = "does not start: " + _said(fault)

    def _perform(self, step: Step, producers: ScriptProducers) -> None:
        if isinstance(step, Restart):
            self._restart(step.partitions)
        elif isinstance(step, Bound):
            time = step.time.isoformat(" ", "milliseconds")
            producers.set_bound(self.names[step.letter], time, strict=False)
        elif step.relation.foreign:
            self.files += 1
            write_file(step, self.folder / step.relation.letter, self.files)
        else:
            self.session.sql(statement(step, self.names).rstrip(";"))

    def _restart(self, partitions: int) -> None:
        for query, _ in self.open.values():
            query.kill()
        self.session.runtime.kill_pumps()
        self.session.spark.conf.set("spark.sql.shuffle.partitions", str(partitions))
        self.session.runtime.restart_pumps()
        for index, (query, _) in list(self.open.items()):
            try:
                query.restart()
            except RowtimeError as fault:
                self._drop(index, fault)

    def _settle(self) -> None:
        while self.open or self.pumps:
            try:
                self.session.runtime.settle([query for query, _ in self.open.values()])
                break
            except RowtimeError:
                failed = [index for index, (query, _) in self.open.items() if query.exception is not None]
                if not failed:
                    raise
                for index in failed:
                    self._drop(index, self.open[index][0].exception)
        for query, sink in self.open.values():
            sink.bound = query.rowtime_bound

    def _drop(self, index: int, fault: RowtimeError | None) -> None:
        """Ends a query that has failed; the others go on."""
        query, _ = self.open.pop(index)
        self.cases[index].streamed = "fails: " + (_said(fault) if fault is not None else "")
        query.stop()

    def _failed(self, pump: str, fault: RowtimeError) -> None:
        if pump in self.pumps:
            self.pumps[pump].streamed = "fails in a pump: " + _said(fault)

    def _rejected(self, pump: str, stream: str, rejected: Sequence[Any]) -> None:
        if pump in self.pumps:
            self.pumps[pump].streamed = f"its target rejects {rejected[0].row} as {rejected[0].reason}"

    def _compare(self) -> None:
        for index, (_, sink) in self.open.items():
            case = self.cases[index]
            case.streamed = difference(sink.rows, case.expected, case.query) or sink.overtaken
        for name, case in self.pumps.items():
            if not case.streamed:
                listed = ", ".join(f'"{each.name}"' for each in case.fields)
                found = self.session.sql(f"SELECT {listed} FROM T_{name.removeprefix('P_')}")
                assert isinstance(found, Result)
                case.streamed = difference(found.tuples(), case.expected, case.query) or ""


def _said(fault: RowtimeError) -> str:
    first = fault.diagnostics[0]
    return f"{first.code}: {first.message}"[:800]


@contextlib.contextmanager
def _setting(session: Session, key: str) -> Iterator[None]:
    before = session.spark.conf.get(key, None)
    yield
    if before is not None:
        session.spark.conf.set(key, before)


def run(
    session: Session, cases: Sequence[Case], seed: int, block: int, how: str, folder: Path, suffix: str = ""
) -> None:
    """Runs the cases together, and records the difference of each."""
    chance = random.Random(f"{seed} composed {block}")
    partitions = chance.choice((1, 1, 2, 3))
    data = {each: rows(each, seed) for each in ALL_RELATIONS if each.stream}
    some = rounds(data, chance, how)
    name = f"{block}{suffix}"
    with _setting(session, "spark.sql.shuffle.partitions"):
        Block(session, cases, names_of(name), folder / name, partitions).run(some)
