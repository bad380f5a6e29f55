"""How a command opens its session: what its options say of the warehouse and of Spark."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rowtime_cli.partitions import partitions as number
from rowtime_cli.spark_conf import spark_conf

if TYPE_CHECKING:
    from rowtime.session import Session


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """As in `rowtime.connect`."""

    warehouse: str | None
    catalog: str | None
    partitions: int | None = None
    check_claims: bool = False
    conf: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(
        cls,
        warehouse: str | None,
        catalog: str | None,
        partitions: str | None,
        master: str | None,
        conf: Sequence[str] | None,
        check_claims: bool = False,
    ) -> SessionOptions:
        """Reads the options of a command. Raises WrongCommandLine RT0625 or RT0660."""
        return cls(warehouse, catalog, number(partitions), check_claims, spark_conf(master, conf))

    def connect(self) -> Session:
        """Opens the session. Raises RowtimeError."""
        from rowtime.opening import connect

        if os.environ.get("ROWTIME_DEBUG") in (None, "", "0"):
            # py4j logs a stack trace if it loses a call: a signal interrupts it, or Spark ends during it.
            logging.disable()
        return connect(
            warehouse=self.warehouse,
            catalog=self.catalog,
            partitions=self.partitions,
            check_claims=self.check_claims or None,
            conf=self.conf,
        )
