-- date 2024-05-01
-- steps matter
-- CREATE OR REPLACE PUMP is judged before anything changes. RESET says what becomes of state that does not fit.
CREATE STREAM s (a INTEGER, x INTEGER) OPTIONS (history 'all');
CREATE STREAM sums (n BIGINT);
CREATE PUMP p STARTED AS INSERT INTO sums
  SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, SUM(x) FROM s GROUP BY FLOOR(rowtime TO HOUR);
SELECT STREAM * FROM sums;
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:00:00', 1, 5), (TIMESTAMP '2024-05-01 11:10:00', 1, 7);
--> 1 | 10:00:00 | 5

-- Also if it would be stopped. The old pump goes on with its query.
CREATE OR REPLACE PUMP p STARTED AS INSERT INTO sums
  SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, SUM(a) FROM s GROUP BY FLOOR(rowtime TO HOUR);
--! 13:1 RT0516 The saved state of pump 'P' no longer fits its query: aggregate $key0, EXPR$1: aggregate functions SUM(S.A) BIGINT instead of SUM(S.X) BIGINT
CREATE OR REPLACE PUMP p AS INSERT INTO sums SELECT STREAM rowtime, CAST(a AS BIGINT) FROM s;
--! 16:1 RT0516 The saved state of pump 'P' no longer fits its query: aggregate, which is no longer there
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 11:20:00', 1, 1), (TIMESTAMP '2024-05-01 12:05:00', 9, 100);
--> 1 | 11:00:00 | 8

-- The row of 12:05 is gone with the state; that of 12:10 was not read yet.
ALTER PUMP p PAUSE;
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 12:10:00', 3, 100);
CREATE OR REPLACE PUMP p START RESET KEEP POSITION AS INSERT INTO sums
  SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, SUM(a) FROM s GROUP BY FLOOR(rowtime TO HOUR);
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 12:30:00', 4, 1), (TIMESTAMP '2024-05-01 13:00:00', 1, 20);
--> 1 | 12:00:00 | 7

-- All rows of 13:00 are read again.
CREATE OR REPLACE PUMP p START RESET FROM TIMESTAMP '2024-05-01 13:00:00' ALLOW DUPLICATES AS INSERT INTO sums
  SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, SUM(x) FROM s GROUP BY FLOOR(rowtime TO HOUR);
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 13:30:00', 4, 2), (TIMESTAMP '2024-05-01 14:00:00', 1, 3);
--> 1 | 13:00:00 | 22

ALTER PUMP p START RESET FROM TIMESTAMP '2024-05-01 14:00:00' ALLOW DUPLICATES;
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 14:30:00', 4, 2), (TIMESTAMP '2024-05-01 15:00:00', 1, 3);
--> 1 | 14:00:00 | 5

-- The same query goes on with its state.
CREATE OR REPLACE PUMP p STARTED AS INSERT INTO sums
  SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, SUM(0 + x) FROM s GROUP BY FLOOR(rowtime TO HOUR);
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 16:00:00', 4, 2);
--> 1 | 15:00:00 | 3
