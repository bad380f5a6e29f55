"""TLS from end to end: the driver and the DB-API client trust the server's certificate, or do not connect."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import jdbc_programs
import pytest

from rowtime import dbapi
from rowtime.errors import RowtimeError
from rowtime.jvm.java import find_java
from rowtime.serve.server import JdbcServer
from rowtime.session import Session

PASSWORD = "geheim-7"


@dataclass(frozen=True)
class Keys:
    """A key store for the server, and the certificate that clients trust, in PKCS #12 and in PEM."""

    keystore: Path
    truststore: Path
    pem: Path


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Keys:
    folder = tmp_path_factory.mktemp("keys")
    made = Keys(folder / "server.p12", folder / "trusted.p12", folder / "server.pem")
    tool = str(Path(find_java().executable).with_name("keytool"))
    own = ["-alias", "rowtime", "-storetype", "PKCS12", "-storepass", PASSWORD]
    name = ["-dname", "CN=localhost", "-ext", "SAN=dns:localhost,ip:127.0.0.1"]
    for arguments in (
        ["-genkeypair", *own, "-keystore", str(made.keystore), "-keyalg", "EC", *name],
        ["-exportcert", "-rfc", *own, "-keystore", str(made.keystore), "-file", str(made.pem)],
        ["-importcert", "-noprompt", *own, "-keystore", str(made.truststore), "-file", str(made.pem)],
    ):
        subprocess.run([tool, *arguments], check=True, capture_output=True)
    return made


@pytest.fixture
def server(rt: Session, keys: Keys) -> Iterator[JdbcServer]:
    made = rt.serve_jdbc(0, password=PASSWORD, keystore=str(keys.keystore), keystore_password=PASSWORD)
    yield made
    made.close()


def test_the_driver(server: JdbcServer, keys: Keys) -> None:
    trust = f"truststore={keys.truststore};truststorePassword={PASSWORD}"
    urls = (
        f"{server.url};tls=true;password={PASSWORD};{trust}",
        f"{server.url};tls=true;password=other;{trust}",
        # Neither a certificate that is not signed by Java's own authorities, nor an answer without TLS.
        f"{server.url};tls=true;password={PASSWORD}",
        f"{server.url};password={PASSWORD}",
        f"{server.url};tls=true;password={PASSWORD};truststore={keys.truststore};truststorePassword=wrong",
        f"{server.url};tls=true;password={PASSWORD};truststore={keys.truststore}.none",
    )
    lines = jdbc_programs.run("Connects", *urls)
    assert lines[0] == "3 rows, 5000 characters"
    assert lines[1] == "28000 RT0642: The user or the password is wrong"
    assert lines[2].startswith(f"08006 The server at https://127.0.0.1:{server.port}/ does not answer: ")
    assert "certification path" in lines[2]
    assert lines[3].startswith(f"08006 The server at http://127.0.0.1:{server.port}/ does not answer: ")
    assert lines[4].startswith(f"08006 The trust store '{keys.truststore}' cannot be used: ")
    assert lines[5].startswith(f"08006 The trust store '{keys.truststore}.none' cannot be used: ")


def test_the_client_in_python(server: JdbcServer, keys: Keys) -> None:
    url = f"rowtime://rowtime:{PASSWORD}@localhost:{server.port}?tls=true"
    with dbapi.connect(url, cafile=str(keys.pem)) as connection:
        assert connection.execute("SELECT REPEAT('é', 5000)").fetchall() == [("é" * 5000,)]
    with pytest.raises(dbapi.OperationalError, match="RT0642"):
        dbapi.connect(url.replace(PASSWORD, "other"), cafile=str(keys.pem))
    with pytest.raises(dbapi.OperationalError, match="certificate verify failed"):
        dbapi.connect(url)
    with pytest.raises(dbapi.OperationalError, match=r"does not answer|expects TLS \(tls=true\)"):
        dbapi.connect(url.partition("?")[0])


def test_key_stores_that_are_none(rt: Session, keys: Keys, tmp_path: Path) -> None:
    with pytest.raises(RowtimeError, match=r"RT0629: .*cannot be used"):
        rt.serve_jdbc(0, keystore=str(keys.keystore), keystore_password="wrong")
    with pytest.raises(RowtimeError, match=r"RT0629: .*cannot be used"):
        rt.serve_jdbc(0, keystore=str(keys.pem), keystore_password=PASSWORD)
    with pytest.raises(RowtimeError, match=r"RT0629: .*cannot be read"):
        rt.serve_jdbc(0, keystore=str(tmp_path / "none.p12"))
