-- The first rows of each hour above a join whose inputs have the time of their hour, with a margin around it. By hand.
-- date 2024-01-01
CREATE STREAM a (k INTEGER, v INTEGER);
CREATE STREAM b (k INTEGER, w INTEGER);
CREATE STREAM firsts (v INTEGER, w INTEGER);
CREATE VIEW x AS SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, k, v FROM a;
CREATE VIEW y AS SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, k, w FROM b;

SELECT STREAM x.rowtime, x.v, y.w FROM x JOIN y ON x.k = y.k
AND y.rowtime BETWEEN x.rowtime - INTERVAL '1' MINUTE AND x.rowtime + INTERVAL '1' MINUTE
QUALIFY ROW_NUMBER() OVER (PARTITION BY x.rowtime ORDER BY y.w) = 1;

-- Hours without a match, with their highest value.
SELECT STREAM rowtime, v FROM (SELECT STREAM x.rowtime, x.v FROM x WHERE NOT EXISTS (SELECT * FROM y WHERE x.k = y.k
  AND y.rowtime BETWEEN x.rowtime - INTERVAL '1' MINUTE AND x.rowtime + INTERVAL '1' MINUTE))
QUALIFY v = MAX(v) OVER (PARTITION BY rowtime ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING);

CREATE PUMP fill STARTED AS INSERT INTO firsts SELECT STREAM x.rowtime, x.v, y.w FROM x JOIN y ON x.k = y.k
AND y.rowtime BETWEEN x.rowtime - INTERVAL '1' MINUTE AND x.rowtime + INTERVAL '1' MINUTE
QUALIFY ROW_NUMBER() OVER (PARTITION BY x.rowtime ORDER BY y.w) = 1;
SELECT STREAM rowtime, v, w FROM firsts;

!producer A
INSERT INTO a VALUES
  (TIMESTAMP '2024-01-01 10:10:00', 1, 1),
  (TIMESTAMP '2024-01-01 10:20:00', 2, 5),
  (TIMESTAMP '2024-01-01 10:30:00', 3, 6),
  (TIMESTAMP '2024-01-01 11:10:00', 1, 2);
!producer B
INSERT INTO b VALUES
  (TIMESTAMP '2024-01-01 10:20:00', 1, 7),
  (TIMESTAMP '2024-01-01 10:40:00', 1, 3),
  (TIMESTAMP '2024-01-01 11:05:00', 1, 4);
-- Both hours of 10 are over.
--> 1 | 10:00:00 | 1 | 3
--> 2 | 10:00:00 | 6
--> 3 | 10:00:00 | 1 | 3
!producer A
!bound a '2024-01-01 13:00:00'
!producer B
!bound b '2024-01-01 13:00:00'
--> 1 | 11:00:00 | 2 | 4
--> 3 | 11:00:00 | 2 | 4
