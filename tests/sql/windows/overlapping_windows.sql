-- Rows of overlapping windows leave when their window is complete, behind rows that left before. The bound of ROWTIME stays behind
-- them: what is above neither closes too early nor calls them late.
-- date 2015-02-15
-- unordered 1 2 3 4 5 6 7 8 9
CREATE STREAM s (n INTEGER);
CREATE VIEW hops AS SELECT STREAM rowtime, n, window_start AS b, window_end AS e FROM TABLE(HOP(TABLE s, DESCRIPTOR(rowtime), INTERVAL '10' MINUTE, INTERVAL '30' MINUTE));
CREATE VIEW best AS SELECT STREAM rowtime, n, e FROM hops QUALIFY ROW_NUMBER() OVER (PARTITION BY e ORDER BY n DESC) <= 2;
CREATE STREAM kept (rowtime TIMESTAMP NOT NULL LATENESS INTERVAL '30' MINUTE, n INTEGER);
CREATE PUMP keeps STARTED AS INSERT INTO kept SELECT STREAM rowtime, n FROM best;
CREATE STREAM whole (rowtime TIMESTAMP NOT NULL LATENESS INTERVAL '30' MINUTE, n INTEGER, t BIGINT);
CREATE PUMP wholes STARTED AS INSERT INTO whole
  SELECT STREAM rowtime, n, SUM(n) OVER (PARTITION BY e ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM hops;
CREATE STREAM least (n INTEGER);
CREATE PUMP leasts STARTED AS INSERT INTO least
  SELECT STREAM rowtime, n FROM best QUALIFY ROW_NUMBER() OVER (PARTITION BY FLOOR(rowtime TO MINUTE) ORDER BY n) = 1;

-- 1: the two best of each window; 2: they enter a stream, none of them late
SELECT STREAM rowtime, n FROM best;
SELECT STREAM rowtime, n FROM kept;
-- 3: sums of whole windows, from a stream; 4: numbers within windows
SELECT STREAM rowtime, n, t FROM whole;
SELECT STREAM rowtime, n, ROW_NUMBER() OVER (PARTITION BY FLOOR(rowtime TO DAY) ORDER BY e, n) AS nr FROM hops;
-- 5: the same by their starts; 6: groups of the best; 7: the best of the last ten minutes; 8: tumbling windows by their ends
SELECT STREAM rowtime, n, ROW_NUMBER() OVER (PARTITION BY FLOOR(rowtime TO DAY) ORDER BY b, n) AS nr FROM hops;
SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, COUNT(*) AS c, SUM(n) AS t FROM best GROUP BY FLOOR(rowtime TO HOUR);
SELECT STREAM rowtime, COUNT(*) OVER (ORDER BY rowtime RANGE INTERVAL '10' MINUTE PRECEDING) AS c FROM best;
SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, COUNT(*) AS c
  FROM (SELECT STREAM rowtime, n FROM TABLE(TUMBLE(TABLE s, DESCRIPTOR(rowtime), INTERVAL '10' MINUTE)) QUALIFY ROW_NUMBER() OVER (PARTITION BY window_end ORDER BY n) <= 1) AS q
  GROUP BY FLOOR(rowtime TO HOUR);
-- 9: the first of the best of each minute, which are in order again
SELECT STREAM rowtime, n FROM least;

-- Windows end at 10:10 (1), 10:20 (1, 2), 10:30 (1, 2, 3), 10:40 (2, 3) and 10:50 (3).
INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:05:00', 1);
INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:12:00', 2);
--> 1 | 10:05:00 | 1
--> 2 | 10:05:00 | 1
--> 3 | 10:05:00 | 1 | 1
--> 4 | 10:05:00 | 1 | 1
--> 5 | 10:05:00 | 1 | 1
INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:25:00', 3);
--> 1 | 10:05:00 | 1
--> 1 | 10:12:00 | 2
--> 2 | 10:05:00 | 1
--> 2 | 10:12:00 | 2
--> 3 | 10:05:00 | 1 | 3
--> 3 | 10:12:00 | 2 | 3
--> 4 | 10:05:00 | 1 | 2
--> 4 | 10:12:00 | 2 | 3
--> 5 | 10:05:00 | 1 | 2
--> 5 | 10:12:00 | 2 | 3
!bound s '2015-02-15 10:41:00'
--> 1 | 10:12:00 | 2
--> 1 | 10:12:00 | 2
--> 1 | 10:25:00 | 3
--> 1 | 10:25:00 | 3
--> 2 | 10:12:00 | 2
--> 2 | 10:12:00 | 2
--> 2 | 10:25:00 | 3
--> 2 | 10:25:00 | 3
--> 3 | 10:05:00 | 1 | 6
--> 3 | 10:12:00 | 2 | 5
--> 3 | 10:12:00 | 2 | 6
--> 3 | 10:25:00 | 3 | 5
--> 3 | 10:25:00 | 3 | 6
--> 4 | 10:05:00 | 1 | 4
--> 4 | 10:12:00 | 2 | 5
--> 4 | 10:12:00 | 2 | 7
--> 4 | 10:25:00 | 3 | 6
--> 4 | 10:25:00 | 3 | 8
--> 5 | 10:05:00 | 1 | 4
--> 5 | 10:12:00 | 2 | 5
--> 5 | 10:12:00 | 2 | 7
--> 5 | 10:25:00 | 3 | 6
--> 5 | 10:25:00 | 3 | 8
--> 7 | 10:05:00 | 1
--> 7 | 10:05:00 | 2
--> 7 | 10:12:00 | 3
--> 7 | 10:12:00 | 4
--> 7 | 10:12:00 | 5
--> 9 | 10:05:00 | 1
--> 9 | 10:12:00 | 2
!bound s '2015-02-17 00:00:00'
--> 1 | 10:25:00 | 3
--> 2 | 10:25:00 | 3
--> 3 | 10:25:00 | 3 | 3
--> 4 | 10:25:00 | 3 | 9
--> 5 | 10:25:00 | 3 | 9
--> 6 | 10:00:00 | 8 | 17
--> 7 | 10:25:00 | 1
--> 7 | 10:25:00 | 2
--> 7 | 10:25:00 | 3
--> 8 | 10:00:00 | 3
--> 9 | 10:25:00 | 3
