-- Seed 001, "Hopping windows": totals of three hours from totals of one, by a window over a view. A row has its own hour and the
-- two before it.
-- date 2015-02-15
-- unordered 1
CREATE STREAM Orders (productId INTEGER, units INTEGER);
CREATE VIEW HourlyTotals (rowtime, productId, c, su) AS
  SELECT FLOOR(rowtime TO HOUR), productId, COUNT(*), SUM(units)
  FROM Orders
  GROUP BY FLOOR(rowtime TO HOUR), productId;
SELECT STREAM rowtime, productId, SUM(su) OVER w AS su, SUM(c) OVER w AS c
FROM HourlyTotals
WINDOW w AS (
  ORDER BY rowtime
  PARTITION BY productId
  RANGE INTERVAL '2' HOUR PRECEDING);

INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 09:05:00', 10, 1), (TIMESTAMP '2015-02-15 09:10:00', 20, 2),
  (TIMESTAMP '2015-02-15 09:50:00', 10, 3);
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 10:10:00', 10, 5);
--> 1 | 09:00:00 | 10 | 4 | 2
--> 1 | 09:00:00 | 20 | 2 | 1
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 11:10:00', 20, 7);
--> 1 | 10:00:00 | 10 | 9 | 3
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 12:10:00', 10, 9);
--> 1 | 11:00:00 | 20 | 9 | 2
-- Twelve o'clock has 10 and 11 beside it, not 9.
!bound Orders '2015-02-15 13:00:00'
--> 1 | 12:00:00 | 10 | 14 | 2
