-- ALTER … DROP COLUMN: nobody may read it. A later column of that name does not get the old values.
-- date 2024-05-01
CREATE STREAM s (a INTEGER NOT NULL, b VARCHAR(5), c INTEGER) OPTIONS (history 'all');
CREATE TABLE t (a INTEGER, "b c" INTEGER, d INTEGER);
CREATE VIEW v AS SELECT STREAM rowtime, a FROM s;
CREATE PUMP p STARTED AS INSERT INTO t (a) SELECT STREAM a FROM v;
CREATE VIEW reads_b AS SELECT STREAM b FROM s;
CREATE PUMP q AS INSERT INTO t (d) SELECT STREAM c FROM s;
INSERT INTO s (rowtime, a, b, c) VALUES (TIMESTAMP '2024-05-01 10:00:00', 1, 'one', 10);
ALTER STREAM s DROP COLUMN b;
--! 10:14 RT0303 Column B of 'S' is used by VIEW 'READS_B': it cannot be dropped
ALTER STREAM s DROP COLUMN c;
--! 12:14 RT0303 Column C of 'S' is used by PUMP 'Q': it cannot be dropped
DROP VIEW reads_b;
DROP PUMP q;
ALTER STREAM s DROP COLUMN b;
ALTER STREAM s ADD COLUMN b INTEGER;
INSERT INTO s (rowtime, a, b, c) VALUES (TIMESTAMP '2024-05-01 10:01:00', 2, 20, 11);
SELECT a, b, c FROM s;
--> 1 | 1 | | 10
--> 1 | 2 | 20 | 11
!restart
INSERT INTO s (rowtime, a, b, c) VALUES (TIMESTAMP '2024-05-01 10:02:00', 3, 30, 12);
SELECT a, b, c FROM s WHERE a > 1;
--> 2 | 2 | 20 | 11
--> 2 | 3 | 30 | 12

INSERT INTO t VALUES (5, 50, 500);
ALTER TABLE t DROP a;
--! 29:13 RT0303 Column A of 'T' is used by PUMP 'P': it cannot be dropped
ALTER TABLE t DROP "b c";
ALTER TABLE t ADD "b c" VARCHAR(3);
UPDATE t SET "b c" = 'new' WHERE a = 5;
SELECT a, "b c", d FROM t ORDER BY a;
--> 3 | 1 | |
--> 3 | 2 | |
--> 3 | 3 | |
--> 3 | 5 | new | 500

-- A stream with rows that wait.
CREATE STREAM waits (rowtime TIMESTAMP NOT NULL WATERMARK INTERVAL '1' MINUTE, a INTEGER, b INTEGER) OPTIONS (history 'all');
INSERT INTO waits VALUES (TIMESTAMP '2024-05-01 10:00:00', 1, 10);
ALTER STREAM waits DROP COLUMN a;
INSERT INTO waits VALUES (TIMESTAMP '2024-05-01 10:05:00', 50);
SELECT b FROM waits;
--> 4 | 10
ALTER STREAM waits DROP COLUMN rowtime;
--! 47:32 RT0342 Column ROWTIME of 'WAITS' cannot be dropped: every stream has it

CREATE TABLE k (a INTEGER PRIMARY KEY, b INTEGER LATENESS 5);
ALTER TABLE k DROP COLUMN a;
--! 51:27 RT0342 Column A of 'K' cannot be dropped: it is part of the PRIMARY KEY
ALTER TABLE k DROP COLUMN b;
--! 53:27 RT0342 Column B of 'K' cannot be dropped: its LATENESS decides which rows are accepted, and when
ALTER TABLE k DROP COLUMN x;
--! 55:27 RT0308 'K' has no column 'X'
