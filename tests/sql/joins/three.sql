-- Three streams: limits by the side that may be missing, and by a stream that stands later in FROM.
-- date 2024-05-01
CREATE STREAM a (n INTEGER);
CREATE STREAM b (n INTEGER);
CREATE STREAM c (n INTEGER);

SELECT STREAM rowtime, x.n AS a, y.n AS b, z.n AS c FROM a AS x
LEFT JOIN b AS y ON y.n = x.n AND y.rowtime BETWEEN x.rowtime AND x.rowtime + INTERVAL '1' MINUTE
LEFT JOIN c AS z ON z.n = y.n AND z.rowtime BETWEEN y.rowtime AND y.rowtime + INTERVAL '1' MINUTE;

SELECT STREAM rowtime, x.n AS a, y.n AS b, z.n AS c FROM a AS x
FULL JOIN b AS y ON y.n = x.n AND y.rowtime BETWEEN x.rowtime AND x.rowtime + INTERVAL '1' MINUTE
FULL JOIN c AS z ON z.n = y.n AND z.rowtime BETWEEN y.rowtime AND y.rowtime + INTERVAL '1' MINUTE;

-- The condition that the times are equal stays: a row without a match of b has none in c.
SELECT STREAM x.rowtime, x.n AS a, y.n AS b, z.n AS c FROM a AS x
LEFT JOIN b AS y ON y.n = x.n AND y.rowtime = x.rowtime + INTERVAL '30' SECOND
LEFT JOIN c AS z ON z.rowtime = y.rowtime + INTERVAL '30' SECOND;

-- Only c limits how far b is from a.
SELECT STREAM rowtime, x.n AS a, y.n AS b, z.n AS c FROM a AS x, b AS y, c AS z WHERE y.n = x.n AND z.n = y.n
AND z.rowtime BETWEEN x.rowtime AND x.rowtime + INTERVAL '1' MINUTE AND y.rowtime BETWEEN z.rowtime - INTERVAL '1' MINUTE AND z.rowtime;

!producer A
INSERT INTO a VALUES (TIMESTAMP '2024-05-01 10:00:00', 1), (TIMESTAMP '2024-05-01 10:01:00', 2), (TIMESTAMP '2024-05-01 10:02:00', 3);
!bound a '2024-05-01 11:00:00'
!producer B
INSERT INTO b VALUES (TIMESTAMP '2024-05-01 10:00:30', 1), (TIMESTAMP '2024-05-01 10:02:30', 3), (TIMESTAMP '2024-05-01 10:03:00', 4);
!bound b '2024-05-01 11:00:00'
!producer C
INSERT INTO c VALUES (TIMESTAMP '2024-05-01 10:01:00', 1), (TIMESTAMP '2024-05-01 10:02:00', 2),
  (TIMESTAMP '2024-05-01 10:03:20', 4), (TIMESTAMP '2024-05-01 10:04:00', 5);
--> 1 | 10:01:00 | 1 | 1 | 1
--> 1 | 10:03:00 | 2 | |
--> 1 | 10:03:30 | 3 | 3 |
--> 2 | 10:01:00 | 1 | 1 | 1
--> 2 | 10:02:00 | | | 2
--> 2 | 10:03:00 | 2 | |
--> 2 | 10:03:20 | | 4 | 4
--> 2 | 10:03:30 | 3 | 3 |
--> 3 | 10:00:00 | 1 | 1 | 1
--> 3 | 10:01:00 | 2 | |
--> 3 | 10:02:00 | 3 | 3 |
--> 4 | 10:01:00 | 1 | 1 | 1
!bound c '2024-05-01 11:00:00'
--> 2 | 10:04:00 | | | 5
