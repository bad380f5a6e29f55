-- SNAPSHOT in a streaming query: read once, when the query starts, whatever becomes of the table.
-- date 2024-05-01
CREATE TABLE items (item INTEGER PRIMARY KEY, name VARCHAR(8));
CREATE TABLE hot (item INTEGER, since TIMESTAMP(3) NOT NULL LATENESS INTERVAL '0' SECOND);
CREATE STREAM prices (item INTEGER PRIMARY KEY, price INTEGER) OPTIONS (history 'all');
CREATE STREAM sales (item INTEGER, units INTEGER);
CREATE STREAM named (name VARCHAR(8), units INTEGER);
INSERT INTO items VALUES (1, 'beer'), (2, 'milk');
INSERT INTO hot VALUES (1, TIMESTAMP '2024-05-01 07:00:00');
INSERT INTO prices VALUES (TIMESTAMP '2024-05-01 09:00:00', 1, 5), (TIMESTAMP '2024-05-01 10:00:00', 1, 6);

SELECT STREAM s.rowtime, i.name, s.units FROM sales AS s JOIN SNAPSHOT(items) AS i ON i.item = s.item;
SELECT STREAM s.rowtime, s.units * p.price AS total FROM sales AS s LEFT JOIN SNAPSHOT(prices, TIMESTAMP '2024-05-01 09:00:00') AS p ON p.item = s.item;
SELECT STREAM s.rowtime, i.name, j.name AS now FROM sales AS s, LATERAL SNAPSHOT(items) AS i, items AS j WHERE i.item = s.item AND j.item = s.item;
SELECT STREAM s.rowtime, s.item FROM sales AS s WHERE s.item IN (SELECT item FROM SNAPSHOT(hot));
SELECT STREAM s.rowtime, p.price FROM sales AS s JOIN SNAPSHOT(prices) AS p ON p.item = s.item;
CREATE PUMP naming STARTED AS INSERT INTO named SELECT STREAM s.rowtime, i.name, s.units FROM sales AS s JOIN SNAPSHOT(items) AS i ON i.item = s.item;
SELECT STREAM * FROM named;
INSERT INTO sales VALUES (TIMESTAMP '2024-05-01 11:00:00', 1, 2);
--> 1 | 11:00:00 | beer | 2
--> 2 | 11:00:00 | 10
--> 3 | 11:00:00 | beer | beer
--> 4 | 11:00:00 | 1
--> 5 | 11:00:00 | 6
--> 6 | 11:00:00 | beer | 2

UPDATE items SET name = 'stout' WHERE item = 1;
INSERT INTO hot VALUES (2, TIMESTAMP '2024-05-01 08:00:00');
INSERT INTO prices VALUES (TIMESTAMP '2024-05-01 11:30:00', 1, 9), (TIMESTAMP '2024-05-01 11:30:00', 2, 1);
INSERT INTO sales VALUES (TIMESTAMP '2024-05-01 12:00:00', 1, 3);
--> 1 | 12:00:00 | beer | 3
--> 2 | 12:00:00 | 15
--> 3 | 12:00:00 | beer | stout
--> 4 | 12:00:00 | 1
--> 5 | 12:00:00 | 6
--> 6 | 12:00:00 | beer | 3
!restart
INSERT INTO sales VALUES (TIMESTAMP '2024-05-01 13:00:00', 2, 4), (TIMESTAMP '2024-05-01 14:00:00', 1, 1);
--> 1 | 13:00:00 | milk | 4
--> 1 | 14:00:00 | beer | 1
--> 2 | 13:00:00 |
--> 2 | 14:00:00 | 5
--> 3 | 13:00:00 | milk | milk
--> 3 | 14:00:00 | beer | stout
--> 4 | 14:00:00 | 1
--> 5 | 14:00:00 | 6
--> 6 | 13:00:00 | milk | 4
--> 6 | 14:00:00 | beer | 1
