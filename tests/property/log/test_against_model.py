"""The log against a model in plain Python: the rows that enter and their order, rejected rows, and every bound."""

from __future__ import annotations

import copy
import os
import tempfile
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from sharing import submit_together
from tests.property.log.model import Model, RequestRefused

from rowtime.catalog.store import Store
from rowtime.errors import RowtimeError
from rowtime.storage.interface import Storage
from rowtime.streams.log import CONTROL, SEQ, StreamLog, WriteRequest
from rowtime.types import times

NOW = 4
COLUMNS = ("ROWTIME", "A", "B", "N")


def cases(config: pytest.Config) -> int:
    return int(os.environ.get("ROWTIME_CASES", "5000" if config.getoption("--thorough") else "200"))


instants = st.integers(-2, 9)
numbers = st.one_of(st.none(), st.integers(-3, 9))
rows = st.lists(st.tuples(st.one_of(st.none(), instants, instants, instants), numbers, numbers), max_size=4)
steps = st.fixed_dictionaries(
    {
        "rows": rows,
        "producer": st.sampled_from(["P1", "P2", "P3", "P1", "P2", None]),
        "bound": st.one_of(st.none(), st.none(), instants),
        "detach": st.sampled_from([False, False, True]),
        "sort": st.booleans(),
    }
)
moves = st.one_of(st.lists(steps, min_size=1, max_size=3), st.lists(steps, min_size=1, max_size=1), st.just("reopen"))
distance = st.integers(0, 3)
kinds = st.fixed_dictionaries(
    {
        "stream": st.sampled_from([True, True, True, False]),
        "disorder": st.one_of(st.none(), distance),
        "watermarks": st.one_of(
            st.just({}), st.just({}), st.fixed_dictionaries({}, optional={"ROWTIME": distance, "A": distance})
        ),
        "lateness": st.one_of(st.just({}), st.fixed_dictionaries({}, optional={"A": distance, "B": distance})),
        "monotonic": st.one_of(
            st.just({}),
            st.fixed_dictionaries({}, optional={c: st.sampled_from(["INCREASING", "DECREASING"]) for c in ("B", "N")}),
        ),
    }
)


def model_and_definition(kind: dict[str, Any]) -> tuple[Model, dict[str, Any]]:
    """Returns the model and the catalog's definition of one log."""
    stream = kind["stream"]
    watermarks = {c: kind["watermarks"][c] for c in COLUMNS[0 if stream else 1 :] if c in kind["watermarks"]}
    monotonic = {c: way for c, way in kind["monotonic"].items() if c not in kind["lateness"]}
    model = Model(kind["disorder"] if stream else None, watermarks, dict(kind["lateness"]), monotonic, stream)
    columns = []
    for name in COLUMNS[0 if stream else 1 :]:
        unit = "millis" if name == "ROWTIME" else "number"
        late = model.disorder if name == "ROWTIME" else model.lateness.get(name)
        columns.append(
            {
                "name": name,
                "type": "TIMESTAMP(3)" if name == "ROWTIME" else "BIGINT" if name != "B" else "DECIMAL(6, 2)",
                "nullable": name != "ROWTIME",
                "latenessValue": None if late is None else {unit: late if unit == "millis" else str(late)},
                "watermarkValue": {unit: w if unit == "millis" else str(w)}
                if (w := watermarks.get(name)) is not None
                else None,
                "monotonic": monotonic.get(name),
            }
        )
    kind_of = "STREAM" if stream else "TABLE"
    return model, {"name": "S", "kind": kind_of, "columns": columns, "options": {}, "primaryKey": []}


def content(log: StreamLog) -> list[tuple[Any, ...]]:
    """Returns all rows that have entered, in the order in which readers see them."""
    found = []
    for version in range(1, log.version() + 1):
        for action in log.delta.actions(version):
            if "add" in action:
                found += _rows(log, action["add"])
    assert [row[SEQ] for row in found] == sorted({row[SEQ] for row in found})
    return [_plain(row) for row in found if not row[CONTROL]]


def control(log: StreamLog, version: int) -> tuple[Any, ...]:
    """Returns the control row of a commit."""
    (added,) = (action["add"] for action in log.delta.actions(version) if "add" in action)
    return _plain(_rows(log, added)[-1])


