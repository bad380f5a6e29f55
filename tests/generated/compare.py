"""Draws and runs the queries, compares the results, and reports them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import groupby

from rowtime.errors import RowtimeError

from . import streaming
from .cases import Case, draw
from .differences import difference_name
from .engines import NAMES, Engines
from .rows import difference

BLOCK = 16
"""Queries that may run as streams over the same input, whose steps depend on the block's number."""


def compare(engines: Engines, numbers: Sequence[int], progress: Callable[[str], None] | None = None) -> list[Case]:
    """Runs the queries of those numbers, block by block; calls `progress` for each."""
    cases: list[Case] = []
    for block, some in groupby(numbers, key=lambda number: number // BLOCK):
        done = _block(engines, list(some), block)
        cases += done
        if progress:
            progress("\n".join([*(summary([case]) for case in done if case.differs or case.streamed), _short(cases)]))
    return cases


def _block(engines: Engines, numbers: Sequence[int], block: int) -> list[Case]:
    cases = [draw(engines, number, engines.seed) for number in numbers]
    for case in cases:
        case.differs = _relational(engines, case)
    streams = [case for case in cases if streaming.streamable(engines.session, case)]
    if streams:
        streaming.run(engines.session, streams, engines.seed, block)
    for case in cases:
        case.name = difference_name(case)
    return cases


def _relational(engines: Engines, case: Case) -> str:
    """Returns the difference; '' if there is none."""
    try:
        found = engines.ours(case.query)
    except RowtimeError as fault:
        first = fault.diagnostics[0]
        return f"{first.code}: {first.message}"
    return difference(found, case.expected, case.query) or ""


def summary(cases: Sequence[Case], *, whole: bool = False) -> str:
    """Returns the counts; for a single case its text in both dialects."""
    if len(cases) > 1:
        return _counts(cases)
    (case,) = cases
    said = [f"query {case.number}: {', '.join(case.query.about)}; {len(case.expected)} rows"]
    said += [f"  as a relation: {case.differs}"] if case.differs or whole else []
    said += [f"  as a stream: {case.streamed or case.refused or 'equal'}"] if case.streamed or whole else []
    said += [f"  {case.query.text(NAMES, streaming=False)}", f"  DuckDB: {case.query.duck}"]
    return "\n".join(said)


def _short(cases: Sequence[Case]) -> str:
    streamed = [case for case in cases if case.streamed is not None]
    equal = sum(not case.differs for case in cases)
    called, faulty = sum(bool(case.name) for case in cases), sum(case.faulty for case in cases)
    return (
        f"{len(cases)} queries, {equal} equal, {called} of a named difference, {faulty} differ; {len(streamed)} run as"
        f" streams too, {sum(not c.streamed for c in streamed)} equal"
    )


def _counts(cases: Sequence[Case]) -> str:
    names = Counter(case.name for case in cases if case.name)
    refused = Counter(case.refused for case in cases if case.refused)
    about = Counter(word for case in cases for word in set(case.query.about))
    lines = [
        f"{_short(cases)}; {sum(not c.expected for c in cases)} without rows",
        "not as streams: " + ", ".join(f"{why} {count}" for why, count in refused.most_common()),
        "made of: " + ", ".join(f"{word} {count}" for word, count in about.most_common()),
    ]
    return "\n".join([*lines, *(f"{count:7} {name}" for name, count in names.items())])
