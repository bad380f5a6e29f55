-- Windows in FROM over the histories of streams: the rows that the streaming join has given once all have come (seed 003, "Examples of
-- Streaming Joins").
-- date 2006-09-11
CREATE STREAM orders (orderId INTEGER, amount INTEGER) OPTIONS (history 'all');
CREATE STREAM trades (orderId INTEGER, amount INTEGER) OPTIONS (history 'all');
CREATE STREAM asks (price INTEGER) OPTIONS (history 'all');
INSERT INTO orders VALUES (TIMESTAMP '2006-09-11 10:00:00', 0, 110), (TIMESTAMP '2006-09-11 10:00:00', 1, 100), (TIMESTAMP '2006-09-11 10:03:00', 2, 25);
INSERT INTO trades VALUES (TIMESTAMP '2006-09-11 10:02:00', 1, 60), (TIMESTAMP '2006-09-11 10:04:00', 2, 25), (TIMESTAMP '2006-09-11 10:07:30', 1, 30),
  (TIMESTAMP '2006-09-11 10:12:00', 1, 10);
INSERT INTO asks VALUES (TIMESTAMP '2006-09-11 10:00:00', 7), (TIMESTAMP '2006-09-11 10:04:00', 8), (TIMESTAMP '2006-09-11 10:04:00', 9);

SELECT ROWTIME, o.orderId, o.amount AS ordered, t.amount AS traded
FROM orders OVER (ROWS CURRENT ROW) AS o JOIN trades OVER (RANGE INTERVAL '10' MINUTE FOLLOWING) AS t ON o.orderId = t.orderId
ORDER BY ROWTIME, traded;
--> 1 | 10:00:00 | 1 | 100 | 30
--> 1 | 10:00:00 | 1 | 100 | 60
--> 1 | 10:03:00 | 2 | 25 | 25

-- By the time of the trade.
SELECT ROWTIME, o.orderId, o.amount AS ordered, t.amount AS traded
FROM orders OVER (RANGE INTERVAL '10' MINUTE PRECEDING) AS o JOIN trades AS t ON o.orderId = t.orderId ORDER BY ROWTIME;
--> 2 | 10:02:00 | 1 | 100 | 60
--> 2 | 10:04:00 | 2 | 25 | 25
--> 2 | 10:07:30 | 1 | 100 | 30

SELECT ROWTIME, o.orderId, o.amount AS ordered, t.amount AS traded
FROM orders OVER (ROWS CURRENT ROW) AS o FULL JOIN trades OVER (RANGE INTERVAL '10' MINUTE FOLLOWING) AS t ON o.orderId = t.orderId
ORDER BY ROWTIME, ordered DESC, traded;
--> 3 | 10:00:00 | 0 | 110 |
--> 3 | 10:00:00 | 1 | 100 | 30
--> 3 | 10:00:00 | 1 | 100 | 60
--> 3 | 10:03:00 | 2 | 25 | 25
--> 3 | 10:12:00 | | | 10

-- Each trade with the latest ask: of two with one time the last one.
SELECT ROWTIME, t.amount, a.price FROM trades AS t JOIN asks OVER (ROWS CURRENT ROW) AS a ON TRUE ORDER BY ROWTIME;
--> 4 | 10:02:00 | 60 | 7
--> 4 | 10:04:00 | 25 | 9
--> 4 | 10:07:30 | 30 | 9
--> 4 | 10:12:00 | 10 | 9

SELECT o.orderId FROM orders AS o WHERE NOT EXISTS (SELECT * FROM trades OVER (RANGE INTERVAL '10' MINUTE FOLLOWING) AS t
  WHERE t.orderId = o.orderId);
--> 5 | 0

-- Without its ROWTIME, a join is one of relations.
SELECT o.orderId, COUNT(*) AS c FROM orders OVER (ROWS CURRENT ROW) AS o JOIN trades OVER (RANGE INTERVAL '10' MINUTE FOLLOWING) AS t
  ON o.orderId = t.orderId GROUP BY o.orderId ORDER BY o.orderId;
--> 6 | 1 | 2
--> 6 | 2 | 1
