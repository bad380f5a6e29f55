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
