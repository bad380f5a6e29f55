-- A sub-query without ROWTIME over something that has none is none the worse for it.
-- date 2015-02-15
CREATE TABLE t (k INTEGER, n INTEGER);
CREATE STREAM s (n INTEGER) OPTIONS (history 'all');
INSERT INTO t VALUES (1, 10), (2, 20);
INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:00:00', 1), (TIMESTAMP '2015-02-15 11:00:00', 2);

SELECT x, SUM(x) OVER () AS total FROM (SELECT n AS x FROM t) AS q ORDER BY x;
--> 1 | 10 | 30
--> 1 | 20 | 30

WITH w AS (SELECT n FROM t) SELECT x, SUM(x) OVER () AS total FROM (SELECT n AS x FROM w) AS q ORDER BY x DESC;
--> 2 | 20 | 30
--> 2 | 10 | 30

SELECT s.rowtime, q.x FROM (SELECT k AS x FROM t) AS q JOIN s ON q.x = s.n ORDER BY q.x;
--> 3 | 10:00:00 | 1
--> 3 | 11:00:00 | 2

-- over a stream it is there, and orders
SELECT x, SUM(x) OVER () AS total FROM (SELECT n AS x FROM s) AS q ORDER BY x;
--> 4 | 1 | 1
--> 4 | 2 | 3
