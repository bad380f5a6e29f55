-- TUMBLE and HOP as table functions without GROUP BY: each row once for each window; a row whose time is NULL is in none.
-- date 2024-05-01
CREATE TABLE t (ts TIMESTAMP(3), n INTEGER);
INSERT INTO t VALUES (TIMESTAMP '2024-05-01 10:07:00', 1), (NULL, 2), (TIMESTAMP '2024-05-01 10:10:00', 3);
SELECT window_start, window_end, n FROM TUMBLE(t, DESCRIPTOR(ts), INTERVAL '10' MINUTE) ORDER BY n;
--> 1 | 10:00:00 | 10:10:00 | 1
--> 1 | 10:10:00 | 10:20:00 | 3
SELECT * FROM TUMBLE(DATA => (SELECT n, ts FROM t WHERE n > 1), TIMECOL => DESCRIPTOR(ts), SIZE => INTERVAL '1' HOUR);
--> 2 | 3 | 10:10:00 | 10:00:00 | 11:00:00
SELECT n, window_start, window_end FROM HOP(DATA => t, TIMECOL => DESCRIPTOR(ts), SLIDE => INTERVAL '5' MINUTE, SIZE => INTERVAL '10' MINUTE)
ORDER BY n, window_start;
--> 3 | 1 | 10:00:00 | 10:10:00
--> 3 | 1 | 10:05:00 | 10:15:00
--> 3 | 3 | 10:05:00 | 10:15:00
--> 3 | 3 | 10:10:00 | 10:20:00
CREATE STREAM s (ts TIMESTAMP(3), n INTEGER);
SELECT STREAM rowtime, n, window_start FROM TUMBLE(s, DESCRIPTOR(ts), INTERVAL '1' HOUR);
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 12:00:00', TIMESTAMP '2024-05-01 10:30:00', 1), (TIMESTAMP '2024-05-01 12:01:00', NULL, 2);
--> 4 | 12:00:00 | 1 | 10:00:00
