"""Version checksum files of a Delta log, with which Spark opens a new version without a job over the whole log.

Without `<version>.crc`, Spark reads every commit since the last checkpoint, in a separate job, to find that schema and
protocol are unchanged; with it, a new commit is visible in a tenth of the time. The file is optional in Delta, and only
a hint: readers work without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from deltalake import DeltaTable

_METADATA = ("id", "name", "description", "format", "schemaString", "partitionColumns", "configuration", "createdTime")


def content(protocol: dict[str, Any], metadata: dict[str, Any], files: int, size: int) -> bytes:
    """Returns the checksum file of a version that is not committed yet; `size` is in bytes, `protocol` and `metadata`
    are in the form of the log."""
    described = {
        "tableSizeBytes": size,
        "numFiles": files,
        "numMetadata": 1,
        "numProtocol": 1,
        "setTransactions": [],
        "domainMetadata": [],
        "metadata": {key: metadata.get(key) for key in _METADATA},
        "protocol": protocol,
    }
    return msgspec.json.encode(described)


def heading(table: DeltaTable) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns the protocol and metadata of an open table, in the form of the log."""
    metadata, protocol = table.metadata(), table.protocol()
    return {
        "minReaderVersion": protocol.min_reader_version,
        "minWriterVersion": protocol.min_writer_version,
        **({"readerFeatures": protocol.reader_features} if protocol.reader_features else {}),
        **({"writerFeatures": protocol.writer_features} if protocol.writer_features else {}),
    }, {
        "id": str(metadata.id),
        "name": metadata.name,
        "description": metadata.description,
        "format": {"provider": "parquet", "options": {}},
        "schemaString": table.schema().to_json(),
        "partitionColumns": metadata.partition_columns,
        "configuration": metadata.configuration,
        "createdTime": metadata.created_time,
    }
