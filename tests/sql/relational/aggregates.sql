-- Percentiles of whole numbers, of some rows, and functions with an order beside DISTINCT.
CREATE TABLE t (k INTEGER, n INTEGER, s VARCHAR(5));
INSERT INTO t VALUES (1, 1, 'b'), (1, 2, 'a'), (1, 2, 'c'), (2, 7, 'z'), (2, NULL, NULL);

SELECT k, PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY n) AS q, MEDIAN(n) AS m FROM t GROUP BY k ORDER BY k;
--> 1 | 1 | 1.5 | 2.0
--> 1 | 2 | 7.0 | 7.0

SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY n DESC) FILTER (WHERE n < 7 AND s <> 'c') AS part,
  PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY n) FILTER (WHERE k = 1) AS whole,
  PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY n) FILTER (WHERE k = 3) AS nothing FROM t;
--> 2 | 1.5 | 2 |

SELECT k, LISTAGG(s, '-') WITHIN GROUP (ORDER BY s || 'x' DESC) AS listed, COUNT(DISTINCT n) AS c,
  SUM(DISTINCT n) FILTER (WHERE s > 'a') AS total, AVG(DISTINCT n) AS mean, COUNT(DISTINCT s) AS texts
FROM t GROUP BY k ORDER BY k;
--> 3 | 1 | c-b-a | 2 | 3 | 1.500000 | 3
--> 3 | 2 | z | 1 | 7 | 7.000000 | 1

-- Of no rows it is NULL, whatever the column.
CREATE TABLE strict (n INTEGER NOT NULL);
SELECT MEDIAN(n) AS m, COUNT(*) AS c FROM strict;
--> 4 |  | 0
