-- unordered 1
-- steps matter
-- date 2024-05-01
-- ROWTIME of a materialized view whose rows are replaced, and of a plain table, is a column like others: rows come and go in any order.
CREATE STREAM orders (id INTEGER, units INTEGER) OPTIONS (history 'all');
CREATE MATERIALIZED VIEW latest AS SELECT * FROM orders QUALIFY ROW_NUMBER() OVER (PARTITION BY id ORDER BY rowtime DESC) = 1;
CREATE MATERIALIZED VIEW copies AS SELECT * FROM latest;
CREATE MATERIALIZED VIEW hours AS SELECT FLOOR(rowtime TO HOUR) AS h, COUNT(*) AS orders, SUM(units) AS units
  FROM latest GROUP BY FLOOR(rowtime TO HOUR);
CREATE TABLE events (rowtime TIMESTAMP(3), id INTEGER PRIMARY KEY);
SELECT STREAM 'p', op, payload.* FROM TO_CHANGELOG((SELECT FLOOR(rowtime TO HOUR) AS h, COUNT(*) AS events FROM events GROUP BY FLOOR(rowtime TO HOUR)));

INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 10:00:00', 1, 5), (TIMESTAMP '2024-05-01 10:10:00', 2, 6);
INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 11:00:00', 2, 7), (TIMESTAMP '2024-05-01 11:10:00', 3, 1);
INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 12:00:00', 1, 2);
SELECT rowtime, id, units FROM copies ORDER BY id;
--> 2 | 12:00:00 | 1 | 2
--> 2 | 11:00:00 | 2 | 7
--> 2 | 11:10:00 | 3 | 1
SELECT * FROM hours ORDER BY h;
--> 3 | 11:00:00 | 2 | 8
--> 3 | 12:00:00 | 1 | 2

INSERT INTO events VALUES (TIMESTAMP '2024-05-01 12:00:00', 1), (TIMESTAMP '2024-05-01 10:00:00', 2);
--> 1 | p | 0 | 10:00:00 | 1
--> 1 | p | 0 | 12:00:00 | 1
INSERT INTO events VALUES (TIMESTAMP '2024-05-01 10:30:00', 3);
--> 1 | p | 1 | 10:00:00 | 1
--> 1 | p | 2 | 10:00:00 | 2
DELETE FROM events WHERE id = 2;
--> 1 | p | 1 | 10:00:00 | 2
--> 1 | p | 2 | 10:00:00 | 1
