-- steps matter
-- date 2024-05-01
-- Back to a savepoint, into a table whose rows the pump replaces: before and after a RESET.
CREATE STREAM orders (product VARCHAR(5), units INTEGER) OPTIONS (history 'all');
CREATE TABLE totals (product VARCHAR(5) PRIMARY KEY, units BIGINT);
CREATE PUMP p STARTED AS INSERT INTO totals SELECT STREAM product, SUM(units) FROM orders GROUP BY product;
INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 10:00:00', 'glue', 1), (TIMESTAMP '2024-05-01 10:01:00', 'paint', 2);
ALTER PUMP p SAVE 'before';
INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 10:02:00', 'paint', 3);

-- Twice, as the state goes back to the savepoint both times.
ALTER PUMP p STOP;
ALTER PUMP p START FROM SAVE 'before';
INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 10:03:00', 'brush', 4);
ALTER PUMP p STOP;
ALTER PUMP p START FROM SAVE 'before';
ALTER PUMP p STOP;
ALTER PUMP p START FROM SAVE 'before';
ALTER PUMP p SAVE 'after';
SELECT * FROM totals ORDER BY product;
--> 1 | brush | 4
--> 1 | glue | 1
--> 1 | paint | 5

-- Another result, which the savepoints do not know: 'glue' would be missing, and 'GLUE' stay.
ALTER PUMP p STOP;
DELETE FROM totals;
CREATE OR REPLACE PUMP p STARTED RESET FROM EARLIEST DROP STATE ALLOW DUPLICATES AS
  INSERT INTO totals SELECT STREAM UPPER(product), SUM(units) FROM orders GROUP BY UPPER(product);
ALTER PUMP p STOP;
CREATE OR REPLACE PUMP p STARTED FROM SAVE 'before' AS INSERT INTO totals SELECT STREAM product, SUM(units) FROM orders GROUP BY product;
--! 31:1 RT0518 Pump 'P' was reset since the savepoint 'before': 'TOTALS' has other results than it had then, of which some would stay and others be missing
DELETE FROM totals;
INSERT INTO totals VALUES ('glue', 1), ('paint', 2);
CREATE OR REPLACE PUMP p STARTED FROM SAVE 'before' ALLOW DUPLICATES AS INSERT INTO totals SELECT STREAM product, SUM(units) FROM orders GROUP BY product;
INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 10:04:00', 'brush', 1);
SELECT * FROM totals ORDER BY product;
--> 2 | brush | 5
--> 2 | glue | 1
--> 2 | paint | 5
-- The state goes back to the savepoint again.
ALTER PUMP p STOP;
ALTER PUMP p START FROM SAVE 'after';
SELECT * FROM totals ORDER BY product;
--> 3 | brush | 5
--> 3 | glue | 1
--> 3 | paint | 5
