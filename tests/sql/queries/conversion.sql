-- Seed 001, "Converting between streams and relations": the view is a relation that can be converted into a stream, and
-- STREAM inside it has no effect.
-- date 2015-02-15
CREATE STREAM Orders (productId INTEGER, orderId INTEGER, units INTEGER) OPTIONS (history 'all');

CREATE VIEW HourlyOrderTotals (rowtime, productId, c, su) AS
  SELECT STREAM FLOOR(rowtime TO HOUR),
    productId,
    COUNT(*),
    SUM(units)
  FROM Orders
  GROUP BY FLOOR(rowtime TO HOUR), productId;

INSERT INTO Orders (rowtime, productId, orderId, units) VALUES
  (TIMESTAMP '2015-02-15 08:30:00', 10, 1, 3),
  (TIMESTAMP '2015-02-15 08:45:10', 20, 2, 1),
  (TIMESTAMP '2015-02-15 09:12:21', 10, 3, 10),
  (TIMESTAMP '2015-02-15 09:27:44', 30, 4, 2);

-- A relation; it queries the historic Orders: product 10 sold 3 from 8:00 on and 10 from 9:00 on.
SELECT max(su)
FROM HourlyOrderTotals
WHERE productId = 10;
--> 1 | 10

-- A stream; it queries those that arrive.
SELECT STREAM rowtime
FROM HourlyOrderTotals
WHERE productId = 10;

INSERT INTO Orders (rowtime, productId, orderId, units) VALUES
  (TIMESTAMP '2015-02-15 10:17:00', 30, 5, 4),
  (TIMESTAMP '2015-02-15 10:17:05', 10, 6, 1),
  (TIMESTAMP '2015-02-15 10:18:05', 20, 7, 2),
  (TIMESTAMP '2015-02-15 10:18:07', 30, 8, 20),
  (TIMESTAMP '2015-02-15 11:02:00', 10, 9, 6);
--> 2 | 10:00:00
INSERT INTO Orders (rowtime, productId, orderId, units) VALUES
  (TIMESTAMP '2015-02-15 11:04:00', 10, 10, 1),
  (TIMESTAMP '2015-02-15 11:09:30', 40, 11, 12),
  (TIMESTAMP '2015-02-15 11:24:11', 10, 12, 4);
!bound Orders '2015-02-15 12:00:00'
--> 2 | 11:00:00

SELECT max(su)
FROM HourlyOrderTotals
WHERE productId = 10;
--> 3 | 11
