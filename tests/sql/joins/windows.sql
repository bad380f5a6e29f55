-- Windows on the inputs of a join (seed 003): both of the last minute, one that looks ahead, one of equal times; three streams;
-- an aggregate as an input; the same stream twice.
-- date 2006-09-11
CREATE STREAM a (n INTEGER);
CREATE STREAM b (n INTEGER);

-- Both of the last minute: the pair has the later time.
SELECT STREAM x.n AS a, y.n AS b FROM a OVER (RANGE INTERVAL '1' MINUTE PRECEDING) AS x
JOIN b OVER (RANGE INTERVAL '1' MINUTE PRECEDING) AS y ON MOD(x.n, 10) = MOD(y.n, 10);

-- Without a window a row is there at its own time.
SELECT STREAM x.rowtime, x.n AS a, y.n AS b FROM a AS x
LEFT JOIN b OVER (RANGE INTERVAL '1' MINUTE FOLLOWING) AS y ON MOD(x.n, 10) = MOD(y.n, 10);

-- Each pair with what both had half a minute before or after, whatever its number.
SELECT STREAM x.rowtime, x.n AS a, y.n AS b, z.n AS also FROM a AS x
JOIN b AS y ON x.rowtime = y.rowtime
JOIN a AS z ON z.rowtime BETWEEN x.rowtime - INTERVAL '30' SECOND AND x.rowtime + INTERVAL '30' SECOND AND z.n <> x.n;

-- Minutes in which both had rows.
SELECT STREAM p.rowtime, p.c AS a, q.c AS b
FROM (SELECT STREAM FLOOR(rowtime TO MINUTE) AS rowtime, COUNT(*) AS c FROM a GROUP BY FLOOR(rowtime TO MINUTE)) AS p
JOIN (SELECT STREAM FLOOR(rowtime TO MINUTE) AS rowtime, COUNT(*) AS c FROM b GROUP BY FLOOR(rowtime TO MINUTE)) AS q
ON p.rowtime = q.rowtime;

-- As the first, over a sub-query, and by a window that has a name; PARTITION BY makes no difference.
SELECT STREAM x.n AS a, y.n AS b FROM (SELECT STREAM n FROM a WHERE n <> 2) OVER w AS x
JOIN b OVER (PARTITION BY n ORDER BY rowtime RANGE INTERVAL '1' MINUTE PRECEDING) AS y ON MOD(x.n, 10) = MOD(y.n, 10)
WINDOW w AS (RANGE INTERVAL '1' MINUTE PRECEDING);

!producer A
INSERT INTO a VALUES
  (TIMESTAMP '2006-09-11 10:00:00', 1), (TIMESTAMP '2006-09-11 10:00:30', 2), (TIMESTAMP '2006-09-11 10:02:00', 11);
!producer B
INSERT INTO b VALUES
  (TIMESTAMP '2006-09-11 10:00:30', 101), (TIMESTAMP '2006-09-11 10:01:00', 201), (TIMESTAMP '2006-09-11 10:01:30', 202),
  (TIMESTAMP '2006-09-11 10:02:01', 301);
-- The clock is that of a, 10:02.
--> 1 | 1 | 101
--> 1 | 1 | 201
--> 1 | 2 | 202
--> 1 | 11 | 201
--> 2 | 10:00:00 | 1 | 101
--> 2 | 10:00:00 | 1 | 201
--> 2 | 10:00:30 | 2 | 202
--> 3 | 10:00:30 | 2 | 101 | 1
--> 4 | 10:00:00 | 2 | 1
--> 5 | 1 | 101
--> 5 | 1 | 201
--> 5 | 11 | 201
--> bound 2 10:01:01
!producer A
!bound a '2006-09-11 10:10:00'
--> 1 | 11 | 301
--> 5 | 11 | 301
!producer B
!bound b '2006-09-11 10:10:00'
--> 2 | 10:02:00 | 11 | 301
--> 4 | 10:02:00 | 1 | 1
--> bound 1 10:10:00
--> bound 2 10:09:00
