-- WITH RECURSIVE (SQL:1999). By hand; DuckDB gives the same.
-- date 2024-05-01

WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT n FROM r ORDER BY n;
--> 1 | 1
--> 1 | 2
--> 1 | 3
--> 1 | 4
--> 1 | 5
-- The days of a year: more than Spark's own limit of 100.
WITH RECURSIVE days (d) AS (
  SELECT DATE '2024-01-01' UNION ALL SELECT d + INTERVAL '1' DAY FROM days WHERE d < DATE '2024-12-31')
SELECT COUNT(*), MIN(d), MAX(d) FROM days;
--> 2 | 366 | 2024-01-01 | 2024-12-31

-- A tree, from the top. Whoever has no boss has NULL, and the first rows are the only ones without a path.
CREATE TABLE staff (id INTEGER NOT NULL, name VARCHAR(10) NOT NULL, boss INTEGER);
INSERT INTO staff VALUES (1, 'Ada', NULL), (2, 'Ben', 1), (3, 'Cleo', 1), (4, 'Dan', 3), (5, 'Eva', 4), (6, 'Fred', NULL);
WITH RECURSIVE below AS (
  SELECT id, name, 0 AS depth, CAST(name AS VARCHAR) AS path FROM staff WHERE boss IS NULL
  UNION ALL
  SELECT s.id, s.name, b.depth + 1, b.path || '/' || s.name FROM staff AS s JOIN below AS b ON s.boss = b.id)
SELECT * FROM below ORDER BY path;
--> 3 | 1 | Ada | 0 | Ada
--> 3 | 2 | Ben | 1 | Ada/Ben
--> 3 | 3 | Cleo | 1 | Ada/Cleo
--> 3 | 4 | Dan | 2 | Ada/Cleo/Dan
--> 3 | 5 | Eva | 3 | Ada/Cleo/Dan/Eva
--> 3 | 6 | Fred | 0 | Fred

-- UNION leaves out what came before, so a graph may have circles.
CREATE TABLE roads (a VARCHAR(1), b VARCHAR(1));
INSERT INTO roads VALUES ('p', 'q'), ('q', 'r'), ('r', 'p'), ('r', 's'), ('x', 'y'), ('p', 'q');
WITH RECURSIVE reached (place) AS (SELECT 'q' UNION SELECT r.b FROM reached AS f JOIN roads AS r ON r.a = f.place)
SELECT place FROM reached ORDER BY place;
--> 4 | p
--> 4 | q
--> 4 | r
--> 4 | s
-- With UNION ALL a row comes once for each way to it.
WITH RECURSIVE reached (place, steps) AS (
  SELECT 'p', 0 UNION ALL SELECT r.b, f.steps + 1 FROM reached AS f JOIN roads AS r ON r.a = f.place WHERE f.steps < 4)
SELECT place, steps, COUNT(*) FROM reached GROUP BY place, steps ORDER BY steps, place;
--> 5 | p | 0 | 1
--> 5 | q | 1 | 2
--> 5 | r | 2 | 2
--> 5 | p | 3 | 2
--> 5 | s | 3 | 2
--> 5 | q | 4 | 4

-- What is never NULL in the first rows may be so in later ones.
WITH RECURSIVE up (id, boss) AS (
  SELECT 5, 4 UNION ALL SELECT s.id, s.boss FROM staff AS s JOIN up ON s.id = up.boss)
SELECT id, boss, boss IS NULL AS top FROM up ORDER BY id;
--> 6 | 1 | | TRUE
--> 6 | 3 | 1 | FALSE
--> 6 | 4 | 3 | FALSE
--> 6 | 5 | 4 | FALSE

-- On the side of an outer join that keeps its rows, with a sub-query over another table, through UNNEST, in two branches.
WITH RECURSIVE up (id, boss) AS (
  SELECT 5, 4 UNION ALL SELECT s.id, s.boss FROM up LEFT JOIN staff AS s ON s.id = up.boss WHERE up.boss IS NOT NULL)
SELECT COUNT(*), MIN(id) FROM up;
--> 7 | 4 | 1
WITH RECURSIVE r (n) AS (
  SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE EXISTS (SELECT 1 FROM staff WHERE staff.id = r.n + 1))
SELECT MAX(n) FROM r;
--> 8 | 6
WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT r.n * 10 + x.d FROM r, UNNEST(ARRAY[1, 2]) AS x (d) WHERE r.n < 100)
SELECT n FROM r ORDER BY n;
--> 9 | 1
--> 9 | 11
--> 9 | 12
--> 9 | 111
--> 9 | 112
--> 9 | 121
--> 9 | 122
WITH RECURSIVE r (n) AS (
  SELECT 1 UNION ALL (SELECT n * 2 FROM r WHERE n < 4 UNION ALL SELECT n * 3 FROM r WHERE n < 4))