def _rows(log: StreamLog, added: dict[str, Any]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(pa.BufferReader(log.storage.get_buffer(added["path"]))).to_pylist()
    return rows


def bounds(model: Model, names: list[str]) -> tuple[Any, ...]:
    """Returns the bound of each column; None if it has none."""
    found: dict[str, int | None] = {"ROWTIME": model.bound} if model.stream else {}
    found |= {c: model.clocks[c] - late for c, late in model.lateness.items() if c in model.clocks}
    found |= model.last
    return tuple(found.get(name) for name in names)


def _plain(row: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(
        value if value is None else times.to_micros(value) // 1000 if name == "ROWTIME" else int(value)
        for name, value in row.items()
        if name in COLUMNS
    )


def _rejected(outcome: Any) -> list[tuple[Any, ...]]:
    names = outcome.names
    return [
        (
            tuple(
                v if v is None else v // 1000 if n == "ROWTIME" else int(v)
                for n, v in zip(names, one.row.values(), strict=True)
            ),
            one.reason,
            one.producer,
        )
        for one in outcome.rejected
    ]


def run(kind: dict[str, Any], script: list[Any], folder: str, storage: Storage | None = None) -> None:
    """Runs a script on a log in `folder`, or in a storage."""
    model, definition = model_and_definition(kind)
    names = [column["name"] for column in definition["columns"]]
    with Store(folder) as store:
        store.commit([{"action": "create", "object": definition}])
        entry = store.get("S")
        assert entry is not None
        log = StreamLog(store, entry, storage=storage)
        number = 0
        for move in script:
            if move == "reopen":
                log = StreamLog(store, entry, storage=storage)
                continue
            given_steps, expected = [], []
            for step in move:
                named = []
                for row in step["rows"]:
                    number += 1
                    named.append({**dict(zip(COLUMNS, (*row, number // 2), strict=True)), "id": number})
                values = [[_stored(row[name], name) for name in names] for row in named]
                given_steps.append(
                    WriteRequest(
                        rows=log.table(values) if values else None,
                        producer=step["producer"],
                        bound=step["bound"] if model.stream else None,
                        detach=step["detach"],
                        sort=step["sort"] and model.stream,
                    )
                )
                before, count = copy.deepcopy(model), len(model.rejected)
                bound = step["bound"] if model.stream else None
                try:
                    model.step(named, step["producer"], bound, step["detach"], step["sort"], NOW)
                except RequestRefused:
                    model = before
                    expected.append(None)
                    continue
                late = model.rejected[count:]
                gone = {row["id"] for row, _, _ in late} & {row["id"] for row in named}
                told = [(tuple(row[n] for n in names), why, whose) for row, why, whose in late]
                expected.append((len(named) - len(gone), told))
            outcomes = submit_together(log, given_steps)
            for outcome, wanted in zip(outcomes, expected, strict=True):
                if wanted is None:
                    assert isinstance(outcome, RowtimeError) and outcome.code == "RT0501"
                else:
                    assert not isinstance(outcome, Exception), outcome
                    assert (outcome.taken, _rejected(outcome)) == wanted
            state = log.state()
            assert state.bound == model.bound
            assert {n: p.bound for n, p in state.producers.items()} == {
                n: model.bound_of(p) for n, p in model.producers.items()
            }
            assert state.held == len(model.held) + len(model.waiting)
            assert (state.entered, state.late) == (len(model.entered), len(model.rejected))
            if state.version:
                assert control(log, state.version) == bounds(model, names)
        assert content(log) == [tuple(row[n] for n in names) for row in model.entered]
        assert storage is None or not log.folder.exists()


def _stored(value: Any, name: str) -> Any:
    return value if value is None or name != "ROWTIME" else value * 1000


def test_the_log_is_what_the_model_says(pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(times, "now", lambda: NOW)

    @seed(int(os.environ.get("ROWTIME_SEED", "20200101")))
    @settings(max_examples=cases(pytestconfig), deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(kinds, st.lists(moves, min_size=3, max_size=12))
    def check(kind: dict[str, Any], script: list[Any]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            run(kind, script, folder)

    check()
