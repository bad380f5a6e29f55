CREATE STREAM orders (product INTEGER, units INTEGER);
CREATE STREAM bulk (product INTEGER, units INTEGER) OPTIONS (history 'all');
CREATE TABLE products (id INTEGER, name VARCHAR(12), PRIMARY KEY (id));
INSERT INTO products VALUES (10, 'brush'), (30, 'paint');
CREATE PUMP p STARTED AS INSERT INTO bulk (ROWTIME, product, units) SELECT STREAM ROWTIME, product, units FROM orders WHERE units > 3;
INSERT INTO orders (ROWTIME, product, units) VALUES (TIMESTAMP '2026-01-01 10:00:00', 30, 4), (TIMESTAMP '2026-01-01 10:01:00', 10, 2);
SELECT name, id FROM products ORDER BY id;
!tables
!describe PRODUCTS
!set timeout 20
!set rowlimit 1
SELECT STREAM /*+ FROM_EARLIEST */ ROWTIME, product, units FROM bulk;
!set rowlimit 0
!set timeout 1
SELECT STREAM product FROM orders;
SELECT p.name, l.units FROM bulk AS l JOIN products AS p ON p.id = l.product;
SELECT * FROM nowhere;
ALTER PUMP p STOP;
SHOW PUMPS;
!quit
