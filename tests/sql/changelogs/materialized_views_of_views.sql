-- Materialized views over the changes of others, and of tables.
-- date 2015-02-15
-- steps matter
CREATE STREAM sales (rowtime TIMESTAMP NOT NULL, product VARCHAR(10), units INTEGER) OPTIONS (history 'all');
CREATE TABLE sold (product VARCHAR(10), units BIGINT, PRIMARY KEY (product));
CREATE PUMP p STARTED AS INSERT INTO sold SELECT STREAM product, SUM(units) FROM sales WHERE units > 0 GROUP BY product;
INSERT INTO sales VALUES (TIMESTAMP '2015-02-15 10:00:00', 'paint', 3), (TIMESTAMP '2015-02-15 10:00:00', 'glue', 1);

CREATE MATERIALIZED VIEW stock AS SELECT product, SUM(units) AS units FROM sales GROUP BY product;
CREATE MATERIALIZED VIEW spread AS SELECT units > 1 AS many, COUNT(*) AS products FROM stock GROUP BY units > 1;
CREATE MATERIALIZED VIEW compared AS SELECT a.product, a.units, b.units AS sold FROM stock AS a LEFT JOIN sold AS b ON a.product = b.product;
CREATE VIEW sums AS SELECT SUM(units) AS units, SUM(sold) AS sold FROM compared;
-- Beside a stream.
CREATE MATERIALIZED VIEW sales_of AS SELECT s.product, s.units, c.n
FROM FROM_CHANGELOG(TO_CHANGELOG(stock)) AS s LEFT JOIN (SELECT product, COUNT(*) AS n FROM sales GROUP BY product HAVING COUNT(*) > 1) AS c
  ON s.product = c.product;
-- Each product with the one that is next to it: all that reads a table in a step reads the same version of it.
CREATE MATERIALIZED VIEW pairs AS SELECT a.product, b.product AS twin FROM stock AS a JOIN stock AS b ON a.units = b.units AND a.product < b.product;

INSERT INTO sales VALUES (TIMESTAMP '2015-02-15 10:01:00', 'glue', 4), (TIMESTAMP '2015-02-15 10:01:00', 'nail', 5),
  (TIMESTAMP '2015-02-15 10:01:00', 'void', -2);
SELECT * FROM spread ORDER BY many;
--> 1 | FALSE | 1
--> 1 | TRUE | 3
SELECT * FROM compared ORDER BY product;
--> 2 | glue | 5 | 5
--> 2 | nail | 5 | 5
--> 2 | paint | 3 | 3
--> 2 | void | -2 | 
SELECT * FROM pairs;
--> 3 | glue | nail

INSERT INTO sales VALUES (TIMESTAMP '2015-02-15 10:02:00', 'void', 3), (TIMESTAMP '2015-02-15 10:02:00', 'glue', -4);
SELECT * FROM spread ORDER BY many;
--> 4 | FALSE | 2
--> 4 | TRUE | 2
SELECT * FROM compared ORDER BY product;
--> 5 | glue | 1 | 5
--> 5 | nail | 5 | 5
--> 5 | paint | 3 | 3
--> 5 | void | 1 | 3
SELECT * FROM pairs;
--> 6 | glue | void

-- Whoever changes a table.
DELETE FROM sold WHERE product = 'paint';
SELECT * FROM compared WHERE sold IS NULL;
--> 7 | paint | 3 | 
SELECT * FROM sums;
--> 8 | 10 | 13
SELECT * FROM sales_of ORDER BY product;
--> 9 | glue | 1 | 3
--> 9 | nail | 5 | 
--> 9 | paint | 3 | 
--> 9 | void | 1 | 2
