"""Draws composed queries, runs them in three ways, and counts the results."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path

import duckdb

from rowtime.errors import RowtimeError

from . import composed_streams
from .cases import Case
from .composed import composed
from .engines import NAMES, Engines
from .feeding import variation
from .rows import difference
from .sources import Names
from .timing import measured, spent

BLOCK = 24
DRAWS = 6
MOST = 400
"""Rows of a result."""
_LATER = "RT0900"
INTERNAL = "RT0999"


def compare(
    engines: Engines, numbers: Sequence[int], folder: Path, progress: Callable[[str], None] | None = None
) -> list[Case]:
    """Runs the queries of those numbers, block by block; calls `progress` for each block."""
    found: list[Case] = []
    for block, some in groupby(numbers, key=lambda number: number // BLOCK):
        done = run_block(engines, list(some), block, folder)
        found += done
        if progress:
            progress("\n".join([*(shown(case) for case in done if faulty(case)), counts(found), spent()]))
    return found


def run_block(engines: Engines, numbers: Sequence[int], block: int, folder: Path, suffix: str = "") -> list[Case]:
    """Runs queries over the steps of one block."""
    with measured("DuckDB"):
        cases = [case for case in (draw(engines, number) for number in numbers) if case is not None]
    with measured("relations"), ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda case: _as_relation(engines, case), cases))
    with measured("plans"):
        streams = [case for case in cases if not case.differs and _is_streamable(engines, case)]
    if streams:
        try:
            how = engines.how or variation(block)
            for case in streams:
                case.fed = how
            composed_streams.run(engines.session, streams, engines.seed, block, how, folder, suffix)
        except RowtimeError as fault:
            for case in streams:
                case.streamed = case.streamed or f"the block ends with {fault.diagnostics[0].message}"[:300]
    return cases


def draw(engines: Engines, number: int) -> Case | None:
    """Returns query `number`, which does not depend on others; None if no draw has rows, and not too many."""
    for attempt in range(DRAWS):
        chance = random.Random(f"{engines.seed} {number} {attempt}")
        query = composed(Names.of(chance))
        try:
            rows = engines.duckdb_rows(query)
        except duckdb.Error:
            # A constant in GROUP BY, which is a position there.
            continue
        if 0 < len(rows) <= MOST:
            return Case(number, query, rows, attempt=attempt, pumped=chance.random() < 0.5)
    return None


def _as_relation(engines: Engines, case: Case) -> None:
    text = case.query.text(NAMES, streaming=False)
    try:
        plan = engines.session.plan(text)
        if plan.statement.not_supported:
            case.not_relational = _LATER
            return
    except RowtimeError as fault:
        code = fault.diagnostics[0].code
        case.not_relational = code
        if code == INTERNAL:
            case.differs = f"{code}: {fault.diagnostics[0].message}"
        return
    try:
        case.differs = difference(engines.session.relation(plan).tuples(), case.expected, case.query) or ""
    except RowtimeError as fault:
        case.differs = f"{fault.diagnostics[0].code}: {fault.diagnostics[0].message}"[:600]


def _is_streamable(engines: Engines, case: Case) -> bool:
    try:
        plan = engines.session.plan(case.query.text(NAMES, streaming=True))
    except RowtimeError as fault:
        case.refused = fault.diagnostics[0].code
        if case.refused == INTERNAL:
            case.streamed = f"{case.refused}: {fault.diagnostics[0].message}"
        return False
    if plan.statement.not_supported:
        case.refused = _LATER
        return False
    case.fields = list(plan.statement.fields or [])
    names = [each.name for each in case.fields]
    rowtime = (plan.statement.raw_plan or {}).get("rowtime")
    case.rowtime = names.index(rowtime) if rowtime in names else None
    case.pumped = case.pumped and names[0] == "ROWTIME" and case.rowtime == 0 and not case.fields[0].nullable
    return True


def faulty(case: Case) -> bool:
    return bool(case.differs or case.streamed)


def shown(case: Case) -> str:
    """Returns a case in words."""
    how = "pump" if case.pumped else "query"
    lines = [f"case {case.number}: {', '.join(case.query.about)}; {len(case.expected)} rows"]
    lines += [f"  as a relation: {case.differs}"] if case.differs else []
    lines += [f"  as a stream ({how}): {case.streamed}"] if case.streamed else []
    lines += [f"  {case.query.text(NAMES, streaming=True)}", f"  DuckDB: {case.query.duck}"]
    return "\n".join(lines)


def counts(cases: Sequence[Case]) -> str:
    streamed = [case for case in cases if case.streamed is not None]
    relational = [case for case in cases if not case.not_relational]
    refused = Counter(case.refused for case in cases if case.refused)
    as_relation = Counter(case.not_relational for case in cases if case.not_relational)
    said = ", ".join(f"{code} {count}" for code, count in refused.most_common())
    pumped = sum(case.pumped for case in streamed)
    ways = Counter(case.fed for case in streamed)
    fed = ", ".join(f"{how} {count}" for how, count in ways.items())
    return (
        f"{len(cases)} cases, {len(relational)} as relations ({dict(as_relation)} refused), {len(streamed)} as streams"
        f" ({pumped} in pumps; input: {fed}); {sum(map(faulty, cases))} differ; refused as streams: {said}"
    )


def composition(cases: Sequence[Case]) -> str:
    about = Counter(word for case in cases for word in set(case.query.about))
    return "made of: " + ", ".join(f"{word} {count}" for word, count in about.most_common())
