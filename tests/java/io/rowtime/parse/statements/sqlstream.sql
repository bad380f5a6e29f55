-- The listings of the SQLstream extensions
SELECT STREAM ticker, price, qty
FROM TradeStream;

SELECT STREAM
ticker,
AVG(price * volume) OVER (RANGE INTERVAL ' 1' HOUR PRECEDING)
/ SUM(volume) OVER (RANGE INTERVAL ' 1' HOUR PRECEDING) AS weighted_avg
FROM TradeStream;

SELECT STREAM
t.price as trade_price,
s.price as ask_price
FROM TradeStream OVER (RANGE CURRENT ROW) AS t
JOIN AskStream OVER (ROWS CURRENT ROW) as s;

SELECT STREAM "o"."orderid", sum("t"."amount")
FROM "OrderStream" OVER (RANGE CURRENT ROW) AS "o"
LEFT JOIN "TradeStream"
OVER (RANGE INTERVAL '1' HOUR FOLLOWING) AS "t"
ON "o"."orderid" = "t"."tradeid"
GROUP BY FLOOR("OrderStream".ROWTIME TO HOUR),"o"."orderid"
HAVING "o"."amount" <> SUM("t"."amount");

SELECT STREAM
ticker, price, a10, a50
FROM (
SELECT STREAM
ticker,
price,
avg(price) OVER last10Minutes AS a10,
avg(price) OVER last50Minutes AS a50
FROM Trades
WINDOW
last10minutes AS (
PARTITION BY ticker
RANGE INTERVAL '10' MINUTE PRECEDING),
last50minutes AS (
PARTITION BY ticker
RANGE INTERVAL '50' MINUTE PRECEDING))
WHERE first_value(
CASE
WHEN a10 < a50 THEN -1
WHEN a10 = a50 THEN 0
ELSE 1
END) OVER previousRow !=
CASE
WHEN a10 < a50 THEN -1
WHEN a10 = a50 THEN 0
ELSE 1
END
WINDOW
previousRow AS (
PARTITION BY ticker
ROWS 1 PRECEDING);

SELECT STREAM SUM(a) OVER (range between interval '5' second preceding and interval '0' second preceding) FROM s;

SELECT STREAM SUM(a) OVER (range between interval '1' second preceding and interval '0' second preceding) FROM s;

INSERT EXPEDITED INTO Logger("timestamp", level, message)
VALUES (?, ?, ?);

CREATE STREAM streamname (column1 INTEGER, columnn VARCHAR(10));

CREATE FOREIGN STREAM streamname (column1 INTEGER, columnn VARCHAR);

DROP FOREIGN STREAM streamname;

CREATE PUMP p AS INSERT INTO stream2 SELECT STREAM * FROM stream1;

CREATE OR REPLACE PUMP p STARTED AS INSERT INTO stream2 (ROWTIME, a) SELECT STREAM ROWTIME, a FROM stream1;

CREATE PUMP IF NOT EXISTS p STOPPED AS INSERT EXPEDITED INTO stream2 SELECT STREAM * FROM stream1;

ALTER PUMP p START;

ALTER PUMP p START RESET;

ALTER PUMP p START RESET FROM EARLIEST ALLOW DUPLICATES;

ALTER PUMP p START RESET FROM TIMESTAMP '2024-05-01 10:00:00' DROP STATE;

CREATE OR REPLACE PUMP p START RESET KEEP POSITION AS INSERT INTO keep (earliest, state) SELECT STREAM earliest, duplicates FROM s;

EXPLAIN CREATE OR REPLACE PUMP p STOPPED RESET DROP STATE AS INSERT INTO stream2 SELECT STREAM * FROM stream1;

ALTER PUMP p START FROM OFFSETS (s => 17, "t" => '0:17, 1:4') DROP STATE ALLOW DUPLICATES;

ALTER PUMP p RESUME FROM SAVE 'before it''s changed';

ALTER PUMP save SAVE 'a';

ALTER PUMP offsets DROP SAVE 'a';

SHOW SAVES LIKE 'A%';

ALTER PUMP p STOP;

ALTER PUMP p PAUSE;

ALTER PUMP p RESUME;

ALTER PUMP pump RESUME RESET;

COMMIT;

COMMIT WORK;

ROLLBACK;

ROLLBACK WORK TO SAVEPOINT a;

ROLLBACK TO a;

SAVEPOINT a;

UPDATE t SET a = 1, b = b + 1 WHERE c = 2;

DELETE FROM t WHERE c = 2;

MERGE INTO t USING s ON t.a = s.a
WHEN MATCHED THEN UPDATE SET b = s.b
WHEN NOT MATCHED THEN INSERT (a, b) VALUES (s.a, s.b);
