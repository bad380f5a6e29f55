-- DISTINCT of values of every kind, with nothing beside it for which rows would have to be seen one by one.
-- date 2015-02-15
-- unordered 1 2
CREATE STREAM Kinds (k INTEGER, t VARCHAR, b VARBINARY(4), small DECIMAL(6, 2), big DECIMAL(30, 4), d DOUBLE, r REAL, tiny TINYINT, dated DATE,
  "at" TIMESTAMP, clock TIME, yes BOOLEAN);
SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, k, COUNT(*) AS c, COUNT(DISTINCT t) AS t, COUNT(DISTINCT b) AS b, COUNT(DISTINCT small) AS small,
  SUM(DISTINCT big) AS big, COUNT(DISTINCT d) AS d, COUNT(DISTINCT r) AS r, SUM(DISTINCT tiny) AS tiny, COUNT(DISTINCT dated) AS days,
  COUNT(DISTINCT "at") AS ats, COUNT(DISTINCT clock) AS clocks, COUNT(DISTINCT yes) AS yes, MAX(t) AS most, MIN(big) AS least
FROM Kinds GROUP BY FLOOR(rowtime TO HOUR), k;
-- A key that is text, and one that is NULL.
SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, t, COUNT(DISTINCT k) AS ks, MIN(dated) AS first_day FROM Kinds GROUP BY FLOOR(rowtime TO HOUR), t;

INSERT INTO Kinds VALUES
  (TIMESTAMP '2015-02-15 10:00:00', 1, 'x', X'01', 1.5, 12345678901234567890.5, 0e0, CAST(0.5 AS REAL), 1, DATE '2015-02-15', TIMESTAMP '2015-02-15 00:00:00', TIME '10:00:00', TRUE),
  (TIMESTAMP '2015-02-15 10:01:00', 1, 'x', X'0102', 1.50, 12345678901234567890.5, -0e0, CAST(0.5 AS REAL), 2, DATE '2015-02-15', TIMESTAMP '2015-02-15 00:00:00', TIME '10:00:01', FALSE);
!restart
INSERT INTO Kinds VALUES
  (TIMESTAMP '2015-02-15 10:02:00', 1, 'yy', X'01', -1.5, 0.0001, 1e0, CAST(1.5 AS REAL), 2, DATE '2015-02-16', TIMESTAMP '2015-02-15 00:00:01', TIME '10:00:01', NULL),
  (TIMESTAMP '2015-02-15 10:03:00', 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  (TIMESTAMP '2015-02-15 10:04:00', 2, 'x', X'', 2, -5, 1e0, CAST(2.5 AS REAL), -3, DATE '1969-12-31', TIMESTAMP '1969-12-31 23:59:59', TIME '00:00:00', TRUE);
!bound Kinds '2015-02-15 11:00:00'
-- Of the group 1: x and yy; two byte strings; 1.50 and -1.50; 12345678901234567890.5 and 0.0001; one zero and 1; 0.5 and 1.5; 1 and 2.
--> 1 | 10:00:00 | 2 | 2 | 1 | 1 | 1 | -5.0000 | 1 | 1 | -3 | 1 | 1 | 1 | 1 | x | -5.0000
--> 1 | 10:00:00 | 1 | 3 | 2 | 2 | 2 | 12345678901234567890.5001 | 2 | 2 | 3 | 2 | 2 | 2 | 2 | yy | 0.0001
--> 2 | 10:00:00 | x | 2 | 1969-12-31
--> 2 | 10:00:00 |  | 1 |
--> 2 | 10:00:00 | yy | 1 | 2015-02-16
