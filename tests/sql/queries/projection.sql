-- Seed 001, "Projecting expressions". The seed's output says "An order by" in places; its query says "An order for".
-- date 2015-02-15
CREATE STREAM Orders (productId INTEGER, orderId INTEGER, units INTEGER);

SELECT STREAM rowtime,
  'An order for ' || units || ' '
    || CASE units WHEN 1 THEN 'unit' ELSE 'units' END
    || ' of product #' || productId AS description
FROM Orders;

INSERT INTO Orders (rowtime, productId, orderId, units) VALUES
  (TIMESTAMP '2015-02-15 10:17:00', 30, 5, 4),
  (TIMESTAMP '2015-02-15 10:17:05', 10, 6, 1),
  (TIMESTAMP '2015-02-15 10:18:05', 20, 7, 2),
  (TIMESTAMP '2015-02-15 10:18:07', 30, 8, 20);
--> 1 | 10:17:00 | An order for 4 units of product #30
--> 1 | 10:17:05 | An order for 1 unit of product #10
--> 1 | 10:18:05 | An order for 2 units of product #20
--> 1 | 10:18:07 | An order for 20 units of product #30
INSERT INTO Orders (rowtime, productId, orderId, units) VALUES
  (TIMESTAMP '2015-02-15 11:02:00', 10, 9, 6),
  (TIMESTAMP '2015-02-15 11:04:00', 10, 10, 1);
--> 1 | 11:02:00 | An order for 6 units of product #10
--> 1 | 11:04:00 | An order for 1 unit of product #10
INSERT INTO Orders (rowtime, productId, orderId, units) VALUES
  (TIMESTAMP '2015-02-15 11:09:30', 40, 11, 12),
  (TIMESTAMP '2015-02-15 11:24:11', 10, 12, 4);
--> 1 | 11:09:30 | An order for 12 units of product #40
--> 1 | 11:24:11 | An order for 4 units of product #10
