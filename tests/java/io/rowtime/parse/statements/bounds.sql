-- The listings of the rowtime bounds document, those that it left incomplete in the form that was meant
INSERT into foo (x, y) VALUES(101, 118);

SELECT STREAM * from foo;

SELECT STREAM rowtime, (x + y), z from foo where z > 12;

INSERT INTO Orders (rowtime, ticker) VALUES (?, ?);

SELECT STREAM * FROM Orders WHERE ticker = 'ORCL';

SELECT STREAM rowtime + 100 AS rowtime, ticker FROM Orders;

SELECT STREAM rowtime + INTERVAL '0.1' SECOND AS rowtime, ticker FROM Orders;

SELECT STREAM rowtime + INTERVAL '100' SECOND(3) AS rowtime, ticker FROM Orders;

CREATE STREAM Orders (ticker VARCHAR(10));

SELECT STREAM * FROM Orders UNION ALL SELECT STREAM * FROM Trades;

SELECT STREAM * FROM s ORDER BY ROWTIME;

SELECT STREAM
  ROWTIME, o.orderId, o.ticker,
  o.amount AS orderAmount, t.amount AS tradeAmount
FROM Orders OVER (ROWS CURRENT ROW) AS o
JOIN Trades OVER (RANGE INTERVAL '10' MINUTE FOLLOWING) AS t
ON o.orderId = t.orderId;

SELECT STREAM
  ROWTIME, o.orderId, o.ticker,
  o.amount AS orderAmount, t.amount AS tradeAmount
FROM Orders OVER (RANGE INTERVAL '10' MINUTE PRECEDING) AS o
JOIN Trades AS t
ON o.orderId = t.orderId;

SELECT STREAM
  ROWTIME, o.orderId, o.ticker, o.amount AS orderAmount,
  t.ticker, t.tradeId, t.amount AS tradeAmount
FROM Orders OVER (ROWS CURRENT ROW) AS o
FULL OUTER JOIN Trades OVER (RANGE INTERVAL '10' MINUTE FOLLOWING) AS t
ON o.orderId = t.orderId;

SELECT STREAM * FROM sys_boot.mgmt.all_trace;

SELECT * FROM sys_boot.mgmt.saved_trace;
