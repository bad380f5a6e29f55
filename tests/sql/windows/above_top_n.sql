-- What stands above an operator that closes by the hour: the rows of an hour come together, when the hour is over, each with its own
-- ROWTIME. Frames, sessions and groups go by those times, and a pump announces no bound before its rows.
-- the same rows without bounds
-- restart between any two lines in the long form
-- date 2024-05-01
CREATE STREAM s (k INTEGER, v INTEGER);
CREATE VIEW best AS SELECT rowtime, k, v FROM s QUALIFY ROW_NUMBER() OVER (PARTITION BY FLOOR(rowtime TO HOUR) ORDER BY v DESC) <= 4;
SELECT STREAM SESSION_START(rowtime, INTERVAL '10' MINUTE) AS a, COUNT(DISTINCT k) AS c, SUM(v) AS t FROM best
GROUP BY SESSION(rowtime, INTERVAL '10' MINUTE);
SELECT STREAM SESSION_END(rowtime, INTERVAL '10' MINUTE) AS rowtime, MEDIAN(v) AS m, k FROM best
GROUP BY SESSION(rowtime, INTERVAL '10' MINUTE), k;
SELECT STREAM SESSION_END(rowtime, INTERVAL '10' MINUTE) AS rowtime, COUNT(*) AS c, k FROM best
GROUP BY SESSION(rowtime, INTERVAL '10' MINUTE), k;
SELECT STREAM window_end AS rowtime, k, v, window_start FROM SESSION(TABLE best, DESCRIPTOR(rowtime), DESCRIPTOR(k), INTERVAL '10' MINUTE);
SELECT STREAM rowtime, v, COUNT(*) OVER (ORDER BY rowtime RANGE BETWEEN INTERVAL '20' MINUTE PRECEDING AND INTERVAL '30' MINUTE FOLLOWING) AS c FROM best;

CREATE STREAM counted (k INTEGER, v INTEGER, c BIGINT) OPTIONS (history 'all');
CREATE PUMP p1 STARTED AS INSERT INTO counted SELECT STREAM rowtime, k, v, COUNT(*) OVER (PARTITION BY k ORDER BY rowtime RANGE INTERVAL '1' HOUR PRECEDING) AS c FROM best;
CREATE STREAM ahead (v INTEGER, c BIGINT) OPTIONS (history 'all');
CREATE PUMP p2 STARTED AS INSERT INTO ahead SELECT STREAM rowtime, v, COUNT(*) OVER (ORDER BY rowtime RANGE BETWEEN CURRENT ROW AND INTERVAL '30' MINUTE FOLLOWING) AS c FROM best;
CREATE STREAM hops (c BIGINT, d BIGINT) OPTIONS (history 'all');
CREATE PUMP p3 STARTED AS INSERT INTO hops SELECT STREAM HOP_END(rowtime, INTERVAL '20' MINUTE, INTERVAL '30' MINUTE) AS rowtime, COUNT(*) AS c, COUNT(DISTINCT k) AS d FROM best
GROUP BY HOP(rowtime, INTERVAL '20' MINUTE, INTERVAL '30' MINUTE);

INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:05:00', 1, 10), (TIMESTAMP '2024-05-01 10:06:00', 2, 20), (TIMESTAMP '2024-05-01 10:07:00', 2, 5);
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:30:00', 1, 30);
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:55:00', 1, 40);
!bound s '2024-05-01 11:00:00'
--> 1 | 10:05:00 | 2 | 30
--> 1 | 10:30:00 | 1 | 30
--> 2 | 10:15:00 | 10.0 | 1
--> 2 | 10:16:00 | 20.0 | 2
--> 2 | 10:40:00 | 30.0 | 1
--> 3 | 10:15:00 | 1 | 1
--> 3 | 10:16:00 | 1 | 2
--> 3 | 10:40:00 | 1 | 1
--> 4 | 10:15:00 | 1 | 10 | 10:05:00
--> 4 | 10:16:00 | 2 | 20 | 10:06:00
--> 4 | 10:40:00 | 1 | 30 | 10:30:00
--> 5 | 10:05:00 | 10 | 3
--> 5 | 10:06:00 | 20 | 3
--> bound counted 11:00:00
--> bound ahead 10:30:00
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 11:02:00', 1, 1), (TIMESTAMP '2024-05-01 11:10:00', 2, 2);
!bound s '2024-05-01 12:00:00'
--> 1 | 10:55:00 | 2 | 43
--> 2 | 11:12:00 | 20.5 | 1
--> 2 | 11:20:00 | 2.0 | 2
--> 3 | 11:12:00 | 2 | 1
--> 3 | 11:20:00 | 1 | 2
--> 4 | 11:12:00 | 1 | 40 | 10:55:00
--> 4 | 11:12:00 | 1 | 1 | 10:55:00
--> 4 | 11:20:00 | 2 | 2 | 11:10:00
--> 5 | 10:30:00 | 30 | 2
--> 5 | 10:55:00 | 40 | 3
--> 5 | 11:02:00 | 1 | 3
--> 5 | 11:10:00 | 2 | 3
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 12:30:00', 3, 1);
!bound s '2024-05-01 20:00:00'
--> 1 | 12:30:00 | 1 | 1
--> 2 | 12:40:00 | 1.0 | 3
--> 3 | 12:40:00 | 1 | 3
--> 4 | 12:40:00 | 3 | 1 | 12:30:00
--> 5 | 12:30:00 | 1 | 1
SELECT rowtime, k, v, c FROM counted ORDER BY rowtime;
--> 6 | 10:05:00 | 1 | 10 | 1
--> 6 | 10:06:00 | 2 | 20 | 1
--> 6 | 10:30:00 | 1 | 30 | 2
--> 6 | 10:55:00 | 1 | 40 | 3
--> 6 | 11:02:00 | 1 | 1 | 4
--> 6 | 11:10:00 | 2 | 2 | 1
--> 6 | 12:30:00 | 3 | 1 | 1
SELECT rowtime, v, c FROM ahead ORDER BY rowtime;
--> 7 | 10:05:00 | 10 | 3
--> 7 | 10:06:00 | 20 | 2
--> 7 | 10:30:00 | 30 | 2
--> 7 | 10:55:00 | 40 | 3
--> 7 | 11:02:00 | 1 | 2
--> 7 | 11:10:00 | 2 | 1
--> 7 | 12:30:00 | 1 | 1
SELECT rowtime, c, d FROM hops ORDER BY rowtime;
--> 8 | 10:10:00 | 2 | 2
--> 8 | 10:30:00 | 2 | 2
--> 8 | 10:50:00 | 1 | 1
--> 8 | 11:10:00 | 2 | 1
--> 8 | 11:30:00 | 2 | 2
--> 8 | 12:50:00 | 1 | 1
