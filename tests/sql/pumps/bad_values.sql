-- date 2024-05-01
-- Rows for which an expression has no value are set aside, wherever it stands; the others go on.
CREATE STREAM s (a INTEGER, b INTEGER, t VARCHAR(10));
CREATE STREAM good (q INTEGER, n INTEGER);
CREATE VIEW quotients AS SELECT STREAM rowtime, a / b AS q, t FROM s;
CREATE PUMP p STARTED OPTIONS (on_error 'skip') AS
  INSERT INTO good SELECT STREAM rowtime, q, CAST(t AS INTEGER) FROM quotients WHERE 12 / q >= 0;
SELECT STREAM * FROM good;

-- Below a GROUP BY, and above it: in the hour of 11:00, no row counts that has no quotient, and SUM(b) - 2 is 0.
SELECT /*+ ON_ERROR('skip') */ STREAM FLOOR(rowtime TO HOUR) AS rowtime, COUNT(*) AS c, SUM(a / b) AS q
FROM s GROUP BY FLOOR(rowtime TO HOUR);
SELECT /*+ ON_ERROR('skip') */ STREAM rowtime, 100 / total AS part FROM (
  SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, SUM(b) - 2 AS total FROM s GROUP BY FLOOR(rowtime TO HOUR));

INSERT INTO s VALUES
  (TIMESTAMP '2024-05-01 10:00:00', 6, 2, '7'),
  (TIMESTAMP '2024-05-01 10:01:00', 1, 0, '7'),
  (TIMESTAMP '2024-05-01 10:02:00', 4, 2, 'x'),
  (TIMESTAMP '2024-05-01 10:03:00', 1, 2, '8'),
  (TIMESTAMP '2024-05-01 10:04:00', 8, NULL, NULL);
--> 1 | 10:00:00 | 3 | 7
INSERT INTO s VALUES
  (TIMESTAMP '2024-05-01 11:00:00', 5, 0, '1'),
  (TIMESTAMP '2024-05-01 11:01:00', 8, 2, '9');
--> 1 | 11:01:00 | 4 | 9
--> 2 | 10:00:00 | 4 | 5
--> 3 | 10:00:00 | 25
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 12:00:00', 2, 1, '3');
--> 1 | 12:00:00 | 2 | 3
--> 2 | 11:00:00 | 1 | 4