SELECT n FROM r ORDER BY n;
--> 10 | 1
--> 10 | 2
--> 10 | 3
--> 10 | 4
--> 10 | 6
--> 10 | 6
--> 10 | 9

-- One recursion over another, one read twice, one that does not name itself, one in a view and in a sub-query.
WITH RECURSIVE a (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a WHERE n < 3),
  b (n, m) AS (SELECT n, n FROM a UNION ALL SELECT n, m * 2 FROM b WHERE m < 5)
SELECT n, COUNT(*), MAX(m) FROM b GROUP BY n ORDER BY n;
--> 11 | 1 | 4 | 8
--> 11 | 2 | 3 | 8
--> 11 | 3 | 2 | 6
WITH RECURSIVE a (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a WHERE n < 4)
SELECT x.n, y.n FROM a AS x JOIN a AS y ON x.n = 2 * y.n ORDER BY x.n;
--> 12 | 2 | 1
--> 12 | 4 | 2
WITH RECURSIVE names (name) AS (SELECT name FROM staff WHERE id < 3), again (name) AS (SELECT 'Z' UNION ALL SELECT name FROM names)
SELECT name FROM again ORDER BY name;
--> 13 | Ada
--> 13 | Ben
--> 13 | Z
CREATE VIEW leaders AS
  WITH RECURSIVE up (id, boss) AS (
    SELECT id, boss FROM staff UNION ALL SELECT up.id, s.boss FROM up JOIN staff AS s ON s.id = up.boss)
  SELECT id, boss FROM up WHERE boss IS NOT NULL;
SELECT boss, COUNT(*) FROM leaders GROUP BY boss ORDER BY boss;
--> 14 | 1 | 4
--> 14 | 3 | 2
--> 14 | 4 | 1
SELECT name FROM staff WHERE id IN (
  WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n * 2 FROM r WHERE n < 5) SELECT n FROM r) ORDER BY name;
--> 15 | Ada
--> 15 | Ben
--> 15 | Dan
INSERT INTO roads WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT 'n', CAST(n AS VARCHAR(1)) FROM r;
SELECT COUNT(*) FROM roads WHERE a = 'n';
--> 16 | 3

-- What cannot be evaluated row by row.
WITH RECURSIVE r (n) AS (SELECT n FROM r) SELECT * FROM r;
--! 123:26 RT0123 The query of R reads R, but is not a UNION
WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT MAX(n) + 1 FROM r) SELECT * FROM r;
--! 125:45 RT0123 The second query of the UNION does not derive each row from one row of R
WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT x.n + y.n FROM r AS x, r AS y WHERE x.n < 9) SELECT * FROM r;
--! 127:45 RT0123 The second query of the UNION does not derive each row from one row of R
WITH RECURSIVE r (n) AS (SELECT id FROM staff UNION ALL SELECT s.id FROM staff AS s WHERE s.id NOT IN (SELECT n FROM r))
SELECT * FROM r;
--! 129:57 RT0123 The second query of the UNION does not derive each row from one row of R
WITH RECURSIVE r (n) AS (SELECT n FROM r UNION ALL SELECT 1) SELECT * FROM r;
--! 132:40 RT0123 The first query of the UNION reads R itself
WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n * 1.5 FROM r WHERE n < 9) SELECT * FROM r;
--! 134:45 RT0123 Column N of R is DECIMAL(12, 1) in the first query of the UNION and DECIMAL(14, 2) in the second

-- TABLESAMPLE: each row by chance, the same ones again for the same seed.
CREATE TABLE numbers (n INTEGER NOT NULL);
INSERT INTO numbers
  WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 300) SELECT CAST(n AS INTEGER) FROM r WHERE n IS NOT NULL;
SELECT COUNT(*) FROM numbers TABLESAMPLE BERNOULLI(100);
--> 17 | 300
SELECT COUNT(*) FROM numbers TABLESAMPLE BERNOULLI(0);
--> 18 | 0
SELECT COUNT(*) BETWEEN 90 AND 210 FROM numbers TABLESAMPLE SYSTEM(50);
--> 19 | TRUE
SELECT COUNT(*) FROM numbers AS a TABLESAMPLE BERNOULLI(20) REPEATABLE (7)
  LEFT JOIN numbers AS b TABLESAMPLE BERNOULLI(20) REPEATABLE (7) ON a.n = b.n WHERE b.n IS NULL;
--> 20 | 0
