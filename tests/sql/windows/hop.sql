-- Seed 001, "Limitations of tumbling and hopping windows": at the top of each hour the orders of the previous 7,007 seconds; and
-- HOP and SESSION over totals, above another aggregation.
-- date 2015-02-15
CREATE STREAM Orders (productId INTEGER, units INTEGER);
SELECT STREAM HOP_END(rowtime, INTERVAL '1' HOUR, INTERVAL '7007' SECOND(4), TIME '00:03:13') AS rowtime, COUNT(*) AS c
FROM Orders GROUP BY HOP(rowtime, INTERVAL '1' HOUR, INTERVAL '7007' SECOND(4), TIME '00:03:13');
SELECT STREAM SESSION_END(rowtime, INTERVAL '10' MINUTE) AS rowtime, productId, SUM(units) AS units
FROM Orders GROUP BY SESSION(rowtime, INTERVAL '10' MINUTE), productId;

-- 7,007 seconds are 1:56:47, so windows that begin at 3:13 past an hour end at the top of one.
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 10:00:00', 10, 1), (TIMESTAMP '2015-02-15 10:03:13', 10, 2);
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 10:30:00', 20, 4);
--> 2 | 10:13:13 | 10 | 3
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 11:00:00', 10, 8);
--> 1 | 11:00:00 | 3
--> 2 | 10:40:00 | 20 | 4
!bound Orders '2015-02-15 12:00:00'
--> 1 | 12:00:00 | 3
--> 2 | 11:10:00 | 10 | 8
-- The next one begins at 11:03:13, after the last order.
!bound Orders '2015-02-15 14:00:00'
