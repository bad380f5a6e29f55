-- Seed 001, "Tumbling windows": a group of an hour comes out once a row at or after its end has arrived. The seed has 7
-- for product 20, where order 7 has 2 units; the hour from 11:00 needs a bound, for nothing comes after it.
-- date 2015-02-15
-- unordered 1
CREATE STREAM Orders (productId INTEGER, orderId INTEGER, units INTEGER);

SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime,
  productId,
  COUNT(*) AS c,
  SUM(units) AS units
FROM Orders
GROUP BY FLOOR(rowtime TO HOUR), productId;

INSERT INTO Orders (rowtime, productId, orderId, units) VALUES
  (TIMESTAMP '2015-02-15 10:17:00', 30, 5, 4),
  (TIMESTAMP '2015-02-15 10:17:05', 10, 6, 1),
  (TIMESTAMP '2015-02-15 10:18:05', 20, 7, 2),
  (TIMESTAMP '2015-02-15 10:18:07', 30, 8, 20);
INSERT INTO Orders (rowtime, productId, orderId, units) VALUES
  (TIMESTAMP '2015-02-15 11:02:00', 10, 9, 6);
--> 1 | 10:00:00 | 30 | 2 | 24
--> 1 | 10:00:00 | 10 | 1 | 1
--> 1 | 10:00:00 | 20 | 1 | 2
INSERT INTO Orders (rowtime, productId, orderId, units) VALUES
  (TIMESTAMP '2015-02-15 11:04:00', 10, 10, 1),
  (TIMESTAMP '2015-02-15 11:09:30', 40, 11, 12),
  (TIMESTAMP '2015-02-15 11:24:11', 10, 12, 4);
!bound Orders '2015-02-15 11:59:59.999'
!bound Orders '2015-02-15 12:00:00'
--> 1 | 11:00:00 | 10 | 3 | 11
--> 1 | 11:00:00 | 40 | 1 | 12
