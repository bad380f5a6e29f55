-- Rows of the same window: TUMBLE and FLOOR compared on both sides. By hand.
-- date 2024-05-01
CREATE STREAM a (k INTEGER, n INTEGER);
CREATE STREAM b (k INTEGER, n INTEGER);

SELECT STREAM /*+ PARTITIONS(1) */ ROWTIME, x.n AS a, y.n AS b
FROM TUMBLE(TABLE a, DESCRIPTOR(rowtime), INTERVAL '5' MINUTE) AS x
LEFT JOIN TUMBLE(TABLE b, DESCRIPTOR(rowtime), INTERVAL '5' MINUTE) AS y ON x.k = y.k AND x.window_start = y.window_start;

SELECT STREAM /*+ PARTITIONS(1) */ x.rowtime, x.n FROM TUMBLE(TABLE a, DESCRIPTOR(rowtime), INTERVAL '5' MINUTE) AS x
WHERE NOT EXISTS (SELECT * FROM TUMBLE(TABLE b, DESCRIPTOR(rowtime), INTERVAL '5' MINUTE) AS y
  WHERE x.k = y.k AND x.window_start = y.window_start AND x.window_end = y.window_end);

SELECT STREAM /*+ PARTITIONS(1) */ x.rowtime, x.n AS a, y.n AS b FROM a AS x
JOIN b AS y ON x.k = y.k AND y.rowtime > x.rowtime AND y.rowtime <= x.rowtime + INTERVAL '1' MINUTE AND FLOOR(x.rowtime TO HOUR) = FLOOR(y.rowtime TO HOUR);

-- All rows of a match lie in the window of its ROWTIME: it closes when both streams have come to its end.
SELECT STREAM x.window_end AS rowtime, COUNT(*) AS c FROM TUMBLE(TABLE a, DESCRIPTOR(rowtime), INTERVAL '5' MINUTE) AS x
JOIN TUMBLE(TABLE b, DESCRIPTOR(rowtime), INTERVAL '5' MINUTE) AS y ON x.k = y.k AND x.window_start = y.window_start
GROUP BY x.window_start, x.window_end;

SELECT STREAM /*+ PARTITIONS(1) */ y.window_end AS rowtime, x.n AS a, y.n AS b
FROM TUMBLE(TABLE a, DESCRIPTOR(rowtime), INTERVAL '5' MINUTE) AS x
JOIN TUMBLE(TABLE b, DESCRIPTOR(rowtime), INTERVAL '5' MINUTE) AS y ON x.k = y.k AND x.window_start = y.window_start;

SELECT STREAM /*+ PARTITIONS(1) */ x.rowtime, x.n FROM a AS x
WHERE NOT EXISTS (SELECT * FROM b AS y WHERE x.k = y.k AND FLOOR(x.rowtime TO MONTH) = FLOOR(y.rowtime TO MONTH));

!producer A
INSERT INTO a VALUES (TIMESTAMP '2024-05-01 10:01:00', 1, 1), (TIMESTAMP '2024-05-01 10:04:00', 2, 2);
!producer B
INSERT INTO b VALUES (TIMESTAMP '2024-05-01 10:02:00', 1, 11);
--> 1 | 10:02:00 | 1 | 11
--> 3 | 10:01:00 | 1 | 11
--> 5 | 10:05:00 | 1 | 11
-- The window of 10:00 is over for b: row 2 has no match in it.
INSERT INTO b VALUES (TIMESTAMP '2024-05-01 10:05:00', 2, 12);
--> 2 | 10:04:00 | 2
--> 3 | 10:04:00 | 2 | 12
!producer A
!bound a '2024-05-01 10:04:59.998'
!bound a '2024-05-01 10:04:59.999'
--> 1 | 10:04:59.999 | 2 |
!bound a '2024-05-01 10:05:00'
--> 4 | 10:05:00 | 1
INSERT INTO a VALUES (TIMESTAMP '2024-05-01 10:06:00', 3, 3);
!producer B
!bound b '2024-05-01 10:09:59.999'
!bound b '2024-05-01 10:10:00'
--> 2 | 10:06:00 | 3
!producer A
!bound a '2024-05-01 10:10:00'
--> 1 | 10:09:59.999 | 3 |
INSERT INTO a VALUES (TIMESTAMP '2024-05-01 10:59:30', 4, 4);
!producer B
INSERT INTO b VALUES (TIMESTAMP '2024-05-01 10:58:00', 9, 13);
-- Within a minute of row 4, but of the next hour.
INSERT INTO b VALUES (TIMESTAMP '2024-05-01 11:00:10', 4, 14);
--> 2 | 10:59:30 | 4
!bound b '2024-05-31 23:59:59.999'
!bound b '2024-06-01 00:00:00'
--> 6 | 10:06:00 | 3
!producer A
!bound a '2024-05-01 11:00:00'
--> 1 | 10:59:59.999 | 4 |
