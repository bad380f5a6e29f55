-- The columns that USING and NATURAL merge can be named in every clause.
CREATE TABLE orders (id INTEGER NOT NULL, product INTEGER, units INTEGER);
CREATE TABLE products (product INTEGER, name VARCHAR(10));
INSERT INTO orders VALUES (1, 10, 5), (2, 20, 7), (3, 10, 2), (4, 40, 1);
INSERT INTO products VALUES (10, 'pen'), (20, 'ink'), (30, 'pad');

SELECT id, product FROM orders JOIN products USING (product) WHERE product > 10 AND NOT (product + 1 = 11) ORDER BY id;
--> 1 | 2 | 20

SELECT name FROM orders AS o RIGHT JOIN products AS p USING (product) WHERE product IS NOT NULL AND o.id IS NULL;
--> 2 | pad

SELECT product, COUNT(*) AS c, SUM(units) AS units FROM orders FULL JOIN products USING (product)
GROUP BY product HAVING product <> 20 AND MAX(product) < 100 ORDER BY product DESC;
--> 3 | 40 | 1 | 1
--> 3 | 30 | 1 |
--> 3 | 10 | 2 | 7

SELECT id FROM orders NATURAL JOIN products WHERE product = 10 ORDER BY product, id DESC;
--> 4 | 3
--> 4 | 1

SELECT id, SUM(units) OVER w AS total FROM orders JOIN products USING (product)
WINDOW w AS (PARTITION BY product) QUALIFY MAX(product) OVER (PARTITION BY product) < 20 ORDER BY id;
--> 5 | 1 | 7
--> 5 | 3 | 7

-- a name of the SELECT list goes before that of a column
SELECT 0 - id AS product FROM orders JOIN products USING (product) ORDER BY product LIMIT 2;
--> 6 | -3
--> 6 | -2

-- two relations that both have a column which nobody has merged
SELECT o.id FROM orders AS o JOIN products AS p ON o.product = p.product WHERE product > 1;
--! 34:80 RT0112 Column 'PRODUCT' is ambiguous
