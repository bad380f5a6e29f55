-- date 2024-05-01
-- With ON_ERROR('null'), what cannot be computed is NULL; a row goes where there can be no NULL.
CREATE STREAM s (a INTEGER, b INTEGER, t VARCHAR(10), k INTEGER NOT NULL);
SELECT /*+ ON_ERROR('null') */ STREAM rowtime, a / b AS q, CAST(t AS INTEGER) AS n FROM s WHERE 10 / a > 0;
-- Also where a condition above reads it.
SELECT /*+ ON_ERROR('null') */ STREAM * FROM (SELECT STREAM rowtime, a / b AS q FROM s) AS v WHERE q IS NULL OR q > 1;
SELECT /*+ ON_ERROR('null') */ STREAM rowtime, 6 / k AS q FROM s;
INSERT INTO s VALUES
  (TIMESTAMP '2024-05-01 10:00:00', 6, 2, '7', 1),
  (TIMESTAMP '2024-05-01 10:01:00', 1, 0, 'x', 2),
  (TIMESTAMP '2024-05-01 10:02:00', 0, 1, '8', 0);
--> 1 | 10:00:00 | 3 | 7
--> 1 | 10:01:00 |  |
--> 2 | 10:00:00 | 3
--> 2 | 10:01:00 |
--> 3 | 10:00:00 | 6
--> 3 | 10:01:00 | 3
