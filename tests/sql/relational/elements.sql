-- Queries over the elements of an array of the row at hand (UNNEST in a sub-query). By hand; the same as DuckDB's.
-- date 2024-05-01

CREATE TABLE posts (id INTEGER NOT NULL, name VARCHAR(10), tags VARCHAR(10) ARRAY, marks INTEGER ARRAY,
  lines ROW(name VARCHAR(10), units INTEGER) ARRAY);
INSERT INTO posts VALUES
  (1, 'a', ARRAY['a', 'b'], ARRAY[7, 8, 9], ARRAY[ROW('tea', 2), ROW('milk', 3)]),
  (2, 'c', ARRAY['c', NULL], NULL, NULL),
  (3, 'd', NULL, ARRAY[5], ARRAY[ROW('cup', CAST(NULL AS INTEGER)), ROW('tea', 1)]),
  (4, NULL, ARRAY['x'], ARRAY[CAST(NULL AS INTEGER), 4], NULL);

SELECT id FROM posts WHERE EXISTS (SELECT 1 FROM UNNEST(posts.tags) AS t (tag) WHERE tag > 'a') ORDER BY id;
--> 1 | 1
--> 1 | 2
--> 1 | 4
SELECT id FROM posts AS p WHERE NOT EXISTS (SELECT * FROM UNNEST(p.tags) AS t (tag) WHERE tag = p.name) ORDER BY id;
--> 2 | 3
--> 2 | 4
-- Whether there are any at all.
SELECT id, EXISTS (SELECT * FROM UNNEST(p.marks)) AS marked FROM posts AS p ORDER BY id;
--> 3 | 1 | TRUE
--> 3 | 2 | FALSE
--> 3 | 3 | TRUE
--> 3 | 4 | TRUE
-- IN has three values; of no elements it is FALSE, whatever is looked for.
SELECT id, name IN (SELECT tag FROM UNNEST(p.tags) AS t (tag)) AS found, 'z' IN (SELECT tag FROM UNNEST(p.tags) AS t (tag)) AS z,
  name NOT IN (SELECT tag FROM UNNEST(p.tags) AS t (tag)) AS missing FROM posts AS p ORDER BY id;
--> 4 | 1 | TRUE | FALSE | FALSE
--> 4 | 2 | TRUE | | FALSE
--> 4 | 3 | FALSE | FALSE | TRUE
--> 4 | 4 | | FALSE |
SELECT id, 8 < SOME (SELECT mark FROM UNNEST(p.marks) AS m (mark)) AS below, 4 <= ALL (SELECT mark FROM UNNEST(p.marks) AS m (mark)) AS above
  FROM posts AS p ORDER BY id;
--> 5 | 1 | TRUE | TRUE
--> 5 | 2 | FALSE | TRUE
--> 5 | 3 | FALSE | TRUE
--> 5 | 4 | |
SELECT id, (SELECT COUNT(*) FROM UNNEST(p.marks)) AS n, (SELECT COUNT(mark) FROM UNNEST(p.marks) AS m (mark)) AS c,
  (SELECT SUM(mark) FROM UNNEST(p.marks) AS m (mark)) AS s, (SELECT MIN(mark) FROM UNNEST(p.marks) AS m (mark)) AS least,
  (SELECT MAX(mark * 10) + 1 FROM UNNEST(p.marks) AS m (mark) WHERE mark < 9) AS most FROM posts AS p ORDER BY id;
--> 6 | 1 | 3 | 3 | 24 | 7 | 81
--> 6 | 2 | 0 | 0 | | |
--> 6 | 3 | 1 | 1 | 5 | 5 | 51
--> 6 | 4 | 2 | 1 | 4 | 4 | 41
SELECT id, (SELECT COUNT(*) FILTER (WHERE mark > 7) FROM UNNEST(p.marks) AS m (mark)) AS n FROM posts AS p
  WHERE (SELECT SUM(units) FROM UNNEST(p.lines) AS l) > 1 ORDER BY id;
--> 7 | 1 | 2
-- The fields of rows; an array of what is selected.
SELECT id, ARRAY(SELECT UPPER(l.name) || '/' || p.id FROM UNNEST(p.lines) AS l WHERE l.units > 1 OR l.units IS NULL) AS wanted
  FROM posts AS p ORDER BY id;
--> 8 | 1 | ["TEA/1","MILK/1"]
--> 8 | 2 | []
--> 8 | 3 | ["CUP/3"]
--> 8 | 4 | []
SELECT id, ARRAY(SELECT mark FROM UNNEST(p.marks) AS m (mark)) AS copied FROM posts AS p ORDER BY id;
--> 9 | 1 | [7,8,9]
--> 9 | 2 | []
--> 9 | 3 | [5]
--> 9 | 4 | [null,4]
-- One within another.
SELECT id FROM posts AS p WHERE EXISTS (SELECT * FROM UNNEST(p.lines) AS l
  WHERE EXISTS (SELECT * FROM UNNEST(p.tags) AS t (tag) WHERE CHAR_LENGTH(l.name) > CHAR_LENGTH(t.tag) + 2)) ORDER BY id;
--> 10 | 1
-- A LEFT JOIN keeps the row whose elements all fail the condition.
SELECT p.id, t.tag FROM posts AS p LEFT JOIN UNNEST(p.tags) AS t (tag) ON t.tag = p.name ORDER BY p.id;
--> 11 | 1 | a
--> 11 | 2 | c
--> 11 | 3 |
--> 11 | 4 |
SELECT p.id, l.name FROM posts AS p LEFT JOIN UNNEST(p.lines) AS l ON l.units > 2 ORDER BY p.id;
--> 12 | 1 | milk
--> 12 | 2 |
--> 12 | 3 |
--> 12 | 4 |

-- The same over a stream, where it needs no state.
CREATE STREAM events (name VARCHAR(10), marks INTEGER ARRAY);
SELECT STREAM rowtime, name, (SELECT SUM(mark) FROM UNNEST(e.marks) AS m (mark)) AS s FROM events AS e
  WHERE 7 IN (SELECT mark FROM UNNEST(e.marks) AS m (mark));
SELECT STREAM FLOOR(e.rowtime TO HOUR) AS rowtime, COUNT(*) AS n FROM events AS e
  WHERE EXISTS (SELECT * FROM UNNEST(e.marks) AS m (mark) WHERE mark > 8) GROUP BY FLOOR(e.rowtime TO HOUR);
INSERT INTO events VALUES (TIMESTAMP '2024-05-01 10:00:00', 'a', ARRAY[7, 8, 9]);
--> 13 | 10:00:00 | a | 24
INSERT INTO events VALUES (TIMESTAMP '2024-05-01 10:10:00', 'b', ARRAY[1, NULL]);
INSERT INTO events VALUES (TIMESTAMP '2024-05-01 10:20:00', 'c', ARRAY[10, 7]);
--> 13 | 10:20:00 | c | 17
INSERT INTO events VALUES (TIMESTAMP '2024-05-01 11:00:00', 'd', NULL);
--> 14 | 10:00:00 | 2
INSERT INTO events VALUES (TIMESTAMP '2024-05-01 12:00:00', 'e', ARRAY[9]);
INSERT INTO events VALUES (TIMESTAMP '2024-05-01 13:00:00', 'f', ARRAY[7]);
--> 13 | 13:00:00 | f | 7
--> 14 | 12:00:00 | 1
