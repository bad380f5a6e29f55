-- Seed 002, "Windowed queries" and its table: an average weighted by the volume of the last hour. Both ends are in it: at 10:00
-- the row of 9:00 counts.
-- date 2015-02-15
CREATE STREAM TradeStream (ticker VARCHAR(4), price DECIMAL(10, 2), volume INTEGER);
SELECT STREAM rowtime,
  CAST(SUM(price * volume) OVER (RANGE INTERVAL '1' HOUR PRECEDING)
    / SUM(volume) OVER (RANGE INTERVAL '1' HOUR PRECEDING) AS DECIMAL(10, 3)) AS weighted_avg
FROM TradeStream;

INSERT INTO TradeStream VALUES (TIMESTAMP '2015-02-15 09:00:00', 'ORCL', 100, 1000);
--> 1 | 09:00:00 | 100.000
INSERT INTO TradeStream VALUES (TIMESTAMP '2015-02-15 09:10:00', 'ORCL', 115, 2000);
--> 1 | 09:10:00 | 110.000
INSERT INTO TradeStream VALUES (TIMESTAMP '2015-02-15 09:59:00', 'ORCL', 105, 500);
--> 1 | 09:59:00 | 109.286
INSERT INTO TradeStream VALUES (TIMESTAMP '2015-02-15 10:00:00', 'ORCL', 110, 500);
--> 1 | 10:00:00 | 109.375
