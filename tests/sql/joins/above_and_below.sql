-- What may stand above and below a join of streams: OVER, UNION ALL, views of both.
-- date 2024-05-01
CREATE STREAM web (id INTEGER, amount INTEGER);
CREATE STREAM shop (id INTEGER, amount INTEGER);
CREATE STREAM payments (id INTEGER, paid INTEGER);
CREATE VIEW orders AS SELECT STREAM rowtime, id, amount FROM web UNION ALL SELECT STREAM rowtime, id, amount FROM shop;
CREATE VIEW paid_orders AS SELECT STREAM p.rowtime, o.id, o.amount, p.paid FROM orders AS o
  JOIN payments AS p ON p.id = o.id AND p.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '10' MINUTE;

-- UNION ALL below, OVER above: what was paid in the last five minutes.
SELECT STREAM rowtime, id, paid, SUM(paid) OVER (ORDER BY rowtime RANGE INTERVAL '5' MINUTE PRECEDING) AS recent FROM paid_orders;

-- OVER below: the how manieth payment of its order it is.
SELECT STREAM p.rowtime, p.id, p.nth, o.amount
FROM (SELECT STREAM rowtime, id, COUNT(*) OVER (PARTITION BY id ORDER BY rowtime RANGE INTERVAL '1' HOUR PRECEDING) AS nth FROM payments) AS p
JOIN web AS o ON o.id = p.id AND p.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '10' MINUTE;

-- UNION ALL above, of two joins: in order of ROWTIME.
SELECT STREAM rowtime, id, 'paid' AS what FROM paid_orders
UNION ALL
SELECT STREAM o.rowtime, o.id, 'open' AS what FROM orders AS o WHERE NOT EXISTS (SELECT * FROM payments AS p
  WHERE p.id = o.id AND p.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '10' MINUTE);

!producer W
INSERT INTO web VALUES (TIMESTAMP '2024-05-01 10:00:00', 1, 100), (TIMESTAMP '2024-05-01 10:06:00', 3, 30);
!producer S
INSERT INTO shop VALUES (TIMESTAMP '2024-05-01 10:02:00', 2, 50), (TIMESTAMP '2024-05-01 10:20:00', 4, 70);
!producer P
INSERT INTO payments VALUES (TIMESTAMP '2024-05-01 10:01:00', 1, 40), (TIMESTAMP '2024-05-01 10:04:00', 2, 50),
  (TIMESTAMP '2024-05-01 10:07:00', 1, 60), (TIMESTAMP '2024-05-01 10:12:01', 2, 1);
-- Orders of the web are known up to 10:06; which orders are open, up to 10:02:01.
--> 1 | 10:01:00 | 1 | 40 | 40
--> 1 | 10:04:00 | 2 | 50 | 90
--> 2 | 10:01:00 | 1 | 1 | 100
--> 3 | 10:01:00 | 1 | paid
!producer W
!bound web '2024-05-01 10:30:00'
--> 1 | 10:07:00 | 1 | 60 | 110
--> 2 | 10:07:00 | 1 | 2 | 100
!producer S
!bound shop '2024-05-01 10:40:00'
!producer P
!bound payments '2024-05-01 11:00:00'
--> 3 | 10:04:00 | 2 | paid
--> 3 | 10:06:00 | 3 | open
--> 3 | 10:07:00 | 1 | paid
--> 3 | 10:20:00 | 4 | open
--> bound 3 10:30:00
