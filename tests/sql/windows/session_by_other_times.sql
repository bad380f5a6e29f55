-- SESSION as a table function by a time that is not ROWTIME: one that is MONOTONIC, and one with a LATENESS, by which rows come in
-- another order. A session of ten minutes ends when the clock of that time is more than ten minutes past its latest row, for all keys.
-- date 2015-02-15
CREATE STREAM m (k VARCHAR, ts TIMESTAMP(3) NOT NULL MONOTONIC, v INTEGER) OPTIONS (history 'all');
CREATE STREAM l (k VARCHAR, ts TIMESTAMP(3) NOT NULL LATENESS INTERVAL '5' MINUTE, v INTEGER) OPTIONS (history 'all');

SELECT STREAM window_end, k, v, window_start FROM SESSION(m, DESCRIPTOR(ts), DESCRIPTOR(k), INTERVAL '10' MINUTE);
SELECT STREAM window_end, k, v, window_start FROM SESSION(l, DESCRIPTOR(ts), DESCRIPTOR(k), INTERVAL '10' MINUTE);

INSERT INTO m (rowtime, k, ts, v) VALUES (TIMESTAMP '2015-02-15 20:00:00', 'a', TIMESTAMP '2015-02-15 10:00:00', 1),
  (TIMESTAMP '2015-02-15 20:00:01', 'b', TIMESTAMP '2015-02-15 10:04:00', 2), (TIMESTAMP '2015-02-15 20:00:02', 'a', TIMESTAMP '2015-02-15 10:10:00', 3);
INSERT INTO m (rowtime, k, ts, v) VALUES (TIMESTAMP '2015-02-15 21:00:00', 'b', TIMESTAMP '2015-02-15 10:20:00', 4);
--> 1 | 10:14:00 | b | 2 | 10:04:00
INSERT INTO m (rowtime, k, ts, v) VALUES (TIMESTAMP '2015-02-15 21:00:01', 'b', TIMESTAMP '2015-02-15 10:20:00.001', 5);
--> 1 | 10:20:00 | a | 1 | 10:00:00
--> 1 | 10:20:00 | a | 3 | 10:00:00

-- Of l, the clock is five minutes behind the greatest time.
INSERT INTO l (rowtime, k, ts, v) VALUES (TIMESTAMP '2015-02-15 20:00:00', 'a', TIMESTAMP '2015-02-15 10:04:00', 1),
  (TIMESTAMP '2015-02-15 20:00:01', 'a', TIMESTAMP '2015-02-15 10:00:00', 2), (TIMESTAMP '2015-02-15 20:00:02', 'b', TIMESTAMP '2015-02-15 10:19:00', 3);
INSERT INTO l (rowtime, k, ts, v) VALUES (TIMESTAMP '2015-02-15 20:00:03', 'b', TIMESTAMP '2015-02-15 10:19:00.001', 4);
--> 2 | 10:14:00 | a | 2 | 10:00:00
--> 2 | 10:14:00 | a | 1 | 10:00:00
-- ROWTIME is in order, but not the time of the sessions: a row of b that is behind those before it.
INSERT INTO l (rowtime, k, ts, v) VALUES (TIMESTAMP '2015-02-15 20:00:03', 'b', TIMESTAMP '2015-02-15 10:16:00', 7);
INSERT INTO l (rowtime, k, ts, v) VALUES (TIMESTAMP '2015-02-15 20:00:04', 'a', TIMESTAMP '2015-02-15 10:15:00', 5),
  (TIMESTAMP '2015-02-15 20:00:05', 'c', TIMESTAMP '2015-02-15 10:34:30', 6);
--> 2 | 10:25:00 | a | 5 | 10:15:00
--> 2 | 10:29:00.001 | b | 7 | 10:16:00
--> 2 | 10:29:00.001 | b | 3 | 10:16:00
--> 2 | 10:29:00.001 | b | 4 | 10:16:00

-- The same as relations.
SELECT k, v, window_start, window_end FROM SESSION(l, DESCRIPTOR(ts), DESCRIPTOR(k), INTERVAL '10' MINUTE) ORDER BY v;
--> 3 | a | 1 | 10:00:00 | 10:14:00
--> 3 | a | 2 | 10:00:00 | 10:14:00
--> 3 | b | 3 | 10:16:00 | 10:29:00.001
--> 3 | b | 4 | 10:16:00 | 10:29:00.001
--> 3 | a | 5 | 10:15:00 | 10:25:00
--> 3 | c | 6 | 10:34:30 | 10:44:30
--> 3 | b | 7 | 10:16:00 | 10:29:00.001
