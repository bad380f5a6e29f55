"""The requests of DBeaver's generic driver for JDBC's metadata, check by check: for the connection, its SQL dialect,
its navigator and its result grid. The checks follow its classes JDBCDataSourceInfo, JDBCSQLDialect,
JDBCExecutionContext, GenericDataSource, GenericMetaModel, GenericDataTypeCache, TableCache, PrimaryKeysCache,
IndexCache, GenericProcedure and JDBCColumnMetaData; `DBeaver.java` asks, and reads columns by their names, as they
do."""

from __future__ import annotations

from collections.abc import Iterator

import jdbc_programs
import pytest
from pyspark.sql import SparkSession

from rowtime.opening import connect

DDL = """\
CREATE TABLE price_list (id INTEGER, name VARCHAR(20) NOT NULL, price DECIMAL(10, 2) DEFAULT 1.5, tags VARCHAR ARRAY, \
PRIMARY KEY (id));
CREATE STREAM orders (ROWTIME TIMESTAMP(3) NOT NULL LATENESS INTERVAL '5' SECOND, id BIGINT);
CREATE VIEW big AS SELECT STREAM * FROM orders WHERE id > 3;
CREATE FUNCTION half (x DOUBLE) RETURNS DECIMAL(10, 2) LANGUAGE PYTHON AS 'row_functions:half';
CREATE FUNCTION counted (input TABLE, every_n INTEGER) RETURNS TABLE (n BIGINT, latest INTEGER) LANGUAGE JAVA \
OPTIONS (state_ttl '1 hour') AS 'examples.Counted'"""
HALF = "CREATE FUNCTION HALF (X DOUBLE) RETURNS DECIMAL(10, 2) LANGUAGE PYTHON AS 'row_functions:half'"

CONNECTING = {
    "the class of the driver accepts the URL": "true false",
    "properties of the driver": "true",
    "isolation": "0",
    "auto-commit": "true",
    "a connection is alive": "true false",
    "client info": "",
    "active catalog and schema": "null null",
    "read-only": "false",
    "warnings": "null",
    "a closed connection is not alive": "true false",
}
DATA_SOURCE = {
    "isReadOnly": "false",
    "product": "rowtime, rowtime JDBC driver",
    "versions": "true",
    "version numbers": "0.1",
    "terms": "schema, procedure, catalog",
    "batches": "true",
    "transactions": "false",
    "isolation levels": "false",
    "scrolling": "false",
}
DIALECT = {
    "quote": '"',
    "type of SQLSTATE": "true",
    "sub-queries": "true true true true true",
    "mixed case": "false true",
    "case of names": "true false",
    "case of quoted names": "false false",
    "escape of patterns": "\\",
    "separator of catalogs": ". true",
    "use of catalogs": "false",
    "use of schemas": "false",
    "extra characters": "[]",
    "keywords": "true",
    "functions of the dialect": "true",
    "data types": "TINYINT -6 3 0 0; BIGINT -5 19 0 0; VARBINARY -3 65536 0 0; BINARY -2 65536 0 0; CHAR 1 65536 0 0; "
    "DECIMAL 3 38 0 38; INTEGER 4 10 0 0; SMALLINT 5 5 0 0; REAL 7 7 0 0; DOUBLE 8 15 0 0; VARCHAR 12 65536 0 0; "
    "BOOLEAN 16 1 0 0; DATE 91 10 0 0; TIME 92 3 0 0; TIMESTAMP 93 3 0 0; ARRAY 2003 0 0 0",
    "traits of data types": "[]",
}
NAVIGATOR = {
    "catalogs": "",
    "schemas": "",
    "schemas by pattern": "",
    "table types": "FOREIGN STREAM; FOREIGN TABLE; MATERIALIZED VIEW; STREAM; SYSTEM STREAM; SYSTEM TABLE; TABLE; VIEW",
    "all tables": "null ORDERS STREAM; null SYS_BOOT.MGMT.ALL_TRACE SYSTEM STREAM; "
    "null SYS_BOOT.MGMT.SAVED_TRACE SYSTEM TABLE; null PRICE_LIST TABLE; null BIG VIEW",
    "a table by its name": "PRICE_LIST",
    "a name that only resembles the pattern": "",
    "tables of types": "ORDERS; BIG",
    "remarks": "CREATE VIEW BIG AS SELECT STREAM * FROM ORDERS WHERE ID > 3",
    "tables of another schema": "",
    "columns of a table": "ID 4 INTEGER 10 0 10 1 null null 1; NAME 12 VARCHAR(20) 20 null null 0 null 20 2; "
    "PRICE 3 DECIMAL(10, 2) 10 2 10 1 1.5 null 3; TAGS 2003 VARCHAR ARRAY 0 null null 1 null null 4",
    "columns of a stream": "ROWTIME TIMESTAMP(3) LATENESS INTERVAL '5' SECOND; ID BIGINT null",
    "columns of a view": "ROWTIME TIMESTAMP(3); ID BIGINT",
    "columns of all tables": "BIG ID; ORDERS ID; PRICE_LIST ID",
    "columns that are made": "NO NO null",
    "primary key": "PRICE_LIST ID 1 PRICE_LIST_PK",
    "primary keys of all tables": "PRICE_LIST ID 1",
    "primary key of a stream": "",
    "indexes": "",
    "imported keys": "",
    "exported keys": "",
    "functions": "COUNTED COUNTED 2; HALF HALF 1",
    "source of a function": HALF,
    "parameters": " 4 3 DECIMAL(10, 2) 10 2 1 0; X 1 8 DOUBLE 15 0 1 1",
    "parameters of a table function": "INPUT 1 1111 TABLE null null null 1; EVERY_N 1 4 INTEGER 10 0 1 2; "
    "N 5 -5 BIGINT 19 0 1 1; LATEST 5 4 INTEGER 10 0 1 2",
    "procedures": "",
    "parameters of procedures": "",
}
RESULTS = {
    "columns of a result": "ID ID INTEGER 4 10 0 11 1 false []; COST COST DECIMAL(10, 2) 3 10 2 40 1 false []; "
    "NAME NAME VARCHAR(20) 12 20 0 20 0 false []",
    "values of a result": "Integer 7, BigDecimal 1.50, String text, Boolean true, Date 2026-01-02, "
    "Timestamp 2026-01-02 03:04:05, byte[] 0aff, null null, [1, 2] false",
    "a script's statement": "false 1, true -1, null, false -1",
    "the first rows": "2",
    "prepared, with the types of parameters": "a true",
    "a generated statement with a quoted name": "true 1",
    "the place of an error": "42000 111 RT0111: 2:10: Object 'NOWHERE' not found",
}
EXPECTED = {**CONNECTING, **DATA_SOURCE, **DIALECT, **NAVIGATOR, **RESULTS}


@pytest.fixture(scope="module")
def answers(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with connect(spark, tmp_path_factory.mktemp("dbeaver") / "warehouse") as session:
        server = session.serve_jdbc(0)
        lines = [line.partition(": ") for line in jdbc_programs.run("DBeaver", server.url, DDL)]
        yield {name.rstrip(":"): answer for name, _, answer in lines}


@pytest.mark.parametrize("check", EXPECTED)
def test_check(answers: dict[str, str], check: str) -> None:
    assert answers[check] == EXPECTED[check]


def test_there_are_no_other_checks(answers: dict[str, str]) -> None:
    assert answers.keys() == EXPECTED.keys()
