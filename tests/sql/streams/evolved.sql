-- ALTER … ADD COLUMN: rows from before have NULL; views and pumps that name their columns go on.
-- date 2024-05-01
CREATE STREAM s (a INTEGER NOT NULL) OPTIONS (history 'all');
CREATE STREAM copy (a INTEGER) OPTIONS (history 'all');
CREATE TABLE t (a INTEGER);
CREATE VIEW named AS SELECT STREAM rowtime, a FROM s;
CREATE PUMP p STARTED AS INSERT INTO copy (rowtime, a) SELECT STREAM rowtime, a FROM named;
CREATE PUMP q STARTED AS INSERT INTO t (a) SELECT STREAM a FROM s;
INSERT INTO s (rowtime, a) VALUES (TIMESTAMP '2024-05-01 10:00:00', 1);
ALTER STREAM s ADD COLUMN b VARCHAR(5);
INSERT INTO s (rowtime, a, b) VALUES (TIMESTAMP '2024-05-01 10:01:00', 2, 'two');
ALTER STREAM copy ADD COLUMN c INTEGER;
ALTER TABLE t ADD c DECIMAL(8, 2);
INSERT INTO s (rowtime, a, b) VALUES (TIMESTAMP '2024-05-01 10:02:00', 3, 'three');
INSERT INTO copy (rowtime, a, c) VALUES (TIMESTAMP '2024-05-01 10:02:00', 4, 40);
INSERT INTO t VALUES (5, 1.5);
SELECT a, b FROM s;
--> 1 | 1 |
--> 1 | 2 | two
--> 1 | 3 | three
!restart
INSERT INTO s (rowtime, a, b) VALUES (TIMESTAMP '2024-05-01 10:03:00', 6, NULL);
SELECT a, c FROM copy ORDER BY a;
--> 2 | 1 |
--> 2 | 2 |
--> 2 | 3 |
--> 2 | 4 | 40
--> 2 | 6 |
SELECT a, c FROM t ORDER BY a;
--> 3 | 1 |
--> 3 | 2 |
--> 3 | 3 |
--> 3 | 5 | 1.50
--> 3 | 6 |
UPDATE t SET c = a WHERE c IS NULL AND a < 3;
SELECT a, c FROM t ORDER BY a;
--> 4 | 1 | 1.00
--> 4 | 2 | 2.00
--> 4 | 3 |
--> 4 | 5 | 1.50
--> 4 | 6 |

-- CREATE OR REPLACE does the same. A DEFAULT is for the rows that come.
CREATE OR REPLACE STREAM s (a INTEGER NOT NULL, b VARCHAR(5), d INTEGER DEFAULT 9) OPTIONS (history 'all');
INSERT INTO s (rowtime, a) VALUES (TIMESTAMP '2024-05-01 10:04:00', 7);
SELECT a, b, d FROM s WHERE a > 2;
--> 5 | 3 | three |
--> 5 | 6 | |
--> 5 | 7 | | 9
DESCRIBE s;
--> shown ROWTIME | TIMESTAMP(3) | NO |
--> shown A | INTEGER | NO |
--> shown B | VARCHAR(5) | YES |
--> shown D | INTEGER | YES | DEFAULT 9
-- A pump that is running fills it from then on.
ALTER STREAM copy ADD COLUMN e INTEGER DEFAULT 1;
INSERT INTO s (rowtime, a) VALUES (TIMESTAMP '2024-05-01 10:05:00', 8);
SELECT a, c, e FROM copy WHERE a > 5 ORDER BY a;
--> 6 | 6 | |
--> 6 | 7 | |
--> 6 | 8 | | 1

-- A stream with held rows.
CREATE STREAM waits (rowtime TIMESTAMP NOT NULL WATERMARK INTERVAL '1' MINUTE, a INTEGER) OPTIONS (history 'all');
INSERT INTO waits VALUES (TIMESTAMP '2024-05-01 10:00:00', 1);
ALTER STREAM waits ADD COLUMN b INTEGER;
INSERT INTO waits VALUES (TIMESTAMP '2024-05-01 10:00:30', 2, 20), (TIMESTAMP '2024-05-01 10:05:00', 3, 30);
SELECT a, b FROM waits;
--> 7 | 1 |
--> 7 | 2 | 20

-- Who has all columns does not go on.
CREATE VIEW whole AS SELECT STREAM * FROM s;
ALTER STREAM s ADD COLUMN f INTEGER;
--! 74:14 RT0303 'S' is used by VIEW 'WHOLE': its columns cannot be changed
CREATE TABLE u AS SELECT a FROM t;
ALTER TABLE u ADD COLUMN z VARCHAR;
SELECT a, z FROM u WHERE a < 3 ORDER BY a;
--> 8 | 1 |
--> 8 | 2 |
ALTER TABLE u ADD COLUMN n INTEGER NOT NULL;
--! 81:26 RT0342 A column that is added cannot be NOT NULL: it is NULL in the rows that 'U' has
ALTER TABLE u ADD COLUMN n INTEGER LATENESS 5;
--! 83:26 RT0342 A column that is added cannot be LATENESS: it is NULL in the rows that 'U' has
ALTER TABLE u ADD COLUMN "z" INTEGER;
--! 85:26 RT0305 'U' has a column 'z' already
ALTER STREAM u ADD COLUMN n INTEGER;
--! 87:14 RT0313 'U' is a TABLE, not a STREAM
