-- steps matter
-- A materialized view has the result of a streaming query as of one step: from all rows that its streams hold, and live.
CREATE STREAM sales (rowtime TIMESTAMP NOT NULL, product VARCHAR(10), units INTEGER) OPTIONS (history 'all');
INSERT INTO sales VALUES (TIMESTAMP '2024-05-01 10:00:00', 'paint', 3), (TIMESTAMP '2024-05-01 10:00:00', 'brush', 4);

-- A plain view may have a result that changes, if who reads it can deal with that.
CREATE VIEW counted AS SELECT STREAM product, COUNT(*) AS orders, SUM(units) AS units FROM sales GROUP BY product;
CREATE MATERIALIZED VIEW totals AS SELECT * FROM counted WHERE units > 2;
SELECT * FROM totals ORDER BY product;
--> 1 | brush | 1 | 4
--> 1 | paint | 1 | 3
DESCRIBE totals;
--> shown PRODUCT | VARCHAR(10) | YES | PRIMARY KEY
--> shown ORDERS | BIGINT | NO | 
--> shown UNITS | BIGINT | YES | 

-- Rows that are final are appended. One row without a key is replaced.
CREATE MATERIALIZED VIEW big AS SELECT STREAM rowtime, product, units FROM sales WHERE units > 3;
CREATE MATERIALIZED VIEW everything AS SELECT COUNT(*) AS orders, MAX(units) AS largest FROM sales;

-- A join of a stream with the view reads it as of the step.
CREATE STREAM questions (rowtime TIMESTAMP NOT NULL, product VARCHAR(10));
SELECT STREAM q.product, COALESCE(t.units, 0) AS units FROM questions AS q LEFT JOIN totals AS t ON q.product = t.product;

INSERT INTO sales VALUES (TIMESTAMP '2024-05-01 10:01:00', 'paint', 5), (TIMESTAMP '2024-05-01 10:01:00', 'brush', -3);
INSERT INTO questions VALUES (TIMESTAMP '2024-05-01 10:02:00', 'paint'), (TIMESTAMP '2024-05-01 10:02:00', 'brush');
--> 2 | paint | 8
--> 2 | brush | 0
SELECT product, units FROM big ORDER BY product;
--> 3 | brush | 4
--> 3 | paint | 5
SELECT * FROM everything;
--> 4 | 4 | 5

-- Created again, it is computed again. Who reads it is dropped with it, or first.
DROP MATERIALIZED VIEW big;
CREATE MATERIALIZED VIEW big AS SELECT product, units FROM sales WHERE units > 4;
SELECT * FROM big ORDER BY product;
--> 5 | paint | 5

-- The same query goes on; pumps' statements stop and start it.
CREATE OR REPLACE MATERIALIZED VIEW totals (product, orders, units) AS
  SELECT product, COUNT(*) AS n, SUM(units) FROM sales GROUP BY product HAVING 2 < SUM(units);
ALTER PUMP totals STOP;
INSERT INTO sales VALUES (TIMESTAMP '2024-05-01 10:03:00', 'brush', 9);
ALTER PUMP totals START;
SELECT * FROM totals ORDER BY product;
--> 6 | brush | 3 | 10
--> 6 | paint | 2 | 8
