"""The system clock is set while pumps run, and between their runs: each row arrives once, and nothing waits for the
clock to come back. Only the clock of the processes under test is changed, by a library that is loaded before libc."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* Adds the seconds in the file $CLOCK_FILE to the system clock. The other clocks run on. */
static long seconds(void) {
  char text[32];
  int file = open(getenv("CLOCK_FILE"), O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? 0 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  if (length <= 0) return 0;
  text[length] = 0;
  return atol(text);
}
int clock_gettime(clockid_t which, struct timespec *now) {
  static int (*original)(clockid_t, struct timespec *);
  if (!original) original = dlsym(RTLD_NEXT, "clock_gettime");
  int result = original(which, now);
  if (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE) now->tv_sec += seconds();
  return result;
}
int gettimeofday(struct timeval *now, void *zone) {
  struct timespec exact;
  int result = clock_gettime(CLOCK_REALTIME, &exact);
  now->tv_sec = exact.tv_sec;
  now->tv_usec = exact.tv_nsec / 1000;
  return result;
}
time_t time(time_t *now) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  if (now) *now = exact.tv_sec;
  return exact.tv_sec;
}
"""

RUN = """
import os, sys, time
from pathlib import Path
import rowtime
from rowtime.streams.ages import ages_in
folder, shifts = Path(sys.argv[1]), [int(text) for text in sys.argv[2:]]
now = time.time()
is_new = not (folder / "w").exists()
rt = rowtime.connect(warehouse=folder / "w")
if is_new:
    # Rows stay for their readers only.
    rt.sql("CREATE STREAM a (n INTEGER)")
    rt.sql("CREATE STREAM b (n INTEGER, c BIGINT) OPTIONS (history 'all')")
    rt.sql(f"CREATE FOREIGN TABLE f (n INTEGER) OPTIONS (connector 'files', path '{folder}/f', format 'json')")
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO b SELECT STREAM FLOOR(rowtime TO MINUTE) AS rowtime, MAX(n) AS n, "
           "COUNT(*) AS c FROM a GROUP BY FLOOR(rowtime TO MINUTE)")
    rt.sql("CREATE PUMP q STARTED AS INSERT INTO f SELECT STREAM n FROM a")
    count = 0
else:
    count = int((folder / "count").read_text())

def insert():
    global count
    rows = [f"(TIMESTAMP '2026-01-01 {n // 60:02}:{n % 60:02}:00', {n})" for n in range(count, count + 3)]
    assert rt.sql("INSERT INTO a VALUES " + ", ".join(rows)).entered == 3
    count += 3
    (folder / "count").write_text(str(count))

def check():
    deadline = time.monotonic() + 400
    # The last minute is not over.
    while rt.log("B").state().entered < count - 1 or len(in_files()) < count:
        assert time.monotonic() < deadline, (rt.log("B").state().entered, in_files(), count, rt.pumps)
        time.sleep(0.1)
    assert sorted(tuple(row) for row in rt.sql("SELECT n, c FROM b").rows()) == [(n, 1) for n in range(count - 1)]
    assert in_files() == list(range(count))
    assert [(status.state, status.error) for status in rt.pumps] == [("STARTED", None)] * 2, rt.pumps

def in_files():
    lines = [line for file in (folder / "f").glob("*.json") for line in file.read_text().splitlines()]
    return sorted(int(line.split(":")[1].strip(" }")) for line in lines)

insert()
check()
query = rt.sql("SELECT STREAM n FROM a")
for shift in shifts:
    before = time.time()
    (folder / "clock").write_text(str(shift))
    assert abs(time.time() - before) > 3000
    insert()
    rt.log("A").clean()
    check()
    assert ages_in(rt.store.warehouse).believed() < 1000
query.process_all_available()
assert len(list(query.rows())) == 3 * len(shifts)
rt.close()
print("rows", count)
"""


@pytest.fixture
def shim(tmp_path: Path) -> Path:
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None or sys.platform != "linux":
        pytest.skip("needs a C compiler, on Linux")
    source, library = tmp_path / "clock.c", tmp_path / "clock.so"
    source.write_text(SHIM)
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"], check=True)
    return library


def test_the_clock_is_set(shim: Path, tmp_path: Path) -> None:
    """Back and forward by an hour while pumps run, and back by two hours between their runs."""
    environment = {**os.environ, "LD_PRELOAD": str(shim), "CLOCK_FILE": str(tmp_path / "clock")}
    (tmp_path / "clock").write_text("0")
    for shifts, rows in (((-3600, 0, 3600), 12), ((-3600,), 18)):
        command = [sys.executable, "-c", RUN, str(tmp_path), *map(str, shifts)]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=900)
        assert (done.returncode, done.stdout) == (0, f"rows {rows}\n"), done.stdout + done.stderr[-3000:]
