"""The planner in a JVM inside this process. `validate` and `explain` use it, because it starts fast."""

from __future__ import annotations

import threading
from typing import Any

from rowtime.errors import error
from rowtime.jvm import PLANNER_CLASS, archive
from rowtime.jvm.catalogs import Catalog, SentCatalogs
from rowtime.jvm.jars import planner_class_path
from rowtime.jvm.java import REMEDY, Java, find_java
from rowtime.jvm.positions import in_characters

# For a process that lives a second: only the quick compiler, and the collector that starts no threads. Signals stay
# with Python (-Xrs): the JVM would handle SIGTERM, and shut down under Python's threads. On a full
# disk, it would report that it cannot write its counters (-UsePerfData).
_FLAGS = (
    "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xrs", "-Xlog:disable", "-Xlog:all=off", "-XX:-UsePerfData",
)  # fmt: skip

_lock = threading.Lock()
_planner: JpypePlanner | None = None


class JpypePlanner:
    """The planner service of this process. Safe for use from several threads."""

    def __init__(self, service: Any) -> None:
        self._service = service
        self._sent = SentCatalogs()

    def plan(self, catalog: Catalog | str, request: str) -> str:
        reply = self._sent.request(lambda known: str(self._service.plan(known, request)), catalog)
        return in_characters(request, reply)


def planner() -> JpypePlanner:
    """Returns the planner of this process. The first call starts the JVM (there can be only one, and it stays).

    Raises RowtimeError RT0610 (no jars), RT0611 (no Java), RT0612 (the JVM or the planner class does not start).
    """
    global _planner
    with _lock:
        if _planner is None:
            _planner = JpypePlanner(_service(find_java()))
        return _planner


def _service(java: Java, *, dump_to: str | None = None) -> Any:
    """Returns an instance of the service class; `dump_to` is for the archive's builder."""
    import jpype

    classpath = planner_class_path()
    if jpype.isJVMStarted():
        # Another library's JVM: it can still load our jars, but not use our flags.
        for jar in classpath:
            jpype.addClassPath(str(jar))
    else:
        flags = [*_FLAGS, *archive.flags(java, classpath, dump_to=dump_to)]
        if java.feature >= 22:
            flags.append("--enable-native-access=ALL-UNNAMED")
        if java.library is None:
            raise error("RT0612", f"The Java at '{java.home}' has no libjvm to load into Python", hint=REMEDY)
        try:
            jpype.startJVM(
                *flags,
                jvmpath=str(java.library),
                classpath=[str(jar) for jar in classpath],
                convertStrings=False,
                # Ctrl-C stays with Python.
                interrupt=False,
            )
        except Exception as fault:
            raise error("RT0612", f"The JVM at '{java.home}' does not start: {fault}", hint=REMEDY) from fault
        # At its end, the JVM waits for the thread that started it, which in a server may be gone. A thread that calls
        # the JVM is attached again, as one that the JVM does not wait for.
        jpype.JClass("java.lang.Thread").detach()
    try:
        return jpype.JClass(PLANNER_CLASS)()
    except Exception as fault:
        raise error(
            "RT0612",
            f"The planner does not start: {fault}",
            hint="The jars of rowtime are damaged or of another version; reinstall rowtime",
        ) from fault
