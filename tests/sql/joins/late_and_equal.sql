-- A late row joins nothing, of whichever side it is: it is rejected at its stream. Equal rows are rows of their own.
-- date 2006-09-11
CREATE STREAM orders (id INTEGER, amount INTEGER) OPTIONS (history 'all');
CREATE STREAM trades (id INTEGER, amount INTEGER) OPTIONS (history 'all');

SELECT STREAM o.rowtime, o.id, o.amount AS ordered, t.amount AS traded FROM orders AS o
LEFT JOIN trades AS t ON o.id = t.id AND t.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '10' MINUTE;

-- Each once, however many orders it has; there are two such trades.
SELECT STREAM /*+ PARTITIONS(1) */ t.rowtime, t.id FROM trades AS t WHERE EXISTS (SELECT * FROM orders AS o
  WHERE o.id = t.id AND o.rowtime BETWEEN t.rowtime - INTERVAL '10' MINUTE AND t.rowtime);

!producer O
INSERT INTO orders VALUES (TIMESTAMP '2006-09-11 10:00:00', 1, 100), (TIMESTAMP '2006-09-11 10:05:00', 2, 50),
  (TIMESTAMP '2006-09-11 10:04:59.999', 3, 70), (TIMESTAMP '2006-09-11 10:05:00', 2, 50);
--> rejected ORDERS late | 10:04:59.999 | 3 | 70
!producer T
-- The trade that would have been in time for order 1 is late; the last one comes after its ten minutes.
INSERT INTO trades VALUES (TIMESTAMP '2006-09-11 10:04:00', 3, 70), (TIMESTAMP '2006-09-11 10:06:00', 2, 20),
  (TIMESTAMP '2006-09-11 10:06:00', 2, 20), (TIMESTAMP '2006-09-11 10:02:00', 1, 60), (TIMESTAMP '2006-09-11 10:12:00', 1, 40);
--> rejected TRADES late | 10:02:00 | 1 | 60
--> 1 | 10:00:00 | 1 | 100 |
--> 2 | 10:06:00 | 2
--> 2 | 10:06:00 | 2
!producer O
!bound orders '2006-09-11 10:08:00'
-- Late by the bound: the trade of 10:12 stays without an order.
INSERT INTO orders VALUES (TIMESTAMP '2006-09-11 10:07:00', 1, 30);
--> rejected ORDERS late | 10:07:00 | 1 | 30
!producer T
!bound trades '2006-09-11 10:16:00'
--> 1 | 10:05:00 | 2 | 50 | 20
--> 1 | 10:05:00 | 2 | 50 | 20
--> 1 | 10:05:00 | 2 | 50 | 20
--> 1 | 10:05:00 | 2 | 50 | 20
!producer O
!bound orders '2006-09-11 10:20:00'

-- Over the histories, of which late rows are no part.
SELECT o.id, COUNT(*) AS c, SUM(t.amount) AS traded FROM orders AS o JOIN trades AS t ON o.id = t.id GROUP BY o.id ORDER BY o.id;
--> 3 | 1 | 1 | 40
--> 3 | 2 | 4 | 80
