-- OVER in order of the border of overlapping windows alone. A row is in several windows, so rows in order of ROWTIME are out of
-- order in that time: each waits for those that are before it, and the bound waits with it.
-- date 2015-02-15
-- unordered 1 2 3 4 5 6 7
CREATE STREAM s (n INTEGER);
CREATE VIEW hops AS SELECT STREAM rowtime, n, window_start AS b, window_end AS e FROM TABLE(HOP(TABLE s, DESCRIPTOR(rowtime), INTERVAL '10' MINUTE, INTERVAL '30' MINUTE));
CREATE STREAM kept (rowtime TIMESTAMP NOT NULL LATENESS INTERVAL '30' MINUTE, n INTEGER, c BIGINT);
CREATE PUMP keeps STARTED AS INSERT INTO kept SELECT STREAM rowtime, n, COUNT(*) OVER (ORDER BY b RANGE INTERVAL '10' MINUTE PRECEDING) FROM hops;

-- Rows of one step are in order of ROWTIME, so they are said by the hour.
-- 1, 2: rows count up to themselves, those of equal starts in order of arrival; 3: by partition
SELECT STREAM FLOOR(rowtime TO HOUR) AS h, b, n, COUNT(*) OVER (ORDER BY b RANGE INTERVAL '10' MINUTE PRECEDING) AS c FROM hops;
SELECT STREAM FLOOR(rowtime TO HOUR) AS h, b, n, COUNT(*) OVER (ORDER BY e RANGE INTERVAL '10' MINUTE PRECEDING) AS c FROM hops;
SELECT STREAM FLOOR(rowtime TO HOUR) AS h, b, n, COUNT(*) OVER (PARTITION BY n > 1 ORDER BY b RANGE INTERVAL '10' MINUTE PRECEDING) AS c FROM hops;
-- 4: with all of equal starts; 5: ranks; 6: groups above; 7: what a pump has put into a stream
SELECT STREAM FLOOR(rowtime TO HOUR) AS h, b, n, COUNT(*) OVER (ORDER BY b RANGE BETWEEN INTERVAL '10' MINUTE PRECEDING AND INTERVAL '0' MINUTE PRECEDING) AS c FROM hops;
SELECT STREAM FLOOR(rowtime TO HOUR) AS h, b, n, RANK() OVER (ORDER BY b) AS c FROM hops;
SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, COUNT(*) AS r, SUM(c) AS t
  FROM (SELECT STREAM rowtime, COUNT(*) OVER (ORDER BY b RANGE INTERVAL '10' MINUTE PRECEDING) AS c FROM hops) AS q GROUP BY FLOOR(rowtime TO HOUR);
SELECT STREAM FLOOR(rowtime TO HOUR) AS h, n, c FROM kept;

-- Windows start at 9:40 (1), 9:50 (1, 2), 10:00 (1, 2, 3), 10:10 (2, 3) and 10:20 (3).
INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:05:00', 1);
--> 1 | 10:00:00 | 09:40:00 | 1 | 1
--> 2 | 10:00:00 | 09:40:00 | 1 | 1
--> 3 | 10:00:00 | 09:40:00 | 1 | 1
--> 5 | 10:00:00 | 09:40:00 | 1 | 1
--> 7 | 10:00:00 | 1 | 1
INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:12:00', 2);
--> 1 | 10:00:00 | 09:50:00 | 1 | 2
--> 1 | 10:00:00 | 09:50:00 | 2 | 3
--> 2 | 10:00:00 | 09:50:00 | 1 | 2
--> 2 | 10:00:00 | 09:50:00 | 2 | 3
--> 3 | 10:00:00 | 09:50:00 | 1 | 2
--> 3 | 10:00:00 | 09:50:00 | 2 | 1
--> 4 | 10:00:00 | 09:40:00 | 1 | 1
--> 5 | 10:00:00 | 09:50:00 | 1 | 2
--> 5 | 10:00:00 | 09:50:00 | 2 | 2
--> 7 | 10:00:00 | 1 | 2
--> 7 | 10:00:00 | 2 | 3
INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:25:00', 3);
--> 1 | 10:00:00 | 10:00:00 | 1 | 3
--> 1 | 10:00:00 | 10:00:00 | 2 | 4
--> 1 | 10:00:00 | 10:00:00 | 3 | 5
--> 2 | 10:00:00 | 10:00:00 | 1 | 3
--> 2 | 10:00:00 | 10:00:00 | 2 | 4
--> 2 | 10:00:00 | 10:00:00 | 3 | 5
--> 3 | 10:00:00 | 10:00:00 | 1 | 2
--> 3 | 10:00:00 | 10:00:00 | 2 | 2
--> 3 | 10:00:00 | 10:00:00 | 3 | 3
--> 4 | 10:00:00 | 09:50:00 | 1 | 3
--> 4 | 10:00:00 | 09:50:00 | 2 | 3
--> 5 | 10:00:00 | 10:00:00 | 1 | 4
--> 5 | 10:00:00 | 10:00:00 | 2 | 4
--> 5 | 10:00:00 | 10:00:00 | 3 | 4
--> 7 | 10:00:00 | 1 | 3
--> 7 | 10:00:00 | 2 | 4
--> 7 | 10:00:00 | 3 | 5
!bound s '2015-02-17 00:00:00'
--> 1 | 10:00:00 | 10:10:00 | 2 | 4
--> 1 | 10:00:00 | 10:10:00 | 3 | 5
--> 1 | 10:00:00 | 10:20:00 | 3 | 3
--> 2 | 10:00:00 | 10:10:00 | 2 | 4
--> 2 | 10:00:00 | 10:10:00 | 3 | 5
--> 2 | 10:00:00 | 10:20:00 | 3 | 3
--> 3 | 10:00:00 | 10:10:00 | 2 | 3
--> 3 | 10:00:00 | 10:10:00 | 3 | 4
--> 3 | 10:00:00 | 10:20:00 | 3 | 3
--> 4 | 10:00:00 | 10:00:00 | 1 | 5
--> 4 | 10:00:00 | 10:00:00 | 2 | 5
--> 4 | 10:00:00 | 10:00:00 | 3 | 5
--> 4 | 10:00:00 | 10:10:00 | 2 | 5
--> 4 | 10:00:00 | 10:10:00 | 3 | 5
--> 4 | 10:00:00 | 10:20:00 | 3 | 3
--> 5 | 10:00:00 | 10:10:00 | 2 | 7
--> 5 | 10:00:00 | 10:10:00 | 3 | 7
--> 5 | 10:00:00 | 10:20:00 | 3 | 9
--> 6 | 10:00:00 | 9 | 30
--> 7 | 10:00:00 | 2 | 4
--> 7 | 10:00:00 | 3 | 5
--> 7 | 10:00:00 | 3 | 3
