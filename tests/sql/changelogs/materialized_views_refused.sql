-- Materialized views that cannot be, and what cannot be done to one.
CREATE STREAM s (rowtime TIMESTAMP NOT NULL, k VARCHAR(10), v INTEGER);
CREATE TABLE t (k VARCHAR(10), v INTEGER);
CREATE MATERIALIZED VIEW v AS SELECT k, COUNT(*) AS n FROM s GROUP BY k;

-- Only its query writes to it.
INSERT INTO v VALUES ('a', 1);
--! 7:13 RT0344 Cannot insert into materialized view 'V': its rows are always the result of its query
UPDATE v SET n = 2;
--! 9:8 RT0344 Cannot UPDATE rows of materialized view 'V': its rows are always the result of its query
DELETE FROM v;
--! 11:13 RT0344 Cannot DELETE rows of materialized view 'V': its rows are always the result of its query
MERGE INTO v USING t ON v.k = t.k WHEN MATCHED THEN UPDATE SET n = 0;
--! 13:12 RT0344 Cannot MERGE rows of materialized view 'V': its rows are always the result of its query
CREATE PUMP p AS INSERT INTO v SELECT STREAM k, COUNT(*) FROM s GROUP BY k;
--! 15:30 RT0344 Cannot insert into materialized view 'V': its rows are always the result of its query
ALTER PUMP v START RESET DROP STATE;
--! 17:12 RT0344 Cannot RESET materialized view 'V': its rows are always the result of its query
ALTER TABLE v ADD COLUMN m INTEGER;
--! 19:13 RT0313 'V' is a MATERIALIZED VIEW, not a TABLE

-- It is one object.
DROP TABLE v;
--! 23:12 RT0313 'V' is a MATERIALIZED VIEW, not a TABLE
DROP PUMP v;
--! 25:11 RT0313 'V' is a MATERIALIZED VIEW, not a PUMP
DROP VIEW v;
--! 27:11 RT0313 'V' is a MATERIALIZED VIEW, not a VIEW
CREATE TABLE v (k VARCHAR(10));
--! 29:14 RT0302 MATERIALIZED VIEW 'V' exists already
DROP STREAM s;
--! 31:13 RT0314 'S' is used by MATERIALIZED VIEW 'V'
SELECT STREAM * FROM v;
--! 33:22 RT0102 Cannot convert table 'V' to a stream

-- Another query, another table.
CREATE OR REPLACE MATERIALIZED VIEW v AS SELECT k, SUM(v) AS n FROM s GROUP BY k;
--! 37:37 RT0341 The rows of 'V' do not fit its new definition: its columns, or its key, are others
CREATE MATERIALIZED VIEW w AS SELECT * FROM (VALUES (1));
--! 39:31 RT0321 A materialized view needs a query over streams, or over tables that change
CREATE MATERIALIZED VIEW w AS SELECT n, COUNT(*) AS c FROM w GROUP BY n;
--! 41:60 RT0111 Object 'W' not found
CREATE MATERIALIZED VIEW w AS SELECT COUNT(*) AS n FROM s GROUP BY k;
--! 43:31 RT0215 The result changes, and no unique key of the query is known by which its rows could be replaced
CREATE MATERIALIZED VIEW w (a) AS SELECT k, v FROM s;
--! 45:28 RT0305 The view names 1 columns, but its query has 2
CREATE MATERIALIZED VIEW IF NOT EXISTS v AS SELECT k FROM s;
DROP MATERIALIZED VIEW IF EXISTS w;
DROP MATERIALIZED VIEW v;
DROP STREAM s;

-- A plain view may have a result that changes; a query whose rows are final cannot read it.
CREATE STREAM r (rowtime TIMESTAMP NOT NULL, k VARCHAR(10));
CREATE VIEW counted AS SELECT STREAM k, COUNT(*) AS n FROM r GROUP BY k;
SELECT STREAM * FROM counted;
--! 55:22 RT0201 Streaming aggregation requires at least one monotonic expression in GROUP BY clause

-- Beside a stream, a table is looked up, unless its changes are read.
CREATE TABLE u (k VARCHAR(10) PRIMARY KEY, m INTEGER);
CREATE MATERIALIZED VIEW w AS SELECT u.k, u.m, c.n FROM u LEFT JOIN counted AS c ON u.k = c.k;
--! 60:64 RT0210 Cannot return the unmatched rows of a table: the stream has no end, so a match may still arrive
