-- Late rows are traced at the 1st, 10th, 100th … of a stream; the count is exact all the same.
-- date 2006-09-11
CREATE STREAM s (n INTEGER);
SELECT STREAM level, tracer, "STREAM", producer, late_rows FROM sys_boot.mgmt.all_trace;

INSERT INTO s VALUES (TIMESTAMP '2006-09-11 10:00:00', 0);
INSERT INTO s VALUES (TIMESTAMP '2006-09-11 09:00:00', 1);
--> rejected S late | 09:00:00 | 1
--> 1 | WARNING | laterow | S |  | 1
!producer P
INSERT INTO s VALUES
  (TIMESTAMP '2006-09-11 09:00:00', 2), (TIMESTAMP '2006-09-11 09:00:00', 3), (TIMESTAMP '2006-09-11 09:00:00', 4),
  (TIMESTAMP '2006-09-11 09:00:00', 5), (TIMESTAMP '2006-09-11 09:00:00', 6), (TIMESTAMP '2006-09-11 09:00:00', 7),
  (TIMESTAMP '2006-09-11 09:00:00', 8), (TIMESTAMP '2006-09-11 09:00:00', 9), (TIMESTAMP '2006-09-11 09:00:00', 10),
  (TIMESTAMP '2006-09-11 09:00:00', 11);
--> rejected S late | 09:00:00 | 2
--> rejected S late | 09:00:00 | 3
--> rejected S late | 09:00:00 | 4
--> rejected S late | 09:00:00 | 5
--> rejected S late | 09:00:00 | 6
--> rejected S late | 09:00:00 | 7
--> rejected S late | 09:00:00 | 8
--> rejected S late | 09:00:00 | 9
--> rejected S late | 09:00:00 | 10
--> rejected S late | 09:00:00 | 11
--> 1 | WARNING | laterow | S | P | 10
SELECT late_rows FROM sys_boot.mgmt.saved_trace ORDER BY late_rows;
--> 2 | 1
--> 2 | 10
