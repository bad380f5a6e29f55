-- MONOTONIC columns are enforced on entry, row by row: a row that goes back is rejected, and moves nothing. NULL neither goes
-- back nor moves. They are clocks: a stream or table may be grouped by one.
-- date 2006-09-11
CREATE STREAM s (up INTEGER NOT NULL MONOTONIC, down DECIMAL(8, 2) MONOTONIC DECREASING);
SELECT STREAM up, down FROM s;

INSERT INTO s VALUES
  (TIMESTAMP '2006-09-11 10:00:00', 1, 5.00),
  (TIMESTAMP '2006-09-11 10:00:00', 1, 5.00),
  (TIMESTAMP '2006-09-11 10:00:00', 2, NULL),
  (TIMESTAMP '2006-09-11 10:00:00', 1, 4.00),
  (TIMESTAMP '2006-09-11 10:00:00', 3, 5.01),
  (TIMESTAMP '2006-09-11 10:00:00', 2, 4.99);
--> 1 | 1 | 5.00
--> 1 | 1 | 5.00
--> 1 | 2 |
--> 1 | 2 | 4.99
--> rejected S not monotonic | 10:00:00 | 1 | 4.00
--> rejected S not monotonic | 10:00:00 | 3 | 5.01

CREATE TABLE t (at_time TIMESTAMP(3) NOT NULL MONOTONIC, n INTEGER);
SELECT STREAM FLOOR(at_time TO DAY) AS d, SUM(n) AS n FROM t GROUP BY FLOOR(at_time TO DAY);
INSERT INTO t VALUES
  (TIMESTAMP '2006-09-11 10:00:00', 1),
  (TIMESTAMP '2006-09-11 10:00:00', 2),
  (TIMESTAMP '2006-09-12 00:00:00', 3),
  (TIMESTAMP '2006-09-11 23:59:59', 4);
--> 2 | 2006-09-11 00:00:00 | 3
--> rejected T not monotonic | 23:59:59 | 4
INSERT INTO t VALUES (TIMESTAMP '2006-09-12 12:00:00', 5), (TIMESTAMP '2006-09-13 00:00:00', 6);
--> 2 | 2006-09-12 00:00:00 | 8
