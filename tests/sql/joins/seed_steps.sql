-- Seed 003, "Examples of Streaming Joins": orders and their trades within ten minutes, step by step. The rows of each step are those
-- of its tables, but for one: rows come in order of ROWTIME, so the trade of 10:12 that matches no order waits until no order of 10:12
-- can come, and no match of an earlier order.
-- date 2006-09-11
-- restart between any two lines in the long form
-- the same rows without bounds
CREATE STREAM orders (orderId INTEGER, ticker VARCHAR(4), amount INTEGER);
CREATE STREAM trades (tradeId INTEGER, orderId INTEGER, ticker VARCHAR(4), amount INTEGER);

-- Join query # 1: ROWTIME is that of the order.
SELECT STREAM /*+ PARTITIONS(1) */ ROWTIME, o.orderId, o.ticker, o.amount AS orderAmount, t.amount AS tradeAmount
FROM orders OVER (ROWS CURRENT ROW) AS o JOIN trades OVER (RANGE INTERVAL '10' MINUTE FOLLOWING) AS t ON o.orderId = t.orderId;

-- Join query # 2: ROWTIME is that of the trade.
SELECT STREAM /*+ PARTITIONS(1) */ ROWTIME, o.orderId, o.ticker, o.amount AS orderAmount, t.amount AS tradeAmount
FROM orders OVER (RANGE INTERVAL '10' MINUTE PRECEDING) AS o JOIN trades AS t ON o.orderId = t.orderId;

-- Join query # 3: an outer join, over another stream of orders, as it has one more.
CREATE STREAM more (orderId INTEGER, ticker VARCHAR(4), amount INTEGER);
SELECT STREAM /*+ PARTITIONS(1) */ ROWTIME, o.orderId, o.ticker, o.amount AS orderAmount, t.ticker AS tradeTicker, t.tradeId, t.amount
  AS tradeAmount
FROM more OVER (ROWS CURRENT ROW) AS o FULL OUTER JOIN trades OVER (RANGE INTERVAL '10' MINUTE FOLLOWING) AS t
  ON o.orderId = t.orderId;

-- Step 1
!producer O
INSERT INTO orders VALUES (TIMESTAMP '2006-09-11 10:00:00', 1, 'ORCL', 100), (TIMESTAMP '2006-09-11 10:03:00', 2, 'YHOO', 25);
INSERT INTO more VALUES (TIMESTAMP '2006-09-11 10:00:00', 0, 'IBM', 110), (TIMESTAMP '2006-09-11 10:00:00', 1, 'ORCL', 100),
  (TIMESTAMP '2006-09-11 10:03:00', 2, 'YHOO', 25);

-- Step 2
!producer T
INSERT INTO trades VALUES (TIMESTAMP '2006-09-11 10:02:00', 1, 1, 'ORCL', 60);
--> 1 | 10:00:00 | 1 | ORCL | 100 | 60
--> 2 | 10:02:00 | 1 | ORCL | 100 | 60
--> 3 | 10:00:00 | 1 | ORCL | 100 | ORCL | 1 | 60
INSERT INTO trades VALUES (TIMESTAMP '2006-09-11 10:04:00', 2, 2, 'YHOO', 25);
INSERT INTO trades VALUES (TIMESTAMP '2006-09-11 10:07:30', 3, 1, 'ORCL', 30);
--> 1 | 10:00:00 | 1 | ORCL | 100 | 30
--> 3 | 10:00:00 | 1 | ORCL | 100 | ORCL | 3 | 30

-- Step 3
!bound trades '2006-09-11 10:11:00'
--> 1 | 10:03:00 | 2 | YHOO | 25 | 25
--> 3 | 10:00:00 | 0 | IBM | 110 | | |
--> 3 | 10:03:00 | 2 | YHOO | 25 | YHOO | 2 | 25

-- Step 4
!producer O
!bound orders '2006-09-11 10:10:00'
--> 2 | 10:04:00 | 2 | YHOO | 25 | 25
--> 2 | 10:07:30 | 1 | ORCL | 100 | 30
!bound more '2006-09-11 10:10:00'

-- Step 5
!producer T
INSERT INTO trades VALUES (TIMESTAMP '2006-09-11 10:12:00', 4, 1, 'ORCL', 10);

-- No order of 10:12 can come any more, but a trade of 10:12:30 could match order 2, with its ROWTIME, 10:03.
!producer O
!bound orders '2006-09-11 10:12:00.001'
!bound more '2006-09-11 10:12:00.001'
!producer T
!bound trades '2006-09-11 10:13:00.001'
--> 3 | 10:12:00 | | | | ORCL | 4 | 10
