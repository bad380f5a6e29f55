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
from rowtime.streams import times
from rowtime.streams.ages import ages_in
from rowtime.streams.smallfiles import replace_whole

FOLDER = "_readers"


class Lease(msgspec.Struct, frozen=True):
    """`version` is the first that the reader still needs; `expires` is in ms since 1970, None: never."""

    reader: str
    version: int
    expires: int | None = None
    seconds: float = 0.0
    """From its last renewal to its end."""


_decoder = Decoder(Lease)


class Leases:
    """The leases of one log, in its folder."""

    def __init__(self, folder: Path, warehouse: Path) -> None:
        self.folder = folder / FOLDER
        self._ages = ages_in(warehouse)

    def put(self, reader: str, version: int, seconds: float | None) -> None:
        """Creates or renews a lease. Raises FileNotFoundError if the log has no folder."""
        expires = None if seconds is None else times.now() + int(seconds * 1000)
        path, content = self._path(reader), msgspec.json.encode(Lease(reader, version, expires, seconds or 0.0))
        try:
            replace_whole(path, content)
        except FileNotFoundError:
            # Without its parents: a warehouse that was deleted or moved is not created again.
            self.folder.mkdir(exist_ok=True)
            replace_whole(path, content)

    def release(self, reader: str) -> None:
        self._path(reader).unlink(missing_ok=True)

    def all(self) -> list[Lease]:
        """Returns the leases that have not expired."""
        now, found, believed = times.now(), [], self._ages.believed()
        for path in self.folder.glob("*.json") if self.folder.is_dir() else ():
            try:
                lease = _decoder.decode(path.read_bytes())
            except FileNotFoundError:
                continue
            except (msgspec.MsgspecError, OSError):
                # A reader needs rows from an unknown version on: all stay until it renews its lease.
                found.append(Lease(path.stem, 0))
                continue
            if lease.expires is None or lease.expires > now or believed < lease.seconds:
                found.append(lease)
            elif lease.expires < now - 86_400_000:
                path.unlink(missing_ok=True)
        return found

    def least(self) -> int | None:
        """Returns the first version that any reader needs, None if there is no lease."""
        return min((lease.version for lease in self.all()), default=None)

    def _path(self, reader: str) -> Path:
        # Names of readers may contain any character.
        return self.folder / f"{hashlib.sha1(reader.encode()).hexdigest()}.json"
