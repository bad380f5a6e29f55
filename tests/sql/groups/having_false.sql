-- date 2015-02-15
-- A condition that is FALSE leaves no rows, of a stream as of a relation; its bound goes on.

CREATE STREAM orders (customer VARCHAR(10), units INTEGER) OPTIONS (history 'all');
CREATE STREAM nothing (customer VARCHAR(10), c BIGINT) OPTIONS (history 'all');

SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, COUNT(*) AS c FROM orders GROUP BY FLOOR(rowtime TO HOUR) HAVING FALSE;
SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, COUNT(*) AS c FROM orders WHERE FALSE GROUP BY FLOOR(rowtime TO HOUR);
CREATE PUMP p STARTED AS INSERT INTO nothing
SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, customer, COUNT(*) AS c FROM orders
GROUP BY FLOOR(rowtime TO HOUR), customer HAVING FALSE AND COUNT(*) > 1;
SELECT STREAM h.rowtime, h.c FROM (
  SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, COUNT(*) AS c FROM orders GROUP BY FLOOR(rowtime TO HOUR) HAVING FALSE) AS h
UNION ALL SELECT STREAM rowtime, units FROM orders;

INSERT INTO orders VALUES (TIMESTAMP '2015-02-15 10:00:30', 'a', 7), (TIMESTAMP '2015-02-15 12:01:30', 'b', 8);
--> 3 | 10:00:30 | 7
!bound orders '2015-02-15 13:00:00'
--> 3 | 12:01:30 | 8
--> bound 1 13:00:00
--> bound 2 13:00:00
SELECT customer, COUNT(*) AS c FROM orders GROUP BY customer HAVING FALSE;
SELECT COUNT(*) AS c FROM orders HAVING FALSE;
SELECT COUNT(*) AS c FROM nothing;
--> 6 | 0
