-- ALTER COLUMN … SET DATA TYPE: a wider type, below views and pumps. Rows from before keep their values.
-- date 2024-05-01
CREATE STREAM s (a INTEGER, r REAL, d DECIMAL(5, 2), x VARCHAR(2)) OPTIONS (history 'all');
CREATE TABLE t (a BIGINT, d DECIMAL(9, 3));
CREATE VIEW v AS SELECT STREAM rowtime, a, d FROM s;
CREATE PUMP p STARTED AS INSERT INTO t (a, d) SELECT STREAM a, d FROM v;
CREATE TABLE small (a INTEGER);
CREATE PUMP narrow AS INSERT INTO small SELECT STREAM a FROM s;
CREATE TABLE counts (h TIMESTAMP, a BIGINT, n BIGINT);
CREATE PUMP keyed STARTED AS
INSERT INTO counts SELECT STREAM FLOOR(rowtime TO HOUR), a, COUNT(*) FROM s GROUP BY FLOOR(rowtime TO HOUR), a;
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:00:00', 1, 0.5, 1.25, 'x');
ALTER STREAM s ALTER COLUMN a TYPE BIGINT;
--! 13:14 RT0303 'S' is used by PUMP 'KEYED' (its saved state would not fit), PUMP 'NARROW' (values may not fit where it writes them): its columns cannot be changed
DROP PUMP narrow;
ALTER PUMP keyed STOP;
ALTER STREAM s ALTER COLUMN a TYPE BIGINT;
ALTER STREAM s ALTER r SET DATA TYPE DOUBLE;
ALTER STREAM s ALTER COLUMN d SET DATA TYPE DECIMAL(8, 3);
ALTER STREAM s ALTER COLUMN x TYPE VARCHAR;
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:01:00', 3000000000, 1e300, 12345.678, 'long');
SELECT a, r, d, x FROM s;
--> 1 | 1 | 0.5 | 1.250 | x
--> 1 | 3000000000 | 1e+300 | 12345.678 | long
SELECT a, d FROM t ORDER BY a;
--> 2 | 1 | 1.250
--> 2 | 3000000000 | 12345.678
DESCRIBE v;
--> shown ROWTIME | TIMESTAMP(3) | NO |
--> shown A | BIGINT | YES |
--> shown D | DECIMAL(8, 3) | YES |
ALTER PUMP keyed START;
--! 32:1 RT0516 The saved state of pump 'KEYED' no longer fits its query: aggregate EXPR$0, A, EXPR$2: columns FLOOR(S.ROWTIME, HOUR) TIMESTAMP(3), S.A BIGINT instead of FLOOR(S.ROWTIME, HOUR) TIMESTAMP(3), S.A INTEGER
!restart
INSERT INTO t VALUES (2, 2.5);
ALTER TABLE t ALTER COLUMN d TYPE DECIMAL(12, 4);
UPDATE t SET d = d * 2 WHERE a < 3;
SELECT a, d FROM t ORDER BY a;
--> 3 | 1 | 2.5000
--> 3 | 2 | 5.0000
--> 3 | 3000000000 | 12345.6780
ALTER TABLE t ALTER COLUMN a TYPE INTEGER;
--! 42:35 RT0342 Column A of 'T' is BIGINT, which cannot become INTEGER while its rows stay
ALTER TABLE small ALTER COLUMN a TYPE DATE;
--! 44:39 RT0342 Column A of 'SMALL' is INTEGER, which cannot become DATE while its rows stay
