-- CREATE OR REPLACE keeps the rows where they fit the new definition, and is refused where they do not, unless it says
-- DROP ROWS.
-- date 2024-05-01
CREATE STREAM kept (a INTEGER NOT NULL, b VARCHAR(3)) OPTIONS (history 'all');
INSERT INTO kept (rowtime, a, b) VALUES (TIMESTAMP '2024-05-01 10:00:00', 1, 'one');
CREATE OR REPLACE STREAM kept (a INTEGER NOT NULL, b VARCHAR(3), c INTEGER NOT NULL) OPTIONS (history 'all');
--! 6:26 RT0341 The rows of 'KEPT' do not fit its new definition: column C is new and NOT NULL
CREATE OR REPLACE STREAM kept (a SMALLINT NOT NULL) OPTIONS (history 'all');
--! 8:26 RT0341 The rows of 'KEPT' do not fit its new definition: column B is gone; column A was INTEGER
CREATE OR REPLACE STREAM kept (a INTEGER NOT NULL, b VARCHAR(3) NOT NULL) OPTIONS (history 'all');
--! 10:26 RT0341 The rows of 'KEPT' do not fit its new definition: column B may be NULL
CREATE OR REPLACE STREAM kept (b VARCHAR(3), a INTEGER NOT NULL) OPTIONS (history 'all');
--! 12:26 RT0341 The rows of 'KEPT' do not fit its new definition: the columns were in the order ROWTIME, A, B
CREATE OR REPLACE STREAM kept (a INTEGER NOT NULL LATENESS 5, b VARCHAR(3)) OPTIONS (history 'all');
--! 14:26 RT0341 The rows of 'KEPT' do not fit its new definition: column A was declared without LATENESS, WATERMARK or MONOTONIC
CREATE OR REPLACE STREAM kept (a INTEGER NOT NULL, b VARCHAR(3)) OPTIONS (history '1 HOUR');
--! 16:26 RT0341 'KEPT' would lose rows: its history was 'all' and becomes '1 HOUR'
CREATE OR REPLACE STREAM kept (a INTEGER NOT NULL, b VARCHAR(3));
--! 18:26 RT0341 'KEPT' would lose rows: its history was 'all' and becomes none
SELECT a, b FROM kept;
--> 1 | 1 | one

-- Longer texts, NULLs, a DEFAULT and a key fit.
CREATE OR REPLACE STREAM kept (a INTEGER DEFAULT 7 PRIMARY KEY, b VARCHAR(10)) OPTIONS (history 'all', held_rows '10');
INSERT INTO kept (rowtime, b) VALUES (TIMESTAMP '2024-05-01 10:01:00', 'eleven');
INSERT INTO kept (rowtime, a, b) VALUES (TIMESTAMP '2024-05-01 10:02:00', NULL, 'none');
!restart
SELECT a, b FROM kept;
--> 2 | 1 | one
--> 2 | 7 | eleven
--> 2 | | none

-- A pump that reads it goes on, and DROP ROWS does not take its rows away.
CREATE STREAM copy (a INTEGER, b VARCHAR(10)) OPTIONS (history 'all');
CREATE PUMP p STARTED AS INSERT INTO copy SELECT STREAM rowtime, a, b FROM kept;
CREATE OR REPLACE STREAM kept (a INTEGER DEFAULT 7 PRIMARY KEY, b VARCHAR(10)) OPTIONS (history 'all') DROP ROWS;
--! 36:26 RT0303 DROP ROWS would take the rows of 'KEPT' from PUMP 'P'
CREATE OR REPLACE STREAM kept (a INTEGER DEFAULT 7, b VARCHAR(10), PRIMARY KEY (a, b)) OPTIONS (history 'all');
INSERT INTO kept (rowtime, a, b) VALUES (TIMESTAMP '2024-05-01 10:03:00', 8, 'later');
SELECT a, b FROM copy;
--> 3 | 8 | later
SELECT a FROM kept;
--> 4 | 1
--> 4 | 7
--> 4 |
--> 4 | 8
DROP PUMP p;

-- With the word, the rows go. The stored statement does not have it.
CREATE OR REPLACE STREAM kept (c INTEGER) OPTIONS (history 'all') DROP ROWS;
SELECT c FROM kept;
INSERT INTO kept (rowtime, c) VALUES (TIMESTAMP '2024-05-01 09:00:00', 3);
!restart
SELECT c FROM kept;
--> 6 | 3
SHOW STREAMS LIKE 'kept';
--> shown KEPT | STREAM | CREATE OR REPLACE STREAM KEPT (C INTEGER) OPTIONS ('history' 'all')

-- Tables.
CREATE TABLE t (a INTEGER, b VARCHAR(3));
INSERT INTO t VALUES (1, 'one');
CREATE OR REPLACE TABLE t (a INTEGER MONOTONIC, b VARCHAR(3));
--! 62:25 RT0341 The rows of 'T' do not fit its new definition: column A was declared without LATENESS, WATERMARK or MONOTONIC
CREATE OR REPLACE TABLE t (a INTEGER, b VARCHAR);
INSERT INTO t VALUES (2, 'twelve');
SELECT a, b FROM t ORDER BY a;
--> 7 | 1 | one
--> 7 | 2 | twelve
CREATE OR REPLACE TABLE t (a BIGINT) DROP ROWS;
INSERT INTO t VALUES (3);
SELECT a FROM t;
--> 8 | 3

-- What has no rows has none to lose; rows that wait are some. DROP ROWS needs something to replace.
CREATE STREAM passing (rowtime TIMESTAMP NOT NULL WATERMARK INTERVAL '1' MINUTE, a INTEGER);
CREATE OR REPLACE STREAM passing (rowtime TIMESTAMP NOT NULL WATERMARK INTERVAL '1' MINUTE, b INTEGER);
INSERT INTO passing VALUES (TIMESTAMP '2024-05-01 10:00:00', 1);
CREATE OR REPLACE STREAM passing (rowtime TIMESTAMP NOT NULL WATERMARK INTERVAL '1' MINUTE, c INTEGER);
--! 78:26 RT0341 The rows that wait in 'PASSING' do not fit its new definition: column B is gone; column C is new and not the last
CREATE TABLE u (a INTEGER, b INTEGER);
CREATE OR REPLACE TABLE u (b INTEGER);
CREATE TABLE w (a INTEGER);
CREATE PUMP feeds_w AS INSERT INTO w SELECT STREAM b FROM passing;
CREATE OR REPLACE TABLE w AS SELECT b AS a FROM u;
--! 84:25 RT0303 CREATE OR REPLACE TABLE … AS would take the rows of 'W' from PUMP 'FEEDS_W'
CREATE TABLE x (a INTEGER) DROP ROWS;
--! 86:28 RT0001 Only CREATE OR REPLACE STREAM and TABLE take DROP ROWS
