"""Applies a step to a log: lateness, WATERMARK, the merge of the producers, and the order of other columns.

A row passes four stages, all in one commit. Its producer's bound decides whether it is late; WATERMARK columns make it
wait; the merge holds it until every attached producer has reached it; and LATENESS and MONOTONIC columns are checked as
it enters. Nothing here reads or writes files.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rowtime.delta.batches import RowCounts, SentBatch, is_repeated
from rowtime.delta.state import ProducerState
from rowtime.errors import error
from rowtime.streams import arrival, watermark_buffer
from rowtime.streams.merge import bound_of, merge
from rowtime.streams.pending import ANONYMOUS, Rows
from rowtime.streams.row_admission import AppliedStep, RowAdmission
from rowtime.streams.working_state import AttachedProducer, WorkingState
from rowtime.streams.writes import WriteRequest
from rowtime.types import times
from rowtime.types.orders import later


def apply_step(working: WorkingState, step: WriteRequest, clock: int) -> AppliedStep:
    """Applies one step to the working state. `clock` is the system clock in ms. Raises RowtimeError RT0501 (a bound
    would go back), RT0505 (too many rows are held); the working state must be discarded then."""
    return _StepEvaluation(working, step, clock).run()


class _StepEvaluation:
    def __init__(self, working: WorkingState, step: WriteRequest, clock: int) -> None:
        self.working, self.step, self.clock = working, step, clock
        self.rules = working.rules
        self.applied = AppliedStep()
        self.sources: dict[int, AttachedProducer] = {}
        self.admission = RowAdmission(working, self.sources, self.applied)
        self.names: dict[int, str] = {}
        self.me = AttachedProducer(ANONYMOUS)

    def run(self) -> AppliedStep:
        working, step, name = self.working, self.step, self.step.name
        if name is not None and step.forget:
            working.batches.pop(name, None)
            working.contents.pop(name, None)
            working.counts.pop(name, None)
        if name is not None and step.batch is not None:
            known = working.batches.get(name)
            last = None if known is None else SentBatch(known, working.contents.get(name))
            if is_repeated(SentBatch(step.batch, step.content), last, f"'{self.rules.name}'"):
                self.applied.repeated = True
                self.applied.taken, self.applied.rejections = working.counts.get(name, RowCounts())
                return self.applied
            working.batches[name] = step.batch
            working.contents.pop(name, None)
            if step.content is not None:
                working.contents[name] = step.content
        before = len(working.pending)
        if self.rules.rowtime is None:
            self._table()
        else:
            self._stream()
        self.admission.close()
        if name is not None and step.batch is not None:
            working.counts[name] = RowCounts(self.applied.taken, self.applied.rejections)
        if len(working.pending) > max(before, self.rules.held_rows):
            raise self._too_many_rows()
        return self.applied

    # --- tables ------------------------------------------------------------------------------------------------------

    def _table(self) -> None:
        if self.step.producer is not None and self.step.rows is not None:
            # No producer is attached to a table, but a rejected row names its sender.
            self.working.attachments += 1
            self.me = AttachedProducer(self.working.attachments)
            self.names[self.me.id] = self.step.producer
        rows = self._rows(None)
        if rows is None:
            return
        entering: Rows | None = rows
        if self.rules.watermarks:
            watermark_buffer.add(self.working, rows)
            entering = watermark_buffer.release(self.working, {})
        if entering is not None:
            self.admission.enter(entering)

    # --- streams -----------------------------------------------------------------------------------------------------

    def _stream(self) -> None:
        step = self.step
        self._attach()
        fresh = self._arrive()
        if step.bound is not None:
            self._set_bound(step.bound)
        if self.rules.watermarks:
            fresh = self._release_waiting()
        if (
            step.bound is not None
            and self.me.clock is not None
            and step.bound < self.me.clock - self.rules.allowed_lateness
        ):
            raise self._bound_goes_back(self.me.clock - self.rules.allowed_lateness)
        merge(self.working, self.sources, self.admission, fresh)
        if step.producer is None or step.detach:
            self._leave()
            # Rows that waited for this producer's bound need not wait any more.
            released = self._release_waiting() if self.rules.watermarks else None
            merge(self.working, self.sources, self.admission, released)
        self._note_bounds()

    def _attach(self) -> None:
        working, step = self.working, self.step
        for name, known in working.producers.items():
            self.sources[known.id] = AttachedProducer(known.id, known.clock, known.explicit_bound, known.rejected)
            self.names[known.id] = name
        if step.producer is None:
            self.me = self._new_producer(ANONYMOUS)
        elif step.producer in working.producers:
            found = working.producers[step.producer]
            self.me = self.sources[found.id]
            working.producers[step.producer] = msgspec.structs.replace(found, owner=step.owner, timeout=step.timeout)
        elif step.detach and step.rows is None and step.bound is None:
            return
        else:
            working.attachments += 1
            self.me = self._new_producer(working.attachments)
            self.me.rejected = working.departed.pop(step.producer, 0)
            working.producers[step.producer] = ProducerState(
                id=self.me.id, owner=step.owner, timeout=step.timeout, since=self.clock
            )
            self.names[self.me.id] = step.producer
        if step.producer is not None and step.batch is not None:
            working.producers[step.producer] = msgspec.structs.replace(
                working.producers[step.producer], batch=step.batch
            )
        self.sources[self.me.id] = self.me

    def _new_producer(self, id: int) -> AttachedProducer:
        bound = self.working.bound
        return AttachedProducer(id, None if bound is None else bound + self.rules.allowed_lateness)

    def _arrive(self) -> Rows | None:
        """Returns the step's rows, without those that are late; with WATERMARK they wait, and only an explicit bound
        rejects them."""
        waits = bool(self.rules.watermarks)
        floor = self.me.bound(self.rules.allowed_lateness)
        rows = self._rows(self.me.explicit_bound if waits else floor, floor)
        if rows is None:
            return None
        if waits:
            watermark_buffer.add(self.working, rows)
            return None
        if len(rows):
            self.me.clock = later(self.me.clock, int(rows.rowtime.max()))
        return rows

    def _rows(self, floor: int | None, least: int | None = None) -> Rows | None:
        """Returns the step's rows with their ROWTIME; rejects late ones. Rows below `floor` are late; a missing ROWTIME
        becomes at least `least`."""
        table = self.step.rows
        if table is None or not table.num_rows:
            return None
        count, index = table.num_rows, self.rules.rowtime
        rowtime, good = np.zeros(count, np.int64), np.ones(count, bool)
        if index is not None:
            column = table.column(index)
            missing = np.asarray(pc.is_null(column)) if column.null_count else None
            micros = pc.fill_null(column.cast(pa.int64()), self.clock * 1000)
            rowtime = np.floor_divide(np.asarray(micros), 1000)
            if self.step.sort and np.any(rowtime[1:] < rowtime[:-1]):
                order = np.argsort(rowtime, kind="stable")
                table, rowtime = table.take(pa.array(order)), rowtime[order]
                missing = None if missing is None else missing[order]
            waits = bool(self.rules.watermarks)
            moving = self.rules.disorder is None and not waits
            if waits and missing is not None and least is not None:
                rowtime = np.where(missing, np.maximum(rowtime, least), rowtime)
                missing = None
            rowtime, good = arrival.check_rowtimes(rowtime, missing, floor, self.clock, moving=moving)
            field = table.schema.field(index)
            table = table.set_column(index, field, pa.array(rowtime * 1000).cast(field.type))
        numbers = np.arange(self.working.arrivals, self.working.arrivals + count, dtype=np.int64)
        self.working.arrivals += count
        self.working.received = (self.working.received or 0) + count
        sent = np.full(count, self.me.id, np.int64)
        rows = Rows(table, rowtime, sent, numbers, np.ones(count, bool), self.names)
        self.applied.taken += count
        return self.admission.without_late(rows, good)

    def _set_bound(self, bound: int) -> None:
        known = self.me.explicit_bound if self.rules.watermarks else self.me.bound(self.rules.allowed_lateness)
        if known is not None and bound < known:
            raise self._bound_goes_back(known)
        self.me.explicit_bound = later(self.me.explicit_bound, bound)
        self.working.explicit_bound = later(self.working.explicit_bound, bound)

    def _release_waiting(self) -> Rows | None:
        """Returns the rows that need not wait any more, checked as if they had just arrived, each against its
        producer's bound."""
        rows = watermark_buffer.release(self.working, self.sources)
        if rows is None:
            return None
        # Rows whose producer has left come from a new producer: that of this step, if they belong to none.
        nobody = self.sources.get(ANONYMOUS) or self._new_producer(ANONYMOUS)
        senders = np.where(np.isin(rows.attachment, list(self.sources)), rows.attachment, ANONYMOUS)
        good = np.ones(len(rows), bool)
        for id in np.unique(senders):
            source = self.sources.get(int(id), nobody)
            own = np.flatnonzero(senders == id)
            floor = later(
                None if source.clock is None else source.clock - self.rules.allowed_lateness, self.working.bound
            )
            moving = self.rules.disorder is None
            rowtimes, timely = arrival.check_rowtimes(rows.rowtime[own], None, floor, self.clock, moving=moving)
            good[own] = timely
            if timely.any():
                source.clock = later(source.clock, int(rowtimes[timely].max()))
        return self.admission.without_late(rows, good)

    def _leave(self) -> None:
        self.sources.pop(self.me.id, None)
        name = self.step.producer
        if name is not None and self.working.producers.pop(name, None) is not None and self.me.rejected:
            self.working.count_departed(name, self.me.rejected)

    def _note_bounds(self) -> None:
        waiting = watermark_buffer.earliest_rowtimes(self.working) if self.rules.watermarks else {}
        for name, known in self.working.producers.items():
            source = self.sources[known.id]
            bound = bound_of(self.working, source, waiting)
            seen = (known.clock, known.explicit_bound, known.rejected, known.bound)
            if seen != (source.clock, source.explicit_bound, source.rejected, bound):
                self.working.producers[name] = msgspec.structs.replace(
                    known,
                    clock=source.clock,
                    explicit_bound=source.explicit_bound,
                    rejected=source.rejected,
                    bound=bound,
                )

    # --- errors ------------------------------------------------------------------------------------------------------

    def _bound_goes_back(self, known: int) -> Exception:
        assert self.step.bound is not None
        whose = "" if self.step.producer is None else f" for producer '{self.step.producer}'"
        return error(
            "RT0501",
            f"The bound of stream '{self.rules.name}' cannot go back from {times.text(known)} "
            f"to {times.text(self.step.bound)}{whose}",
            hint="Bounds only move forward; leave this one out",
        )

    def _too_many_rows(self) -> Exception:
        limit = self.rules.held_rows
        return error(
            "RT0505",
            f"'{self.rules.name}' holds {len(self.working.pending)} rows that cannot enter yet, "
            f"but at most {limit} are allowed" + waits_for(self.working.producers),
            hint="Set that producer's bound or detach it, or raise the option held_rows",
        )


def waits_for(producers: Mapping[str, ProducerState]) -> str:
    """Returns a text that names the producer with the least bound."""
    if not producers:
        return ": they wait for a WATERMARK"
    name, least = min(producers.items(), key=lambda item: (item[1].bound is not None, item[1].bound or 0))
    where = "has no bound yet" if least.bound is None else f"is at {times.text(least.bound)}"
    return f": they wait for producer '{name}', which {where}"
