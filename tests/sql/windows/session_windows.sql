-- SESSION as a table function without GROUP BY: each row once its session is over, with the session's start and end.
-- date 2024-05-01
-- unordered 4
-- unordered 6
CREATE STREAM clicks (usr VARCHAR(5), n INTEGER) OPTIONS (history 'all');
CREATE VIEW some_clicks AS SELECT rowtime, usr, n FROM clicks WHERE n <> 3;
SELECT STREAM * FROM SESSION(clicks, DESCRIPTOR(rowtime), DESCRIPTOR(usr), INTERVAL '10' MINUTE);
-- Without keys; by name; a view.
SELECT STREAM window_end AS rowtime, window_start, usr, n
FROM SESSION(DATA => some_clicks, TIMECOL => DESCRIPTOR(rowtime), SIZE => INTERVAL '10' MINUTE);
-- A sub-query with its keys beside it, and what makes no session filtered before it.
SELECT STREAM window_end AS rowtime, usr, n
FROM TABLE(SESSION(TABLE clicks PARTITION BY usr, DESCRIPTOR(rowtime), INTERVAL '10' MINUTE)) WHERE n < 4;
-- WHERE leaves rows out of sessions; it makes none shorter.
SELECT STREAM window_end AS rowtime, usr, COUNT(*) AS c
FROM SESSION(clicks, DESCRIPTOR(rowtime), DESCRIPTOR(usr), INTERVAL '10' MINUTE) WHERE n <> 2 GROUP BY window_start, window_end, usr;
-- The users of each session of any.
SELECT STREAM window_end AS rowtime, COUNT(DISTINCT usr) AS c
FROM SESSION(clicks, DESCRIPTOR(rowtime), INTERVAL '10' MINUTE) GROUP BY window_end;
-- OVER the rows of a session, and the best of them.
SELECT STREAM window_end AS rowtime, usr, n, SUM(n) OVER (PARTITION BY window_start, window_end, usr ORDER BY n) AS s
FROM SESSION(clicks, DESCRIPTOR(rowtime), DESCRIPTOR(usr), INTERVAL '10' MINUTE)
QUALIFY ROW_NUMBER() OVER (PARTITION BY window_start, window_end, usr ORDER BY n DESC) <= 2;

INSERT INTO clicks VALUES (TIMESTAMP '2024-05-01 10:00:00', 'a', 1), (TIMESTAMP '2024-05-01 10:08:00', 'b', 2),
  (TIMESTAMP '2024-05-01 10:09:00', 'a', 2);
-- A row exactly the gap behind belongs to the session; the one a millisecond later begins another.
INSERT INTO clicks VALUES (TIMESTAMP '2024-05-01 10:19:00', 'a', 3);
--> 1 | 10:08:00 | b | 2 | 10:08:00 | 10:18:00
--> 3 | 10:18:00 | b | 2
--> 6 | 10:18:00 | b | 2 | 2
INSERT INTO clicks VALUES (TIMESTAMP '2024-05-01 10:29:00.001', 'a', 4);
--> 1 | 10:00:00 | a | 1 | 10:00:00 | 10:29:00
--> 1 | 10:09:00 | a | 2 | 10:00:00 | 10:29:00
--> 1 | 10:19:00 | a | 3 | 10:00:00 | 10:29:00
--> 2 | 10:19:00 | 10:00:00 | a | 1
--> 2 | 10:19:00 | 10:00:00 | b | 2
--> 2 | 10:19:00 | 10:00:00 | a | 2
--> 3 | 10:29:00 | a | 1
--> 3 | 10:29:00 | a | 2
--> 3 | 10:29:00 | a | 3
--> 4 | 10:29:00 | a | 2
--> 5 | 10:29:00 | 2
--> 6 | 10:29:00 | a | 2 | 3
--> 6 | 10:29:00 | a | 3 | 6
!bound clicks '2024-05-01 11:00:00'
--> 1 | 10:29:00.001 | a | 4 | 10:29:00.001 | 10:39:00.001
--> 2 | 10:39:00.001 | 10:29:00.001 | a | 4
--> 4 | 10:39:00.001 | a | 1
--> 5 | 10:39:00.001 | 1
--> 6 | 10:39:00.001 | a | 4 | 4
-- The same over the rows that are there.
SELECT usr, n, window_start, window_end FROM SESSION(clicks, DESCRIPTOR(rowtime), DESCRIPTOR(usr), INTERVAL '10' MINUTE) ORDER BY usr, n;
--> 7 | a | 1 | 10:00:00 | 10:29:00
--> 7 | a | 2 | 10:00:00 | 10:29:00
--> 7 | a | 3 | 10:00:00 | 10:29:00
--> 7 | a | 4 | 10:29:00.001 | 10:39:00.001
--> 7 | b | 2 | 10:08:00 | 10:18:00
