-- Outer joins within ten minutes: a row without a match comes out when nothing can match it any more; and then groups of them.
-- date 2006-09-11
-- unordered 2
CREATE STREAM orders (id INTEGER, amount INTEGER);
CREATE STREAM trades (id INTEGER, amount INTEGER);

SELECT STREAM o.rowtime, o.id, o.amount AS ordered, t.amount AS traded FROM orders AS o
LEFT JOIN trades AS t ON o.id = t.id AND t.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '10' MINUTE AND t.amount > 10;

-- Neither side's ROWTIME: the later of both; that of a trade alone is its own, as orders come before their trades.
SELECT STREAM o.id AS ordered, t.id AS traded FROM orders AS o
FULL JOIN trades AS t ON o.id = t.id AND t.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '10' MINUTE;

-- Orders that are not filled within ten minutes, hour by hour.
SELECT STREAM FLOOR(o.rowtime TO HOUR) AS rowtime, COUNT(*) AS orders, SUM(o.amount) AS ordered, SUM(t.amount) AS traded
FROM orders AS o
LEFT JOIN trades AS t ON o.id = t.id AND t.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '10' MINUTE
GROUP BY FLOOR(o.rowtime TO HOUR);

!producer O
INSERT INTO orders VALUES
  (TIMESTAMP '2006-09-11 10:00:00', 1, 100),
  (TIMESTAMP '2006-09-11 10:01:00', NULL, 7),
  (TIMESTAMP '2006-09-11 10:55:00', 2, 50);
!producer T
-- An id that is NULL is no other's.
INSERT INTO trades VALUES
  (TIMESTAMP '2006-09-11 10:10:00', 1, 60),
  (TIMESTAMP '2006-09-11 10:10:00', NULL, 60),
  (TIMESTAMP '2006-09-11 10:10:01', 1, 40);
-- The trade of 10:10:01 has no order, and orders are past it.
--> 1 | 10:00:00 | 1 | 100 | 60
--> 2 | 1 | 1
--> 2 |  |
--> 2 |  | 1
--> bound 1 10:00:01
--> bound 2 10:10:01
INSERT INTO trades VALUES (TIMESTAMP '2006-09-11 11:00:00', 2, 10), (TIMESTAMP '2006-09-11 11:00:00', 2, 20);
--> 1 | 10:01:00 |  | 7 |
--> 2 |  |
--> bound 2 10:55:00
!producer O
!bound orders '2006-09-11 11:10:00'
--> 2 | 2 | 2
--> 2 | 2 | 2
!producer T
!bound trades '2006-09-11 11:10:00'
--> 1 | 10:55:00 | 2 | 50 | 20
--> 3 | 10:00:00 | 4 | 207 | 90
!producer O
!bound orders '2006-09-11 12:00:00'
!producer T
!bound trades '2006-09-11 12:10:00'
--> bound 1 12:00:00
--> bound 2 12:00:00
