-- Windows of TUMBLE and HOP that are compared on both sides. Rows and results of TUMBLE are those of Flink's documentation, "Window
-- Join": its FULL, SEMI and ANTI joins; those of HOP are derived by hand.
-- date 2020-04-15
-- unordered 1 4
CREATE STREAM lefts (num INTEGER NOT NULL, id VARCHAR(2));
CREATE STREAM rights (num INTEGER NOT NULL, id VARCHAR(2));

SELECT STREAM ROWTIME, L.num AS L_num, L.id AS L_id, R.num AS R_num, R.id AS R_id,
  COALESCE(L.window_start, R.window_start) AS window_start, COALESCE(L.window_end, R.window_end) AS window_end
FROM (SELECT STREAM * FROM TABLE(TUMBLE(TABLE lefts, DESCRIPTOR(rowtime), INTERVAL '5' MINUTE))) AS L
FULL JOIN (SELECT STREAM * FROM TABLE(TUMBLE(TABLE rights, DESCRIPTOR(rowtime), INTERVAL '5' MINUTE))) AS R
  ON L.num = R.num AND L.window_start = R.window_start AND L.window_end = R.window_end;

SELECT STREAM * FROM (SELECT STREAM * FROM TABLE(TUMBLE(TABLE lefts, DESCRIPTOR(rowtime), INTERVAL '5' MINUTE))) AS L
WHERE L.num IN (SELECT num FROM (SELECT STREAM * FROM TABLE(TUMBLE(TABLE rights, DESCRIPTOR(rowtime), INTERVAL '5' MINUTE))) AS R
  WHERE L.window_start = R.window_start AND L.window_end = R.window_end);

SELECT STREAM * FROM (SELECT STREAM * FROM TABLE(TUMBLE(TABLE lefts, DESCRIPTOR(rowtime), INTERVAL '5' MINUTE))) AS L
WHERE NOT EXISTS (SELECT * FROM (SELECT STREAM * FROM TABLE(TUMBLE(TABLE rights, DESCRIPTOR(rowtime), INTERVAL '5' MINUTE))) AS R
  WHERE L.num = R.num AND L.window_start = R.window_start AND L.window_end = R.window_end);

-- A pair comes once for each window that has both.
SELECT STREAM ROWTIME, L.id AS L_id, R.id AS R_id, L.window_start, L.window_end
FROM TABLE(HOP(TABLE lefts, DESCRIPTOR(rowtime), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE)) AS L
JOIN TABLE(HOP(TABLE rights, DESCRIPTOR(rowtime), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE)) AS R
  ON L.num = R.num AND L.window_start = R.window_start AND L.window_end = R.window_end;

!producer L
INSERT INTO lefts VALUES (TIMESTAMP '2020-04-15 12:02:00', 1, 'L1'), (TIMESTAMP '2020-04-15 12:03:00', 3, 'L3'),
  (TIMESTAMP '2020-04-15 12:06:00', 2, 'L2');
!producer R
INSERT INTO rights VALUES (TIMESTAMP '2020-04-15 12:01:00', 2, 'R2'), (TIMESTAMP '2020-04-15 12:04:00', 3, 'R3'),
  (TIMESTAMP '2020-04-15 12:05:00', 4, 'R4');
-- The window of 12:00 is over for both.
--> 1 | 12:04:00 | 3 | L3 | 3 | R3 | 12:00:00 | 12:05:00
--> 1 | 12:04:59.999 | 1 | L1 | | | 12:00:00 | 12:05:00
--> 1 | 12:04:59.999 | | | 2 | R2 | 12:00:00 | 12:05:00
--> 2 | 12:03:00 | 3 | L3 | 12:00:00 | 12:05:00
--> 3 | 12:02:00 | 1 | L1 | 12:00:00 | 12:05:00
--> 4 | 12:04:00 | L3 | R3 | 11:55:00 | 12:05:00
--> 4 | 12:04:00 | L3 | R3 | 12:00:00 | 12:10:00
!producer L
!bound lefts '2020-04-15 12:20:00'
!producer R
!bound rights '2020-04-15 12:20:00'
--> 1 | 12:09:59.999 | 2 | L2 | | | 12:05:00 | 12:10:00
--> 1 | 12:09:59.999 | | | 4 | R4 | 12:05:00 | 12:10:00
--> 3 | 12:06:00 | 2 | L2 | 12:05:00 | 12:10:00
--> 4 | 12:06:00 | L2 | R2 | 12:00:00 | 12:10:00
