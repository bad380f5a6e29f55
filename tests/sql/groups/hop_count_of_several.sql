-- COUNT of several columns in windows that overlap: rows in which none of them is NULL.
-- date 2024-05-01
CREATE STREAM s (x INTEGER, y INTEGER);
SELECT STREAM HOP_END(rowtime, INTERVAL '1' MINUTE, INTERVAL '2' MINUTE) AS e, COUNT(x, y) AS c FROM s
GROUP BY HOP(rowtime, INTERVAL '1' MINUTE, INTERVAL '2' MINUTE);
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:00:10', 1, NULL), (TIMESTAMP '2024-05-01 10:00:20', 1, 2),
  (TIMESTAMP '2024-05-01 10:01:20', NULL, 2);
--> 1 | 10:01:00 | 1
!bound s '2024-05-01 10:10:00'
--> 1 | 10:02:00 | 1
--> 1 | 10:03:00 | 0
