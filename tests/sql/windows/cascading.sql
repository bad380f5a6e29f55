-- Seed 001, "Cascading windows": totals since the top of the hour, beside a sliding window in the same query. Rows that take
-- peers early or late, and rows that look ahead.
-- date 2015-02-15
CREATE STREAM Orders (productId INTEGER, units INTEGER);
SELECT STREAM rowtime, productId, units,
  SUM(units) OVER (PARTITION BY FLOOR(rowtime TO HOUR)) AS unitsSinceTopOfHour,
  SUM(units) OVER (RANGE INTERVAL '1' HOUR PRECEDING) AS unitsLastHour
FROM Orders;

INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 10:17:00', 30, 4);
--> 1 | 10:17:00 | 30 | 4 | 4 | 4
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 10:17:05', 10, 1);
--> 1 | 10:17:05 | 10 | 1 | 5 | 5
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 10:59:59.999', 20, 2);
--> 1 | 10:59:59.999 | 20 | 2 | 7 | 7
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 11:00:00', 30, 20);
--> 1 | 11:00:00 | 30 | 20 | 20 | 27
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 11:17:01', 10, 6);
--> 1 | 11:17:01 | 10 | 6 | 26 | 29
