"""Leases record the rows of a log that each reader still needs, in one small file per reader next to the log.

A lease names the first version that its reader still needs. It ends when it is released, or when it is not renewed in
time, so a reader that has died does not keep rows indefinitely. After the clock was set, no lease ends before its
reader has had the time to renew it.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec

from rowtime.decoding import Decoder
from rowtime.storage.interface import Storage
from rowtime.streams.ages import ages_in
from rowtime.types import times

FOLDER = "_readers"
_ENDING = ".json"


class Lease(msgspec.Struct, frozen=True):
    """`version` is the first that the reader still needs; `expires` is in ms since 1970, None: never."""

    reader: str
    version: int
    expires: int | None = None
    seconds: float = 0.0
    """From its last renewal to its end."""


_decoder = Decoder(Lease)


class Leases:
    """The leases of one log, in its storage."""

    def __init__(self, storage: Storage, warehouse: Path) -> None:
        self._storage = storage
        self._ages = ages_in(warehouse)

    def put(self, reader: str, version: int, seconds: float | None) -> None:
        """Creates or renews a lease. Raises FileNotFoundError if the log has no folder."""
        expires = None if seconds is None else times.now() + int(seconds * 1000)
        self._storage.put(_file(reader), msgspec.json.encode(Lease(reader, version, expires, seconds or 0.0)))

    def release(self, reader: str) -> None:
        self._storage.delete(_file(reader))

    def all(self) -> list[Lease]:
        """Returns the leases that have not expired."""
        now, found, believed = times.now(), [], self._ages.believed()
        for name in self._storage.list(FOLDER):
            if not name.endswith(_ENDING):
                continue
            file = f"{FOLDER}/{name}"
            try:
                lease = _decoder.decode(self._storage.get(file))
            except FileNotFoundError:
                continue
            except (msgspec.MsgspecError, OSError):
                # A reader needs rows from an unknown version on: all stay until it renews its lease.
                found.append(Lease(name.removesuffix(_ENDING), 0))
                continue
            if lease.expires is None or lease.expires > now or believed < lease.seconds:
                found.append(lease)
            elif lease.expires < now - 86_400_000:
                self._storage.delete(file)
        return found

    def least(self) -> int | None:
        """Returns the first version that any reader needs, None if there is no lease."""
        return min((lease.version for lease in self.all()), default=None)


def _file(reader: str) -> str:
    # Names of readers may contain any character.
    return f"{FOLDER}/{hashlib.sha1(reader.encode()).hexdigest()}{_ENDING}"
