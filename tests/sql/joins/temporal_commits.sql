-- Plain tables as of the ROWTIME of each row, by the times of their commits: rows that are in the table from one commit up to
-- another, several of them, none. ROWTIME of the orders is the system clock.
-- steps matter
-- unordered 3
-- restart between any two lines in the long form
CREATE STREAM orders (id INTEGER, product INTEGER) OPTIONS (history 'all');
CREATE TABLE products (id INTEGER, name VARCHAR(8), price INTEGER) OPTIONS (history '1 DAY');

SELECT STREAM o.id, p.name, p.price FROM orders AS o
LEFT JOIN products FOR SYSTEM_TIME AS OF o.rowtime AS p ON p.id = o.product;
SELECT STREAM o.id, v.cost FROM orders AS o, LATERAL SNAPSHOT(products, o.rowtime) AS v (product, name, cost)
WHERE v.product = o.product AND v.cost > 2;
-- Every row that the table had then.
SELECT STREAM o.id, p.id AS product FROM orders AS o JOIN products FOR SYSTEM_TIME AS OF o.rowtime AS p ON TRUE;

INSERT INTO orders (id, product) VALUES (1, 1);
--> 1 | 1 | |
INSERT INTO products VALUES (1, 'beer', 2);
INSERT INTO orders (id, product) VALUES (2, 1), (3, 2);
--> 1 | 2 | beer | 2
--> 1 | 3 | |
--> 3 | 2 | 1
--> 3 | 3 | 1
UPDATE products SET price = 3;
INSERT INTO products VALUES (1, 'ale', 4), (2, 'milk', NULL);
INSERT INTO orders (id, product) VALUES (4, 2);
--> 1 | 4 | milk |
--> 3 | 4 | 1
--> 3 | 4 | 1
--> 3 | 4 | 2
DELETE FROM products WHERE name = 'beer';
INSERT INTO orders (id, product) VALUES (5, 1);
--> 1 | 5 | ale | 4
--> 2 | 5 | 4
--> 3 | 5 | 1
--> 3 | 5 | 2

-- The same over history.
SELECT o.id, p.name, p.price FROM orders AS o LEFT JOIN products FOR SYSTEM_TIME AS OF o.rowtime AS p ON p.id = o.product ORDER BY o.id;
--> 4 | 1 | |
--> 4 | 2 | beer | 2
--> 4 | 3 | |
--> 4 | 4 | milk |
--> 4 | 5 | ale | 4
SELECT o.id, p.name FROM orders AS o, LATERAL SNAPSHOT(products, o.rowtime) AS p WHERE p.id = o.product AND p.price < 4 ORDER BY o.id;
--> 5 | 2 | beer
