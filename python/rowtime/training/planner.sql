-- Planned by the process that builds the class-data archive; see training.py.
CREATE STREAM orders (rowtime TIMESTAMP(3) NOT NULL, product INTEGER, units BIGINT, price DECIMAL(10, 2), note VARCHAR(20))
  OPTIONS (history 'all');
CREATE FOREIGN STREAM clicks (at TIMESTAMP(3) NOT NULL LATENESS INTERVAL '1' HOUR, page VARCHAR) OPTIONS (connector 'files');
CREATE TABLE products (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(20), since DATE);
CREATE VIEW hourly AS SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, product, COUNT(*) AS c, SUM(units) AS u, AVG(price) AS p,
  MIN(note) AS n, COUNT(DISTINCT units) AS d FROM orders GROUP BY FLOOR(rowtime TO HOUR), product HAVING SUM(units) > 3;
LATENESS hourly.rowtime INTERVAL '1' HOUR;
CREATE STREAM totals (product INTEGER, u BIGINT);
CREATE PUMP pump AS INSERT INTO totals (rowtime, product, u) SELECT STREAM rowtime, product, u FROM hourly;
ALTER PUMP pump START;
INSERT INTO orders VALUES (TIMESTAMP '2020-01-01 10:00:00', 1, 2, 1.50, 'x');
SELECT STREAM *, CASE WHEN units > 1 THEN 'units' ELSE 'unit' END || ' of ' || CAST(product AS VARCHAR(10)) AS text,
  UPPER(SUBSTRING(note FROM 1 FOR 2)), EXTRACT(YEAR FROM rowtime), COALESCE(units, 0) * 2 + 1, rowtime + INTERVAL '1' MINUTE
  FROM orders WHERE units BETWEEN 1 AND 3 AND note LIKE 'a%' OR product IN (1, 2, 3);
SELECT STREAM TUMBLE_END(rowtime, INTERVAL '10' MINUTE) AS rowtime, SUM(units) AS u FROM orders
  GROUP BY TUMBLE(rowtime, INTERVAL '10' MINUTE);
SELECT STREAM window_start, COUNT(*) FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(rowtime), INTERVAL '1' HOUR)) GROUP BY window_start;
SELECT STREAM rowtime, product FROM orders UNION ALL SELECT STREAM rowtime, product FROM totals ORDER BY rowtime;
SELECT STREAM DISTINCT FLOOR(rowtime TO DAY) FROM orders;
WITH t AS (SELECT product, SUM(units) AS u FROM orders GROUP BY product) SELECT p.name, t.u FROM t LEFT JOIN products AS p ON p.id = t.product
  WHERE EXISTS (SELECT 1 FROM products) ORDER BY 2 DESC LIMIT 3;
SELECT STREAM o.rowtime, o.product, p.name FROM orders AS o JOIN products AS p ON o.product = p.id;
SELECT STREAM rowtime, SUM(units) OVER (PARTITION BY product ORDER BY rowtime RANGE INTERVAL '1' HOUR PRECEDING) AS s FROM orders;
VALUES (1, 'a'), (2, 'b');
SELECT * FROM clicks;
SELECT STREAM * FROM products;
SELECT STREAM nothing FROM nowhere;
SELECT STREAM FROM FROM;
DROP PUMP pump;
SHOW STREAMS;
