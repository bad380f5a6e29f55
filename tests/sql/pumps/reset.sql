-- date 2024-05-01
-- steps matter
-- RESET says what it would lose or write again, and does it only if it is told to.
CREATE STREAM s (x INTEGER) OPTIONS (history 'all');
CREATE STREAM sums (n BIGINT);
CREATE STREAM copies (x INTEGER);
CREATE PUMP p STARTED AS INSERT INTO sums
  SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, SUM(x) FROM s GROUP BY FLOOR(rowtime TO HOUR);
CREATE PUMP q STARTED AS INSERT INTO copies SELECT STREAM /*+ FROM_EARLIEST */ * FROM s;
SELECT STREAM * FROM sums;
SELECT STREAM * FROM copies;
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:00:00', 5), (TIMESTAMP '2024-05-01 11:10:00', 7);
--> 1 | 10:00:00 | 5
--> 2 | 10:00:00 | 5
--> 2 | 11:10:00 | 7
ALTER PUMP p STOP;
ALTER PUMP p START RESET;
--! 17:1 RT0517 RESET of pump 'P' would lose 1 entry of its state, of the time from 2024-05-01 11:00:00.000 on
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 11:20:00', 1), (TIMESTAMP '2024-05-01 11:30:00', 2);
--> 2 | 11:20:00 | 1
--> 2 | 11:30:00 | 2
ALTER PUMP p START RESET;
--! 22:1 RT0517 RESET of pump 'P' would lose 1 entry of its state, of the time from 2024-05-01 11:00:00.000 on and 2 rows of 'S' that it has not read, up to 2024-05-01 11:30:00.000
ALTER PUMP p START RESET FROM EARLIEST;
--! 24:1 RT0518 Pump 'P' would read rows again whose results are in its target: they would be written twice, or be late there

-- It has no state, and has read everything.
ALTER PUMP q START RESET KEEP POSITION;
ALTER PUMP q START RESET;
--! 29:1 RT0518 Pump 'Q' would read rows again whose results are in its target: they would be written twice, or be late there

-- Nothing has been changed: the first one goes on with its state.
ALTER PUMP p START;
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 12:00:00', 100);
--> 1 | 11:00:00 | 10
--> 2 | 12:00:00 | 100
ALTER PUMP p STOP;
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 12:10:00', 200);
--> 2 | 12:10:00 | 200
ALTER PUMP p START RESET DROP STATE;
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 12:20:00', 1), (TIMESTAMP '2024-05-01 13:00:00', 9);
--> 1 | 12:00:00 | 1
--> 2 | 12:20:00 | 1
--> 2 | 13:00:00 | 9

-- A table has results that change: what the pump no longer knew would stay there.
CREATE TABLE totals (k INTEGER PRIMARY KEY, n BIGINT);
CREATE PUMP r STARTED AS INSERT INTO totals SELECT STREAM /*+ FROM_EARLIEST */ MOD(x, 2), COUNT(*) FROM s GROUP BY MOD(x, 2);
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 13:10:00', 3);
--> 2 | 13:10:00 | 3
SELECT * FROM totals ORDER BY k;
--> 3 | 0 | 3
--> 3 | 1 | 6
ALTER PUMP r START RESET FROM EARLIEST;
--! 54:1 RT0518 Table 'TOTALS' has results of pump 'R', which the pump would no longer know: some would stay although they have changed
ALTER PUMP r STOP;
DELETE FROM totals;
ALTER PUMP r START RESET FROM EARLIEST;
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 13:20:00', 4);
--> 2 | 13:20:00 | 4
SELECT * FROM totals ORDER BY k;
--> 4 | 0 | 4
--> 4 | 1 | 6

-- Nor can rows be taken back that a table of changes has.
CREATE TABLE changes (op TINYINT, k INTEGER, n BIGINT);
CREATE PUMP c STARTED AS INSERT INTO changes SELECT STREAM op, payload.* FROM TO_CHANGELOG((SELECT MOD(x, 2) AS k, COUNT(*) AS n FROM s GROUP BY MOD(x, 2)));
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 13:30:00', 5);
--> 2 | 13:30:00 | 5
SELECT * FROM changes;
--> 5 | 0 | 1 | 1
ALTER PUMP c START RESET KEEP POSITION;
--! 72:1 RT0518 Table 'CHANGES' has results of pump 'C', which the pump would no longer know: some would stay although they have changed
ALTER PUMP c STOP;
DELETE FROM changes;
ALTER PUMP c START RESET FROM TIMESTAMP '2024-05-01 13:20:00';
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 13:40:00', 7);
--> 2 | 13:40:00 | 7
SELECT k, n, SUM(CASE WHEN op IN (0, 2) THEN 1 ELSE -1 END) AS times FROM changes GROUP BY k, n ORDER BY k, n;
--> 6 | 0 | 1 | 1
--> 6 | 1 | 1 | 0
--> 6 | 1 | 2 | 1
