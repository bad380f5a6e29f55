-- Streams with common columns: USING and NATURAL merge ROWTIME like any other column, and it is the ROWTIME of the result. By hand.
-- date 2024-01-01
-- unordered 2
-- unordered 3
CREATE STREAM a (k INTEGER, u VARCHAR(4)) OPTIONS (history 'all');
CREATE STREAM b (k INTEGER, v INTEGER) OPTIONS (history 'all');
CREATE STREAM filled (k INTEGER, u VARCHAR(4), v INTEGER);

SELECT STREAM rowtime, u, v FROM a JOIN b USING (rowtime, k);

SELECT STREAM * FROM a NATURAL LEFT JOIN b;

SELECT STREAM rowtime, u, v FROM a FULL JOIN b USING (rowtime, k) WHERE rowtime > TIMESTAMP '2024-01-01 10:00:00';

SELECT STREAM * FROM a RIGHT JOIN b USING (rowtime, k);

-- Above and below other operators.
SELECT STREAM FLOOR(rowtime TO MINUTE) AS rowtime, COUNT(u) AS us, COUNT(v) AS vs FROM a FULL JOIN b USING (rowtime, k)
GROUP BY FLOOR(rowtime TO MINUTE);

SELECT STREAM rowtime, us, vs FROM (SELECT STREAM FLOOR(rowtime TO MINUTE) AS rowtime, COUNT(*) AS us FROM a GROUP BY FLOOR(rowtime TO MINUTE))
NATURAL JOIN (SELECT STREAM FLOOR(rowtime TO MINUTE) AS rowtime, COUNT(*) AS vs FROM b GROUP BY FLOOR(rowtime TO MINUTE));

SELECT STREAM rowtime, v, SUM(v) OVER (ORDER BY rowtime RANGE INTERVAL '1' MINUTE PRECEDING) AS total FROM a JOIN b USING (rowtime, k);

-- If only another column is merged, the ROWTIME of the join is that of both rows, as with ON.
SELECT STREAM rowtime, k, u, v FROM a JOIN b USING (k)
WHERE b.rowtime BETWEEN a.rowtime AND a.rowtime + INTERVAL '1' MINUTE;

CREATE PUMP fill STARTED AS INSERT INTO filled SELECT STREAM * FROM a NATURAL JOIN b;
SELECT STREAM rowtime, k, u, v FROM filled;

!producer A
INSERT INTO a VALUES
  (TIMESTAMP '2024-01-01 10:00:00', 1, 'x'),
  (TIMESTAMP '2024-01-01 10:00:30', 2, 'y'),
  (TIMESTAMP '2024-01-01 10:01:10', 1, 'z');
!producer B
INSERT INTO b VALUES
  (TIMESTAMP '2024-01-01 10:00:00', 1, 5),
  (TIMESTAMP '2024-01-01 10:00:40', 2, 7),
  (TIMESTAMP '2024-01-01 10:01:10', 1, 9);
-- Both streams are at 10:01:10, so the minute of 10:01 is not complete.
--> 1 | 10:00:00 | x | 5
--> 1 | 10:01:10 | z | 9
--> 2 | 10:00:00 | 1 | x | 5
--> 2 | 10:00:30 | 2 | y |
--> 2 | 10:01:10 | 1 | z | 9
--> 3 | 10:00:30 | y |
--> 3 | 10:00:40 |  | 7
--> 3 | 10:01:10 | z | 9
--> 4 | 10:00:00 | 1 | x | 5
--> 4 | 10:00:40 | 2 |  | 7
--> 4 | 10:01:10 | 1 | z | 9
--> 5 | 10:00:00 | 2 | 2
--> 6 | 10:00:00 | 2 | 2
--> 7 | 10:00:00 | 5 | 5
--> 7 | 10:01:10 | 9 | 9
--> 8 | 10:00:00 | 1 | x | 5
--> 8 | 10:00:40 | 2 | y | 7
--> 8 | 10:01:10 | 1 | z | 9
--> 9 | 10:00:00 | 1 | x | 5
--> 9 | 10:01:10 | 1 | z | 9
!producer A
!bound a '2024-01-01 10:05:00'
!producer B
!bound b '2024-01-01 10:05:00'
--> 5 | 10:01:00 | 1 | 1
--> 6 | 10:01:00 | 1 | 1

-- Over the histories the same.
SELECT rowtime, u, v FROM a JOIN b USING (rowtime, k) ORDER BY rowtime;
--> 10 | 10:00:00 | x | 5
--> 10 | 10:01:10 | z | 9
SELECT * FROM a NATURAL LEFT JOIN b ORDER BY rowtime;
--> 11 | 10:00:00 | 1 | x | 5
--> 11 | 10:00:30 | 2 | y |
--> 11 | 10:01:10 | 1 | z | 9
SELECT rowtime, u, v FROM a FULL JOIN b USING (rowtime, k) WHERE rowtime > TIMESTAMP '2024-01-01 10:00:00' ORDER BY rowtime;
--> 12 | 10:00:30 | y |
--> 12 | 10:00:40 |  | 7
--> 12 | 10:01:10 | z | 9
SELECT rowtime, k, u, v FROM a JOIN b USING (k)
WHERE b.rowtime BETWEEN a.rowtime AND a.rowtime + INTERVAL '1' MINUTE ORDER BY v;
--> 13 | 10:00:00 | 1 | x | 5
--> 13 | 10:00:40 | 2 | y | 7
--> 13 | 10:01:10 | 1 | z | 9
