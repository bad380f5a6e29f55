"""How a query is getting on: rows, speed, rowtime, state, late and bad rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rowtime.streams import times

if TYPE_CHECKING:
    from pyspark.sql.streaming import StreamingQuery as SparkQuery


@dataclass(frozen=True, slots=True)
class Progress:
    """`rows_in` are the rows read in the last batches, `rows_per_second` their rate; `rows_out` all rows that the sink
    has got (None where Spark keeps them); `rowtime` the bound up to which everything is complete (ISO, UTC), None while
    there is none; `state_rows` what the operators remember; `batches` how many there were."""

    rows_in: int
    rows_per_second: float
    rows_out: int | None
    rowtime: str | None
    state_rows: int
    batches: int
    seconds: float


def progress_of(query: SparkQuery, rows_out: int | None, seconds: float) -> Progress:
    recent: list[Any] = list(query.recentProgress)
    rows = sum(_get(p, "numInputRows", 0) for p in recent)
    spent = sum(_get(p, "durationMs", {}).get("triggerExecution", 0) for p in recent) / 1000
    last = recent[-1] if recent else None
    watermark = (_get(last, "eventTime", {}) or {}).get("watermark") if last else None
    state = sum(_get(o, "numRowsTotal", 0) for o in _get(last, "stateOperators", [])) if last else 0
    return Progress(
        rows_in=rows,
        rows_per_second=rows / spent if spent else 0.0,
        rows_out=rows_out,
        rowtime=_bound(watermark),
        state_rows=state,
        batches=_get(last, "batchId", -1) + 1 if last else 0,
        seconds=seconds,
    )


def _bound(watermark: str | None) -> str | None:
    if not watermark:
        return None
    millis = times.parse_millis(watermark)
    return times.text(millis, "T") if millis > 0 else None


def _get(thing: Any, name: str, default: Any) -> Any:
    found = getattr(thing, name, None)
    if found is None and isinstance(thing, dict):
        found = thing.get(name)
    return default if found is None else found
