-- The changes of tables as streams: of a table that INSERT, UPDATE, DELETE and MERGE change, and of one that a pump upserts.
-- date 2015-02-15
-- steps matter
-- unordered 1 2 3 4 5

CREATE TABLE t (k INTEGER PRIMARY KEY, name VARCHAR(10), amount DECIMAL(8, 2));
INSERT INTO t VALUES (1, 'one', 1.50), (2, NULL, 2.50);

-- It begins with the rows of the table.
SELECT STREAM 'q', op, payload.* FROM TO_CHANGELOG(t);
--> 1 | q | 0 | 1 | one | 1.50
--> 1 | q | 0 | 2 |  | 2.50
-- Without the key, rows are only inserted and deleted.
SELECT STREAM 'q', op, payload.* FROM TO_CHANGELOG((SELECT name, amount FROM t WHERE k < 3));
--> 2 | q | 0 | one | 1.50
--> 2 | q | 0 |  | 2.50
-- A result of the table.
SELECT STREAM 'q', op, payload.* FROM TO_CHANGELOG((SELECT name IS NULL AS unnamed, COUNT(*) AS c, SUM(amount) AS s FROM t GROUP BY name IS NULL));
--> 3 | q | 0 | FALSE | 1 | 1.50
--> 3 | q | 0 | TRUE | 1 | 2.50

INSERT INTO t VALUES (3, 'three', 3.00);
--> 1 | q | 0 | 3 | three | 3.00
--> 3 | q | 1 | FALSE | 1 | 1.50
--> 3 | q | 2 | FALSE | 2 | 4.50

UPDATE t SET name = 'two' WHERE k = 2;
--> 1 | q | 1 | 2 |  | 2.50
--> 1 | q | 2 | 2 | two | 2.50
--> 2 | q | 3 |  | 2.50
--> 2 | q | 0 | two | 2.50
--> 3 | q | 3 | TRUE | 1 | 2.50
--> 3 | q | 1 | FALSE | 2 | 4.50
--> 3 | q | 2 | FALSE | 3 | 7.00

-- It changes nothing.
UPDATE t SET amount = amount;

MERGE INTO t USING (VALUES (1, 'uno', 1.00), (4, 'four', 4.00)) AS u (k, name, amount) ON t.k = u.k
WHEN MATCHED THEN UPDATE SET name = u.name WHEN NOT MATCHED THEN INSERT (k, name, amount) VALUES (u.k, u.name, u.amount);
--> 1 | q | 1 | 1 | one | 1.50
--> 1 | q | 2 | 1 | uno | 1.50
--> 1 | q | 0 | 4 | four | 4.00
--> 2 | q | 3 | one | 1.50
--> 2 | q | 0 | uno | 1.50
--> 3 | q | 1 | FALSE | 3 | 7.00
--> 3 | q | 2 | FALSE | 4 | 11.00

DELETE FROM t WHERE k <> 3;
--> 1 | q | 3 | 1 | uno | 1.50
--> 1 | q | 3 | 2 | two | 2.50
--> 1 | q | 3 | 4 | four | 4.00
--> 2 | q | 3 | uno | 1.50
--> 2 | q | 3 | two | 2.50
--> 3 | q | 1 | FALSE | 4 | 11.00
--> 3 | q | 2 | FALSE | 1 | 3.00

-- A table that a pump upserts: rows that it replaces are marked in deletion vectors.
CREATE STREAM sales (rowtime TIMESTAMP NOT NULL, product VARCHAR(10), units INTEGER);
CREATE TABLE totals (product VARCHAR(10), units BIGINT, PRIMARY KEY (product));
CREATE PUMP p STARTED AS INSERT INTO totals SELECT STREAM product, SUM(units) FROM sales GROUP BY product;
SELECT STREAM 'q', op, payload.* FROM TO_CHANGELOG(totals);
INSERT INTO sales VALUES (TIMESTAMP '2015-02-15 10:00:00', 'paint', 3), (TIMESTAMP '2015-02-15 10:00:00', 'glue', 1);
--> 4 | q | 0 | paint | 3
--> 4 | q | 0 | glue | 1
SELECT STREAM 'q', op, payload.* FROM TO_CHANGELOG(totals, on_key => DESCRIPTOR(product));
--> 5 | q | 0 | paint | 3
--> 5 | q | 0 | glue | 1
INSERT INTO sales VALUES (TIMESTAMP '2015-02-15 10:01:00', 'paint', 5), (TIMESTAMP '2015-02-15 10:01:00', 'brush', 2);
--> 4 | q | 1 | paint | 3
--> 4 | q | 2 | paint | 8
--> 4 | q | 0 | brush | 2
--> 5 | q | 2 | paint | 8
--> 5 | q | 0 | brush | 2
DELETE FROM totals WHERE product = 'glue';
--> 4 | q | 3 | glue | 1
--> 5 | q | 3 | glue | 1
!restart
INSERT INTO sales VALUES (TIMESTAMP '2015-02-15 10:02:00', 'paint', -8);
--> 4 | q | 1 | paint | 8
--> 4 | q | 2 | paint | 0
--> 5 | q | 2 | paint | 0
