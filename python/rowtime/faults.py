"""Turns exceptions into diagnostics: no traceback and no Java stack trace ever reaches a user.

An unexpected exception becomes RT0999. Its traceback goes to a log file (`errors.log` in the warehouse, or else in the
user's cache folder), or to stderr with ROWTIME_DEBUG=1.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

from rowtime.catalog import warehouse_path
from rowtime.catalog.faults import full
from rowtime.errorlog import note
from rowtime.errors import Diagnostic, RowtimeError
from rowtime.jvm.messages import plain
from rowtime.jvm.process import fault_of_end
from rowtime.privatefolder import temporary_folders


def diagnostics_of(fault: BaseException) -> list[Diagnostic]:
    """Returns the diagnostics of a RowtimeError. For any other exception: RT0638 if the JVM of Spark has ended, or else
    RT0999; its traceback is logged."""
    if isinstance(fault, RowtimeError) and fault.diagnostics:
        return fault.diagnostics
    if isinstance(fault, OSError) and fault.errno in _OF_THE_DISK:
        return [_disk_error(fault)]
    ended = fault_of_end(fault)
    if ended is not None:
        return ended.diagnostics
    log = note(fault)
    where = f" together with '{log}'" if log else ""
    return [
        Diagnostic(
            code="RT0999",
            message=f"Internal error: {summary(fault)}",
            hint=f"This is a bug in rowtime, not an error in your SQL. Please report it{where}",
        )
    ]


_OF_THE_DISK = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO))


def _disk_error(fault: OSError) -> Diagnostic:
    """Returns the diagnostic for an error of a disk, wherever it occurs: the disk is full, read-only or broken."""
    if fault.errno in (errno.ENOSPC, errno.EDQUOT):
        places = (
            [*temporary_folders(), warehouse_path()] if fault.filename is None else [Path(os.fsdecode(fault.filename))]
        )
        return full("A file cannot be written", *places).diagnostics[0]
    file = f" ('{fault.filename}')" if fault.filename is not None else ""
    return Diagnostic(
        code="RT0601", message=f"A file cannot be written: {fault.strerror}{file}", hint="Use another disk"
    )


def summary(fault: BaseException) -> str:
    """Returns one line on an exception, without the stack trace that exceptions from a JVM carry in their text."""
    name = type(fault).__name__
    if name.startswith(("Py4J", "java.", "org.")) or hasattr(fault, "java_exception"):
        return plain(str(fault)) or "see the log for details"
    lines = [line.strip() for line in str(fault).splitlines() if line.strip()]
    return f"{name}: {lines[0]}" if lines else name
