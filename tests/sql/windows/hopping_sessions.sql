-- Hopping windows of the ends of sessions, into a stream. A session closes with a row of which it is not part, and its
-- rows leave in the order of their arrival. By hand: the sessions are 10:00 to 11:20 (two rows) and 14:20 to 15:20 (one
-- row, closed by the bound); windows of 90 minutes begin each hour.
CREATE STREAM s (rowtime TIMESTAMP NOT NULL, id INTEGER);
CREATE STREAM t (rowtime TIMESTAMP NOT NULL LATENESS INTERVAL '1' HOUR, begins TIMESTAMP, id INTEGER);
CREATE PUMP p STARTED AS INSERT INTO t
  SELECT STREAM w.rowtime, w.window_start, w.id FROM HOP((SELECT STREAM window_end AS rowtime, id
    FROM SESSION(s, DESCRIPTOR(rowtime), INTERVAL '60' MINUTE)), DESCRIPTOR(rowtime), INTERVAL '60' MINUTE, INTERVAL '90' MINUTE) AS w;
SELECT STREAM rowtime, begins, id FROM t;

INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:00:00', 1), (TIMESTAMP '2024-05-01 10:20:00', 2);
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 14:20:00', 3);
--> 1 | 2024-05-01 11:20:00 | 2024-05-01 11:00:00 | 1
--> 1 | 2024-05-01 11:20:00 | 2024-05-01 10:00:00 | 1
--> 1 | 2024-05-01 11:20:00 | 2024-05-01 11:00:00 | 2
--> 1 | 2024-05-01 11:20:00 | 2024-05-01 10:00:00 | 2
!bound s '2024-05-01 16:00:00'
--> 1 | 2024-05-01 15:20:00 | 2024-05-01 15:00:00 | 3
--> 1 | 2024-05-01 15:20:00 | 2024-05-01 14:00:00 | 3
