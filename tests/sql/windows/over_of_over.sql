-- Windows over the results of windows, of one partition and of another; by hand.
-- date 2024-05-01
CREATE STREAM a (n INTEGER, k INTEGER) OPTIONS (history 'all');

SELECT STREAM rowtime, n, SUM(c) OVER (PARTITION BY n ORDER BY rowtime RANGE INTERVAL '1' HOUR PRECEDING) AS s
FROM (SELECT STREAM rowtime, n, COUNT(*) OVER (PARTITION BY n ORDER BY rowtime RANGE INTERVAL '4' HOUR PRECEDING) AS c FROM a);
SELECT STREAM rowtime, k, MAX(c) OVER (PARTITION BY k ORDER BY rowtime RANGE INTERVAL '1' HOUR PRECEDING) AS m, c
FROM (SELECT STREAM rowtime, n, k, COUNT(*) OVER (PARTITION BY n ORDER BY rowtime RANGE INTERVAL '4' HOUR PRECEDING) AS c FROM a);
-- The upper window does not read what the lower one gives.
SELECT STREAM rowtime, COUNT(*) OVER (ORDER BY rowtime ROWS 1 PRECEDING) AS two, c
FROM (SELECT STREAM rowtime, n, COUNT(*) OVER (PARTITION BY n ORDER BY rowtime RANGE INTERVAL '4' HOUR PRECEDING) AS c FROM a);

INSERT INTO a VALUES (TIMESTAMP '2024-05-01 10:00:00', 1, 5), (TIMESTAMP '2024-05-01 10:30:00', 1, 6), (TIMESTAMP '2024-05-01 11:00:00', 2, 5);
--> 1 | 10:00:00 | 1 | 1
--> 1 | 10:30:00 | 1 | 3
--> 1 | 11:00:00 | 2 | 1
--> 2 | 10:00:00 | 5 | 1 | 1
--> 2 | 10:30:00 | 6 | 2 | 2
--> 2 | 11:00:00 | 5 | 1 | 1
--> 3 | 10:00:00 | 1 | 1
--> 3 | 10:30:00 | 2 | 2
--> 3 | 11:00:00 | 2 | 1
INSERT INTO a VALUES (TIMESTAMP '2024-05-01 11:30:00', 1, 5), (TIMESTAMP '2024-05-01 12:00:00', 2, 6);
--> 1 | 11:30:00 | 1 | 5
--> 1 | 12:00:00 | 2 | 3
--> 2 | 11:30:00 | 5 | 3 | 3
--> 2 | 12:00:00 | 6 | 2 | 2
--> 3 | 11:30:00 | 2 | 3
--> 3 | 12:00:00 | 2 | 2
