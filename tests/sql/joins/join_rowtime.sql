-- ROWTIME of an outer join, in SELECT, WHERE and GROUP BY: the later one of a pair; of an order without a trade, the
-- time from which it can have none; of a trade alone, its own. As a relation, the join has the same.
-- date 2006-09-11
CREATE STREAM orders (id INTEGER) OPTIONS (history 'all');
CREATE STREAM trades (id INTEGER) OPTIONS (history 'all');
CREATE TABLE o (rowtime TIMESTAMP, id INTEGER);
CREATE TABLE t (rowtime TIMESTAMP, id INTEGER);

SELECT STREAM rowtime, o.id AS ordered, t.id AS traded FROM orders AS o
FULL JOIN trades AS t ON o.id = t.id AND t.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '10' MINUTE WHERE rowtime > TIMESTAMP '2006-09-11 10:05:00';
SELECT STREAM rowtime, o.id AS ordered, t.id AS traded FROM orders AS o
FULL JOIN trades AS t ON o.id = t.id AND t.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '10' MINUTE WHERE o.id > 0;
SELECT STREAM o.id FROM orders AS o
JOIN trades AS t ON o.id = t.id AND t.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '10' MINUTE WHERE rowtime = TIMESTAMP '2006-09-11 10:05:00';

INSERT INTO orders VALUES (TIMESTAMP '2006-09-11 10:00:00', 1), (TIMESTAMP '2006-09-11 10:01:00', 2);
INSERT INTO trades VALUES (TIMESTAMP '2006-09-11 10:05:00', 1), (TIMESTAMP '2006-09-11 10:20:00', 3);
!bound orders '2006-09-11 11:00:00'
--> 1 | 10:11:00 | 2 |
--> 1 | 10:20:00 |  | 3
--> 2 | 10:05:00 | 1 | 1
--> 2 | 10:11:00 | 2 |
--> 3 | 1
!bound trades '2006-09-11 11:00:00'

SELECT rowtime, o.id AS ordered, t.id AS traded FROM orders AS o
FULL JOIN trades AS t ON o.id = t.id AND t.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '10' MINUTE ORDER BY rowtime;
--> 4 | 10:05:00 | 1 | 1
--> 4 | 10:11:00 | 2 |
--> 4 | 10:20:00 |  | 3

-- Without a limit in time it is the later of those that a row has.
INSERT INTO o SELECT rowtime, id FROM orders;
INSERT INTO t SELECT rowtime, id FROM trades;
INSERT INTO o VALUES (CAST(NULL AS TIMESTAMP), 9);
SELECT rowtime, o.id AS ordered, t.id AS traded FROM o FULL JOIN t ON o.id = t.id ORDER BY o.id NULLS LAST;
--> 5 | 10:05:00 | 1 | 1
--> 5 | 10:01:00 | 2 |
--> 5 |  | 9 |
--> 5 | 10:20:00 |  | 3
SELECT o.id FROM o JOIN t ON o.id = t.id WHERE rowtime >= TIMESTAMP '2006-09-11 10:05:00';
--> 6 | 1
