-- Seed 002, "Windowed Queries": orders that were not filled within the hour after them, with what was traded of them. HAVING compares
-- with the amount of the order, so that is grouped as well. An order of which nothing was traded has no sum, and is not compared.
-- date 2006-09-11
-- restart between any two lines in the long form
-- unordered 1
-- unordered 2
CREATE STREAM "OrderStream" ("orderid" INTEGER, "amount" INTEGER);
CREATE STREAM "TradeStream" ("tradeid" INTEGER, "amount" INTEGER);

SELECT STREAM FLOOR("o".ROWTIME TO HOUR) AS ROWTIME, "o"."orderid", SUM("t"."amount") AS "traded"
FROM "OrderStream" OVER (RANGE CURRENT ROW) AS "o"
LEFT JOIN "TradeStream" OVER (RANGE INTERVAL '1' HOUR FOLLOWING) AS "t" ON "o"."orderid" = "t"."tradeid"
GROUP BY FLOOR("o".ROWTIME TO HOUR), "o"."orderid", "o"."amount"
HAVING "o"."amount" <> SUM("t"."amount");

-- The same with a condition on time, and with the orders of which nothing was traded.
SELECT STREAM FLOOR("o".ROWTIME TO HOUR) AS ROWTIME, "o"."orderid", "o"."amount" AS "ordered", SUM("t"."amount") AS "traded"
FROM "OrderStream" AS "o" LEFT JOIN "TradeStream" AS "t" ON "o"."orderid" = "t"."tradeid"
  AND "t".ROWTIME BETWEEN "o".ROWTIME AND "o".ROWTIME + INTERVAL '1' HOUR
GROUP BY FLOOR("o".ROWTIME TO HOUR), "o"."orderid", "o"."amount"
HAVING "o"."amount" <> COALESCE(SUM("t"."amount"), 0);

-- Order 1 lacks 5, order 2 is filled, of order 3 nothing is traded, 4 had a trade before it, which does not count. Two orders of
-- the number 8 differ in their amounts, and so are two groups; the trade is of both.
!producer O
INSERT INTO "OrderStream" VALUES
  (TIMESTAMP '2006-09-11 10:00:00', 1, 100),
  (TIMESTAMP '2006-09-11 10:10:00', 2, 50),
  (TIMESTAMP '2006-09-11 10:20:00', 3, 70),
  (TIMESTAMP '2006-09-11 10:30:00', 4, 40),
  (TIMESTAMP '2006-09-11 10:40:00', 7, NULL),
  (TIMESTAMP '2006-09-11 10:50:00', 8, 10),
  (TIMESTAMP '2006-09-11 10:51:00', 8, 20);
!restart
!producer T
INSERT INTO "TradeStream" VALUES
  (TIMESTAMP '2006-09-11 10:05:00', 1, 60),
  (TIMESTAMP '2006-09-11 10:20:00', 2, 20),
  (TIMESTAMP '2006-09-11 10:29:59', 4, 15),
  (TIMESTAMP '2006-09-11 10:30:00', 2, 30),
  (TIMESTAMP '2006-09-11 10:45:00', 7, 5),
  (TIMESTAMP '2006-09-11 10:52:00', 8, 10),
  (TIMESTAMP '2006-09-11 10:59:59', 1, 30);
-- Up to the end of the hour, that instant included.
INSERT INTO "TradeStream" VALUES
  (TIMESTAMP '2006-09-11 11:00:00', 1, 5),
  (TIMESTAMP '2006-09-11 11:00:00.001', 1, 5),
  (TIMESTAMP '2006-09-11 11:29:00', 4, 25);
!restart
!producer O
INSERT INTO "OrderStream" VALUES (TIMESTAMP '2006-09-11 11:15:00', 5, 10), (TIMESTAMP '2006-09-11 11:45:00', 6, 10);
!producer T
INSERT INTO "TradeStream" VALUES (TIMESTAMP '2006-09-11 11:59:59.999', 5, 6);
!restart
INSERT INTO "TradeStream" VALUES (TIMESTAMP '2006-09-11 12:00:00', 6, 4);
-- The trades are an hour after the group, and no order can come to it any more.
--> 1 | 10:00:00 | 1 | 95
--> 1 | 10:00:00 | 4 | 25
--> 1 | 10:00:00 | 8 | 10
--> 2 | 10:00:00 | 1 | 100 | 95
--> 2 | 10:00:00 | 3 | 70 |
--> 2 | 10:00:00 | 4 | 40 | 25
--> 2 | 10:00:00 | 8 | 20 | 10
--> bound 1 11:00:00
!producer O
!bound "OrderStream" '2006-09-11 12:00:00'
!producer T
INSERT INTO "TradeStream" VALUES (TIMESTAMP '2006-09-11 12:15:00', 5, 4), (TIMESTAMP '2006-09-11 12:45:00.001', 6, 6);
!restart
!producer O
!bound "OrderStream" '2006-09-11 13:00:00'
!producer T
!bound "TradeStream" '2006-09-11 13:00:00'
--> 1 | 11:00:00 | 6 | 4
--> 2 | 11:00:00 | 6 | 10 | 4
--> bound 1 12:00:00
