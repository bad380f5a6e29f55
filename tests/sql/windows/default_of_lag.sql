-- The default of LAG and LEAD is for a row that is missing: the value of one that is there may still be NULL.
-- date 2015-02-15
CREATE STREAM s (v INTEGER);
CREATE TABLE t (id INTEGER, v INTEGER);
SELECT STREAM rowtime, LAG(v, 1, 9) OVER w AS p, LAG(v, 1, 9) OVER w IS NULL AS n, COALESCE(LAG(v, 1, 9) OVER w, -1) AS c FROM s WINDOW w AS (ORDER BY rowtime);
SELECT STREAM rowtime, v FROM s QUALIFY LAG(v, 1, 9) OVER (ORDER BY rowtime) IS NULL;
INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:00:00', NULL);
--> 1 | 10:00:00 | 9 | FALSE | 9
INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:01:00', 5);
--> 1 | 10:01:00 |   | TRUE  | -1
--> 2 | 10:01:00 | 5
INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:02:00', 7);
--> 1 | 10:02:00 | 5 | FALSE | 5
INSERT INTO t VALUES (1, NULL), (2, 5), (3, NULL);
SELECT id, LAG(v, 1, 9) OVER (ORDER BY id) IS NULL AS n, COALESCE(LEAD(v, 1, 9) OVER (ORDER BY id), -1) AS c FROM t ORDER BY id;
--> 3 | 1 | FALSE | 5
--> 3 | 2 | TRUE  | -1
--> 3 | 3 | FALSE | 9
