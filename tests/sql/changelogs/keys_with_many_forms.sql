-- Keys whose equal values have several forms: the two zeros and the NaN of approximate numbers, also within arrays, rows and maps, and the
-- entries of a MAP in any order. Each is one key, as in a relation (queries 12 to 14). `-f` changes the sign of a NaN.
-- date 2024-05-01
-- steps matter
-- restart between any two lines in the long form
-- unordered 1 2 3 4 5 6 7 11 12 13 14

CREATE STREAM s (rowtime TIMESTAMP NOT NULL, k VARCHAR(5), f DOUBLE, a DOUBLE ARRAY, r ROW(x REAL), m MAP<VARCHAR(3), DOUBLE>)
  OPTIONS (history 'all');
CREATE VIEW v AS SELECT rowtime, k, CASE WHEN k = 'b' THEN -f ELSE f END AS f, m FROM s;

-- 1 to 7: results that change.
SELECT STREAM 1, op, payload.n FROM TO_CHANGELOG((SELECT f, COUNT(*) AS n FROM v GROUP BY f));
SELECT STREAM 2, op, payload.n FROM TO_CHANGELOG((SELECT a, r, COUNT(*) AS n FROM s GROUP BY a, r));
SELECT STREAM 3, op, CARDINALITY(payload.m), payload.n FROM TO_CHANGELOG((SELECT m, COUNT(*) AS n FROM s GROUP BY m));
SELECT STREAM 4, op, payload.* FROM TO_CHANGELOG((SELECT x.k, y.k AS other FROM s AS x LEFT JOIN s AS y ON x.m = y.m AND x.k <> y.k));
SELECT STREAM 5, op, payload.k FROM TO_CHANGELOG((SELECT k FROM s QUALIFY ROW_NUMBER() OVER (PARTITION BY r ORDER BY k) = 1));
SELECT STREAM 6, op, payload.k FROM TO_CHANGELOG((SELECT k, m FROM s WHERE rowtime > NOW() - INTERVAL '1' MINUTE));
SELECT STREAM 7, op, CARDINALITY(payload.m) FROM TO_CHANGELOG((SELECT m, a FROM s WHERE k <> 'b' EXCEPT ALL SELECT m, a FROM s WHERE k = 'b'));

-- 8 to 11: rows that are final.
SELECT STREAM x.rowtime, x.k, y.k AS other FROM s AS x JOIN s AS y ON x.m = y.m AND x.a = y.a AND x.k < y.k AND y.rowtime = x.rowtime;
SELECT STREAM rowtime, k, COUNT(*) OVER (PARTITION BY a ROWS 5 PRECEDING) AS n FROM s;
SELECT STREAM rowtime, k, COUNT(*) OVER (PARTITION BY f, m ROWS 5 PRECEDING) AS n FROM v;
SELECT STREAM FLOOR(rowtime TO MINUTE) AS rowtime, CARDINALITY(m), COUNT(DISTINCT k) AS n FROM s GROUP BY FLOOR(rowtime TO MINUTE), m;

INSERT INTO s VALUES
  (TIMESTAMP '2024-05-01 10:00:00', 'a', CAST('NaN' AS DOUBLE), ARRAY[0E0, NULL], ROW(CAST(0 AS REAL)), MAP['p', 1E0, 'q', 0E0]),
  (TIMESTAMP '2024-05-01 10:00:00', 'b', CAST('NaN' AS DOUBLE), ARRAY[CAST('-0.0' AS DOUBLE), NULL], ROW(CAST('-0.0' AS REAL)),
    MAP['q', CAST('-0.0' AS DOUBLE), 'p', 1E0]),
  (TIMESTAMP '2024-05-01 10:00:00', 'c', 0E0, NULL, NULL, NULL);
--> 1 | 1 | 0 | 2
--> 1 | 1 | 0 | 1
--> 2 | 2 | 0 | 2
--> 2 | 2 | 0 | 1
--> 3 | 3 | 0 | 2 | 2
--> 3 | 3 | 0 |  | 1
--> 4 | 4 | 0 | a | b
--> 4 | 4 | 0 | b | a
--> 4 | 4 | 0 | c |
--> 5 | 5 | 0 | a
--> 5 | 5 | 0 | c
--> 6 | 6 | 0 | a
--> 6 | 6 | 0 | b
--> 6 | 6 | 0 | c
--> 7 | 7 | 0 |
--> 8 | 10:00:00 | a | b
--> 9 | 10:00:00 | a | 1
--> 9 | 10:00:00 | b | 2
--> 9 | 10:00:00 | c | 1
--> 10 | 10:00:00 | a | 1
--> 10 | 10:00:00 | b | 2
--> 10 | 10:00:00 | c | 1

INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:01:00', 'd', CAST('-0.0' AS DOUBLE), ARRAY[CAST('-0.0' AS DOUBLE), NULL], NULL, MAP['q', 0E0, 'p', 1E0]);
--> 1 | 1 | 1 | 1
--> 1 | 1 | 2 | 2
--> 2 | 2 | 0 | 1
--> 3 | 3 | 1 | 2 | 2
--> 3 | 3 | 2 | 2 | 3
--> 4 | 4 | 0 | a | d
--> 4 | 4 | 0 | b | d
--> 4 | 4 | 0 | d | a
--> 4 | 4 | 0 | d | b
--> 6 | 6 | 3 | a
--> 6 | 6 | 3 | b
--> 6 | 6 | 3 | c
--> 6 | 6 | 0 | d
--> 7 | 7 | 0 | 2
--> 9 | 10:01:00 | d | 3
--> 10 | 10:01:00 | d | 1
--> 11 | 10:00:00 | 2 | 2
--> 11 | 10:00:00 |  | 1

SELECT 12, f, COUNT(*) FROM v GROUP BY f;
--> 12 | 12 | NaN | 2
--> 12 | 12 | 0.0 | 2
SELECT 13, CARDINALITY(a), COUNT(*) FROM s GROUP BY a;
--> 13 | 13 | 2 | 3
--> 13 | 13 |  | 1
SELECT 14, CARDINALITY(m), COUNT(*) FROM s GROUP BY m;
--> 14 | 14 | 2 | 3
--> 14 | 14 |  | 1
