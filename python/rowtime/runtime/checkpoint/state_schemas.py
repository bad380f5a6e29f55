"""Where the schemas of a query's saved state are.

Spark records them by absolute paths. In a copy of a checkpoint, such as a savepoint or a warehouse that was moved, they
name files of the original, which may be gone, or belong to another query by now.
"""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path
from typing import Any

from rowtime.storage.smallfiles import write_whole

_SCHEMA = re.compile(r"/state/(\d+/_stateSchema/.+)$")


def relocate(checkpoint: Path) -> None:
    """Makes the records of Spark's `checkpoint` name its own schemas. Records that cannot be read stay as they are:
    Spark says what is wrong with them."""
    for record in checkpoint.glob("state/*/_metadata/v*/*"):
        if record.name.isdigit():
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
                _relocate(record, checkpoint)


def _relocate(record: Path, checkpoint: Path) -> None:
    version, _, text = record.read_text().partition("\n")
    metadata: dict[str, Any] = json.loads(text)
    stores = [store for store in metadata["stateStoreInfo"] if "stateSchemaFilePaths" in store]
    before = [store["stateSchemaFilePaths"] for store in stores]
    for store in stores:
        store["stateSchemaFilePaths"] = [_own(path, checkpoint) for path in store["stateSchemaFilePaths"]]
    if [store["stateSchemaFilePaths"] for store in stores] != before:
        write_whole(record, f"{version}\n{json.dumps(metadata, separators=(',', ':'))}".encode())
        # Of what the file was.
        record.with_name(f".{record.name}.crc").unlink(missing_ok=True)


def _own(path: str, checkpoint: Path) -> str:
    """Returns the path of the same file in the checkpoint, if it is there."""
    found = _SCHEMA.search(path)
    own = checkpoint / "state" / found[1] if found is not None else None
    # As Hadoop writes a path, without escapes.
    return f"file:{own.absolute()}" if own is not None and own.is_file() else path
