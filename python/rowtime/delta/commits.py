"""The files of commits: Delta's JSON lines, with a checksum over all of them.

A commit that has lost its end, a line or a bit must not pass for one with fewer actions. So `commitInfo` contains a
CRC-32 of the whole file, including the name of the table's folder and the version: a commit in the place of another is
detected too. The field is an extension that Delta readers ignore. Commits of earlier builds have none; they are checked
for consistency.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from rowtime.delta import deletion_vectors
from rowtime.delta.deletion_vectors import DeletionVector

_FIELD = "rowtimeChecksum"
_MARK = f'"{_FIELD}":"'.encode()
_BLANK = b"0" * 8


class DamagedFile(Exception):
    """A file differs from what was written. The message completes the sentence `the file …`."""


class DataFile(msgspec.Struct, frozen=True):
    """A data file of the table: its name in the table's folder, bytes, rows, and the CRC-32 of its content; None if the
    commit does not contain it. The rows include those that are `deleted`."""

    name: str
    size: int
    rows: int | None = None
    checksum: str | None = None
    deleted: DeletionVector | None = None

    @property
    def live_rows(self) -> int | None:
        """The number of rows that are not deleted; None if it is not known."""
        gone = 0 if self.deleted is None else self.deleted.cardinality
        return None if self.rows is None else self.rows - gone


@dataclass(frozen=True)
class Commit:
    """One commit, with its actions."""

    version: int
    actions: list[dict[str, Any]]

    @cached_property
    def info(self) -> dict[str, Any]:
        return next((action["commitInfo"] for action in self.actions if "commitInfo" in action), {})

    @property
    def state(self) -> str | None:
        """The state of the log after it, None if it has none."""
        found: str | None = self.info.get("rowtime")
        return found

    @cached_property
    def added(self) -> list[DataFile]:
        """The data files that it adds."""
        return [data_file(action["add"]) for action in self.actions if "add" in action]


def content_of(folder: str, version: int, actions: Sequence[dict[str, Any]]) -> bytes:
    """Returns the file of a commit to the table in `folder` (a name without its path)."""
    lines = []
    for action in actions:
        if "commitInfo" in action:
            action = {"commitInfo": {**action["commitInfo"], _FIELD: _BLANK.decode()}}
        lines.append(msgspec.json.encode(action))
    blank = b"\n".join(lines) + b"\n"
    return blank.replace(_MARK + _BLANK, _MARK + _checksum(folder, version, blank), 1)


def check(folder: str, version: int, content: bytes) -> bool:
    """Raises DamagedFile if the file of a commit is incomplete or damaged. Returns whether it has a checksum."""
    if not content.strip():
        raise DamagedFile("is empty")
    place = content.find(_MARK)
    if place < 0:
        _check_old(version, _parse_actions(content))
        return False
    begin = place + len(_MARK)
    blank = content[:begin] + _BLANK + content[begin + len(_BLANK) :]
    if content[begin : begin + len(_BLANK)] != _checksum(folder, version, blank):
        raise DamagedFile("does not match its checksum")
    return True


def read(folder: str, version: int, content: bytes) -> Commit:
    """Parses the file of a commit. Raises DamagedFile."""
    check(folder, version, content)
    return Commit(version, _parse_actions(content))


def check_library(version: int, content: bytes) -> None:
    """Raises DamagedFile if a commit of Delta's library is incomplete, as far as its own contents show."""
    if not content.strip():
        raise DamagedFile("is empty")
    actions = _parse_actions(content)
    metrics = Commit(version, actions).info.get("operationMetrics") or {}
    for metric, kind in (("num_added_files", "add"), ("num_removed_files", "remove")):
        said, found = metrics.get(metric), sum(kind in action for action in actions)
        if isinstance(said, int) and said != found:
            raise DamagedFile(f"has {found:,} of the {said:,} {kind} actions")


def data_file(add: dict[str, Any]) -> DataFile:
    """Returns the data file of an `add` action."""
    rows = msgspec.json.decode(add["stats"]).get("numRecords") if add.get("stats") else None
    tags = dict(add.get("tags") or {})
    return DataFile(str(add["path"]), int(add["size"]), rows, tags.get(_FIELD), deletion_vectors.of_action(add))


def add_action(added: DataFile, now: int, *, changes: bool = True) -> dict[str, Any]:
    """Returns the action that adds a data file; `now` in ms. Unless it `changes` the data, the table had its rows
    before."""
    common = {"path": added.name, "size": added.size, "partitionValues": {}, "modificationTime": now}
    tags = {} if added.checksum is None else {"tags": {_FIELD: added.checksum}}
    stats = f'{{"numRecords":{added.rows}}}'
    return {"add": {**common, "dataChange": changes, "stats": stats, **tags, **_vector(added)}}


def remove_action(added: DataFile, now: int, *, changes: bool = False) -> dict[str, Any]:
    """Returns the action that removes a data file. Unless it `changes` the data, all readers have read its rows."""
    common = {"path": added.name, "size": added.size, "partitionValues": {}, "deletionTimestamp": now}
    return {"remove": {**common, "dataChange": changes, "extendedFileMetadata": True, **_vector(added)}}


def content_checksum(content: Any) -> str:
    """Returns the CRC-32 of bytes, or of a buffer."""
    return f"{zlib.crc32(content):08x}"


# --- inside ----------------------------------------------------------------------------------------------------------


def _checksum(folder: str, version: int, blank: bytes) -> bytes:
    return f"{zlib.crc32(blank, zlib.crc32(f'{folder}/{version}'.encode())):08x}".encode()


def _parse_actions(content: bytes) -> list[dict[str, Any]]:
    try:
        found = [msgspec.json.decode(line) for line in content.splitlines() if line]
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise DamagedFile("is not valid JSON") from None
    if not all(isinstance(action, dict) for action in found):
        raise DamagedFile("contains a line that is not an action")
    return found


def _check_old(version: int, actions: list[dict[str, Any]]) -> None:
    commit = Commit(version, actions)
    try:
        written = {"WRITE": "add", "DELETE": "remove"}.get(str(commit.info.get("operation")))
        added = commit.added
    except (AttributeError, KeyError, TypeError, ValueError, msgspec.DecodeError):
        raise DamagedFile("contains an incomplete action") from None
    if version == 0 and not all(any(kind in action for action in actions) for kind in ("protocol", "metaData")):
        raise DamagedFile("does not describe the table")
    if commit.state is not None and written is not None and not any(written in action for action in actions):
        raise DamagedFile(f"has no {written} action")
    if commit.state is not None and written == "add" and len(added) != 1:
        raise DamagedFile("adds more than one file")


def _vector(of: DataFile) -> dict[str, Any]:
    return {} if of.deleted is None else {"deletionVector": of.deleted.action}
