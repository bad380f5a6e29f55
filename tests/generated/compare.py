"""All of it: the queries drawn, run, compared, and what is said about it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from rowtime.errors import RowtimeError

from . import streaming
from .cases import Case, draw
from .differences import named
from .engines import NAMES, Engines
from .rows import difference

BLOCK = 16
"""Queries that may run as streams over the same input, whose steps depend on the block's number."""


def compare(engines: Engines, numbers: Sequence[int], progress: Callable[[str], None] | None = None) -> list[Case]:
    """Runs the queries of those numbers."""
    cases = [draw(engines, number, engines.seed) for number in numbers]
    for case in cases:
        case.differs = _relational(engines, case)
        if case.differs and progress:
            progress(told([case]))
    waiting: dict[int, list[Case]] = defaultdict(list)
    for case in cases:
        if streaming.streamable(engines.session, case):
            waiting[case.number // BLOCK].append(case)
    for block, some in waiting.items():
        streaming.run(engines.session, some, engines.seed, block)
        for case in some:
            if case.streamed and progress:
                progress(told([case]))
    for case in cases:
        case.name = named(case)
    return cases


def _relational(engines: Engines, case: Case) -> str:
    """What differs; ''."""
    try:
        found = engines.ours(case.query)
    except RowtimeError as fault:
        first = fault.diagnostics[0]
        return f"{first.code}: {first.message}"
    return difference(found, case.expected, case.query) or ""


def told(cases: Sequence[Case], *, whole: bool = False) -> str:
    """The counts; of a single case its text in both dialects."""
    if len(cases) > 1:
        return _counts(cases)
    (case,) = cases
    said = [f"query {case.number}: {', '.join(case.query.about)}; {len(case.expected)} rows"]
    said += [f"  as a relation: {case.differs}"] if case.differs or whole else []
    said += [f"  as a stream: {case.streamed or case.refused or 'equal'}"] if case.streamed or whole else []
    said += [f"  {case.query.text(NAMES, streaming=False)}", f"  DuckDB: {case.query.duck}"]
    return "\n".join(said)


def _counts(cases: Sequence[Case]) -> str:
    names = Counter(case.name for case in cases if case.name)
    streamed = [case for case in cases if case.streamed is not None]
    refused = Counter(case.refused for case in cases if case.refused)
    about = Counter(word for case in cases for word in set(case.query.about))
    lines = [
        f"{len(cases)} queries, {sum(not c.differs for c in cases)} equal, {sum(names.values())} of a named difference,"
        f" {sum(c.faulty for c in cases)} differ; {sum(not c.expected for c in cases)} without rows",
        f"{len(streamed)} run as streams too, {sum(not c.streamed for c in streamed)} equal",
        "not as streams: " + ", ".join(f"{why} {count}" for why, count in refused.most_common()),
        "made of: " + ", ".join(f"{word} {count}" for word, count in about.most_common()),
    ]
    return "\n".join([*lines, *(f"{count:7} {name}" for name, count in names.items())])
