-- Conditions of joins with versions: a part of the primary key, sub-queries, FALSE; versions that delete their key.
-- date 2024-05-01
-- unordered 1 2
CREATE STREAM orders (id INTEGER, product INTEGER, units INTEGER) OPTIONS (history 'all');
CREATE STREAM prices (product INTEGER, kind INTEGER, price INTEGER, gone BOOLEAN, PRIMARY KEY (product, kind))
OPTIONS (history 'all', delete_column 'GONE');
CREATE TABLE sold (kind INTEGER);
INSERT INTO sold VALUES (1), (2);
INSERT INTO prices VALUES (TIMESTAMP '2024-05-01 09:00:00', 1, 1, 5, FALSE), (TIMESTAMP '2024-05-01 09:00:00', 1, 2, 6, NULL),
  (TIMESTAMP '2024-05-01 09:00:00', 1, 3, 7, FALSE), (TIMESTAMP '2024-05-01 09:00:00', 2, 1, 4, FALSE),
  (TIMESTAMP '2024-05-01 10:00:00', 1, 1, NULL, TRUE), (TIMESTAMP '2024-05-01 11:00:00', 1, 1, 8, FALSE);

-- A part of the primary key: all of its versions that hold.
SELECT STREAM o.rowtime, o.id, p.kind, p.price FROM orders AS o
LEFT JOIN prices FOR SYSTEM_TIME AS OF o.rowtime AS p ON p.product = o.product AND p.kind <= o.units;
-- Sub-queries in ON.
SELECT STREAM o.rowtime, o.id, p.kind FROM orders AS o
JOIN prices FOR SYSTEM_TIME AS OF o.rowtime AS p ON p.product = o.product AND EXISTS (SELECT * FROM sold WHERE sold.kind = p.kind) AND p.price > 5;
SELECT STREAM o.rowtime, o.id, p.price FROM orders AS o
JOIN prices FOR SYSTEM_TIME AS OF o.rowtime AS p ON p.product = o.product AND p.kind = (SELECT MAX(kind) FROM sold);
-- No version.
SELECT STREAM o.rowtime, o.id, p.price FROM orders AS o LEFT JOIN prices FOR SYSTEM_TIME AS OF o.rowtime AS p ON p.price > 0 AND FALSE;

INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 09:30:00', 1, 1, 2), (TIMESTAMP '2024-05-01 10:30:00', 2, 1, 2),
  (TIMESTAMP '2024-05-01 10:45:00', 3, 2, 0), (TIMESTAMP '2024-05-01 11:00:00', 4, 1, 1);
--> 1 | 09:30:00 | 1 | 1 | 5
--> 1 | 09:30:00 | 1 | 2 | 6
--> 1 | 10:30:00 | 2 | 2 | 6
--> 1 | 10:45:00 | 3 | |
--> 2 | 09:30:00 | 1 | 2
--> 2 | 10:30:00 | 2 | 2
--> 3 | 09:30:00 | 1 | 6
--> 3 | 10:30:00 | 2 | 6
--> 4 | 09:30:00 | 1 |
--> 4 | 10:30:00 | 2 |
--> 4 | 10:45:00 | 3 |
--> 4 | 11:00:00 | 4 |
!bound prices '2024-05-01 12:00:00'
--> 1 | 11:00:00 | 4 | 1 | 8
--> 2 | 11:00:00 | 4 | 1
--> 2 | 11:00:00 | 4 | 2
--> 3 | 11:00:00 | 4 | 6

-- The same over history.
SELECT o.rowtime, o.id, p.kind, p.price FROM orders AS o
LEFT JOIN prices FOR SYSTEM_TIME AS OF o.rowtime AS p ON p.product = o.product AND p.kind <= o.units ORDER BY o.id, p.kind;
--> 5 | 09:30:00 | 1 | 1 | 5
--> 5 | 09:30:00 | 1 | 2 | 6
--> 5 | 10:30:00 | 2 | 2 | 6
--> 5 | 10:45:00 | 3 | |
--> 5 | 11:00:00 | 4 | 1 | 8
SELECT o.id, p.kind FROM orders AS o
JOIN prices FOR SYSTEM_TIME AS OF o.rowtime AS p ON p.product = o.product AND EXISTS (SELECT * FROM sold WHERE sold.kind = p.kind) AND p.price > 5 ORDER BY 1, 2;
--> 6 | 1 | 2
--> 6 | 2 | 2
--> 6 | 4 | 1
--> 6 | 4 | 2
SELECT o.id, p.price FROM orders AS o LEFT JOIN prices FOR SYSTEM_TIME AS OF o.rowtime AS p ON FALSE ORDER BY o.id;
--> 7 | 1 |
--> 7 | 2 |
--> 7 | 3 |
--> 7 | 4 |
-- What is deleted is in no snapshot.
SELECT product, kind, price FROM SNAPSHOT(prices, TIMESTAMP '2024-05-01 10:30:00') ORDER BY 1, 2;
--> 8 | 1 | 2 | 6
--> 8 | 1 | 3 | 7
--> 8 | 2 | 1 | 4
