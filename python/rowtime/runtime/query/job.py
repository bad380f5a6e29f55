"""The job of a streaming query of a session, from its first start to the deletion of its checkpoint."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from rowtime.errors import RowtimeError
from rowtime.plan.nodes import Node
from rowtime.runtime.checkpoint import checkpoints
from rowtime.runtime.checkpoint.partitions import kept_partitions
from rowtime.runtime.faults import query_fault
from rowtime.runtime.job.feed import EmittedBatches
from rowtime.runtime.job.job import Job
from rowtime.runtime.job.leases import QueryLeases
from rowtime.runtime.launch.batch_writers import BatchWriter
from rowtime.runtime.launch.folders import QueryFolder
from rowtime.runtime.launch.launcher import Launcher
from rowtime.runtime.query.altered import ReadDefinitions
from rowtime.runtime.target import written
from rowtime.runtime.target.targets import LogTarget, Target
from rowtime.streams.start import Start
from rowtime.translate import Translated


class QueryJob(Job):
    """The job of a query that lives as long as its process. It sees what enters its streams after it was created, or
    from its `start` on.

    `partitions`: None for those of the session. `write` says where its rows go: `target`, or a sink.
    """

    def __init__(
        self,
        launcher: Launcher,
        plan: Node,
        folder: QueryFolder,
        start: Start,
        partitions: int | None,
        target: Target | None,
        write: Callable[[Job, Translated], BatchWriter],
    ) -> None:
        super().__init__(launcher, plan, folder.name, folder.path, self.as_error)
        self.target = target
        self._query_folder = folder
        self._start = start
        self._partitions = partitions
        self._write = write
        self._leases = QueryLeases(launcher, plan, folder, from_earliest=start.earliest or start.since is not None)
        self._definitions = ReadDefinitions(launcher.store, plan)
        self.source_rows = launcher.source_rows(plan, self._leases.offsets)

    def begin(self) -> None:
        """Starts the query for the first time."""
        self._run(again=False)

    def restart(self) -> None:
        """Starts it from its checkpoint. Raises RowtimeError if the checkpoint or the target is damaged, or one of them
        is older than the other."""
        if self.target is not None:
            written.check(self.folder, self.target, "The query", "Start a new query")
        else:
            last = EmittedBatches(self.folder).last
            checkpoints.check(self.folder / "spark", "The query", last, "Start a new query")
        self._run(again=True)

    def _run(self, *, again: bool) -> None:
        offsets = self._leases.restart_offsets() if again else self._leases.begins
        partitions = kept_partitions(self.folder, self._partitions or self.launcher.partitions)
        self.launch(partitions, offsets, self._start, lambda result: self._write(self, result))

    def as_error(self, fault: BaseException) -> RowtimeError:
        return query_fault(fault, "The query", self.folder / "spark" / "state")

    def renew(self) -> None:
        """Keeps the rows that it has not read yet, and tells if what it reads was altered."""
        self._definitions.check()
        self._leases.renew()

    def remove(self) -> None:
        """Deletes its checkpoint, and detaches it from its sources and its target."""
        with contextlib.suppress(RowtimeError):
            # A stream that it read or fed may have been dropped.
            self._leases.release()
            if isinstance(self.target, LogTarget):
                self.target.detach()
        self.launcher.forget(self.folder)
        self._query_folder.remove()
