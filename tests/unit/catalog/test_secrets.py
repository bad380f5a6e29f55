"""Passwords in OPTIONS are not shown."""

from __future__ import annotations

import pytest

from rowtime.catalog.secrets import is_secret, shown_sql, without_secrets


@pytest.mark.parametrize(
    ("sql", "options", "shown"),
    [
        ("OPTIONS ('password' 'it''s', 'u' 'it''s')", {"password": "it's"}, "OPTIONS ('password' '***', 'u' 'it''s')"),
        ("WITH ('PASSWORD' = 'a', 'x' = 'a')", {"password": "a", "x": "a"}, "WITH ('PASSWORD' = '***', 'x' = 'a')"),
        ("OPTIONS (password 123, port 1234)", {"password": "123"}, "OPTIONS (password '***', port 1234)"),
        ("OPTIONS (token 'x')", {"token": "x"}, "OPTIONS (token '***')"),
        ("OPTIONS (token_env 'X')", {"token_env": "X"}, "OPTIONS (token_env 'X')"),
        (
            "OPTIONS (url 'jdbc:postgresql://db/x?user=me&password=y&ssl=true')",
            {"url": "jdbc:postgresql://db/x?user=me&password=y&ssl=true"},
            "OPTIONS (url 'jdbc:postgresql://db/x?user=me&password=***&ssl=true')",
        ),
        ("OPTIONS (url 'http://me:y@host/')", {"url": "http://me:y@host/"}, "OPTIONS (url 'http://me:***@host/')"),
        (
            "OPTIONS ('kafka.sasl.jaas.config' 'x \\1 y')",
            {"kafka.sasl.jaas.config": "x \\1 y"},
            "OPTIONS ('kafka.sasl.jaas.config' '***')",
        ),
    ],
)  # fmt: skip
def test_a_definition_is_shown_without_them(sql: str, options: dict[str, str], shown: str) -> None:
    assert shown_sql(sql, options) == shown


def test_what_is_a_secret() -> None:
    assert all(
        is_secret(name) for name in ("password", "jdbc.password", "kafka.ssl.key.password", "token", "my_secret")
    )
    assert not any(is_secret(name) for name in ("password_env", "kafka.ssl.truststore.location", "user", "path", "key"))


def test_messages() -> None:
    options = {"password": "words", "url": "x"}
    assert without_secrets("words of me at jdbc:x?password=more&a=b", options) == "*** of me at jdbc:x?password=***&a=b"
