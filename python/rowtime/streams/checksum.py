"""Version checksum files of a Delta log: what lets Spark open a new version without a job over the whole log.

Without `<version>.crc` Spark reads every commit since the last checkpoint, in a job of its own, to learn that schema
and protocol are what they were; with it, a new commit is seen in a tenth of the time. The file is optional in Delta,
and only a hint: readers work without it.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
from deltalake import DeltaTable


def write(folder: Path, table: DeltaTable, version: int, files: int, size: int) -> None:
    """Writes the checksum of `version`, whose schema and protocol are those of `table`; `size` in bytes.

    To be called before the commit: a reader may be quicker than a call after it.
    """
    metadata, protocol = table.metadata(), table.protocol()
    content = {
        "tableSizeBytes": size,
        "numFiles": files,
        "numMetadata": 1,
        "numProtocol": 1,
        "setTransactions": [],
        "domainMetadata": [],
        "metadata": {
            "id": str(metadata.id),
            "name": metadata.name,
            "description": metadata.description,
            "format": {"provider": "parquet", "options": {}},
            "schemaString": table.schema().to_json(),
            "partitionColumns": metadata.partition_columns,
            "configuration": metadata.configuration,
            "createdTime": metadata.created_time,
        },
        "protocol": {
            "minReaderVersion": protocol.min_reader_version,
            "minWriterVersion": protocol.min_writer_version,
            **({"readerFeatures": protocol.reader_features} if protocol.reader_features else {}),
            **({"writerFeatures": protocol.writer_features} if protocol.writer_features else {}),
        },
    }
    target = folder / "_delta_log" / f"{version:020d}.crc"
    half = target.with_suffix(f".{os.getpid()}.tmp")
    half.write_bytes(msgspec.json.encode(content))
    half.replace(target)
