-- Each row of a stream with the version that was there at its ROWTIME: FOR SYSTEM_TIME AS OF and LATERAL SNAPSHOT (seed 004).
-- date 2024-05-01
CREATE STREAM rates (currency VARCHAR(3) PRIMARY KEY, rate DECIMAL(4, 2)) OPTIONS (history 'all');
CREATE STREAM orders (id INTEGER, currency VARCHAR(3), amount INTEGER) OPTIONS (history 'all');
-- Of versions of one time the last one holds.
INSERT INTO rates VALUES (TIMESTAMP '2024-05-01 09:00:00', 'EUR', 1.10), (TIMESTAMP '2024-05-01 09:00:00', 'EUR', 1.20),
  (TIMESTAMP '2024-05-01 09:30:00', 'USD', 1.00);

SELECT STREAM o.rowtime, o.id, o.amount * r.rate AS total, r.rowtime AS since FROM orders AS o
JOIN rates FOR SYSTEM_TIME AS OF o.rowtime AS r ON o.currency = r.currency;
-- ROWTIME is that of the stream's row, and so is the order.
SELECT STREAM rowtime, o.id, r.rate FROM orders AS o LEFT JOIN LATERAL SNAPSHOT(rates, o.rowtime) AS r ON o.currency = r.currency;
-- An hour before; named arguments; the equality in WHERE.
SELECT STREAM orders.rowtime, id, rate FROM orders, LATERAL SNAPSHOT(input => rates, to_time => orders.rowtime - INTERVAL '1' HOUR)
WHERE orders.currency = rates.currency;

INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 09:10:00', 1, 'EUR', 10), (TIMESTAMP '2024-05-01 09:30:00', 2, 'USD', 10);
--> 1 | 09:10:00 | 1 | 12.00 | 09:00:00
--> 2 | 09:10:00 | 1 | 1.20
INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 10:10:00', 3, 'EUR', 10), (TIMESTAMP '2024-05-01 10:20:00', 4, 'XXX', 10),
  (TIMESTAMP '2024-05-01 10:20:00', 5, NULL, 10);
--> 3 | 10:10:00 | 3 | 1.20
INSERT INTO rates VALUES (TIMESTAMP '2024-05-01 10:00:00', 'EUR', 1.30), (TIMESTAMP '2024-05-01 10:10:00', 'EUR', 1.40);
--> 1 | 09:30:00 | 2 | 10.00 | 09:30:00
--> 2 | 09:30:00 | 2 | 1.00
!restart
-- A row of 10:10 may still come.
!bound rates '2024-05-01 10:10:00.001'
--> 1 | 10:10:00 | 3 | 14.00 | 10:10:00
--> 2 | 10:10:00 | 3 | 1.40
!bound rates '2024-05-01 11:00:00'
--> 2 | 10:20:00 | 4 |
--> 2 | 10:20:00 | 5 |
-- A version that is newer than the row is none of its.
INSERT INTO rates VALUES (TIMESTAMP '2024-05-01 12:00:00', 'EUR', 1.60);
INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 11:59:00', 6, 'EUR', 10), (TIMESTAMP '2024-05-01 12:30:00', 7, 'EUR', 10);
--> 1 | 11:59:00 | 6 | 14.00 | 10:10:00
--> 2 | 11:59:00 | 6 | 1.40
--> 3 | 11:59:00 | 6 | 1.40
--> 3 | 12:30:00 | 7 | 1.40
!bound rates '2024-05-01 13:00:00'
--> 1 | 12:30:00 | 7 | 16.00 | 12:00:00
--> 2 | 12:30:00 | 7 | 1.60

-- Over the histories the same rows.
SELECT o.rowtime, o.id, r.rate FROM orders AS o LEFT JOIN rates FOR SYSTEM_TIME AS OF o.rowtime AS r ON o.currency = r.currency
WHERE o.id <> 1 ORDER BY o.rowtime, o.id;
--> 4 | 09:30:00 | 2 | 1.00
--> 4 | 10:10:00 | 3 | 1.40
--> 4 | 10:20:00 | 4 |
--> 4 | 10:20:00 | 5 |
--> 4 | 11:59:00 | 6 | 1.40
--> 4 | 12:30:00 | 7 | 1.60
