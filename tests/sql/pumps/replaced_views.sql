-- date 2024-05-01
-- steps matter
-- CREATE OR REPLACE VIEW: pumps that read the view go on with its new query if their saved state fits it; otherwise nothing changes.
CREATE STREAM s (a INTEGER, x INTEGER) OPTIONS (history 'all');
CREATE VIEW v AS SELECT STREAM rowtime, a, x FROM s;
CREATE VIEW w AS SELECT STREAM * FROM v;
CREATE STREAM copies (n INTEGER);
CREATE STREAM sums (n BIGINT);
CREATE PUMP p STARTED AS INSERT INTO copies SELECT STREAM rowtime, x FROM w;
CREATE PUMP q STARTED AS INSERT INTO sums SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, SUM(x) FROM v GROUP BY FLOOR(rowtime TO HOUR);
SELECT STREAM n FROM copies;
SELECT STREAM * FROM sums;
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:00:00', 1, 5), (TIMESTAMP '2024-05-01 10:30:00', 2, 7);
--> 1 | 5
--> 1 | 7

-- The sum of the hour has rows that the new query does not have. Both pumps go on with the earlier one.
CREATE OR REPLACE VIEW v AS SELECT STREAM rowtime, a, x FROM s WHERE a > 1;
--! 18:1 RT0516 View 'V' is read by pump 'Q', whose saved state would not fit: aggregate $key0, EXPR$1: conditions (1 < S.A) instead of none
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 11:00:00', 1, 1);
--> 1 | 1
--> 2 | 10:00:00 | 12
CREATE OR REPLACE VIEW v AS SELECT STREAM CASE WHEN a > 1 THEN rowtime ELSE TIMESTAMP '2024-01-01 00:00:00' END AS rowtime, a, x FROM s;
--! 23:1 RT0516 View 'V' is read by pump 'P', which could not go on: ROWTIME must be an increasing function of the input's ROWTIME, and the expression given is not

-- A pump that is stopped is judged when it starts.
ALTER PUMP q STOP;
CREATE OR REPLACE VIEW v AS SELECT STREAM rowtime, a, x FROM s WHERE a > 1;
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 11:10:00', 1, 100), (TIMESTAMP '2024-05-01 11:20:00', 2, 3);
--> 1 | 3
ALTER PUMP q START;
--! 31:1 RT0516 The saved state of pump 'Q' no longer fits its query: aggregate $key0, EXPR$1: conditions (1 < S.A) instead of none
ALTER PUMP q START RESET KEEP POSITION;
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 12:00:00', 2, 4), (TIMESTAMP '2024-05-01 12:10:00', 1, 100);
--> 1 | 4
--> 2 | 11:00:00 | 3

-- The same meaning: state stays. Another column of the same name: the pump without state writes its values from now on.
CREATE OR REPLACE VIEW v AS SELECT STREAM rowtime, a, 0 + x AS x FROM s WHERE 1 < a;
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 13:00:00', 2, 6);
--> 1 | 6
--> 2 | 12:00:00 | 4
CREATE OR REPLACE VIEW w AS SELECT STREAM rowtime, x AS a, a AS x FROM v;
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 14:00:00', 2, 8);
--> 1 | 2
--> 2 | 13:00:00 | 6

-- Another stream, in which the pump has no position.
CREATE STREAM t (a INTEGER, x INTEGER);
CREATE OR REPLACE VIEW w AS SELECT STREAM rowtime, a, x FROM t;
--! 50:1 RT0516 View 'W' is read by pump 'P', whose saved state would not fit: it reads other sources

-- A materialized view is the result of the earlier query.
CREATE MATERIALIZED VIEW m AS SELECT a, COUNT(*) AS n FROM w GROUP BY a;
CREATE OR REPLACE VIEW w AS SELECT STREAM rowtime, a, x FROM v;
--! 55:1 RT0516 View 'W' is read by materialized view 'M', whose saved state would not fit: updating aggregate A, N: GROUP BY S.A instead of S.X
DROP MATERIALIZED VIEW m;
CREATE OR REPLACE VIEW w AS SELECT STREAM rowtime, a, x FROM v;
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 15:00:00', 2, 9);
--> 1 | 9
--> 2 | 14:00:00 | 8
