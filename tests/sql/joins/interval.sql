-- Trades within ten minutes of their order (seed 003, join queries 1 and 2, with the window as a condition): by the time of the
-- order, by that of the trade, and by neither.
-- date 2006-09-11
CREATE STREAM orders (id INTEGER, ticker VARCHAR(8), amount INTEGER) OPTIONS (history 'all');
CREATE STREAM trades (id INTEGER, amount INTEGER) OPTIONS (history 'all');

SELECT STREAM o.rowtime, o.id, o.ticker, o.amount AS ordered, t.amount AS traded
FROM orders AS o JOIN trades AS t ON o.id = t.id AND t.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '10' MINUTE;

SELECT STREAM t.rowtime, o.id, o.ticker, o.amount AS ordered, t.amount AS traded
FROM trades AS t, orders AS o
WHERE o.id = t.id AND t.rowtime >= o.rowtime AND (t.rowtime - o.rowtime) SECOND <= INTERVAL '10' MINUTE;

SELECT STREAM o.id, t.amount AS traded, o.rowtime AS ordered_at
FROM orders AS o JOIN trades AS t ON o.id = t.id AND o.rowtime <= t.rowtime AND o.rowtime >= t.rowtime - INTERVAL '10' MINUTE;

!producer O
INSERT INTO orders VALUES
  (TIMESTAMP '2006-09-11 10:00:00', 1, 'ORCL', 100),
  (TIMESTAMP '2006-09-11 10:03:00', 2, 'YHOO', 25);
!producer T
INSERT INTO trades VALUES
  (TIMESTAMP '2006-09-11 10:02:00', 1, 60),
  (TIMESTAMP '2006-09-11 10:04:00', 2, 25),
  (TIMESTAMP '2006-09-11 10:07:30', 1, 30);
-- Orders may still come for the trades after 10:03.
--> 2 | 10:02:00 | 1 | ORCL | 100 | 60
--> 3 | 1 | 60 | 10:00:00
!bound trades '2006-09-11 10:11:00'
-- No trade is in time for the order of 10:00 any more, and orders are past it.
--> 1 | 10:00:00 | 1 | ORCL | 100 | 60
--> 1 | 10:00:00 | 1 | ORCL | 100 | 30
!producer O
!bound orders '2006-09-11 10:10:00'
--> 2 | 10:04:00 | 2 | YHOO | 25 | 25
--> 2 | 10:07:30 | 1 | ORCL | 100 | 30
--> 3 | 2 | 25 | 10:03:00
--> 3 | 1 | 30 | 10:00:00
--> bound 1 10:01:00
--> bound 2 10:10:00
!producer T
INSERT INTO trades VALUES (TIMESTAMP '2006-09-11 10:12:00', 1, 10);
!producer O
!bound orders '2006-09-11 10:30:00'
!producer T
!bound trades '2006-09-11 10:20:00'
--> 1 | 10:03:00 | 2 | YHOO | 25 | 25
--> bound 1 10:10:00
--> bound 2 10:20:00

-- Over the histories the same.
SELECT o.rowtime, o.id, t.amount FROM orders AS o
JOIN trades AS t ON o.id = t.id AND t.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '10' MINUTE ORDER BY t.rowtime;
--> 4 | 10:00:00 | 1 | 60
--> 4 | 10:03:00 | 2 | 25
--> 4 | 10:00:00 | 1 | 30

-- ROWTIME without the name of an input: the later one.
SELECT ROWTIME, o.id, t.amount FROM orders AS o, trades AS t
WHERE o.id = t.id AND o.rowtime <= t.rowtime AND o.rowtime >= t.rowtime - INTERVAL '10' MINUTE ORDER BY t.rowtime;
--> 5 | 10:02:00 | 1 | 60
--> 5 | 10:04:00 | 2 | 25
--> 5 | 10:07:30 | 1 | 30
