-- UNNEST of arrays, maps and rows, and queries that refer to the row on their left (LATERAL). By hand; the same as DuckDB's
-- and Spark's LATERAL VIEW.
-- date 2024-05-01

CREATE TABLE posts (id INTEGER NOT NULL, tags VARCHAR(10) ARRAY, marks INTEGER ARRAY, props MAP<VARCHAR, INTEGER>,
  lines ROW(name VARCHAR(10), units INTEGER) ARRAY);
INSERT INTO posts VALUES
  (1, ARRAY['a', 'b'], ARRAY[7, 8, 9], MAP['x', 1], ARRAY[ROW('tea', 2), ROW('milk', 3)]),
  (2, ARRAY['c', NULL], NULL, MAP['y', 2], NULL),
  (3, NULL, ARRAY[5], NULL, ARRAY[ROW('cup', CAST(NULL AS INTEGER))]);

SELECT id, tag FROM posts CROSS JOIN UNNEST(tags) AS t (tag) ORDER BY id, tag NULLS LAST;
--> 1 | 1 | a
--> 1 | 1 | b
--> 1 | 2 | c
--> 1 | 2 |
SELECT p.id, t.tag, t.n FROM posts AS p LEFT JOIN UNNEST(p.tags) WITH ORDINALITY AS t (tag, n) ON TRUE ORDER BY p.id, n;
--> 2 | 1 | a | 1
--> 2 | 1 | b | 2
--> 2 | 2 | c | 1
--> 2 | 2 | | 2
--> 2 | 3 | |
SELECT id, k, v FROM posts, UNNEST(props) AS x (k, v) ORDER BY id;
--> 3 | 1 | x | 1
--> 3 | 2 | y | 2
-- The fields of a row are columns.
SELECT id, l.name, l.units FROM posts, UNNEST(posts.lines) AS l WHERE l.units IS NULL OR l.units > 2 ORDER BY id;
--> 4 | 1 | milk | 3
--> 4 | 3 | cup |
-- Several are taken side by side; the shorter ones end with NULLs.
SELECT id, tag, mark, n FROM posts, UNNEST(tags, marks) WITH ORDINALITY AS x (tag, mark, n) ORDER BY id, n;
--> 5 | 1 | a | 7 | 1
--> 5 | 1 | b | 8 | 2
--> 5 | 1 | | 9 | 3
--> 5 | 2 | c | | 1
--> 5 | 2 | | | 2
--> 5 | 3 | | 5 | 1
-- Without another input, of constants, and in a sub-query.
SELECT n FROM UNNEST(ARRAY[3, 1, 2]) AS x (n) ORDER BY n;
--> 6 | 1
--> 6 | 2
--> 6 | 3
SELECT id, n FROM posts, UNNEST(ARRAY[10, 20]) AS x (n) WHERE id + n < 13 ORDER BY id;
--> 7 | 1 | 10
--> 7 | 2 | 10
SELECT id FROM posts WHERE id IN (SELECT m FROM UNNEST(ARRAY[1, 7]) AS x (m)) ORDER BY id;
--> 8 | 1
SELECT id, COUNT(*) AS c, MAX(mark) AS m FROM posts CROSS JOIN UNNEST(marks) AS x (mark) GROUP BY id ORDER BY id;
--> 9 | 1 | 3 | 9
--> 9 | 3 | 1 | 5

-- LATERAL
CREATE TABLE votes (id INTEGER, stars INTEGER);
INSERT INTO votes VALUES (1, 5), (1, 3), (2, 4);
SELECT p.id, v.best FROM posts AS p, LATERAL (SELECT MAX(stars) AS best FROM votes WHERE votes.id = p.id) AS v ORDER BY p.id;
--> 10 | 1 | 5
--> 10 | 2 | 4
--> 10 | 3 |
SELECT p.id, v.stars FROM posts AS p CROSS JOIN LATERAL (SELECT * FROM votes WHERE votes.id = p.id AND stars < 5) AS v ORDER BY p.id;
--> 11 | 1 | 3
--> 11 | 2 | 4
SELECT p.id, v.stars FROM posts AS p LEFT JOIN LATERAL (SELECT * FROM votes WHERE votes.id = p.id AND stars < 5) AS v ON TRUE ORDER BY p.id;
--> 12 | 1 | 3
--> 12 | 2 | 4
--> 12 | 3 |
SELECT p.id, v.c FROM posts AS p, LATERAL (SELECT COUNT(*) AS c FROM votes WHERE votes.id = p.id) AS v ORDER BY p.id;
--> 13 | 1 | 2
--> 13 | 2 | 1
--> 13 | 3 | 0
SELECT p.id, v.stars, v.c FROM posts AS p, LATERAL (SELECT stars, COUNT(*) AS c FROM votes WHERE votes.id = p.id GROUP BY stars) AS v ORDER BY 1, 2;
--> 14 | 1 | 3 | 1
--> 14 | 1 | 5 | 1
--> 14 | 2 | 4 | 1
