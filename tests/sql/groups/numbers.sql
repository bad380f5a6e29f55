-- Groups by numbers and days that move on: a group is complete when the column's bound has passed its last value.
-- date 2015-02-15
CREATE STREAM Orders (orderId BIGINT NOT NULL MONOTONIC, placed DATE NOT NULL MONOTONIC, v DECIMAL(6, 2) NOT NULL MONOTONIC, units INTEGER);
SELECT STREAM orderId / 100 AS hundred, SUM(units) AS units, MIN(ROWTIME) AS since FROM Orders GROUP BY orderId / 100;
SELECT STREAM -2 * orderId + 1 AS k, COUNT(*) AS c FROM Orders WHERE units <> 3 GROUP BY -2 * orderId + 1;
SELECT STREAM placed, COUNT(*) AS c FROM Orders GROUP BY placed;
SELECT STREAM FLOOR(v) AS f, COUNT(*) AS c FROM Orders GROUP BY FLOOR(v);
SELECT STREAM EXTRACT(YEAR FROM rowtime) AS y, COUNT(*) AS c FROM Orders GROUP BY EXTRACT(YEAR FROM rowtime);
SELECT STREAM orderId, units FROM Orders ORDER BY orderId, units DESC;

INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 10:00:00', -150, DATE '2015-02-14', 1.5, 1), (TIMESTAMP '2015-02-15 10:01:00', -99, DATE '2015-02-14', 1.99, 2);
-- The quotient 0 begins at -99.
--> 1 | -1 | 1 | 10:00:00
--> 2 | 301 | 1
--> 6 | -150 | 1
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 10:02:00', 0, DATE '2015-02-15', 1.99, 3);
--> 2 | 199 | 1
--> 3 | 2015-02-14 | 2
--> 6 | -99 | 2
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 10:03:00', 99, DATE '2015-02-15', 2, 4);
--> 4 | 1 | 3
--> 6 | 0 | 3
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 10:04:00', 99, DATE '2015-02-16', 3.2, 5);
--> 3 | 2015-02-15 | 2
--> 4 | 2 | 1
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 10:04:00', 100, DATE '2015-02-16', 3.4, 6);
--> 1 | 0 | 14 | 10:01:00
--> 2 | -197 | 2
--> 6 | 99 | 5
--> 6 | 99 | 4
INSERT INTO Orders VALUES (TIMESTAMP '2016-01-01 00:00:00', 350, DATE '2016-01-01', 7, 7);
--> 1 | 1 | 6 | 10:04:00
--> 2 | -199 | 1
--> 3 | 2015-02-16 | 2
--> 4 | 3 | 2
--> 5 | 2015 | 6
--> 6 | 100 | 6

-- What cannot be followed back is valid, and does not run.
SELECT STREAM orderId / 7 AS k, COUNT(*) AS c FROM (SELECT STREAM orderId, ROWTIME FROM Orders UNION ALL SELECT STREAM orderId, ROWTIME FROM Orders) GROUP BY orderId / 7;
--! 40:150 RT0201 Streaming aggregation requires at least one monotonic expression in GROUP BY clause
