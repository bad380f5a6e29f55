"""The signature of a pump: what its checkpoint was made for. A pump whose query has another one is refused (RT0516)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.decoding import Decoder
from rowtime.errors import error, format_count
from rowtime.plan.nodes import Node
from rowtime.plan.operators import function_calls, needs_watermark
from rowtime.plan.state import functions, mismatched_state, operators, signature, sources
from rowtime.planner import Feeding
from rowtime.runtime.checkpoint.checkpoints import damaged_checkpoint
from rowtime.runtime.checkpoint.partitions import kept_partitions, record_partitions, recorded_partitions
from rowtime.runtime.launch.folders import pump_folder
from rowtime.runtime.pump.function_code import CodeHash, changed_code
from rowtime.sparksql.settings import requested_partitions
from rowtime.storage.smallfiles import write_whole

_SIGNATURE = "signature.json"


def computed_again(entry: Entry) -> str:
    """Returns how a materialized view is computed anew."""
    return (
        f"DROP MATERIALIZED VIEW {entry.name}, and create it again: it is computed from the rows that its streams "
        "still hold"
    )


class _Source(msgspec.Struct, frozen=True):
    """A source: the id of its catalog entry, and the planner's text for what it is."""

    id: str
    identity: str


class _Signature(msgspec.Struct, frozen=True):
    """The plan of a checkpoint: its stateful nodes, its sources, hashes of the code of its functions (None: unknown),
    and of a materialized view what its rows are."""

    state: list[str]
    sources: list[_Source | str]
    functions: dict[str, str | None] = {}
    result: str | None = None


_signatures = Decoder(_Signature)


@dataclass(frozen=True)
class PumpSignatures:
    """The signatures of the pumps of a warehouse. `code` identifies the code of a function."""

    store: Store
    code: CodeHash

    def check(self, entry: Entry, statement: Feeding, *, replaced: bool = False, folder: Path | None = None) -> None:
        """Raises RowtimeError RT0516 if the saved state of the pump, or that in another `folder`, does not match its
        statement. `replaced`: the statement is that of a CREATE OR REPLACE."""
        changed = self.mismatch(entry, statement, folder)
        if changed is not None:
            raise error(
                "RT0516",
                f"The saved state of {entry.kind.lower()} '{entry.name}' no longer fits its query: {changed}",
                hint=_way_out(entry, replaced=replaced),
            )

    def mismatch(self, entry: Entry, statement: Feeding, folder: Path | None = None) -> str | None:
        """Returns why the saved state of the pump, or that in another `folder`, does not match its statement; None if
        it does, or if there is none."""
        plan = statement.plan
        assert plan is not None and statement.target is not None
        saved = folder or pump_folder(self.store, entry)
        file = saved / _SIGNATURE
        if not file.exists():
            return None
        try:
            signed = _signatures.decode(file.read_bytes())
        except msgspec.MsgspecError as fault:
            raise damaged_checkpoint(entry.label, file, "is truncated or damaged") from fault
        changed = mismatched_state(signed.state, plan, adopted=bool(entry.definition.get("adopted")))
        if changed is None:
            changed = self._changed_source(signed.sources, plan)
        if changed is None:
            code = changed_code(signed.functions, self._functions(statement))
            changed = None if code is None else f"the code of function {code} has changed"
        if changed is None and _has_state(plan):
            kept, wanted = recorded_partitions(saved), requested_partitions(entry.options, statement.partitions)
            if None not in (kept, wanted) and kept != wanted:
                changed = f"it has {format_count(kept or 0, 'partition')}, but {wanted} are requested"
        if changed is None and signed.result not in (None, statement.target.meaning):
            changed = "its rows are the result of another query"
        return changed

    def partitions(self, entry: Entry, statement: Feeding, default: int) -> int:
        """Returns the number of partitions of the pump: the number recorded at its first start, or else the one that it
        requests, or the `default`. Call it after `check`; it records the number."""
        wanted, plan = requested_partitions(entry.options, statement.partitions), statement.plan
        assert plan is not None
        if wanted is not None and not _has_state(plan):
            record_partitions(pump_folder(self.store, entry), wanted)
            return wanted
        return kept_partitions(pump_folder(self.store, entry), wanted or default)

    def sign(self, entry: Entry, statement: Feeding) -> None:
        """Records the signature of the state that the pump is about to create."""
        plan, target = statement.plan, statement.target
        assert plan is not None and target is not None
        signed = _Signature(
            state=signature(plan),
            sources=self._sources(plan),
            functions=self._functions(statement),
            result=target.meaning,
        )
        write_whole(pump_folder(self.store, entry) / _SIGNATURE, msgspec.json.encode(signed))

    def has_run(self, entry: Entry) -> bool:
        """Returns whether the pump has a checkpoint."""
        return (pump_folder(self.store, entry) / _SIGNATURE).exists()

    def saved_operators(self, entry: Entry) -> list[str] | None:
        """Returns the operators whose state the pump has saved; None if that is unknown."""
        try:
            signed = _signatures.decode((pump_folder(self.store, entry) / _SIGNATURE).read_bytes())
            return operators(signed.state)
        except FileNotFoundError:
            return []
        except (OSError, ValueError, msgspec.MsgspecError):
            return None

    def _sources(self, plan: Node) -> list[_Source | str]:
        """Returns the plan's sources, in the order in which Spark numbers them."""
        found = [(self.store.get(name), identity) for name, identity in sources(plan)]
        return [_Source(entry.id, identity) for entry, identity in found if entry is not None]

    def _changed_source(self, recorded: Sequence[_Source | str], plan: Node) -> str | None:
        """Returns how the sources are not those whose offsets have been recorded; None if they are."""
        present = self._sources(plan)
        ids = [source if isinstance(source, str) else source.id for source in recorded]
        if ids != [source if isinstance(source, str) else source.id for source in present]:
            return "it reads other sources"
        for before, now in zip(recorded, present, strict=True):
            # An earlier version of rowtime recorded only the id.
            if isinstance(before, _Source) and isinstance(now, _Source) and before != now:
                return f"its source is {now.identity}, and was {before.identity}"
        return None

    def _functions(self, statement: Feeding) -> dict[str, str | None]:
        """Returns the code of the functions that the state depends on. If the rows of the target are those of one
        result, or its changes, these are all that the query calls."""
        plan, target = statement.plan, statement.target
        assert plan is not None and target is not None
        found = set(functions(plan))
        if target.meaning is not None:
            found |= {f"{call.language} {call.body}" for call in function_calls(plan)}
        return {code: self.code(code) for code in sorted(found)}


def _has_state(plan: Node) -> bool:
    """Returns whether any data of a plan is stored by partition: the state of operators, or rows that wait."""
    return needs_watermark(plan) or bool(signature(plan))


def _way_out(entry: Entry, *, replaced: bool) -> str:
    """Returns what to do about a pump whose state does not fit its query."""
    if entry.is_materialized_view:
        return computed_again(entry)
    start = f"CREATE OR REPLACE PUMP {entry.name} STARTED" if replaced else f"ALTER PUMP {entry.name} START"
    return (
        f"{start} RESET KEEP POSITION drops the state, and goes on from its position; RESET FROM EARLIEST and "
        "RESET FROM TIMESTAMP '…' read rows again; RESET DROP STATE starts with rows that arrive from then on"
    )
