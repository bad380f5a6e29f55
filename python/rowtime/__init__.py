"""rowtime: streaming SQL for PySpark.

    import rowtime
    rt = rowtime.connect()                       # or connect(spark) with a session of your own
    rt.sql("CREATE STREAM orders (…)")
    query = rt.sql("SELECT STREAM … FROM orders …")

Names are loaded when they are first used, so `import rowtime` starts no JVM and imports neither Spark nor Arrow.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rowtime.version import __version__

_HOMES = {
    "Diagnostic": "rowtime.errors",
    "RowtimeError": "rowtime.errors",
    "Session": "rowtime.session",
    "connect": "rowtime.opening",
    "load_ipython_extension": "rowtime.notebook.magic",
}

__all__ = ["Diagnostic", "RowtimeError", "Session", "__version__", "connect"]

if TYPE_CHECKING:
    from rowtime.errors import Diagnostic, RowtimeError
    from rowtime.opening import connect
    from rowtime.session import Session


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'rowtime' has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
