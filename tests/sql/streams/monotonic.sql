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

CREATE TABLE t ("day" DATE NOT NULL MONOTONIC, n INTEGER);
SELECT STREAM "day", SUM(n) AS n FROM t GROUP BY "day";
INSERT INTO t VALUES (DATE '2006-09-11', 1), (DATE '2006-09-11', 2), (DATE '2006-09-12', 3), (DATE '2006-09-10', 4);
--> 2 | 2006-09-11 | 3
--> rejected T not monotonic | 2006-09-10 | 4
INSERT INTO t VALUES (DATE '2006-09-12', 5), (DATE '2006-09-13', 6);
--> 2 | 2006-09-12 | 8
