-- date 2024-05-01
-- steps matter
-- A savepoint is the state and the position of a pump under a name. Its target never gets rows twice without a word.
CREATE STREAM s (x INTEGER);
CREATE TABLE sums (h TIMESTAMP(3), n BIGINT);
CREATE PUMP p AS INSERT INTO sums
  SELECT STREAM FLOOR(rowtime TO HOUR), SUM(x) FROM s GROUP BY FLOOR(rowtime TO HOUR);
ALTER PUMP p SAVE 'early';
--! 8:1 RT0560 Pump 'P' has not run yet: it has no state and no position that could be saved
ALTER PUMP p START;
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:00:00', 5), (TIMESTAMP '2024-05-01 11:10:00', 7);

-- While the pump runs; and its state has the row of 11:10.
ALTER PUMP p SAVE 'before the change';
ALTER PUMP p SAVE 'before the change';
--! 15:1 RT0560 Pump 'P' already has a savepoint 'before the change'
ALTER PUMP p START FROM SAVE 'before the change';
--! 17:1 RT0560 Pump 'P' runs: what it has written since the savepoint 'before the change' can only be known when it has ended
ALTER PUMP p STOP;

-- Nothing was written since then: the pump goes on as if it had only been stopped.
ALTER PUMP p START FROM SAVE 'before the change';
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 11:20:00', 1), (TIMESTAMP '2024-05-01 12:05:00', 100);
SELECT h, n FROM sums ORDER BY h;
--> 1 | 10:00:00 | 5
--> 1 | 11:00:00 | 8
ALTER PUMP p STOP;
ALTER PUMP p START FROM SAVE 'before the change';
--! 28:1 RT0518 Pump 'P' would write again 1 row of its target that were written since the savepoint 'before the change'
ALTER PUMP p START FROM SAVE 'other';
--! 30:1 RT0560 Pump 'P' has no savepoint 'other'

-- Another query does not fit the state.
CREATE OR REPLACE PUMP p STARTED FROM SAVE 'before the change' ALLOW DUPLICATES AS INSERT INTO sums
  SELECT STREAM rowtime, CAST(x AS BIGINT) FROM s;
--! 34:1 RT0516 The saved state of pump 'P' no longer fits its query: aggregate, which is no longer there

-- With its rows deleted from the target, what came since the savepoint is written again: once.
DELETE FROM sums WHERE n = 8;
ALTER PUMP p START FROM SAVE 'before the change' ALLOW DUPLICATES;
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 12:10:00', 1), (TIMESTAMP '2024-05-01 13:05:00', 3);
SELECT h, n FROM sums ORDER BY h;
--> 2 | 10:00:00 | 5
--> 2 | 11:00:00 | 8
--> 2 | 12:00:00 | 101
ALTER PUMP p DROP SAVE 'before the change';
SHOW SAVES;
ALTER PUMP p DROP SAVE 'before the change';
--! 48:1 RT0560 Pump 'P' has no savepoint 'before the change'
