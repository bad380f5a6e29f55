"""Steps that share a commit, as those of several threads do."""

from __future__ import annotations

from collections.abc import Sequence

from rowtime.streams.committer import Work
from rowtime.streams.log import Outcome, StreamLog, WriteRequest


def submit_together(log: StreamLog, steps: Sequence[WriteRequest]) -> list[Outcome | Exception]:
    """Has the steps done in one commit; for each what it did, or why nothing of it was done."""
    works = [Work(step) for step in steps]
    log._committer.put(*works)
    log.flush()
    log.forward_rejected()
    return [work.error if isinstance(work.error, Exception) else work.outcome for work in works]  # type: ignore[misc]
