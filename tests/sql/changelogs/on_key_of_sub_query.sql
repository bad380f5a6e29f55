-- The columns of on_key have the names of the query, whatever a sub-query in it becomes.
-- date 2015-02-15
-- steps matter
-- unordered 1

CREATE STREAM s (rowtime TIMESTAMP NOT NULL, k VARCHAR(10), v INTEGER);
-- Each sum, with the largest number of rows of a key that is the same as it.
SELECT STREAM 0 AS x, op, payload.* FROM TO_CHANGELOG((
  SELECT l.k AS name, l.v AS total, (SELECT MAX(r.n) FROM (SELECT k, COUNT(*) AS n FROM s GROUP BY k) AS r WHERE r.n = l.v) AS n
  FROM (SELECT k, SUM(v) AS v FROM s GROUP BY k) AS l), on_key => DESCRIPTOR(name));

INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:00:00', 'a', 2), (TIMESTAMP '2015-02-15 10:00:00', 'b', 1);
--> 1 | 0 | 0 | a | 2 |
--> 1 | 0 | 0 | b | 1 | 1
-- Now A has two rows and the sum 5, and B is 1 as before: no key has one row.
INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:01:00', 'a', 3), (TIMESTAMP '2015-02-15 10:01:00', 'b', 0);
--> 1 | 0 | 2 | a | 5 |
--> 1 | 0 | 2 | b | 1 |
-- A has two rows, which is the sum of B; C has one row and the sum 1.
INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:02:00', 'b', 1), (TIMESTAMP '2015-02-15 10:02:00', 'c', 1);
--> 1 | 0 | 2 | b | 2 | 2
--> 1 | 0 | 0 | c | 1 | 1
