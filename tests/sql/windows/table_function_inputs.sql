-- TUMBLE, HOP and SESSION of tables, sub-queries, VALUES, views and other table functions; rows without a time are in no window.
-- date 2024-05-01
CREATE TABLE t (k INTEGER, ts TIMESTAMP(3));
INSERT INTO t VALUES (1, TIMESTAMP '2024-05-01 10:00:00'), (NULL, TIMESTAMP '2024-05-01 10:03:00'), (1, NULL),
  (NULL, TIMESTAMP '2024-05-01 10:08:00'), (1, TIMESTAMP '2024-05-01 10:06:00');
-- NULLs are one key.
SELECT k, ts, window_start, window_end FROM SESSION(t, DESCRIPTOR(ts), DESCRIPTOR(k), INTERVAL '5' MINUTE) ORDER BY ts;
--> 1 | 1 | 10:00:00 | 10:00:00 | 10:05:00
--> 1 |  | 10:03:00 | 10:03:00 | 10:13:00
--> 1 | 1 | 10:06:00 | 10:06:00 | 10:11:00
--> 1 |  | 10:08:00 | 10:03:00 | 10:13:00
SELECT ts, window_start, window_end FROM SESSION((SELECT ts FROM t WHERE k = 1), DESCRIPTOR(ts), INTERVAL '6' MINUTE) ORDER BY ts;
--> 2 | 10:00:00 | 10:00:00 | 10:12:00
--> 2 | 10:06:00 | 10:00:00 | 10:12:00
SELECT COUNT(*) AS c, window_end FROM SESSION(t, DESCRIPTOR(ts), INTERVAL '2' MINUTE) GROUP BY window_start, window_end ORDER BY window_end;
--> 3 | 1 | 10:02:00
--> 3 | 1 | 10:05:00
--> 3 | 2 | 10:10:00
SELECT n, window_start FROM TUMBLE((SELECT * FROM (VALUES (1, TIMESTAMP '2024-05-01 10:07:00'), (2, TIMESTAMP '2024-05-01 10:12:00')) AS v (n, at_)),
  DESCRIPTOR(at_), INTERVAL '10' MINUTE, INTERVAL '2' MINUTE) ORDER BY n;
--> 4 | 1 | 10:02:00
--> 4 | 2 | 10:12:00
CREATE VIEW v AS SELECT k, window_start, window_end FROM SESSION(t, DESCRIPTOR(ts), DESCRIPTOR(k), INTERVAL '5' MINUTE);
SELECT k, COUNT(*) AS c FROM v GROUP BY k, window_start ORDER BY c, window_start;
--> 5 | 1 | 1
--> 5 | 1 | 1
--> 5 |  | 2
-- Windows of windows, and equal windows joined.
SELECT a.k, a.window_end, b.window_end AS hour_end
FROM TUMBLE(t, DESCRIPTOR(ts), INTERVAL '5' MINUTE) AS a
JOIN TUMBLE((SELECT ts FROM t WHERE k = 1), DESCRIPTOR(ts), INTERVAL '5' MINUTE) AS b ON a.window_start = b.window_start AND a.window_end = b.window_end
ORDER BY a.window_end, a.ts;
--> 6 | 1 | 10:05:00 | 10:05:00
--> 6 |  | 10:05:00 | 10:05:00
--> 6 | 1 | 10:10:00 | 10:10:00
--> 6 |  | 10:10:00 | 10:10:00
SELECT window_start, k FROM TUMBLE(t, DESCRIPTOR(ts), INTERVAL '1' HOUR) QUALIFY ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY ts DESC) = 1;
--> 7 | 10:00:00 | 
-- A DISTINCT of expressions.
SELECT window_start, k FROM TUMBLE((SELECT DISTINCT FLOOR(ts TO HOUR) AS h, k + 1 AS k FROM t WHERE k = 1 AND ts IS NOT NULL), DESCRIPTOR(h), INTERVAL '1' HOUR);
--> 8 | 10:00:00 | 2
SELECT window_end, k FROM SESSION((SELECT DISTINCT FLOOR(ts TO HOUR) AS h, k FROM t WHERE ts IS NOT NULL), DESCRIPTOR(h), INTERVAL '5' MINUTE) ORDER BY k;
--> 9 | 10:05:00 | 1
--> 9 | 10:05:00 |
