-- Run by the process that builds the class-data archive of Spark's JVM; see training.py.
CREATE STREAM orders (product INTEGER, units BIGINT, note VARCHAR(20)) OPTIONS (history 'all');
CREATE STREAM totals (product INTEGER, units BIGINT);
CREATE TABLE products (id INTEGER, name VARCHAR(20));
INSERT INTO products VALUES (1, 'a'), (2, 'b');
CREATE PUMP p STARTED AS INSERT INTO totals
  SELECT STREAM FLOOR(rowtime TO MINUTE) AS rowtime, product, SUM(units) AS units FROM orders GROUP BY FLOOR(rowtime TO MINUTE), product;
SELECT STREAM rowtime, product, SUM(units) OVER (PARTITION BY product RANGE INTERVAL '1' MINUTE PRECEDING) AS units FROM orders;
SELECT STREAM rowtime, product FROM orders UNION ALL SELECT STREAM rowtime, product FROM totals ORDER BY rowtime;
INSERT INTO orders VALUES (TIMESTAMP '2020-01-01 10:00:00', 1, 2, 'x'), (TIMESTAMP '2020-01-01 10:00:01', 2, 3, 'y');
INSERT INTO orders VALUES (TIMESTAMP '2020-01-01 10:02:00', 1, 2, 'x');
!bound orders '2020-01-01 11:00:00'
SELECT * FROM products WHERE id > 1;
SELECT p.name, SUM(o.units) AS units FROM orders AS o JOIN products AS p ON o.product = p.id GROUP BY p.name ORDER BY 2 DESC LIMIT 3;
SELECT nothing FROM nowhere;
