-- A stream with tables that stand still: all kinds of joins and sub-queries, below and above groups and windows.
-- date 2024-05-01
-- unordered 1 2 3 7 8 16
CREATE STREAM orders (id INTEGER, product INTEGER, units INTEGER) OPTIONS (history 'all');
CREATE TABLE products (id INTEGER, name VARCHAR(20), least INTEGER);
-- One id twice, and one that is NULL and nobody's.
INSERT INTO products VALUES (1, 'one', 3), (2, 'two', 9), (2, 'deux', 0), (NULL, 'none', 0);
CREATE TABLE nothing (id INTEGER);
CREATE VIEW counts AS SELECT id, COUNT(*) AS c FROM products GROUP BY id;

SELECT STREAM o.rowtime, o.id, p.name FROM orders AS o, products AS p WHERE p.id = o.product;
SELECT STREAM o.rowtime, o.id, p.name FROM orders AS o LEFT JOIN products AS p ON p.id = o.product AND p.least < o.units;
-- Nothing is equal here.
SELECT STREAM o.id, p.name FROM products AS p RIGHT JOIN orders AS o ON p.least > o.units;
SELECT STREAM o.id FROM orders AS o WHERE NOT EXISTS (SELECT * FROM products AS p WHERE p.id = o.product);
SELECT STREAM o.id FROM orders AS o WHERE o.product IN (SELECT id FROM products);
-- Of an order without a product nobody knows.
SELECT STREAM o.id FROM orders AS o WHERE o.product NOT IN (SELECT id FROM products WHERE id IS NOT NULL);
SELECT STREAM FLOOR(o.rowtime TO HOUR) AS rowtime, p.name, SUM(o.units) AS u
FROM orders AS o JOIN products AS p ON p.id = o.product GROUP BY FLOOR(o.rowtime TO HOUR), p.name;
SELECT STREAM g.rowtime, p.name, g.u FROM (
  SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, product, SUM(units) AS u FROM orders GROUP BY FLOOR(rowtime TO HOUR), product
) AS g JOIN products AS p ON p.id = g.product;
SELECT STREAM o.id, v.c, (SELECT MAX(p.name) FROM products AS p WHERE p.id = o.product) AS n
FROM orders AS o LEFT JOIN counts AS v ON v.id = o.product;
SELECT STREAM o.rowtime, o.id, SUM(o.units) OVER (PARTITION BY p.name ORDER BY o.rowtime ROWS 1 PRECEDING) AS u
FROM orders AS o JOIN products AS p ON p.id = o.product AND p.id = 1;
-- Of these tables no column is read: how many rows they have matters, and whether they have any.
SELECT STREAM o.id FROM orders AS o CROSS JOIN products AS p WHERE o.id IN (1, 5);
SELECT STREAM o.id FROM orders AS o JOIN products AS p ON o.units > 6;
SELECT STREAM o.id FROM orders AS o LEFT JOIN products AS p ON TRUE WHERE o.id > 3;
SELECT STREAM o.id FROM orders AS o WHERE EXISTS (SELECT * FROM products) AND NOT EXISTS (SELECT * FROM nothing);
SELECT STREAM o.id, n.id AS n FROM orders AS o LEFT JOIN nothing AS n ON TRUE WHERE NOT EXISTS (SELECT * FROM products) OR o.id = 2;

INSERT INTO orders VALUES
  (TIMESTAMP '2024-05-01 10:00:00', 1, 1, 5),
  (TIMESTAMP '2024-05-01 10:01:00', 2, 2, 5),
  (TIMESTAMP '2024-05-01 10:02:00', 3, 3, 1),
  (TIMESTAMP '2024-05-01 10:03:00', 4, NULL, 7);
--> 1 | 10:00:00 | 1 | one
--> 1 | 10:01:00 | 2 | two
--> 1 | 10:01:00 | 2 | deux
--> 2 | 10:00:00 | 1 | one
--> 2 | 10:01:00 | 2 | deux
--> 2 | 10:02:00 | 3 |
--> 2 | 10:03:00 | 4 |
--> 3 | 1 | two
--> 3 | 2 | two
--> 3 | 3 | one
--> 3 | 3 | two
--> 3 | 4 | two
--> 4 | 3
--> 4 | 4
--> 5 | 1
--> 5 | 2
--> 6 | 3
--> 9 | 1 | 1 | one
--> 9 | 2 | 2 | two
--> 9 | 3 |  |
--> 9 | 4 |  |
--> 10 | 10:00:00 | 1 | 5
--> 11 | 1
--> 11 | 1
--> 11 | 1
--> 11 | 1
--> 12 | 4
--> 12 | 4
--> 12 | 4
--> 12 | 4
--> 13 | 4
--> 13 | 4
--> 13 | 4
--> 13 | 4
--> 14 | 1
--> 14 | 2
--> 14 | 3
--> 14 | 4
--> 15 | 2 |
--> bound 1 10:03:00
--> bound 7 10:00:00
INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 11:00:00', 5, 1, 3);
--> 1 | 11:00:00 | 5 | one
--> 2 | 11:00:00 | 5 |
--> 3 | 5 | two
--> 5 | 5
--> 7 | 10:00:00 | one | 5
--> 7 | 10:00:00 | two | 5
--> 7 | 10:00:00 | deux | 5
--> 8 | 10:00:00 | one | 5
--> 8 | 10:00:00 | two | 5
--> 8 | 10:00:00 | deux | 5
--> 9 | 5 | 1 | one
--> 10 | 11:00:00 | 5 | 8
--> 11 | 5
--> 11 | 5
--> 11 | 5
--> 11 | 5
--> 13 | 5
--> 13 | 5
--> 13 | 5
--> 13 | 5
--> 14 | 5
--> bound 7 11:00:00

-- The same of rows that are there.
SELECT o.rowtime, o.id, p.name FROM orders AS o LEFT JOIN products AS p ON p.id = o.product AND p.least < o.units ORDER BY o.rowtime;
--> 16 | 10:00:00 | 1 | one
--> 16 | 10:01:00 | 2 | deux
--> 16 | 10:02:00 | 3 |
--> 16 | 10:03:00 | 4 |
--> 16 | 11:00:00 | 5 |
