"""The options of connectors are checked when an object is created, and the names of other systems lead to ours."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rowtime.connectors import CONNECTORS, OPTIONS, options_of

from .conftest import Planning

ROOT = Path(__file__).parents[3]
FOREIGN = ROOT / "docs" / "foreign.md"
KAFKA = "connector 'kafka', servers 'b:9092', topic 't'"


@pytest.mark.parametrize(
    ("given", "code", "at", "says", "hint"),
    [
        ("connector 'kafka', bootstrap_servers 'b:1', topic 't'", "RT0523", "bootstrap_servers 'b:1'",
         "has an unknown option bootstrap_servers", "its name here is servers, for example servers 'broker:9092'"),
        ("connector 'kafka', 'properties.bootstrap.servers' 'b:1', topic 't'", "RT0523",
         "'properties.bootstrap.servers' 'b:1'", "unknown option properties.bootstrap.servers", "its name here is servers"),
        ("connector 'kafka', 'kafka.bootstrap.servers' 'b:1', 'subscribe' 't'", "RT0523",
         "'kafka.bootstrap.servers' 'b:1'", "unknown option kafka.bootstrap.servers", "its name here is servers"),
        (f"{KAFKA}, 'properties.group.id' 'g'", "RT0523", "'properties.group.id' 'g'",
         "unknown option properties.group.id", "settings of its client begin with kafka.: 'kafka.group.id'"),
        (f"{KAFKA}, 'security.protocol' 'SSL'", "RT0523", "'security.protocol' 'SSL'",
         "unknown option security.protocol", "'kafka.security.protocol'"),
        (f"{KAFKA}, 'scan.startup.mode' 'earliest-offset'", "RT0523", "'scan.startup.mode' 'earliest-offset'",
         "unknown option scan.startup.mode", "its name here is start, for example start 'earliest'"),
        (f"{KAFKA}, \"startingOffsets\" 'earliest'", "RT0523", "\"startingOffsets\" 'earliest'",
         "unknown option startingOffsets", "its name here is start"),
        (f"{KAFKA}, start 'earliest-offset'", "RT0522", "start 'earliest-offset'",
         "has start 'earliest-offset', which is not a start position", "for example start 'earliest'"),
        (f"{KAFKA}, max_records_per_batch 0", "RT0522", "max_records_per_batch 0",
         "has max_records_per_batch '0', which is not a positive number", "for example max_records_per_batch '10000'"),
        (f"{KAFKA}, fail_on_data_loss 'maybe'", "RT0522", "fail_on_data_loss 'maybe'", "known values are true, false", None),
        (f"{KAFKA}, delimiter ';'", "RT0523", "delimiter ';'", "has the option delimiter, but its format is 'json'",
         "it belongs to format 'csv'"),
        (f"{KAFKA}, history 'all'", "RT0523", "history 'all'", "unknown option history", "with a pump into a stream"),
        ("connector 'kafka', topic 't'", "RT0521", "connector 'kafka'", "needs the option servers", "for example servers 'broker:9092'"),
        ("connector 'files', pth 'x', format 'json'", "RT0523", "pth 'x'", "unknown option pth", "did you mean 'path'?"),
        ("connector 'files', path 'x', formt 'json'", "RT0523", "formt 'json'", "unknown option formt", "did you mean 'format'?"),
        ("connector 'files', path 'x', format 'jsn'", "RT0522", "format 'jsn'", "known values are json, csv, ", "did you mean 'json'?"),
        ("connector 'files', path 'x', color 'red'", "RT0523", "color 'red'", "unknown option color",
         "the options of connector 'files' are connector, delimiter, field_case, format, header, idle_timeout, "),
        ("connector 'filesystem', path 'x', format 'json'", "RT0522", "connector 'filesystem'", "has connector 'filesystem'",
         "its name here is 'files'"),
        ("connector 'socket', host 'h', port 65536", "RT0522", "port 65536", "is not a number from 1 to 65535", None),
        ("connector 'rate', ramp_up_time 'soon'", "RT0522", "ramp_up_time 'soon'", "is not a duration", None),
        ("connector 'delta', path 'x', version 'new'", "RT0522", "version 'new'", "is not a number", None),
        ("connector 'delta', path 'x', timestamp 'now'", "RT0522", "timestamp 'now'", "is not a time", "'2024-05-01 10:00:00'"),
        ("connector 'jdbc', url 'jdbc:x:y', dbtable 't'", "RT0523", "dbtable 't'", "unknown option dbtable", "its name here is table"),
        ("connector 'jdbc', url 'jdbc:x:y', table 't', password 'a', password_env 'B'", "RT0522", "password_env 'B'",
         "has both password and password_env", "give only one of them"),
        ("connector 'python', room 'north'", "RT0521", "connector 'python'", "needs the option class", None),
    ],
)  # fmt: skip
def test_an_option_that_is_wrong(
    planning: Planning, given: str, code: str, at: str, says: str, hint: str | None
) -> None:
    found = planning.errors(f'CREATE FOREIGN STREAM f ("VALUE" BIGINT) OPTIONS ({given})')[0]
    assert (found["code"], found["at"]) == (code, at)
    assert says in found["message"]
    assert hint is None or hint.lower() in (found["hint"] or "").lower()


@pytest.mark.parametrize("kind", ["STREAM", "TABLE"])
def test_a_connector_makes_an_object_foreign(planning: Planning, kind: str) -> None:
    """One error, where users of Flink write CREATE TABLE."""
    (found,) = planning.errors(
        f"CREATE {kind} f (n INTEGER) WITH ('connector' = 'kafka', 'topic' = 't', 'colour' = 'red')"
    )
    assert (found["code"], found["at"]) == ("RT0310", "'connector' = 'kafka'")
    assert found["hint"] == f"Write CREATE FOREIGN {kind} for rows outside the warehouse"


def test_a_format_is_no_connector(planning: Planning) -> None:
    (found,) = planning.errors("CREATE FOREIGN TABLE f (n INTEGER) OPTIONS (connector 'parquet', path 'x')")
    assert (found["code"], found["hint"]) == ("RT0522", "Its name here is 'files', with format 'parquet'")


def test_all_wrong_options_are_found(planning: Planning) -> None:
    sql = "CREATE FOREIGN TABLE f (n INTEGER) OPTIONS (connector 'files', pth 'x', header 'perhaps', idle_timeout '1 DAY')"
    found = planning.errors(sql)
    assert [(each["code"], each["at"]) for each in found] == [
        ("RT0523", "pth 'x'"), ("RT0522", "header 'perhaps'"), ("RT0523", "idle_timeout '1 DAY'"),
    ]  # fmt: skip
    assert found[-1]["hint"] == "Only a FOREIGN STREAM has it"


@pytest.mark.parametrize(
    "given",
    [
        "connector 'kafka', servers_env 'BROKERS', topic_file '/run/topic', format_env 'FORMAT', delimiter ';'",
        f"{KAFKA}, 'kafka.security.protocol' 'SASL_SSL', 'kafka.sasl.jaas.config_env' 'JAAS', \"kafka.group.id\" 'g'",
        f"{KAFKA}, start '0:42, 1:300'",
        f"{KAFKA}, start '2015-02-15 10:00:00+02:00', FORMAT 'CSV', delimiter '\\t'",
        f"{KAFKA}, format 'avro', avro_schema_file 'a.avsc', avro_framing 'Confluent', avro_schema_id 0",
        "connector 'python', class 'm:C', anything 'goes', format 'xml'",
        "connector 'jdbc', url 'jdbc:x:y', table 't', \"jdbc.sslmode\" 'require', jdbc.private_key_file '/k'",
        "connector 'files', path 'x', header TRUE, max_files_per_batch 7, idle_timeout '1 hour'",
    ],
)
def test_an_option_that_is_right(planning: Planning, given: str) -> None:
    planning.plan(f"CREATE FOREIGN STREAM f (n INTEGER) OPTIONS ({given})")


def test_the_hint_for_the_rows_of_a_foreign_stream_can_be_followed(planning: Planning) -> None:
    planning.plan(f"CREATE FOREIGN STREAM f (n INTEGER) OPTIONS ({KAFKA})")
    (found,) = planning.errors("SELECT * FROM f")
    assert (found["code"], found["hint"]) == (
        "RT0103", "Write SELECT STREAM, or declare it as a FOREIGN TABLE, which has the rows of the moment",
    )  # fmt: skip
    planning.plan("SELECT STREAM * FROM f")
    planning.plan("DROP FOREIGN STREAM f")
    planning.plan(f"CREATE FOREIGN TABLE f (n INTEGER) OPTIONS ({KAFKA})")
    planning.plan("SELECT * FROM f")


# --- the table of options ----------------------------------------------------------------------------------------------


def test_the_table_is_consistent() -> None:
    """An option has one meaning for each owner; a name of another system is not also one of ours, and leads to one."""
    for owner in {owner for option in OPTIONS for owner in option.of}:
        assert owner in CONNECTORS or owner in ("STREAM", "TABLE", "PUMP", "FUNCTION", "MATERIALIZED VIEW")
        options = [option for option in OPTIONS if owner in option.of]
        names = [option.name for option in options]
        aliases = [alias for option in options for alias in option.aliases]
        assert len(set(names + aliases)) == len(names + aliases), owner
        assert all(alias == alias.lower() for alias in aliases)
    for option in OPTIONS:
        assert (option.values is not None) == (option.type == "CHOICE"), option.name
        assert (option.least is not None) == (option.type == "NUMBER"), option.name


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: f"{option.of[0]}-{option.name}")
def test_an_example_is_right(planning: Planning, option: object) -> None:
    from rowtime.connectors import Option

    assert isinstance(option, Option)
    for owner in option.of:
        if owner not in CONNECTORS:
            sql = {
                "STREAM": "CREATE STREAM x (n INTEGER, deleted BOOLEAN, PRIMARY KEY (n)) OPTIONS ({})",
                "TABLE": "CREATE TABLE x (n INTEGER, deleted BOOLEAN, PRIMARY KEY (n)) OPTIONS ({})",
                "PUMP": "CREATE PUMP x OPTIONS ({}) AS INSERT INTO late_orders SELECT STREAM rowtime FROM Orders",
                "MATERIALIZED VIEW": "CREATE MATERIALIZED VIEW x OPTIONS ({}) AS SELECT rowtime FROM Orders",
                "FUNCTION": "CREATE FUNCTION x (TABLE r) RETURNS TABLE (n INTEGER) LANGUAGE PYTHON OPTIONS ({}) AS 'm:f'",
            }[owner].format(f"{option.name} '{option.example}'")
            planning.catalog["objects"] = [
                o for o in planning.catalog["objects"] if o["name"] not in ("X", "LATE_ORDERS")
            ]
            planning.plan("CREATE STREAM late_orders (n INTEGER)")
            codes = {found["code"] for found in planning.reply(sql)["diagnostics"]}
            assert not codes & {"RT0310", "RT0311"}, sql
            continue
        given = {each.name: each.example for each in options_of(owner).values() if each.required}
        given |= {"connector": owner, option.name: owner if option.name == "connector" else option.example}
        if option.formats:
            given["format"] = option.formats[0]
        listed = ", ".join(f"{name} '{value}'" for name, value in given.items())
        sql = f"CREATE OR REPLACE FOREIGN STREAM x (n INTEGER) OPTIONS ({listed})"
        codes = {found["code"] for found in planning.reply(sql)["diagnostics"]}
        assert not codes & {"RT0521", "RT0522", "RT0523"}, listed


@pytest.mark.parametrize("connector", CONNECTORS)
def test_every_option_of_a_connector_is_documented(connector: str) -> None:
    """docs/foreign.md and docs/adapters.md name each option, and the tables of a connector no other."""
    text = FOREIGN.read_text(encoding="utf-8")
    headings = {
        "files": "Files",
        "kafka": "Kafka",
        "socket": "Sockets",
        "rate": "Rate",
        "delta": "Delta Lake",
        "jdbc": "Databases",
    }
    common = {"connector", "idle_timeout"}
    assert "(connector '…', …)`" in text and "`OPTIONS (idle_timeout" in text
    if connector not in headings:
        pages = text + (ROOT / "docs" / "adapters.md").read_text(encoding="utf-8")
        assert not [name for name in options_of(connector) if f"`{name}`" not in pages and name not in common]
        return
    section = text.split(f"\n## {headings[connector]}\n")[1].split("\n## ")[0]
    listed = set(re.findall(r"`([^`]+)`", " ".join(re.findall(r"^\| (`[^|]+) \|", section, re.MULTILINE))))
    prefix = CONNECTORS[connector].settings
    listed -= {f"{prefix}…"}
    ours = set(options_of(connector)) - common
    of_formats = {name for name in ours if name.startswith("avro_") or (name == "delimiter" and connector == "kafka")}
    assert listed - ours == set()
    assert ours - listed == of_formats
    assert not [name for name in of_formats if f"`{name}`" not in text]


def test_readers_ask_only_for_options_of_the_table() -> None:
    """A reader that took an option that is not in the table would never get it."""
    asked = re.compile(r"\b(?:of\.)?options\.(?:text|optional|choice|flag|number|duration|names)\(\s*\"([a-z_]+)\"")
    package = ROOT / "python" / "rowtime"
    files = [*(package / "foreign").glob("*.py"), package / "adapters" / "socket.py"]
    found = {name for file in files for name in asked.findall(file.read_text(encoding="utf-8"))}
    assert len(found) > 30
    assert found <= {option.name for option in OPTIONS}
