-- Limits on the time between rows, in other words than BETWEEN and <. The conditions themselves stay: a limit may leave in more.
-- date 2024-01-31
-- unordered 2
-- unordered 3
-- unordered 4
-- unordered 5
CREATE STREAM a (n INTEGER);
CREATE STREAM b (n INTEGER);

SELECT STREAM x.n AS a, y.n AS b FROM a AS x
JOIN b AS y ON NOT (y.rowtime < x.rowtime) AND TIMESTAMPDIFF(SECOND, x.rowtime, y.rowtime) <= 10;

SELECT STREAM y.n AS b, x.n AS a FROM a AS x JOIN b AS y ON y.rowtime IN (x.rowtime, x.rowtime - INTERVAL '1' HOUR)
OR y.rowtime BETWEEN x.rowtime + INTERVAL '30' SECOND AND x.rowtime + INTERVAL '1' HOUR AND y.n <> 14;

SELECT STREAM x.n AS a, y.n AS b FROM a AS x JOIN b AS y ON y.rowtime BETWEEN SYMMETRIC x.rowtime AND x.rowtime - INTERVAL '1' HOUR
AND TIMESTAMPDIFF(MINUTE, y.rowtime, x.rowtime) <> 0;

-- A month after 31 January is 29 February.
SELECT STREAM y.n AS b, x.n AS a FROM a AS x
JOIN b AS y ON y.rowtime >= x.rowtime + INTERVAL '1' HOUR AND y.rowtime <= TIMESTAMPADD(MONTH, 1, x.rowtime);

SELECT STREAM y.n AS b, x.n AS a FROM a AS x, b AS y WHERE YEAR(x.rowtime) = YEAR(y.rowtime) AND MONTH(x.rowtime) = MONTH(y.rowtime)
AND TIMESTAMP_TRUNC(x.rowtime, HOUR) <> FLOOR(y.rowtime TO HOUR);

SELECT STREAM x.n AS a, y.n AS b FROM a AS x
LEFT JOIN b AS y ON PERIOD (x.rowtime, x.rowtime + INTERVAL '30' SECOND) CONTAINS y.rowtime AND y.n NOT IN (12, 13);

!producer A
INSERT INTO a VALUES (TIMESTAMP '2024-01-31 10:00:00', 1), (TIMESTAMP '2024-01-31 10:59:30', 2);
!bound a '2024-06-01 00:00:00'
!producer B
INSERT INTO b VALUES (TIMESTAMP '2024-01-31 09:59:30', 11), (TIMESTAMP '2024-01-31 10:00:00', 12),
  (TIMESTAMP '2024-01-31 10:00:10.5', 13), (TIMESTAMP '2024-01-31 10:59:59', 14), (TIMESTAMP '2024-01-31 11:00:00', 15),
  (TIMESTAMP '2024-02-29 10:00:00', 16);
--> 1 | 1 | 12
--> 1 | 1 | 13
--> 2 | 12 | 1
--> 2 | 11 | 2
--> 2 | 15 | 1
--> 2 | 15 | 2
--> 3 | 2 | 11
--> 3 | 2 | 12
--> 3 | 2 | 13
--> 4 | 15 | 1
--> 4 | 16 | 1
--> 4 | 16 | 2
--> 5 | 11 | 1
--> 5 | 11 | 2
--> 5 | 15 | 1
--> 5 | 15 | 2
--> 6 | 1 |
--> 6 | 2 | 14
--> 6 | 2 | 15
