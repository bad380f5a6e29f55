"""Submits steps that share a commit, as those of several threads do."""

from __future__ import annotations

from collections.abc import Sequence

from rowtime.streams.committer import PendingWrite
from rowtime.streams.log import StreamLog, WriteOutcome, WriteRequest


def submit_together(log: StreamLog, steps: Sequence[WriteRequest]) -> list[WriteOutcome | Exception]:
    """Applies the steps in one commit; returns for each its outcome, or the error that prevented it."""
    writes = [PendingWrite(step) for step in steps]
    log._committer.put(*writes)
    log.flush()
    log.forward_rejected()
    return [write.error if isinstance(write.error, Exception) else write.outcome for write in writes]  # type: ignore[misc]
