-- Seed 001, "Sub-queries, views and SQL's closure property": the same through WITH.
-- date 2015-02-15
-- unordered 1
CREATE STREAM Orders (productId INTEGER, orderId INTEGER, units INTEGER);

WITH HourlyOrderTotals (rowtime, productId, c, su) AS (
  SELECT FLOOR(rowtime TO HOUR),
    productId,
    COUNT(*),
    SUM(units)
  FROM Orders
  GROUP BY FLOOR(rowtime TO HOUR), productId)
SELECT STREAM rowtime, productId
FROM HourlyOrderTotals
WHERE c > 2 OR su > 10;

INSERT INTO Orders (rowtime, productId, orderId, units) VALUES
  (TIMESTAMP '2015-02-15 10:17:00', 30, 5, 4),
  (TIMESTAMP '2015-02-15 10:17:05', 10, 6, 1),
  (TIMESTAMP '2015-02-15 10:18:05', 20, 7, 2),
  (TIMESTAMP '2015-02-15 10:18:07', 30, 8, 20);
INSERT INTO Orders (rowtime, productId, orderId, units) VALUES
  (TIMESTAMP '2015-02-15 11:02:00', 10, 9, 6),
  (TIMESTAMP '2015-02-15 11:04:00', 10, 10, 1);
--> 1 | 10:00:00 | 30
INSERT INTO Orders (rowtime, productId, orderId, units) VALUES
  (TIMESTAMP '2015-02-15 11:09:30', 40, 11, 12),
  (TIMESTAMP '2015-02-15 11:24:11', 10, 12, 4);
!bound Orders '2015-02-15 12:00:00'
--> 1 | 11:00:00 | 10
--> 1 | 11:00:00 | 40
