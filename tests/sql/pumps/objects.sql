-- Seed 002, "DDL extensions": every kind of object is created, used, refused while it is there, and dropped.
CREATE STREAM s (a INTEGER, b VARCHAR(10));
CREATE STREAM s (a INTEGER);
--! 3:15 RT0302 STREAM 'S' exists already
CREATE STREAM IF NOT EXISTS s (a INTEGER);
CREATE OR REPLACE STREAM s (a INTEGER);
DESCRIBE s;
--> shown ROWTIME | TIMESTAMP(3) | NO |
--> shown A | INTEGER | YES |
CREATE STREAM s2 (a INTEGER);
CREATE TABLE t (a INTEGER NOT NULL, b DECIMAL(8, 2) DEFAULT 1.5, PRIMARY KEY (a));
DESCRIBE t;
--> shown A | INTEGER | NO | PRIMARY KEY
--> shown B | DECIMAL(8, 2) | YES | DEFAULT 1.5
CREATE FOREIGN STREAM f (a INTEGER) OPTIONS (connector 'files', path '/nowhere', format 'json');
CREATE FOREIGN TABLE ft (a INTEGER) OPTIONS (connector 'files', path '/nowhere', format 'json');
CREATE VIEW v AS SELECT STREAM a FROM s WHERE a > 0;
CREATE PUMP p AS INSERT INTO s2 (a) SELECT STREAM a FROM v;

-- A pump is none of the things that can be read.
SELECT STREAM * FROM p;
--! 21:22 RT0111 Object 'P' not found

DROP VIEW s2;
--! 24:11 RT0313 'S2' is a STREAM, not a VIEW
DROP STREAM s2;
--! 26:13 RT0314 'S2' is used by PUMP 'P'
DROP STREAM s2 CASCADE;
-- The pump has gone with it.
ALTER PUMP p START;
--! 30:12 RT0111 Pump 'P' not found
DROP STREAM s;
--! 32:13 RT0314 'S' is used by VIEW 'V'
DROP VIEW v;
DROP STREAM s;
DROP FOREIGN TABLE ft;
DROP FOREIGN STREAM f;
DROP TABLE t;
DROP TABLE t;
--! 39:12 RT0312 TABLE 'T' does not exist
DROP TABLE IF EXISTS t;
DROP PUMP IF EXISTS p;
INSERT INTO s (a) VALUES (1);
--! 43:13 RT0111 Table or stream 'S' not found
CREATE PUMP p AS INSERT INTO nowhere SELECT STREAM * FROM nothing;
--! 45:30 RT0111 Table or stream 'NOWHERE' not found
