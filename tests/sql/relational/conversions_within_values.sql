-- Values within arrays, maps and rows are converted as they are alone: CHAR is padded, a text is cut, a number is rounded, a time has the
-- digits of its type. NULL stays NULL.
-- date 2024-05-01
CREATE STREAM s (id INTEGER, a CHAR(3) ARRAY) OPTIONS (history 'all');
CREATE TABLE t (id INTEGER, r ROW(c CHAR(3), v VARCHAR(2), d DECIMAL(4, 1), n INTEGER), m MAP<CHAR(2), CHAR(3) ARRAY>, times TIME(0) ARRAY);

-- Arrays that are equal once they are padded are one group, as they arrive and in a relation.
SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, a, COUNT(*) AS n FROM s GROUP BY FLOOR(rowtime TO HOUR), a ORDER BY rowtime, CARDINALITY(a);
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:00:00', 1, ARRAY['x']), (TIMESTAMP '2024-05-01 10:00:00', 2, ARRAY['x ']);
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:00:00', 3, ARRAY['x', NULL]), (TIMESTAMP '2024-05-01 10:00:00', 4, NULL);
!bound s '2024-05-01 11:00:00'
--> 1 | 10:00:00 | ["x  "] | 2
--> 1 | 10:00:00 | ["x  ",null] | 1
--> 1 | 10:00:00 | | 1

SELECT a, COUNT(*) AS n FROM s GROUP BY a ORDER BY CARDINALITY(a);
--> 2 | ["x  "] | 2
--> 2 | ["x  ",null] | 1
--> 2 | | 1

INSERT INTO t VALUES (1, ROW('x', 'abc', 2.25, 1.5), MAP['k', ARRAY['y', NULL]], ARRAY[TIME '10:00:00.9', NULL]);
INSERT INTO t VALUES (2, ROW(NULL, NULL, NULL, NULL), MAP['k', NULL], NULL);
INSERT INTO t VALUES (3, NULL, NULL, CAST(ARRAY['10:00:00.9'] AS TIME(0) ARRAY));
SELECT t.id, t.r.c || '.' AS c, t.r.v AS v, t.r.d AS d, t.r.n AS n, t.r IS NULL AS nil, t.m['k '][1] || '.' AS k, CARDINALITY(t.m['k ']) AS c2,
  t.times[1] = TIME '10:00:00' AS same, CARDINALITY(t.times) AS c3
FROM t ORDER BY t.id;
--> 3 | 1 | x  . | ab | 2.3 | 2 | FALSE | y  . | 2 | TRUE | 2
--> 3 | 2 | | | | | FALSE | | | |
--> 3 | 3 | | | | | TRUE | | | TRUE | 1

-- In a CAST, and where the rows of a UNION have one type.
SELECT x.v[1] || '.' AS v, x.r[1].p AS p, x.r[1].q AS q
FROM (SELECT CAST(ARRAY[t.id] AS VARCHAR(2) ARRAY) AS v, CAST(ARRAY[ROW(t.id, 'abc')] AS ROW(p DECIMAL(3, 1), q VARCHAR(2)) ARRAY) AS r FROM t WHERE t.id = 1) AS x;
--> 4 | 1. | 1.0 | ab
SELECT CAST(ARRAY[i] AS VARCHAR(2) ARRAY)[1] || '.' AS a, CAST(i AS VARCHAR(2)) || '.' AS b
FROM (SELECT (TIMESTAMP '2024-05-04 00:00:00' - TIMESTAMP '2024-05-01 00:00:00') DAY * t.id AS i FROM t WHERE t.id < 3) AS x ORDER BY i;
--> 5 | +3. | +3.
--> 5 | +6. | +6.
SELECT COUNT(*) AS n FROM (SELECT ARRAY[1, 2] AS a UNION SELECT ARRAY[1.0, 2] UNION SELECT ARRAY[CAST(1 AS DECIMAL(5, 3)), 2]) AS u;
--> 6 | 1

-- A constant has the same value.
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 12:00:00', 5, CASE WHEN CAST(ARRAY['x'] AS CHAR(3) ARRAY) = ARRAY['x  '] THEN ARRAY['equal'] END);
SELECT a FROM s WHERE id = 5;
--> 7 | ["equ"]
