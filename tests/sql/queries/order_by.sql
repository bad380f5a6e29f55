-- Seed 001, "Sorting": the orders of an hour, the largest first, once the hour is over.
-- date 2015-02-15
CREATE STREAM Orders (productId INTEGER, orderId INTEGER, units INTEGER);

SELECT STREAM FLOOR(rowtime TO hour) AS rowtime, productId, orderId, units
FROM Orders
ORDER BY FLOOR(rowtime TO hour) ASC, units DESC;

INSERT INTO Orders (rowtime, productId, orderId, units) VALUES
  (TIMESTAMP '2015-02-15 10:17:00', 30, 5, 4),
  (TIMESTAMP '2015-02-15 10:17:05', 10, 6, 1),
  (TIMESTAMP '2015-02-15 10:18:05', 20, 7, 2),
  (TIMESTAMP '2015-02-15 10:18:07', 30, 8, 20);
INSERT INTO Orders (rowtime, productId, orderId, units) VALUES
  (TIMESTAMP '2015-02-15 11:02:00', 10, 9, 6),
  (TIMESTAMP '2015-02-15 11:04:00', 10, 10, 1),
  (TIMESTAMP '2015-02-15 11:09:30', 40, 11, 12),
  (TIMESTAMP '2015-02-15 11:24:11', 10, 12, 4);
--> 1 | 10:00:00 | 30 | 8 | 20
--> 1 | 10:00:00 | 30 | 5 | 4
--> 1 | 10:00:00 | 20 | 7 | 2
--> 1 | 10:00:00 | 10 | 6 | 1
!bound Orders '2015-02-15 12:00:00'
--> 1 | 11:00:00 | 40 | 11 | 12
--> 1 | 11:00:00 | 10 | 9 | 6
--> 1 | 11:00:00 | 10 | 12 | 4
--> 1 | 11:00:00 | 10 | 10 | 1
