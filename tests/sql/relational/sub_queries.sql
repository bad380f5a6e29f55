-- A correlated sub-query over columns that stand in another order than the sub-query in FROM has grouped them in.
CREATE TABLE t (k INTEGER, n INTEGER);
CREATE TABLE u (id INTEGER, v INTEGER);
INSERT INTO t VALUES (1, 100), (1, 100), (2, 200);
INSERT INTO u VALUES (100, 7), (100, 8), (300, 9);

SELECT q.a, q.b, (SELECT SUM(u.v) FROM u WHERE u.id = q.a) AS total
FROM (SELECT n AS a, k AS b FROM t GROUP BY k, n) AS q ORDER BY b;
--> 1 | 100 | 1 | 15
--> 1 | 200 | 2 |

SELECT q.a, q.b, EXISTS (SELECT 1 FROM u WHERE u.id = q.a) AS known
FROM (SELECT n AS a, k AS b FROM t) AS q WHERE q.b = 2;
--> 2 | 200 | 2 | FALSE
