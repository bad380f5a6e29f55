-- What stands above a join goes by the bound of the join: it needs trades of the hour after an order, so the trades have to be an
-- hour further than the orders, and the orders need be no further than the window that closes.
-- date 2024-05-01
CREATE STREAM orders (id INTEGER);
CREATE STREAM trades (id INTEGER);
CREATE STREAM rates (id INTEGER PRIMARY KEY, rate INTEGER);

SELECT STREAM FLOOR(o.rowtime TO HOUR) AS rowtime, COUNT(*) AS c FROM orders AS o
JOIN trades AS t ON t.id = o.id AND t.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '1' HOUR GROUP BY FLOOR(o.rowtime TO HOUR);

SELECT STREAM o.rowtime, o.id, COUNT(*) OVER (ORDER BY o.rowtime RANGE BETWEEN CURRENT ROW AND INTERVAL '10' MINUTE FOLLOWING) AS c
FROM orders AS o
WHERE NOT EXISTS (SELECT * FROM trades AS t WHERE t.id = o.id AND t.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '1' HOUR);

-- Rates are needed only as they were two hours before the order.
SELECT STREAM FLOOR(o.rowtime TO HOUR) AS rowtime, SUM(r.rate) AS s FROM orders AS o
LEFT JOIN rates FOR SYSTEM_TIME AS OF o.rowtime - INTERVAL '2' HOUR AS r ON r.id = o.id GROUP BY FLOOR(o.rowtime TO HOUR);

!producer R
INSERT INTO rates VALUES (TIMESTAMP '2024-05-01 08:00:00', 1, 5), (TIMESTAMP '2024-05-01 08:10:00', 1, 7);
!producer O
INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 10:00:00', 1), (TIMESTAMP '2024-05-01 10:30:00', 2), (TIMESTAMP '2024-05-01 10:45:00', 3);
!producer T
INSERT INTO trades VALUES (TIMESTAMP '2024-05-01 10:15:00', 1), (TIMESTAMP '2024-05-01 11:20:00', 2);
!bound trades '2024-05-01 12:00:00'
!producer R
!bound rates '2024-05-01 09:00:00'
!producer O
!bound orders '2024-05-01 11:00:00'
--> 1 | 10:00:00 | 2
--> 2 | 10:45:00 | 3 | 1
--> 3 | 10:00:00 | 5
--> bound 1 11:00:00
--> bound 3 11:00:00
