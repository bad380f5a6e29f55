"""Compares the checkpoint of a query with its target, before the query continues from the checkpoint.

Either may have been restored from a backup: a checkpoint that is older than its target would write rows again or skip
others, and a target that is older than its checkpoint lacks rows that are never written again.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from rowtime.delta.batches import GENERATION, LastBatch, SentBatch, WrittenBatches
from rowtime.errors import RowtimeError, error
from rowtime.runtime.checkpoint import checkpoints
from rowtime.runtime.target.targets import Target

WRITTEN = "written"
"""The file in the folder of a query that records the last micro-batch that it has written."""


def content_of(checkpoint: Path, batch: int) -> int | None:
    """Returns the number of a micro-batch's content, see `SentBatch`, from the offsets in Spark's checkpoint; None if
    Spark has deleted them."""
    try:
        text = (checkpoint / "offsets" / str(batch)).read_bytes()
    except OSError:
        return None
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big") >> 1


def check(folder: Path, target: Target, what: str, hint: str, generation: int = 0) -> LastBatch:
    """Checks that the checkpoint of a query in `folder` and its target belong together. `what` names the query, `hint`
    is the way out, and `generation` is how often a pump was reset. Returns what the target says.

    Raises RowtimeError RT0607 if the checkpoint is older than the target, or another one, or is damaged; RT0605 if a
    stream or a table has lost what was written to it, and RT0607 for a foreign target."""
    said = target.last_batch()
    first = generation * GENERATION
    last = said.batch
    if last is not None:
        last = None if last.number < first else SentBatch(last.number - first, last.content)
    spark = folder / "spark"
    checkpoints.check(spark, what, None if last is None else last.number, hint)
    known = WrittenBatches(folder / WRITTEN, target.identity).last
    if last is not None and last.content is not None:
        planned = content_of(spark, last.number)
        if planned is None and known is not None and known.number == last.number:
            planned = known.content
        if planned is not None and planned != last.content:
            raise checkpoints.damaged_checkpoint(
                what,
                spark / "offsets" / str(last.number),
                f"is not that of micro-batch {last.number} in {target.label}: the checkpoint is another one, or older",
                hint,
            )
    if said.is_known and known is not None and (last is None or last.number < known.number):
        raise _behind(target, what, known, last, hint)
    return said


def _behind(target: Target, what: str, known: SentBatch, last: SentBatch | None, hint: str) -> RowtimeError:
    has = "has none of it" if last is None else f"has only those up to {last.number}"
    message = f"{what} has written micro-batch {known.number} to {target.label}, which {has}"
    if target.stored:
        return error(
            "RT0605",
            f"{message}: it has lost rows, or was replaced by an older copy",
            hint=f"Restore its files from a later backup. {hint}",
        )
    return error(
        "RT0607",
        f"{message}: it was emptied, or replaced by an older copy",
        hint=f"Restore it from a later backup. {hint}",
    )
