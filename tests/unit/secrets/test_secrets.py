"""What is shown of OPTIONS, URLs and statements is what is known to be harmless."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rowtime.catalog.changes import Entry
from rowtime.errors import Diagnostic, RowtimeError, render
from rowtime.foreign.options import Options
from rowtime.secrets import given, harmless, memory, urls
from rowtime.secrets.masking import mask_secrets, masks


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    yield
    memory.forget()


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://registry:8081", "http://registry:8081"),
        ("http://me:y@host/", "http://***@host/"),
        ("https://host:1/a/b?key=PW#PW", "https://host:1/a/b?key=***#***"),
        ("https://host/?PW", "https://host/?***"),
        ("redis://:PW@host", "redis://***@host"),
        ("broker:9092,other:9092", "broker:9092,other:9092"),
        ("me:PW@broker:9092", "***@broker:9092"),
        ("jdbc:postgresql://a,[::1]:5/x", "jdbc:postgresql://a,[::1]:5/x"),
        ("jdbc:postgresql://db/x?user=me&password=PW&ssl=true", "jdbc:postgresql://db/x?user=me&password=***&ssl=true"),
        ("jdbc:postgresql://bob:p@PW@host:5432/db", "jdbc:postgresql://***@host:5432/db"),
        ("jdbc:postgresql://bob:PW/x@host/db", "jdbc:postgresql://***@host/db"),
        ("jdbc:postgresql://bob:123?PW@host/", "jdbc:postgresql:***"),
        ("jdbc:postgresql://host/db?password=a&PW", "jdbc:postgresql://host/db?password=***&***"),
        ("jdbc:postgresql://host/db?ssl='PW'", "jdbc:postgresql://host/db?***"),
        ("jdbc:oracle:thin:bob/PW@host", "jdbc:oracle:thin:***@host"),
        ("jdbc:oracle:thin:bob/PW@host:1521:sid", "jdbc:oracle:thin:***@host:1521:sid"),
        ("jdbc:oracle:thin:bob/PW@//host:1521/svc", "jdbc:oracle:thin:***@//host:1521/svc"),
        ("jdbc:oracle:thin:bob/PW@(DESCRIPTION=(HOST=PW))", "jdbc:oracle:thin:***@***"),
        ("jdbc:oracle:thin:@host:1521/svc", "jdbc:oracle:thin:@host:1521/svc"),
        ("jdbc:oracle:thin:bob/PW", "jdbc:oracle:thin:***"),
        ("jdbc:sqlserver://h:1;databaseName=x;password={a;b=PW}", "jdbc:sqlserver://h:1;databaseName=x;password=***;***"),
        ("jdbc:db2://h:50000/db:user=me;password=PW;", "jdbc:db2://h:50000/db***;password=***;"),
        ("jdbc:mysql://(host=h,user=u,password=PW)/db", "jdbc:mysql:***"),
        ("jdbc:mysql://u:PW@h1:1,u:PW@h2/db", "jdbc:mysql://***@h2/db"),
        ("jdbc:teradata://host/DATABASE=x,PASSWORD=PW", "jdbc:teradata://host/DATABASE***"),
        ("jdbc:sqlite:/tmp/x y.db?key=PW", "jdbc:sqlite:/tmp/x y.db?key=***"),
        ("jdbc:h2:mem:x;USER=sa;PASSWORD=PW", "jdbc:h2:mem:x;USER=sa;PASSWORD=***"),
    ],
)  # fmt: skip
def test_urls(url: str, shown: str) -> None:
    assert urls.masked_url(url) == shown
    assert urls.masked_url(shown) == shown
    memory.remember(urls.split_secrets(url)[1])
    if "PW" in url:
        assert "PW" not in memory.without_secrets(f"no route to {url}")


def test_a_value_of_the_documentation_is_no_secret() -> None:
    """An option with a wrong name hides its value, and may hold the word of another: formt 'json'."""
    memory.remember(["json", "earliest", "files", "hunter2"])
    said = "known values are json, upsert-json; start 'earliest'; connector 'files'"
    assert memory.without_secrets(said + "; hunter2") == said + "; ***"


@pytest.mark.parametrize(
    ("url", "password"),
    [
        ("jdbc:oracle:thin:bob/hun/ter@host", "hun/ter"),
        ("jdbc:mysql://(host=h,user=u,password=hunter2)/db", "hunter2"),
        ("jdbc:postgresql://host/db?password=hun%40ter2", "hun@ter2"),
        ("jdbc:postgresql://bob:hun@ter2@host/db", "hun@ter2"),
        ("jdbc:sqlserver://h;password={hun;ter2}", "hun"),
    ],
)
def test_the_password_of_a_url_is_remembered_by_itself(url: str, password: str) -> None:
    memory.remember(urls.split_secrets(url)[1])
    assert memory.without_secrets(f"the password {password} is wrong") == "the password *** is wrong"


HARMLESS = [
    ("jdbc", "user", "me"),
    ("jdbc", "password_env", "DB_PASSWORD"),
    ("jdbc", "password_file", "/run/secrets/db"),
    ("jdbc", "jdbc.sslmode", "require"),
    ("kafka", "servers", "broker:9092"),
    ("kafka", "kafka.security.protocol", "SASL_SSL"),
    ("kafka", "kafka.ssl.truststore.location", "/x"),
    ("kafka", "kafka.session.timeout.ms", "10"),
    ("files", "path", "/data/me@home"),
    ("python", "port", "8080"),
]
SECRET = [
    ("jdbc", "password"), ("jdbc", "jdbc.pwd"), ("jdbc", "jdbc.password"), ("jdbc", "pass"), ("jdbc", "anything"),
    ("kafka", "kafka.sasl.jaas.config"), ("kafka", "kafka.ssl.keystore.key"), ("kafka", "kafka.ssl.key.password"),
    ("kafka", "avro_registry_password"), ("python", "auth"), ("python", "bearer"), ("python", "api_key"),
    ("python", "token"), ("files", "password"), ("", "password"), ("unknown", "path"),
]  # fmt: skip


@pytest.mark.parametrize(("connector", "name", "value"), HARMLESS)
def test_what_is_known_to_be_harmless_is_shown(connector: str, name: str, value: str) -> None:
    assert harmless.masked_value({"connector": connector}, name, value) == value


@pytest.mark.parametrize(("connector", "name"), SECRET)
def test_all_else_is_hidden(connector: str, name: str) -> None:
    assert harmless.masked_value({"connector": connector}, name, "x") == "***"


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        ("OPTIONS (connector 'jdbc', password 'a''PW', url '')", "OPTIONS (connector 'jdbc', password '***', url '')"),
        ("WITH ('CONNECTOR' = 'jdbc', 'PASSWORD' = 'PW')", "WITH ('CONNECTOR' = 'jdbc', 'PASSWORD' = '***')"),
        ("OPTIONS (connector 'x', password 123456)", "OPTIONS (connector 'x', password '***')"),
        ("OPTIONS (connector 'jdbc', url 'http://me:PW@h')", "OPTIONS (connector 'jdbc', url 'http://***@h')"),
        ("OPTIONS (connector 'kafka', kafka.ssl.x = 'PW')", "OPTIONS (connector 'kafka', kafka.ssl.x = '***')"),
        ("OPTIONS (connector 'files', -- pass 'PW'\n format 'x')", "OPTIONS (connector 'files', ***\n format 'x')"),
        # Wrong in some way.
        ("OPTIONS (connector 'jdbc', password PW)", "OPTIONS (connector 'jdbc', password ***"),
        ("OPTIONS (connector 'jdbc', password \"PW\", user 'x')", "OPTIONS (connector 'jdbc', password ***"),
        ("OPTIONS (connector 'jdbc', password 'a'PW', user 'x')", "OPTIONS (connector 'jdbc', password '***', ***"),
        ("OPTIONS (connector 'jdbc', password 'PW", "OPTIONS (connector 'jdbc', password ***"),
        ("OPTIONS (connector 'jdbc', user password 'PW')", "OPTIONS (connector 'jdbc', user ***"),
        ("OPTIONS (connector 'jdbc' password 'PW')", "OPTIONS (connector 'jdbc' ***"),
        ("OPTONS (connector 'jdbc', password 'PW')", "OPTONS (connector 'jdbc', password '***')"),
        ("connector 'jdbc', password 'PW'", "connector '***', password '***'"),
    ],
)  # fmt: skip
def test_statements(options: str, shown: str) -> None:
    begin = "CREATE FOREIGN TABLE t (a INTEGER) "
    if "'a'PW'" in options:
        assert "PW" not in mask_secrets(begin + options)
    else:
        assert mask_secrets(begin + options) == begin + shown
    assert mask_secrets(f"SELECT 'x'; {begin}{options}; SELECT 1").startswith(f"SELECT 'x'; {begin}")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 'x' FROM t",
        "WITH w AS (SELECT 'x' AS a) SELECT a FROM w",
        "WITH w (a, b) AS (SELECT 'x', 'y') SELECT a FROM w",
        "CREATE STREAM s (a INTEGER) OPTIONS (history 'all')",
        "CREATE FOREIGN STREAM s (a INTEGER, PRIMARY KEY (a)) OPTIONS (connector 'files', path '/x', format 'json')",
    ],
)
def test_what_has_no_secrets_stays_as_it_is(sql: str) -> None:
    assert masks(sql) == [] or mask_secrets(sql) == sql


def test_a_line_in_a_diagnostic_is_masked_and_the_caret_moves() -> None:
    source = "CREATE FOREIGN TABLE t (a INTEGER) OPTIONS (connector 'jdbc', password 'very long PW', nothing 'a')"
    column = source.index("nothing") + 1
    found = Diagnostic(code="RT0310", message="x", line=1, column=column, end_line=1, end_column=column + 6)
    _, line, caret = render(found, source).splitlines()
    assert "PW" not in line and "password '***', nothing '***'" in line
    assert caret.index("^") == line.index("nothing") and caret.count("^") == 7
    inside = Diagnostic(code="RT0310", message="x", line=1, column=source.index("long") + 1, end_line=1, end_column=80)
    assert "^" in render(inside, source)


def test_secrets_are_taken_out_of_messages() -> None:
    memory.remember(["hunter2", "a long secret"])
    found = Diagnostic(code="RT0510", message="no hunter2, nor a long secrets", hint="hunter23 is hunter2")
    assert (found.message, found.hint) == ("no ***, nor ***s", "hunter23 is ***")
    assert not re.search(r"hunter2\b", str(RowtimeError(found)))


# --- from elsewhere ---------------------------------------------------------------------------------------------------


def options(**more: str) -> Options:
    return Options(Entry("id", 0, {"name": "T", "kind": "FOREIGN TABLE", "options": {"connector": "jdbc", **more}}))


def test_from_a_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_T", "hunter2")
    found = options(password_env="SECRET_OF_T", **{"jdbc.pwd_env": "SECRET_OF_T", "jdbc.ssl": "true"})
    assert found.optional("password") == "hunter2"
    assert found.with_prefix("jdbc.") == {"pwd": "hunter2", "ssl": "true"}
    assert "hunter2" not in str(found.given)
    assert memory.without_secrets("is hunter2 right?") == "is *** right?"
    found.text("connector")
    found.finish()


def test_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "p").write_text("hunter 2 \n")
    assert options(password_file=str(tmp_path / "p")).text("password") == "hunter 2 "
    (tmp_path / "p").write_bytes(b"x\r\n")
    assert options(password_file=str(tmp_path / "p")).text("password") == "x"


def test_options_of_adapters(tmp_path: Path) -> None:
    (tmp_path / "p").write_text("x")
    found = options(token_file=str(tmp_path / "p"), log_file="/y", mode="z").all(("log_file",))
    assert found == {"connector": "jdbc", "token": "x", "log_file": "/y", "mode": "z"}


def test_files_that_are_meant_themselves() -> None:
    found = options(avro_schema_file="/nowhere", **{"jdbc.private_key_file": "/k"})
    assert found.optional("avro_schema") is None and found.optional("avro_schema_file") == "/nowhere"
    assert found.with_prefix("jdbc.") == {"private_key_file": "/k"}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            {"password_env": "NO_SUCH_VARIABLE"},
            "has password_env 'NO_SUCH_VARIABLE', but the environment of this process",
        ),
        ({"password_env": "EMPTY"}, "that environment variable is empty"),
        ({"password_file": "/no/such/file"}, "has password_file '/no/such/file', which cannot be read: No such file"),
        ({"password_file": "/"}, "which cannot be read: Is a directory"),
        ({"password_file": "{empty}"}, "that file is empty"),
        ({"password_file": "{binary}"}, "which is not text in UTF-8"),
        ({"password_file": "{large}"}, "a file of more than 1,048,576 bytes"),
        ({"password": "x", "password_env": "EMPTY"}, "has both password and password_env"),
        ({"password_env": "EMPTY", "password_file": "/x"}, "has both password_env and password_file"),
    ],
)
def test_what_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: dict[str, str], said: str) -> None:
    monkeypatch.setenv("EMPTY", "")
    for name, content in (("empty", b"\n"), ("binary", b"\xff\xfe"), ("large", b"x" * (1 << 20) + b"yy")):
        (tmp_path / name).write_bytes(content)
        more = {key: value.replace(f"{{{name}}}", str(tmp_path / name)) for key, value in more.items()}
    with pytest.raises(RowtimeError, match="RT0522") as caught:
        options(**more).optional("password")
    assert said in str(caught.value)


def test_base_names() -> None:
    assert [given.base(name) for name in ("a_env", "a_file", "_env", "a", "avro_schema_file")] == [
        "a", "a", "_env", "a", "avro_schema_file",
    ]  # fmt: skip
