-- SEARCH_KEY in tables of rowtime (seed 004, "Correlated SEARCH functions"): positional and named, one column and two, misses,
-- NULL keys, several matches, conditions on both sides, look-ups one after the other. Values by hand.
-- date 2024-05-01
-- unordered 1 2 3 4 5
CREATE STREAM t_other (id INTEGER, name VARCHAR(8), k1 BIGINT, k2 VARCHAR(20));
CREATE TABLE t (k VARCHAR(20), k1 INTEGER, k2 VARCHAR(4), v DECIMAL(10, 2));
CREATE VIEW found AS SELECT STREAM t_other.rowtime, t_other.id, f.v FROM t_other, LATERAL SEARCH_KEY(t, DESCRIPTOR(k), t_other.name) AS f;
INSERT INTO t VALUES ('a', 1, 'x', 1.00), ('b', 1, 'y', 2.00), ('b', 2, 'x', 3.00), (NULL, 3, NULL, 4.00), ('c', 2147483647, 'zzzz', 5.00);

SELECT STREAM t_other.rowtime, t_other.id, f.v FROM t_other, LATERAL SEARCH_KEY(t, DESCRIPTOR(k), t_other.name) AS f;
SELECT STREAM o.rowtime, o.id, f.k, f.v
FROM t_other AS o LEFT JOIN LATERAL SEARCH_KEY(input => t, on_key => DESCRIPTOR(k1, k2), lookup => (o.k1, o.k2)) AS f ON TRUE;
SELECT STREAM o.rowtime, o.id, f.v FROM t_other AS o
LEFT JOIN LATERAL SEARCH_KEY(on_key => DESCRIPTOR(k), lookup => o.name, input => t) AS f ON f.v > o.k1 * 2 AND f.k2 = 'x';
SELECT STREAM o.rowtime, o.id, f.u, g.v FROM t_other AS o, LATERAL (SELECT UPPER(k2) AS u, k1 FROM SEARCH_KEY(t, DESCRIPTOR(k), o.name) WHERE k1 < 100) AS f
LEFT JOIN LATERAL SEARCH_KEY(t, DESCRIPTOR(k1), f.k1 + 1) AS g ON TRUE;
SELECT STREAM rowtime, id, v FROM found;

INSERT INTO t_other VALUES (TIMESTAMP '2024-05-01 10:00:00', 1, 'a', 1, 'x'), (TIMESTAMP '2024-05-01 10:01:00', 2, 'b', 1, 'x'),
  (TIMESTAMP '2024-05-01 10:02:00', 3, 'z', 9, 'x'), (TIMESTAMP '2024-05-01 10:03:00', 4, NULL, 3, NULL),
  (TIMESTAMP '2024-05-01 10:04:00', 5, 'c', 2147483648, 'zzzz'), (TIMESTAMP '2024-05-01 10:05:00', 6, 'A', 2147483647, 'zzzzy');
--> 1 | 10:00:00 | 1 | 1.00
--> 1 | 10:01:00 | 2 | 2.00
--> 1 | 10:01:00 | 2 | 3.00
--> 1 | 10:04:00 | 5 | 5.00
--> 2 | 10:00:00 | 1 | a | 1.00
--> 2 | 10:01:00 | 2 | a | 1.00
--> 2 | 10:02:00 | 3 |   |
--> 2 | 10:03:00 | 4 |   |
--> 2 | 10:04:00 | 5 |   |
--> 2 | 10:05:00 | 6 |   |
--> 3 | 10:00:00 | 1 |
--> 3 | 10:01:00 | 2 | 3.00
--> 3 | 10:02:00 | 3 |
--> 3 | 10:03:00 | 4 |
--> 3 | 10:04:00 | 5 |
--> 3 | 10:05:00 | 6 |
--> 4 | 10:00:00 | 1 | X | 3.00
--> 4 | 10:01:00 | 2 | Y | 3.00
--> 4 | 10:01:00 | 2 | X | 4.00
--> 5 | 10:00:00 | 1 | 1.00
--> 5 | 10:01:00 | 2 | 2.00
--> 5 | 10:01:00 | 2 | 3.00
--> 5 | 10:04:00 | 5 | 5.00
SELECT v FROM SEARCH_KEY(t, DESCRIPTOR(k), 'a');
--> 6 | 1.00
SELECT x, f.v FROM (VALUES ('a'), ('q')) AS r (x) LEFT JOIN LATERAL SEARCH_KEY(t, DESCRIPTOR(k), r.x) AS f ON TRUE ORDER BY x;
--> 7 | a | 1.00
--> 7 | q |
