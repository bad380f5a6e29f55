-- Seed 001, "Sliding windows": the units of the last hour, over all products; and the row that is exactly an hour old.
-- date 2015-02-15
CREATE STREAM Orders (productId INTEGER, orderId INTEGER, units INTEGER);
SELECT STREAM rowtime, productId, units,
  SUM(units) OVER (ORDER BY rowtime RANGE INTERVAL '1' HOUR PRECEDING) unitsLastHour
FROM Orders;

INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 10:17:00', 30, 5, 4);
--> 1 | 10:17:00 | 30 | 4 | 4
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 10:17:05', 10, 6, 1);
--> 1 | 10:17:05 | 10 | 1 | 5
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 10:18:05', 20, 7, 2);
--> 1 | 10:18:05 | 20 | 2 | 7
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 10:18:07', 30, 8, 20);
--> 1 | 10:18:07 | 30 | 20 | 27
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 11:02:00', 10, 9, 6);
--> 1 | 11:02:00 | 10 | 6 | 33
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 11:04:00', 10, 10, 1);
--> 1 | 11:04:00 | 10 | 1 | 34
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 11:09:30', 40, 11, 12);
--> 1 | 11:09:30 | 40 | 12 | 46
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 11:17:00', 40, 12, NULL);
--> 1 | 11:17:00 | 40 |  | 46
-- 10:17:00 is more than an hour ago now, 10:17:05 is not.
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 11:17:05', 40, 13, 0);
--> 1 | 11:17:05 | 40 | 0 | 42
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 11:24:11', 10, 14, 4);
--> 1 | 11:24:11 | 10 | 4 | 23
