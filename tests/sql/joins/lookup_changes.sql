-- Tables that change while queries run: each row of the stream meets the table as it is in its step. A plain table, a table
-- with LATENESS, what a pump keeps; the same table twice; a query into a table.
-- date 2024-05-01
-- unordered 4
-- steps matter
-- restart between any two lines in the long form
CREATE STREAM orders (id INTEGER, product INTEGER);
CREATE TABLE products (id INTEGER, name VARCHAR(20));
CREATE TABLE seen (taken TIMESTAMP(3) NOT NULL LATENESS INTERVAL '1' HOUR, product INTEGER);
CREATE TABLE filled (id INTEGER, name VARCHAR(20));

SELECT STREAM o.id, p.name FROM orders AS o LEFT JOIN products AS p ON p.id = o.product;
-- Of one version both times, so no order is in it.
SELECT STREAM o.id FROM orders AS o LEFT JOIN products AS p ON p.id = o.product LEFT JOIN products AS q ON q.id = o.product
WHERE p.name IS DISTINCT FROM q.name;
-- What has an order of its own is a table here as well.
SELECT STREAM o.id, s.taken FROM orders AS o JOIN seen AS s ON s.product = o.product;
-- What was grouped stays as it was, whatever the table says later.
SELECT STREAM FLOOR(o.rowtime TO HOUR) AS rowtime, p.name, COUNT(*) AS c
FROM orders AS o JOIN products AS p ON p.id = o.product GROUP BY FLOOR(o.rowtime TO HOUR), p.name;
CREATE PUMP fill STARTED AS INSERT INTO filled SELECT STREAM o.id, p.name FROM orders AS o JOIN products AS p ON p.id = o.product;

INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 10:00:00', 1, 7);
--> 1 | 1 |
INSERT INTO products VALUES (7, 'seven');
INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 10:01:00', 2, 7);
--> 1 | 2 | seven
UPDATE products SET name = 'sept' WHERE id = 7;
INSERT INTO seen VALUES (TIMESTAMP '2024-05-01 09:00:00', 7);
INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 10:02:00', 3, 7);
--> 1 | 3 | sept
--> 3 | 3 | 09:00:00
INSERT INTO products VALUES (7, 'sieben');
DELETE FROM products WHERE name = 'sept';
INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 10:03:00', 4, 7);
--> 1 | 4 | sieben
--> 3 | 4 | 09:00:00
DELETE FROM products;
INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 11:00:00', 5, 7);
--> 1 | 5 |
--> 3 | 5 | 09:00:00
--> 4 | 10:00:00 | sept | 1
--> 4 | 10:00:00 | seven | 1
--> 4 | 10:00:00 | sieben | 1
SELECT id, name FROM filled ORDER BY id;
--> 5 | 2 | seven
--> 5 | 3 | sept
--> 5 | 4 | sieben
