-- Rows that may be ten minutes late are a whole hour late once their times are rounded to hours: 10:05 gives 10:00, and 09:58
-- after it gives 09:00. Whatever goes by the rounded time waits for that.
-- steps matter
-- the same rows without bounds
-- date 2024-05-01
CREATE STREAM late (rowtime TIMESTAMP(3) NOT NULL LATENESS INTERVAL '10' MINUTE, x INTEGER) OPTIONS (history 'all');
CREATE VIEW hours AS SELECT FLOOR(rowtime TO HOUR) AS rowtime, x FROM late;
SELECT STREAM HOP_END(rowtime, INTERVAL '20' MINUTE, INTERVAL '60' MINUTE) AS rowtime, COUNT(*) AS c FROM hours
GROUP BY HOP(rowtime, INTERVAL '20' MINUTE, INTERVAL '60' MINUTE);
SELECT STREAM rowtime, x, COUNT(*) OVER (ORDER BY rowtime RANGE INTERVAL '1' HOUR PRECEDING) AS c FROM hours;
SELECT STREAM rowtime, x, COUNT(*) OVER (ORDER BY rowtime RANGE BETWEEN INTERVAL '1' HOUR PRECEDING AND INTERVAL '1' HOUR FOLLOWING) AS c
FROM hours;
SELECT STREAM rowtime, x, COUNT(*) OVER (ORDER BY FLOOR(rowtime TO HOUR) RANGE INTERVAL '1' HOUR PRECEDING) AS c FROM late;
SELECT STREAM rowtime, SUM(x) OVER (ORDER BY FLOOR(rowtime TO HOUR) RANGE BETWEEN CURRENT ROW AND INTERVAL '0' HOUR FOLLOWING) AS s, x
FROM late;
SELECT STREAM SESSION_END(rowtime, INTERVAL '1' HOUR) AS rowtime, COUNT(*) AS c, SUM(x) AS s FROM hours GROUP BY SESSION(rowtime, INTERVAL '1' HOUR);

INSERT INTO late VALUES (TIMESTAMP '2024-05-01 10:05:00', 1);
INSERT INTO late VALUES (TIMESTAMP '2024-05-01 09:58:00', 2);
--> 2 | 09:00:00 | 2 | 1
--> 4 | 09:58:00 | 2 | 1
INSERT INTO late VALUES (TIMESTAMP '2024-05-01 09:57:00', 3);
--> 2 | 09:00:00 | 3 | 2
--> 4 | 09:57:00 | 3 | 2
-- Nothing before 10:49 comes any more, so the hour from 9 to 10 is over.
INSERT INTO late VALUES (TIMESTAMP '2024-05-01 10:59:00', 4);
--> 1 | 09:20:00 | 2
--> 1 | 09:40:00 | 2
--> 1 | 10:00:00 | 2
--> 2 | 10:00:00 | 1 | 3
--> 2 | 10:00:00 | 4 | 4
--> 4 | 10:05:00 | 1 | 3
--> 4 | 10:59:00 | 4 | 4
--> 5 | 09:58:00 | 5 | 2
--> 5 | 09:57:00 | 5 | 3
INSERT INTO late VALUES (TIMESTAMP '2024-05-01 11:04:00', 5);
INSERT INTO late VALUES (TIMESTAMP '2024-05-01 10:57:00', 6);
--> 2 | 10:00:00 | 6 | 5
--> 4 | 10:57:00 | 6 | 5
INSERT INTO late VALUES (TIMESTAMP '2024-05-01 10:56:00', 7);
--> 2 | 10:00:00 | 7 | 6
--> 4 | 10:56:00 | 7 | 6
!bound late '2024-05-01 20:00:00'
--> 1 | 10:20:00 | 4
--> 1 | 10:40:00 | 4
--> 1 | 11:00:00 | 4
--> 1 | 11:20:00 | 1
--> 1 | 11:40:00 | 1
--> 1 | 12:00:00 | 1
--> 2 | 11:00:00 | 5 | 5
--> 3 | 09:00:00 | 2 | 6
--> 3 | 09:00:00 | 3 | 6
--> 3 | 10:00:00 | 1 | 7
--> 3 | 10:00:00 | 4 | 7
--> 3 | 10:00:00 | 6 | 7
--> 3 | 10:00:00 | 7 | 7
--> 3 | 11:00:00 | 5 | 5
--> 4 | 11:04:00 | 5 | 5
--> 5 | 10:05:00 | 18 | 1
--> 5 | 10:59:00 | 18 | 4
--> 5 | 11:04:00 | 5 | 5
--> 5 | 10:57:00 | 18 | 6
--> 5 | 10:56:00 | 18 | 7
--> 6 | 12:00:00 | 7 | 28

-- The same of what there is.
SELECT HOP_END(rowtime, INTERVAL '20' MINUTE, INTERVAL '60' MINUTE) AS rowtime, COUNT(*) AS c FROM hours
GROUP BY HOP(rowtime, INTERVAL '20' MINUTE, INTERVAL '60' MINUTE) ORDER BY 1;
--> 7 | 09:20:00 | 2
--> 7 | 09:40:00 | 2
--> 7 | 10:00:00 | 2
--> 7 | 10:20:00 | 4
--> 7 | 10:40:00 | 4
--> 7 | 11:00:00 | 4
--> 7 | 11:20:00 | 1
--> 7 | 11:40:00 | 1
--> 7 | 12:00:00 | 1
