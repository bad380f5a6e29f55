-- Set operations of results that change. UNION ALL of streams does not wait for the later one where nothing needs the order.
-- date 2015-02-15
-- steps matter
-- restart between any two lines in the long form
-- unordered 1 2 3 4 5 6

CREATE STREAM a (rowtime TIMESTAMP NOT NULL, k VARCHAR(10), v BIGINT);
CREATE STREAM b (rowtime TIMESTAMP NOT NULL, k VARCHAR(10), v BIGINT);

-- The unique key of 1, 2, 3 and 6 is all columns, so no row replaces another.
SELECT STREAM 1, op, payload.* FROM TO_CHANGELOG((SELECT k FROM a UNION SELECT k FROM b), on_key => DESCRIPTOR(k));
SELECT STREAM 2, op, payload.* FROM TO_CHANGELOG((SELECT k FROM a INTERSECT SELECT k FROM b));
SELECT STREAM 3, op, payload.* FROM TO_CHANGELOG((SELECT k FROM a EXCEPT SELECT k FROM b));
-- 4: rows that are retracted beside rows that stay
SELECT STREAM 4, op, payload.* FROM TO_CHANGELOG((SELECT k, COUNT(*) AS c FROM a GROUP BY k UNION ALL SELECT k, v FROM b));
-- 5: below a GROUP BY
SELECT STREAM 5, op, payload.* FROM TO_CHANGELOG((SELECT k, COUNT(*) AS c FROM (SELECT k FROM a UNION ALL SELECT k FROM b) GROUP BY k));
-- 6: of results that change
SELECT STREAM 6, op, payload.* FROM TO_CHANGELOG((SELECT k, COUNT(*) AS c FROM a GROUP BY k EXCEPT SELECT k, COUNT(*) FROM b GROUP BY k));

INSERT INTO a VALUES (TIMESTAMP '2015-02-15 10:00:00', 'x', 1), (TIMESTAMP '2015-02-15 10:00:00', 'y', 2), (TIMESTAMP '2015-02-15 10:00:00', NULL, 0);
--> 1 | 1 | 0 | x
--> 1 | 1 | 0 | y
--> 1 | 1 | 0 |
--> 3 | 3 | 0 | x
--> 3 | 3 | 0 | y
--> 3 | 3 | 0 |
--> 4 | 4 | 0 | x | 1
--> 4 | 4 | 0 | y | 1
--> 4 | 4 | 0 |  | 1
--> 5 | 5 | 0 | x | 1
--> 5 | 5 | 0 | y | 1
--> 5 | 5 | 0 |  | 1
--> 6 | 6 | 0 | x | 1
--> 6 | 6 | 0 | y | 1
--> 6 | 6 | 0 |  | 1

INSERT INTO b VALUES (TIMESTAMP '2015-02-15 10:01:00', 'x', 1), (TIMESTAMP '2015-02-15 10:01:00', NULL, 5);
--> 2 | 2 | 0 | x
--> 2 | 2 | 0 |
--> 3 | 3 | 3 | x
--> 3 | 3 | 3 |
--> 4 | 4 | 0 | x | 1
--> 4 | 4 | 0 |  | 5
--> 5 | 5 | 1 | x | 1
--> 5 | 5 | 2 | x | 2
--> 5 | 5 | 1 |  | 1
--> 5 | 5 | 2 |  | 2
--> 6 | 6 | 3 | x | 1
--> 6 | 6 | 3 |  | 1

INSERT INTO a VALUES (TIMESTAMP '2015-02-15 10:02:00', 'x', 7), (TIMESTAMP '2015-02-15 10:02:00', 'z', 1);
--> 1 | 1 | 0 | z
--> 3 | 3 | 0 | z
--> 4 | 4 | 3 | x | 1
--> 4 | 4 | 0 | x | 2
--> 4 | 4 | 0 | z | 1
--> 5 | 5 | 1 | x | 2
--> 5 | 5 | 2 | x | 3
--> 5 | 5 | 0 | z | 1
--> 6 | 6 | 0 | x | 2
--> 6 | 6 | 0 | z | 1

INSERT INTO b VALUES (TIMESTAMP '2015-02-15 10:03:00', 'x', 2), (TIMESTAMP '2015-02-15 10:03:00', 'y', 1);
--> 2 | 2 | 0 | y
--> 3 | 3 | 3 | y
--> 4 | 4 | 0 | x | 2
--> 4 | 4 | 0 | y | 1
--> 5 | 5 | 1 | x | 3
--> 5 | 5 | 2 | x | 4
--> 5 | 5 | 1 | y | 1
--> 5 | 5 | 2 | y | 2
--> 6 | 6 | 3 | x | 2
--> 6 | 6 | 3 | y | 1
