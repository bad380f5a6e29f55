-- Tables whose versions have a time of their own; conditions on the version; keys that change; what stands above and below.
-- date 2024-05-01
CREATE TABLE products (since TIMESTAMP(3) NOT NULL LATENESS INTERVAL '1' HOUR, id INTEGER PRIMARY KEY, kind VARCHAR(8), price INTEGER, sold BOOLEAN);
CREATE STREAM orders (id INTEGER, product INTEGER, units INTEGER);
INSERT INTO products VALUES (TIMESTAMP '2024-05-01 09:00:00', 1, 'beer', 2, TRUE), (TIMESTAMP '2024-05-01 08:30:00', 2, 'milk', 1, TRUE),
  (TIMESTAMP '2024-05-01 10:00:00', 1, 'beer', 3, TRUE), (TIMESTAMP '2024-05-01 10:30:00', 2, 'milk', 1, FALSE),
  (TIMESTAMP '2024-05-01 13:00:00', 9, 'none', 0, TRUE);

-- A condition on the version comes after its choice: a product that is no longer sold matches nothing.
SELECT STREAM o.rowtime, o.id, p.price FROM orders AS o
LEFT JOIN products FOR SYSTEM_TIME AS OF o.rowtime AS p ON p.id = o.product AND p.sold;
-- Columns under other names, and an equality beside that of the primary key.
SELECT STREAM o.rowtime, o.id, p.cost * o.units AS total FROM orders AS o
JOIN products FOR SYSTEM_TIME AS OF o.rowtime AS p (since, product, kind, cost, sold) ON p.product = o.product AND p.cost = o.units;
-- Not by the primary key: all versions of that time that match.
SELECT STREAM o.rowtime, o.id, p.id AS product FROM orders AS o
JOIN products FOR SYSTEM_TIME AS OF o.rowtime AS p ON p.price = o.units;
-- Above a join, and below GROUP BY.
SELECT STREAM FLOOR(o.rowtime TO HOUR) AS rowtime, SUM(o.units * p.price) AS total FROM orders AS o
JOIN products FOR SYSTEM_TIME AS OF o.rowtime AS p ON p.id = o.product GROUP BY FLOOR(o.rowtime TO HOUR);
-- As of PROCTIME() a table is what it is when the row is processed.
SELECT STREAM o.id, p.price FROM orders AS o JOIN products FOR SYSTEM_TIME AS OF PROCTIME() AS p ON p.id = o.product AND p.since < TIMESTAMP '2024-05-01 09:30:00';

INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 08:00:00', 1, 1, 5), (TIMESTAMP '2024-05-01 09:10:00', 2, 1, 2),
  (TIMESTAMP '2024-05-01 10:10:00', 3, 2, 1), (TIMESTAMP '2024-05-01 10:40:00', 4, 2, 1), (TIMESTAMP '2024-05-01 11:00:00', 5, 1, 3);
--> 1 | 08:00:00 | 1 |
--> 1 | 09:10:00 | 2 | 2
--> 1 | 10:10:00 | 3 | 1
--> 1 | 10:40:00 | 4 |
--> 1 | 11:00:00 | 5 | 3
--> 2 | 09:10:00 | 2 | 4
--> 2 | 10:10:00 | 3 | 1
--> 2 | 10:40:00 | 4 | 1
--> 2 | 11:00:00 | 5 | 9
--> 3 | 09:10:00 | 2 | 1
--> 3 | 10:10:00 | 3 | 2
--> 3 | 10:40:00 | 4 | 2
--> 3 | 11:00:00 | 5 | 1
--> 4 | 09:00:00 | 4
--> 4 | 10:00:00 | 2
--> 5 | 1 | 2
--> 5 | 2 | 2
--> 5 | 3 | 1
--> 5 | 4 | 1
--> 5 | 5 | 2
!restart
-- A row that is late by less than LATENESS says is a version as well.
INSERT INTO products VALUES (TIMESTAMP '2024-05-01 12:10:00', 1, 'beer', 4, TRUE), (TIMESTAMP '2024-05-01 15:00:00', 8, 'none', 0, TRUE);
INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 12:20:00', 6, 1, 1);
--> 1 | 12:20:00 | 6 | 4
--> 3 | 12:20:00 | 6 | 2
--> 4 | 11:00:00 | 9
--> 5 | 6 | 2
