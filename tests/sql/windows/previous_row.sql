-- Seed 002, "WINDOWs and the OVER clause": a moving average crosses another. The windows are defined where they are used, and
-- FIRST_VALUE over ROWS 1 PRECEDING is the row before; an analytic call in WHERE is a condition on the rows after their windows.
-- date 2015-02-15
CREATE STREAM Trades (ticker VARCHAR(4), price DECIMAL(10, 2));
SELECT STREAM ticker, price, a10, a50
FROM (
  SELECT STREAM ticker, price,
    AVG(price) OVER last10minutes AS a10,
    AVG(price) OVER last50minutes AS a50
  FROM Trades
  WINDOW
    last10minutes AS (PARTITION BY ticker RANGE INTERVAL '10' MINUTE PRECEDING),
    last50minutes AS (PARTITION BY ticker RANGE INTERVAL '50' MINUTE PRECEDING))
WHERE FIRST_VALUE(CASE WHEN a10 < a50 THEN -1 WHEN a10 = a50 THEN 0 ELSE 1 END) OVER previousRow
  <> CASE WHEN a10 < a50 THEN -1 WHEN a10 = a50 THEN 0 ELSE 1 END
WINDOW previousRow AS (PARTITION BY ticker ROWS 1 PRECEDING);

INSERT INTO Trades VALUES (TIMESTAMP '2015-02-15 10:00:00', 'ORCL', 10);
INSERT INTO Trades VALUES (TIMESTAMP '2015-02-15 10:05:00', 'ORCL', 20);
-- 30 alone against 10, 20 and 30.
INSERT INTO Trades VALUES (TIMESTAMP '2015-02-15 10:20:00', 'ORCL', 30);
--> 1 | ORCL | 30.00 | 30.000000 | 20.000000
INSERT INTO Trades VALUES (TIMESTAMP '2015-02-15 10:21:00', 'SAP', 5);
-- 30 and 40 against 10, 20, 30 and 40: still above.
INSERT INTO Trades VALUES (TIMESTAMP '2015-02-15 10:30:00', 'ORCL', 40);
-- 0 against an average of 20: below.
INSERT INTO Trades VALUES (TIMESTAMP '2015-02-15 10:45:00', 'ORCL', 0);
--> 1 | ORCL | 0.00 | 0.000000 | 20.000000
