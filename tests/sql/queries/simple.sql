-- Seed 001, "A simple query": a stream that is also a table, for its history is kept. The relational query sees the
-- orders that exist and ends; the streaming one sees those that arrive.
-- date 2015-02-15
CREATE STREAM Orders (productId INTEGER, orderId INTEGER, units INTEGER) OPTIONS (history 'all');

INSERT INTO Orders (rowtime, productId, orderId, units) VALUES
  (TIMESTAMP '2015-02-15 08:30:00', 10, 1, 3),
  (TIMESTAMP '2015-02-15 08:45:10', 20, 2, 1),
  (TIMESTAMP '2015-02-15 09:12:21', 10, 3, 10),
  (TIMESTAMP '2015-02-15 09:27:44', 30, 4, 2);

SELECT *
FROM Orders;
--> 1 | 08:30:00 | 10 | 1 | 3
--> 1 | 08:45:10 | 20 | 2 | 1
--> 1 | 09:12:21 | 10 | 3 | 10
--> 1 | 09:27:44 | 30 | 4 | 2

SELECT STREAM *
FROM Orders;

INSERT INTO Orders (rowtime, productId, orderId, units) VALUES (TIMESTAMP '2015-02-15 10:17:00', 30, 5, 4);
--> 2 | 10:17:00 | 30 | 5 | 4
INSERT INTO Orders (rowtime, productId, orderId, units) VALUES (TIMESTAMP '2015-02-15 10:17:05', 10, 6, 1);
--> 2 | 10:17:05 | 10 | 6 | 1
INSERT INTO Orders (rowtime, productId, orderId, units) VALUES
  (TIMESTAMP '2015-02-15 10:18:05', 20, 7, 2),
  (TIMESTAMP '2015-02-15 10:18:07', 30, 8, 20);
--> 2 | 10:18:05 | 20 | 7 | 2
--> 2 | 10:18:07 | 30 | 8 | 20
INSERT INTO Orders (rowtime, productId, orderId, units) VALUES
  (TIMESTAMP '2015-02-15 11:02:00', 10, 9, 6),
  (TIMESTAMP '2015-02-15 11:04:00', 10, 10, 1),
  (TIMESTAMP '2015-02-15 11:09:30', 40, 11, 12),
  (TIMESTAMP '2015-02-15 11:24:11', 10, 12, 4);
--> 2 | 11:02:00 | 10 | 9 | 6
--> 2 | 11:04:00 | 10 | 10 | 1
--> 2 | 11:09:30 | 40 | 11 | 12
--> 2 | 11:24:11 | 10 | 12 | 4
