-- date 2024-05-01
-- steps matter
-- What saved state means decides whether a changed pump goes on: not names, columns that nobody reads, or how it is
-- written. Another meaning is refused before anything changes.
CREATE STREAM s (a INTEGER, b INTEGER, x INTEGER, y INTEGER);
CREATE STREAM r (a INTEGER, b INTEGER, x INTEGER, y INTEGER);
CREATE STREAM sums (k INTEGER, n BIGINT);
CREATE STREAM merged (a INTEGER, x INTEGER);
CREATE STREAM visits (k INTEGER, n BIGINT);
CREATE STREAM fresh (x INTEGER);
CREATE VIEW admitted AS SELECT STREAM rowtime, x FROM s;
LATENESS admitted.x 10;
CREATE PUMP p STARTED AS INSERT INTO sums
  SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, a, SUM(x) FROM s GROUP BY FLOOR(rowtime TO HOUR), a;
CREATE PUMP m STARTED AS INSERT INTO merged
  SELECT STREAM rowtime, a, x FROM s UNION ALL SELECT STREAM rowtime, a, x FROM r;
CREATE PUMP v STARTED AS INSERT INTO visits
  SELECT STREAM SESSION_END(rowtime, INTERVAL '1' HOUR) AS rowtime, a, COUNT(*) FROM s
  GROUP BY SESSION(rowtime, INTERVAL '1' HOUR), a;
CREATE PUMP l STARTED AS INSERT INTO fresh SELECT STREAM * FROM admitted;
SELECT STREAM * FROM sums;
SELECT STREAM * FROM merged;
SELECT STREAM * FROM visits;
SELECT STREAM * FROM fresh;

INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:00:00', 1, 2, 100, 7);
--> 4 | 10:00:00 | 100

-- Other keys, another argument, another condition below, another gap.
CREATE OR REPLACE PUMP p STARTED AS INSERT INTO sums
  SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, b, SUM(x) FROM s GROUP BY FLOOR(rowtime TO HOUR), b;
--! 30:1 RT0516 The saved state of pump 'P' no longer fits its query: aggregate $key0, B, EXPR$2: GROUP BY FLOOR(S.ROWTIME, HOUR), S.B instead of FLOOR(S.ROWTIME, HOUR), S.A
CREATE OR REPLACE PUMP p STARTED AS INSERT INTO sums
  SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, a, SUM(y) FROM s GROUP BY FLOOR(rowtime TO HOUR), a;
--! 33:1 RT0516 The saved state of pump 'P' no longer fits its query: aggregate $key0, A, EXPR$2: aggregate functions SUM(S.Y) BIGINT instead of SUM(S.X) BIGINT
CREATE OR REPLACE PUMP p STARTED AS INSERT INTO sums
  SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, a, SUM(x) FROM s WHERE y > 1 GROUP BY FLOOR(rowtime TO HOUR), a;
--! 36:1 RT0516 The saved state of pump 'P' no longer fits its query: aggregate $key0, A, EXPR$2: conditions (1 < S.Y) instead of none
CREATE OR REPLACE PUMP v STARTED AS INSERT INTO visits
  SELECT STREAM SESSION_END(rowtime, INTERVAL '1' HOUR) AS rowtime, b, COUNT(*) FROM s
  GROUP BY SESSION(rowtime, INTERVAL '1' HOUR), b;
--! 39:1 RT0516 The saved state of pump 'V' no longer fits its query: session aggregate $f0, B, $f2, EXPR$2: GROUP BY S.B, S.ROWTIME instead of S.A, S.ROWTIME

-- The same in other words.
CREATE OR REPLACE PUMP p STARTED AS INSERT INTO sums
  SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, k, SUM(0 + n) + 0
  FROM (SELECT STREAM y, x AS n, a AS k, rowtime FROM s) GROUP BY FLOOR(rowtime TO HOUR), k;
CREATE OR REPLACE PUMP m STARTED AS INSERT INTO merged
  SELECT STREAM rowtime, a, x FROM r UNION ALL SELECT STREAM rowtime, a, x FROM s;
CREATE OR REPLACE PUMP v STARTED AS INSERT INTO visits
  SELECT STREAM SESSION_END(rowtime, INTERVAL '60' MINUTE) AS rowtime, k, COUNT(*)
  FROM (SELECT STREAM rowtime, a AS k FROM s) GROUP BY SESSION(rowtime, INTERVAL '60' MINUTE), k;
-- It keeps the clock of the LATENESS, so that 60 is late, and 95 is not.
CREATE OR REPLACE VIEW admitted AS SELECT STREAM rowtime, n - 0 AS x FROM (SELECT STREAM a, x + 0 AS n, rowtime FROM s);
ALTER PUMP l STOP;
ALTER PUMP l START;

INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:10:00', 1, 2, 60, 7);
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:20:00', 1, 2, 95, 7);
--> 4 | 10:20:00 | 95
INSERT INTO r VALUES (TIMESTAMP '2024-05-01 10:15:00', 3, 3, 3, 3);
--> 2 | 10:00:00 | 1 | 100
--> 2 | 10:10:00 | 1 | 60
--> 2 | 10:15:00 | 3 | 3
!bound s '2024-05-01 13:00:00'
--> 1 | 10:00:00 | 1 | 255
--> 3 | 11:20:00 | 1 | 3
!bound r '2024-05-01 13:00:00'
--> 2 | 10:20:00 | 1 | 95
