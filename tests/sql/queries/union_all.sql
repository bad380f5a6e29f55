-- Seed 001, "Sorting": UNION ALL, without and with ORDER BY. The seed lists the first one out of order; rowtime merges by
-- ROWTIME in both.
-- date 2015-02-15
CREATE STREAM Orders (productId INTEGER, orderId INTEGER, units INTEGER);

SELECT STREAM *
FROM Orders
WHERE productId = 10
UNION ALL
SELECT STREAM *
FROM Orders
WHERE productId = 30;

SELECT STREAM *
FROM Orders
WHERE productId = 10
UNION ALL
SELECT STREAM *
FROM Orders
WHERE productId = 30
ORDER BY rowtime;

INSERT INTO Orders (rowtime, productId, orderId, units) VALUES
  (TIMESTAMP '2015-02-15 10:17:00', 30, 5, 4),
  (TIMESTAMP '2015-02-15 10:17:05', 10, 6, 1),
  (TIMESTAMP '2015-02-15 10:18:05', 20, 7, 2);
--> 1 | 10:17:00 | 30 | 5 | 4
--> 1 | 10:17:05 | 10 | 6 | 1
--> 2 | 10:17:00 | 30 | 5 | 4
--> 2 | 10:17:05 | 10 | 6 | 1
INSERT INTO Orders (rowtime, productId, orderId, units) VALUES
  (TIMESTAMP '2015-02-15 10:18:07', 30, 8, 20),
  (TIMESTAMP '2015-02-15 11:02:00', 10, 9, 6),
  (TIMESTAMP '2015-02-15 11:04:00', 10, 10, 1);
--> 1 | 10:18:07 | 30 | 8 | 20
--> 1 | 11:02:00 | 10 | 9 | 6
--> 1 | 11:04:00 | 10 | 10 | 1
--> 2 | 10:18:07 | 30 | 8 | 20
--> 2 | 11:02:00 | 10 | 9 | 6
--> 2 | 11:04:00 | 10 | 10 | 1
INSERT INTO Orders (rowtime, productId, orderId, units) VALUES
  (TIMESTAMP '2015-02-15 11:09:30', 40, 11, 12),
  (TIMESTAMP '2015-02-15 11:24:11', 10, 12, 4);
--> 1 | 11:24:11 | 10 | 12 | 4
--> 2 | 11:24:11 | 10 | 12 | 4
