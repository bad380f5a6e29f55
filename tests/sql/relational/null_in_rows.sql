-- NULL as a field of a ROW, alone and beside other values.
CREATE TABLE t (id INTEGER, r ROW(x INTEGER, y VARCHAR(5)));
INSERT INTO t VALUES (1, ROW(NULL, 'x')), (2, ROW(2, 'y')), (3, ROW(NULL, NULL)), (4, NULL);
INSERT INTO t VALUES (5, ROW(5, NULL));

SELECT t.id, t.r.x AS x, t.r.y AS y, t.r IS NULL AS n FROM t ORDER BY t.id;
--> 1 | 1 | | x | FALSE
--> 1 | 2 | 2 | y | FALSE
--> 1 | 3 | | | FALSE
--> 1 | 4 | | | TRUE
--> 1 | 5 | 5 | | FALSE

-- A row whose fields are all NULL is a row, however it came.
INSERT INTO t VALUES (6, ROW(NULL, NULL));
INSERT INTO t VALUES (7, NULL);
SELECT t.id, t.r IS NULL AS n FROM t WHERE t.id IN (3, 6, 7) ORDER BY t.id;
--> 2 | 3 | FALSE
--> 2 | 6 | FALSE
--> 2 | 7 | TRUE
