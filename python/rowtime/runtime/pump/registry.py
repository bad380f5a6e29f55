"""Registers a pump with the streams around it: its offsets in those that it reads, which keep their rows for it, and
its attachment to the one that it feeds, which lets no row of others overtake its own.

Both begin when the pump is started, in whatever process that happens, and not when a process begins to run it: rows
that arrive after ALTER PUMP … START has returned belong to the pump. None of this needs Spark.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.catalog.unknown import remove_folder
from rowtime.delta.batches import GENERATION, SentBatch, within_generation
from rowtime.planner import Define, Feeding, Insert, Planned, refuse_unsupported
from rowtime.runtime.checkpoint import savepoints
from rowtime.runtime.checkpoint.savepoints import numbering
from rowtime.runtime.checkpoint.start_offsets import (
    StartOffsets,
    append_marks,
    earliest_offsets,
    log_entries,
    read_offsets,
    read_whole,
)
from rowtime.runtime.launch.folders import generation, pump_folder
from rowtime.runtime.pump.function_code import CodeHash
from rowtime.runtime.pump.resets import Reset, begin_of, reset_of
from rowtime.runtime.pump.signature import PumpSignatures
from rowtime.runtime.target.attachments import attachment_of, pump_of
from rowtime.streams.log import StreamLog
from rowtime.streams.rules import is_logged
from rowtime.types import times

_PLACE, _PREPARED = "place", "prepared"


def save_reader(entry: Entry, name: str) -> str:
    """Returns the name under which a savepoint of a pump keeps the rows of the sources that come after it."""
    return f"{attachment_of(entry)}:{name}"


@dataclass(frozen=True)
class PumpRegistry:
    """The registration of a warehouse's pumps with their streams. `plan` plans a statement, `log` returns the log of a
    stream, `code` identifies the code of a function, `has_results` returns whether a target of results that change
    has rows, and `held_offsets` the first offset and the end offset of each partition of a topic, or None if that
    cannot be known."""

    store: Store
    log: Callable[[Entry], StreamLog]
    plan: Callable[[str], Planned]
    code: CodeHash
    has_results: Callable[[Entry], bool | None]
    held_offsets: Callable[[Entry], Mapping[str, tuple[int, int]] | None] = lambda _: None

    def statement(self, entry: Entry) -> Feeding:
        """Returns the INSERT of a pump, planned against the current catalog. Raises RowtimeError."""
        statement = self.plan(str(entry.definition["query"])).statement
        refuse_unsupported(statement)
        assert isinstance(statement, Insert | Define), "a pump is defined by an INSERT, or is a materialized view"
        return statement

    def folder(self, entry: Entry) -> Path:
        """Returns the folder of the pump's checkpoint, which a reset deletes."""
        return pump_folder(self.store, entry)

    @property
    def signatures(self) -> PumpSignatures:
        """Returns what the saved state of pumps means."""
        return PumpSignatures(self.store, self.code)

    def register(self, entry: Entry, statement: Feeding) -> StartOffsets:
        """Registers a pump that is started, with its offsets and its attachment, unless it is registered already.
        Returns its start offsets."""
        plan, target = statement.plan, statement.target
        assert plan is not None and target is not None
        sources = log_entries(plan, self.store)
        registration = self._leave_unused(entry, target.name)
        if registration is not None and registration["target"] != target.name:
            # It feeds another target from now on.
            self.detach(PumpRegistration(entry, [], registration["target"]))
            registration = {**registration, "target": target.name}
            self.store.set_note(entry.id, _PLACE, registration)
        if registration is None or registration["generation"] != generation(entry):
            made: dict[str, Any] = {"generation": generation(entry), "target": target.name, "at": times.now()}
            made |= self._begin(entry, statement, sources, registration)
            before = [] if registration is None else registration["places"]
            registration = self.store.update_note(entry.id, _PLACE, lambda found: _registered(found, made))
            for name in set(before) - set(sources):
                self._release(entry, name)
        offsets = {name: int(registration["places"].get(name, 0)) for name in sources}
        fed = self.store.get(target.name)
        if fed is not None and fed.kind == "STREAM" and attachment_of(entry) not in self.log(fed).state().producers:
            self.log(fed).attach(attachment_of(entry), None)
        return offsets

    def prepare(self, entry: Entry, target: str) -> None:
        """Attaches a pump to a stream that it will feed, although it feeds another one yet: see `takeover`."""
        fed, registration = self.store.get(target), self._registration(entry)
        if fed is not None and fed.kind == "STREAM" and registration is not None:
            # First: what is attached is known, and can be detached, whatever becomes of this process.
            self.store.set_note(entry.id, _PLACE, {**registration, _PREPARED: target})
            if attachment_of(entry) not in self.log(fed).state().producers:
                self.log(fed).attach(attachment_of(entry), None)

    def _leave_unused(self, entry: Entry, target: str) -> dict[str, Any] | None:
        """Returns the registration of a pump that is not waiting for a takeover; it is detached from a stream that was
        prepared for it, and that is not its target."""
        registration = self._registration(entry)
        if registration is None or _PREPARED not in registration or entry.definition.get("takeover"):
            return registration
        if registration[_PREPARED] != target:
            self.detach(PumpRegistration(entry, [], registration[_PREPARED]))
        registration = {key: value for key, value in registration.items() if key != _PREPARED}
        self.store.set_note(entry.id, _PLACE, registration)
        return registration

    def _begin(
        self, entry: Entry, statement: Feeding, sources: dict[str, Entry], registration: dict[str, Any] | None
    ) -> dict[str, Any]:
        """Returns where a pump begins to read (`places`), and keeps the rows from there on for it, indefinitely: a pump
        that has not run for a year still has them. With KEEP POSITION also where it was `before`, in which generation:
        its earlier query may be running still."""
        begin, plan = begin_of(entry, statement), statement.plan
        assert plan is not None
        if begin in ("EARLIEST", "TIMESTAMP"):
            return {"places": earliest_offsets(sources, self.log, attachment_of(entry), None)}
        if begin == "SAVE":
            self.restore(entry)
            return {"places": self._leased(entry, sources, read_offsets(sources, self.log, self.folder(entry)))}
        if begin == "OFFSETS":
            said = (reset_of(entry) or Reset()).offsets
            return {"places": self._leased(entry, sources, {name: int(said[name]) for name in sources if name in said})}
        before = None
        if begin == "POSITION" and registration is not None:
            before = registration.get("before") or {key: registration[key] for key in ("generation", "places")}
        places = {} if before is None else self._places(entry, before, sources, None)
        others = {name: source for name, source in sources.items() if name not in places}
        places |= append_marks(others, self.log, attachment_of(entry), None, read_whole(plan) & set(others))
        return {"places": places} if before is None else {"places": places, "before": before}

    def _places(
        self, entry: Entry, before: dict[str, Any], sources: dict[str, Entry], last: SentBatch | None
    ) -> StartOffsets:
        """Returns up to where the pump has read each source in an earlier generation. `last` is the last micro-batch
        that its target has."""
        known = {name: int(version) for name, version in before["places"].items() if name in sources}
        folder = self.generation_folder(entry, before["generation"])
        written = None
        if last is not None and last.number // GENERATION == numbering(folder, before["generation"]):
            written = within_generation(last.number)
        return known | read_offsets(sources, self.log, folder, written)

    def settled_places(self, entry: Entry, sources: dict[str, Entry], last: SentBatch | None) -> StartOffsets:
        """Returns where a pump begins to read after RESET KEEP POSITION, once its earlier query has ended; empty if
        there is nothing to settle. `last` is the last micro-batch that its target has."""
        registration = self._registration(entry)
        before = None if registration is None else registration.get("before")
        if registration is None or before is None or registration["generation"] != generation(entry):
            return {}
        places = {**registration["places"], **self._places(entry, before, sources, last)}
        self.record_offsets(entry, places)
        settled = {key: value for key, value in registration.items() if key != "before"}
        self.store.set_note(entry.id, _PLACE, settled | {"places": places})
        return {name: int(places[name]) for name in sources if name in places}

    def _leased(self, entry: Entry, sources: dict[str, Entry], offsets: StartOffsets) -> StartOffsets:
        """Keeps the rows from these offsets on for the pump. An offset may be that of the next commit."""
        found = {}
        for name, version in offsets.items():
            log = self.log(sources[name])
            if version > log.version():
                found[name] = log.mark(attachment_of(entry), None, version)
            else:
                found[name] = log.lease(attachment_of(entry), version, None)
        return found

    def restore(self, entry: Entry) -> None:
        """Makes the checkpoint of a pump that shall continue from a savepoint, unless it has it already. Raises
        RowtimeError RT0560 if there is no such savepoint."""
        reset = reset_of(entry)
        if reset is not None and reset.begin == "SAVE" and reset.save is not None:
            savepoints.restore(self.store, entry, reset.save, self.folder(entry))

    def numbering(self, entry: Entry) -> int:
        """Returns to which series the numbers of the pump's micro-batches belong; see `savepoints`."""
        return numbering(self.folder(entry), generation(entry))

    def release_save(self, entry: Entry, name: str) -> None:
        """No longer keeps rows for a savepoint."""
        for source in self.store.entries():
            if is_logged(source):
                self.log(source).release(save_reader(entry, name))

    def generation_folder(self, entry: Entry, number: int) -> Path:
        """Returns the folder of the pump's checkpoint after that many resets."""
        return self.store.folder(entry.id, "pumps") / str(number)

    def places(self, entry: Entry) -> StartOffsets:
        """Returns where the pump began to read each source."""
        registration = self._registration(entry)
        return {} if registration is None else {name: int(place) for name, place in registration["places"].items()}

    def registered_at(self, entry: Entry) -> int | None:
        """Returns when the pump was started, or reset (ms): foreign rows that arrive from then on belong to it. None if
        an earlier version of rowtime started it."""
        registration = self._registration(entry)
        return None if registration is None else registration.get("at")

    def record_offsets(self, entry: Entry, offsets: StartOffsets) -> None:
        """Records that the pump has read its sources up to these offsets, and needs no earlier rows."""
        for name, version in offsets.items():
            source = self.store.get(name)
            if source is not None:
                self.log(source).lease(attachment_of(entry), version, None)

    def registration(self, entry: Entry) -> PumpRegistration:
        """Returns what `detach` and `unregister` need once the pump's definition has been removed."""
        registration = self._registration(entry) or {"places": {}, "target": None}
        return PumpRegistration(entry, list(registration["places"]), registration["target"])

    def detach(self, registration: PumpRegistration) -> None:
        """Detaches the pump from its target. Its offsets stay."""
        target = None if registration.target is None else self.store.get(registration.target)
        if (
            target is not None
            and target.kind == "STREAM"
            and attachment_of(registration.entry) in self.log(target).state().producers
        ):
            self.log(target).detach(attachment_of(registration.entry))

    def unregister(self, registration: PumpRegistration) -> None:
        """Removes the attachment, the offsets and all state of a dropped pump."""
        self.detach(registration)
        for name in registration.sources:
            self._release(registration.entry, name)
        for save in savepoints.saves(self.store, registration.entry):
            self.release_save(registration.entry, save.name)
        remove_folder(self.store.folder(registration.entry.id, "pumps"))

    def detach_dropped(self) -> None:
        """Detaches pumps that no longer exist: the process that dropped them has died before it could."""
        attached = []
        for entry in self.store.entries():
            if entry.kind == "STREAM" and self.store.folder(entry.id, "streams").is_dir():
                names = self.log(entry).state().producers
                attached += [(entry, name, id) for name in names if (id := pump_of(name)) is not None]
        known = {entry.id for entry in self.store.entries() if entry.is_pump}
        dropped = set(self.store.dropped())
        for entry, name, id in attached:
            # One with a folder that was not dropped is unknown because the catalog was restored from a backup.
            if id not in known and (id in dropped or not self.store.folder(id, "pumps").is_dir()):
                self.log(entry).detach(name)

    def forget_earlier(self, entry: Entry) -> None:
        """Deletes what the pump had stored before it was reset."""
        for folder in self.folder(entry).parent.glob("*"):
            if folder.name.isdigit() and int(folder.name) < generation(entry):
                shutil.rmtree(folder, ignore_errors=True)

    def _release(self, entry: Entry, name: str) -> None:
        source = self.store.get(name)
        if source is not None:
            self.log(source).release(attachment_of(entry))

    def _registration(self, entry: Entry) -> dict[str, Any] | None:
        found: dict[str, Any] | None = self.store.note(entry.id, _PLACE)
        return found


def _registered(found: dict[str, Any] | None, made: dict[str, Any]) -> dict[str, Any]:
    """Returns the registration of a pump: the one that was found, if another process has made it at the same time."""
    return made if found is None or found["generation"] != made["generation"] else found


@dataclass(frozen=True)
class PumpRegistration:
    """A pump, the names of the streams that it reads, and of its target."""

    entry: Entry
    sources: list[str]
    target: str | None
