-- Versions that pumps write: upserts, and deletes by a column, into a stream and into a table with a PRIMARY KEY.
-- date 2024-05-01
CREATE STREAM changes (currency VARCHAR(3), rate DECIMAL(4, 2), gone BOOLEAN);
CREATE STREAM rates (currency VARCHAR(3) PRIMARY KEY, rate DECIMAL(4, 2), gone BOOLEAN) OPTIONS (history 'all', delete_column 'gone');
CREATE TABLE kept (since TIMESTAMP(3) NOT NULL LATENESS INTERVAL '0' SECOND, currency VARCHAR(3) PRIMARY KEY, rate DECIMAL(4, 2), gone BOOLEAN)
  OPTIONS (delete_column 'gone');
CREATE PUMP fill STARTED AS INSERT INTO rates SELECT STREAM * FROM changes WHERE currency <> 'XXX';
CREATE PUMP keep STARTED AS INSERT INTO kept SELECT STREAM rowtime, currency, rate, gone FROM rates;
CREATE STREAM orders (id INTEGER, currency VARCHAR(3), amount INTEGER);

SELECT STREAM o.rowtime, o.id, o.amount * r.rate AS total FROM orders AS o
LEFT JOIN rates FOR SYSTEM_TIME AS OF o.rowtime AS r ON r.currency = o.currency;
SELECT STREAM o.rowtime, o.id, o.amount * r.rate AS total FROM orders AS o
JOIN kept FOR SYSTEM_TIME AS OF o.rowtime AS r ON r.currency = o.currency;

INSERT INTO changes VALUES (TIMESTAMP '2024-05-01 09:00:00', 'EUR', 1.10, FALSE), (TIMESTAMP '2024-05-01 09:00:00', 'XXX', 9.99, FALSE),
  (TIMESTAMP '2024-05-01 10:00:00', 'EUR', 1.20, FALSE);
INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 09:30:00', 1, 'EUR', 10), (TIMESTAMP '2024-05-01 10:00:00', 2, 'EUR', 10);
--> 1 | 09:30:00 | 1 | 11.00
--> 2 | 09:30:00 | 1 | 11.00
!restart
INSERT INTO changes VALUES (TIMESTAMP '2024-05-01 11:00:00', 'EUR', NULL, TRUE), (TIMESTAMP '2024-05-01 11:00:00', 'USD', 1.00, FALSE);
--> 1 | 10:00:00 | 2 | 12.00
--> 2 | 10:00:00 | 2 | 12.00
INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 11:30:00', 3, 'EUR', 10), (TIMESTAMP '2024-05-01 11:30:00', 4, 'USD', 10);
-- The pump forwards the bound to the stream; a table goes by its rows.
!bound changes '2024-05-01 12:00:00'
--> 1 | 11:30:00 | 3 |
--> 1 | 11:30:00 | 4 | 10.00
-- A key that was deleted comes back.
INSERT INTO changes VALUES (TIMESTAMP '2024-05-01 12:30:00', 'EUR', 1.50, FALSE);
--> 2 | 11:30:00 | 4 | 10.00
INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 12:40:00', 5, 'EUR', 10);
INSERT INTO changes VALUES (TIMESTAMP '2024-05-01 13:00:00', 'GBP', 1.00, FALSE);
--> 1 | 12:40:00 | 5 | 15.00
--> 2 | 12:40:00 | 5 | 15.00
