-- date 2015-02-15
-- steps matter
-- unordered 1 2

CREATE STREAM s (rowtime TIMESTAMP NOT NULL, k VARCHAR(10), v INTEGER);
CREATE STREAM r (rowtime TIMESTAMP NOT NULL, k VARCHAR(10), v INTEGER);
-- Like any other, but for the planner.
CREATE FUNCTION bits (n INTEGER) RETURNS INTEGER LANGUAGE JAVA NOT DETERMINISTIC AS 'java.lang.Integer:bitCount';

-- Applied to the rows of a stream, it is computed once.
SELECT STREAM 0 AS x, op, payload.* FROM TO_CHANGELOG((SELECT b, COUNT(*) AS n FROM (SELECT bits(v) AS b FROM s WHERE bits(v) > 0) GROUP BY b));
SELECT STREAM 0 AS x, op, payload.* FROM TO_CHANGELOG((SELECT length, COUNT(*) AS n FROM (SELECT CHAR_LENGTH(UUID()) AS length FROM s) GROUP BY length));
INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:00:00', 'a', 3), (TIMESTAMP '2015-02-15 10:00:00', 'b', 5), (TIMESTAMP '2015-02-15 10:00:00', 'c', 1), (TIMESTAMP '2015-02-15 10:00:00', 'd', 0);
--> 1 | 0 | 0 | 2 | 2
--> 1 | 0 | 0 | 1 | 1
--> 2 | 0 | 0 | 36 | 4
INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:01:00', 'a', 7), (TIMESTAMP '2015-02-15 10:01:00', 'b', 8);
--> 1 | 0 | 0 | 3 | 1
--> 1 | 0 | 1 | 1 | 1
--> 1 | 0 | 2 | 1 | 2
--> 2 | 0 | 1 | 36 | 4
--> 2 | 0 | 2 | 36 | 6

-- A row that is retracted would not be the one that was added.
SELECT STREAM * FROM TO_CHANGELOG((SELECT k, bits(n) AS b FROM (SELECT k, CAST(COUNT(*) AS INTEGER) AS n FROM s GROUP BY k) AS c));
--! 25:35 RT0218 A function that is not deterministic cannot be applied to rows that change: a row could not be retracted as it was added
SELECT STREAM * FROM TO_CHANGELOG((SELECT k, COUNT(*) AS n, UUID() AS u FROM s GROUP BY k));
--! 27:35 RT0218 A function that is not deterministic cannot be applied to rows that change: a row could not be retracted as it was added
SELECT STREAM * FROM TO_CHANGELOG((SELECT k FROM s GROUP BY k HAVING bits(CAST(COUNT(*) AS INTEGER)) > 1));
--! 29:70 RT0218 A function that is not deterministic cannot be applied to rows that change: a row could not be retracted as it was added
SELECT STREAM * FROM TO_CHANGELOG((SELECT s.k FROM s LEFT JOIN r ON s.k = r.k AND bits(s.v) > r.v));
--! 31:59 RT0218 A function that is not deterministic cannot be applied to rows that change: a row could not be retracted as it was added
