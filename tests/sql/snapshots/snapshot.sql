-- SNAPSHOT of streams, tables, views and queries, by position and by name (seed 004).
-- date 2024-05-01
CREATE STREAM readings (sensor INTEGER, degrees INTEGER) OPTIONS (history 'all');
CREATE STREAM prices (item INTEGER PRIMARY KEY, price INTEGER) OPTIONS (history 'all');
CREATE TABLE rates (since TIMESTAMP(3) NOT NULL LATENESS INTERVAL '1' HOUR, currency VARCHAR(3) PRIMARY KEY, rate INTEGER);
CREATE TABLE items (item INTEGER PRIMARY KEY, name VARCHAR(8)) OPTIONS (history '7 days');
CREATE VIEW named AS SELECT i.name, p.price FROM prices AS p JOIN items AS i ON i.item = p.item;
INSERT INTO readings VALUES (TIMESTAMP '2024-05-01 09:00:00', 1, 20), (TIMESTAMP '2024-05-01 10:00:00', 1, 21),
  (TIMESTAMP '2024-05-01 10:00:00', 2, 18), (TIMESTAMP '2024-05-01 11:00:00', 2, 19);
INSERT INTO prices VALUES (TIMESTAMP '2024-05-01 09:00:00', 1, 5), (TIMESTAMP '2024-05-01 10:00:00', 1, 6),
  (TIMESTAMP '2024-05-01 10:00:00', 1, 7), (TIMESTAMP '2024-05-01 11:00:00', 2, 3);
INSERT INTO rates VALUES (TIMESTAMP '2024-05-01 10:30:00', 'EUR', 3), (TIMESTAMP '2024-05-01 10:00:00', 'EUR', 2),
  (TIMESTAMP '2024-05-01 10:00:00', 'CHF', 1);
INSERT INTO items VALUES (1, 'beer'), (2, 'milk');

-- A stream without a key: all its rows up to the time, that time included.
SELECT * FROM SNAPSHOT(readings, TIMESTAMP '2024-05-01 10:00:00') ORDER BY degrees;
--> 1 | 10:00:00 | 2 | 18
--> 1 | 09:00:00 | 1 | 20
--> 1 | 10:00:00 | 1 | 21
SELECT degrees FROM SNAPSHOT(input => readings, to_time => TIMESTAMP '2024-05-01 10:00:00' - INTERVAL '1' HOUR);
--> 2 | 20
SELECT degrees FROM SNAPSHOT(readings, DATE '2024-05-01');
SELECT COUNT(*) AS c FROM SNAPSHOT(readings) AS r;
--> 4 | 4
-- Rows that were added after from_time, up to to_time.
SELECT degrees FROM SNAPSHOT(from_time => TIMESTAMP '2024-05-01 09:00:00', to_time => TIMESTAMP '2024-05-01 10:00:00', input => readings) ORDER BY degrees;
--> 5 | 18
--> 5 | 21
SELECT degrees FROM SNAPSHOT(input => readings, from_time => TIMESTAMP '2024-05-01 10:00:00');
--> 6 | 19

-- With a key: the latest row of each, of rows of one time the last that came.
SELECT * FROM SNAPSHOT(prices, TIMESTAMP '2024-05-01 10:00:00');
--> 7 | 10:00:00 | 1 | 7
SELECT * FROM SNAPSHOT(prices) ORDER BY item;
--> 8 | 10:00:00 | 1 | 7
--> 8 | 11:00:00 | 2 | 3
SELECT item FROM SNAPSHOT(prices, from_time => TIMESTAMP '2024-05-01 10:00:00');
--> 9 | 2
SELECT currency, rate FROM SNAPSHOT(rates, TIMESTAMP '2024-05-01 10:29:59.999') ORDER BY currency;
--> 10 | CHF | 1
--> 10 | EUR | 2
SELECT rate FROM SNAPSHOT(TABLE rates) WHERE currency = 'EUR';
--> 11 | 3

-- Joins, views, sub-queries; the old forms.
SELECT a.name, b.price FROM SNAPSHOT(items) AS a JOIN SNAPSHOT(prices, TIMESTAMP '2024-05-01 09:30:00') AS b ON a.item = b.item;
--> 12 | beer | 5
SELECT * FROM SNAPSHOT(named) ORDER BY price;
--> 13 | milk | 3
--> 13 | beer | 7
SELECT * FROM SNAPSHOT((SELECT sensor, COUNT(*) AS c FROM readings GROUP BY sensor), TIMESTAMP '2024-05-01 10:00:00') ORDER BY sensor;
--> 14 | 1 | 2
--> 14 | 2 | 1
SELECT degrees FROM readings AS r WHERE EXISTS (SELECT * FROM SNAPSHOT(prices, TIMESTAMP '2024-05-01 09:00:00') AS p WHERE p.item = r.sensor) ORDER BY degrees;
--> 15 | 20
--> 15 | 21
SELECT r.degrees, i.name FROM readings AS r, LATERAL SNAPSHOT(items) AS i WHERE i.item = r.sensor AND r.degrees > 20;
--> 16 | 21 | beer
SELECT price FROM prices FOR SYSTEM_TIME AS OF TIMESTAMP '2024-05-01 09:00:00';
--> 17 | 5
SELECT i.name FROM items FOR SYSTEM_TIME AS OF NOW() AS i WHERE i.item = 2;
--> 18 | milk
