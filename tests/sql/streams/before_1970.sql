-- Rowtimes may be long before 1970, where Spark's own clocks begin: from the year 1 on.
-- date 1492-10-12
CREATE STREAM s (n INTEGER);
SELECT STREAM FLOOR(rowtime TO DAY) AS rowtime, COUNT(*) AS c FROM s GROUP BY FLOOR(rowtime TO DAY);
SELECT STREAM * FROM s WHERE n < 5 UNION ALL SELECT STREAM * FROM s WHERE n >= 5;

INSERT INTO s VALUES
  (TIMESTAMP '0001-01-01 00:00:00', 0),
  (TIMESTAMP '1492-10-12 02:00:00', 5),
  (TIMESTAMP '1492-10-12 23:59:59.999', 2);
--> 1 | 0001-01-01 00:00:00 | 1
--> 2 | 0001-01-01 00:00:00 | 0
--> 2 | 02:00:00 | 5
--> 2 | 23:59:59.999 | 2
--> bound 2 23:59:59.999
!bound s '1492-10-13 00:00:00'
--> 1 | 00:00:00 | 2
--> bound 1 1492-10-13 00:00:00
INSERT INTO s VALUES
  (TIMESTAMP '1969-12-31 23:59:59.999', 7),
  (TIMESTAMP '1970-01-01 00:00:00', 3),
  (TIMESTAMP '1492-10-12 00:00:00', 1);
--> 1 | 1969-12-31 00:00:00 | 1
--> 2 | 1969-12-31 23:59:59.999 | 7
--> 2 | 1970-01-01 00:00:00 | 3
--> rejected S late | 00:00:00 | 1
