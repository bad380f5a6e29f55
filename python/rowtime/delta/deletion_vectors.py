"""Deletion vectors of Delta: which rows of a data file are no longer there. The file itself stays as it is.

A vector is a bitmap of row positions in Roaring's portable form for 64 bits, behind a magic number. A small one is part
of the commit, as text (Z85); larger ones of a commit are in one file together, each with a checksum.
"""

from __future__ import annotations

import base64
import uuid
import zlib
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from rowtime.decoding import Decoder
from rowtime.storage.smallfiles import flush

if TYPE_CHECKING:
    from pyroaring import BitMap64

FEATURE = "deletionVectors"
_MAGIC = (1681511377).to_bytes(4, "little")
_FORMAT = b"\x01"
_INLINE_BYTES = 256
"""Up to this size, a vector is part of the commit."""
# Python's Base85 has the digits of another RFC.
_Z85 = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"
_B85 = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"
_TO_Z85, _FROM_Z85 = bytes.maketrans(_B85, _Z85), bytes.maketrans(_Z85, _B85)
_ID_LENGTH = 20
"""The length of a UUID in Z85."""


class DamagedVector(Exception):
    """A vector differs from what was written. The message completes the sentence `the deletion vector …`."""


class DeletionVector(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where a vector is, in the form of a commit: `storageType` is 'i' (inline), 'u' (a file in the table's folder,
    named by a UUID) or 'p' (a file, named by its URI); `sizeInBytes` and `cardinality` are those of the bitmap."""

    storageType: str
    pathOrInlineDv: str
    sizeInBytes: int
    cardinality: int
    offset: int | None = None

    def file(self, folder: Path) -> Path | None:
        """Returns the file that contains it; None if it is part of the commit."""
        if self.storageType == "i":
            return None
        if self.storageType == "p":
            return Path(self.pathOrInlineDv.removeprefix("file://"))
        prefix, id = self.pathOrInlineDv[:-_ID_LENGTH], self.pathOrInlineDv[-_ID_LENGTH:]
        return folder / prefix / f"deletion_vector_{uuid.UUID(bytes=_decoded(id))}.bin"

    @property
    def action(self) -> dict[str, Any]:
        """Its form in the log."""
        found: dict[str, Any] = msgspec.to_builtins(self)
        return found


_VECTOR = Decoder(DeletionVector)


def of_action(action: dict[str, Any]) -> DeletionVector | None:
    """Returns the vector of an `add` or a `remove` action; None if it has none."""
    found = action.get("deletionVector")
    return None if found is None else _VECTOR.convert(found)


def read(folder: Path, vector: DeletionVector | None) -> BitMap64:
    """Returns the positions of deleted rows in the file of a table in `folder`; none without a vector. Raises
    DamagedVector, and FileNotFoundError if its file does not exist."""
    from pyroaring import BitMap64

    if vector is None:
        return BitMap64()
    stored = content(folder, vector)
    if stored[:4] != _MAGIC:
        raise DamagedVector("has another format")
    try:
        found = BitMap64.deserialize(stored[4:])
    except ValueError:
        raise DamagedVector("is incomplete") from None
    if len(found) != vector.cardinality:
        raise DamagedVector(f"has {len(found):,} rows instead of {vector.cardinality:,}")
    return found


def write(folder: Path, bitmaps: Sequence[BitMap64]) -> tuple[list[DeletionVector], Path | None, list[Future[None]]]:
    """Returns vectors with these positions, in order, and the file in the table's `folder` that was made for those that
    are large, if any. It is durable when the futures are done."""
    contents = [_MAGIC + bitmap.serialize() for bitmap in bitmaps]
    id = uuid.uuid4()
    found, held = list[DeletionVector](), bytearray(_FORMAT)
    for stored, bitmap in zip(contents, bitmaps, strict=True):
        if len(stored) <= _INLINE_BYTES:
            padded = stored + bytes(-len(stored) % 4)
            found.append(DeletionVector("i", _encoded(padded), len(stored), len(bitmap)))
            continue
        found.append(DeletionVector("u", _encoded(id.bytes), len(stored), len(bitmap), len(held)))
        held += len(stored).to_bytes(4, "big") + stored + zlib.crc32(stored).to_bytes(4, "big")
    if len(held) == len(_FORMAT):
        return found, None, []
    path = folder / f"deletion_vector_{id}.bin"
    try:
        path.write_bytes(held)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return found, path, [flush(path)]


def content(folder: Path, vector: DeletionVector) -> bytes:
    """Returns the bytes of a vector. Raises DamagedVector, and FileNotFoundError if its file does not exist."""
    path = vector.file(folder)
    if path is None:
        return _decoded(vector.pathOrInlineDv)[: vector.sizeInBytes]
    with open(path, "rb") as file:
        file.seek(vector.offset or 0)
        size = int.from_bytes(file.read(4), "big")
        found, check = file.read(vector.sizeInBytes), file.read(4)
    if size != vector.sizeInBytes or zlib.crc32(found) != int.from_bytes(check, "big"):
        raise DamagedVector(f"in the file '{path}' does not match its checksum")
    return found


def _encoded(content: bytes) -> str:
    return base64.b85encode(content).translate(_TO_Z85).decode()


def _decoded(text: str) -> bytes:
    return base64.b85decode(text.encode().translate(_FROM_Z85))
