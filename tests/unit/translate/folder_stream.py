"""Streams made of folders of JSON files: a file is one micro-batch, with rows and, at its end, a bound."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rowtime.plan.codec import decode_plan
from rowtime.plan.nodes import Scan
from rowtime.plan.types import parse_type
from rowtime.streams.reader import BARRIER
from rowtime.translate import Translated, translate
from rowtime.translate.claims import is_requested
from rowtime.types.times import ORIGIN

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

DAY = "2015-02-15 "
_AHEAD = f"timestamp_micros(unix_micros(_bound) + {ORIGIN * 1000})"


class Folders:
    """A translation context whose scans read folders; the watermark comes from bounds only, as in a stream's log."""

    def __init__(self, spark: SparkSession, root: Path) -> None:
        self.spark = spark
        self.root = root
        self.steps = 0

    ordered = False

    @property
    def checks_claims(self) -> bool:
        return is_requested()

    def skipped(self, stream: str) -> tuple[str, ...]:
        return ()

    @property
    def folder(self) -> Path:
        return self.root

    def scan(self, node: Scan) -> Translated:
        folder = self.root / node.source
        folder.mkdir(parents=True, exist_ok=True)
        names = [f"s{node.id}_{i}" for i in range(len(node.fields))]
        columns = ", ".join(f"`{f.name}` {parse_type(f.type).spark()}" for f in node.fields)
        schema = f"{columns}, _seq BIGINT, _control BOOLEAN, _bound TIMESTAMP"
        rows = self.spark.readStream.schema(schema).option("maxFilesPerTrigger", 1).json(str(folder))
        rows = rows.selectExpr("*", f"CASE WHEN _control THEN {_AHEAD} END AS ev").withWatermark("ev", "0 seconds")
        rows = rows.filter(f"NOT _control OR {BARRIER}")
        selected = [f"`{f.name}` AS {n}" for f, n in zip(node.fields, names, strict=True)]
        seq = f"s{node.id}_seq"
        rowtime = names[node.rowtime_index] if node.rowtime_index is not None else None
        return Translated(rows.selectExpr(*selected, f"_seq AS {seq}"), tuple(names), rowtime, seq)

    def step(self, source: str, rows: list[dict[str, Any]] = [], bound: str | None = None) -> None:  # noqa: B006
        """Writes one file: rows whose ROWTIME is a time of day, then a bound."""
        self.steps += 1
        lines = [
            {**r, "ROWTIME": DAY + r["ROWTIME"], "_seq": self.steps * 100 + i, "_control": False}
            for i, r in enumerate(rows)
        ]
        if bound is not None:
            lines.append({"_control": True, "_bound": bound if "-" in bound else DAY + bound})
        folder = self.root / source
        folder.mkdir(parents=True, exist_ok=True)
        draft = self.root / f"{self.steps}.draft"
        draft.write_text("".join(json.dumps(line) + "\n" for line in lines))
        os.rename(draft, folder / f"{self.steps:05}.json")


class Running:
    """A running query over folders that collects its rows batch by batch."""

    def __init__(self, folders: Folders, statement: dict[str, Any], checkpoint: Path) -> None:
        self.folders = folders
        self.translated = translate(decode_plan(statement["plan"]), folders)
        self.names = [f["name"] for f in statement["fields"]]
        self.checkpoint = checkpoint
        self.batches: list[list[tuple[Any, ...]]] = []
        self.query: Any = None
        self.start()

    def start(self) -> None:
        order = [key.to_spark() for key in self.translated.arrival()]
        shown = [f"CAST(`{c}` AS STRING) AS r{i}" for i, c in enumerate(self.translated.columns)]

        def take(batch: DataFrame, number: int) -> None:
            rows = (batch.coalesce(1).sortWithinPartitions(*order) if order else batch).selectExpr(*shown).collect()
            if rows:
                self.batches.append([tuple(_short(v) for v in row) for row in rows])

        writer = self.translated.df.writeStream.foreachBatch(take)
        self.query = writer.option("checkpointLocation", str(self.checkpoint)).start()

    def step(self, source: str, rows: list[dict[str, Any]] = [], bound: str | None = None) -> list[tuple[Any, ...]]:  # noqa: B006
        """Writes one step of input, and returns the rows that it produces, in order."""
        self.batches.clear()
        self.folders.step(source, rows, bound)
        self.query.processAllAvailable()
        return [row for batch in self.batches for row in batch]

    def restart(self) -> None:
        self.query.stop()
        self.start()

    def stop(self) -> None:
        self.query.stop()


def _short(value: str | None) -> str | None:
    return value.removeprefix(DAY) if isinstance(value, str) else value
