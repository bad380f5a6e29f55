-- date 2024-05-01
-- steps matter
-- unordered 1 2 3 4 5 6
-- Functions of the user in the conditions of joins. One that is not deterministic is called once for each row of the input that it
-- reads, or for each pair of rows that the other conditions join.
CREATE STREAM s (n INTEGER);
CREATE STREAM r (n INTEGER);
CREATE TABLE t (k INTEGER, v VARCHAR(10));
INSERT INTO t VALUES (1, 'a'), (2, 'b'), (2, 'c');
-- Like any other, but for the planner.
CREATE FUNCTION f (n INTEGER) RETURNS INTEGER LANGUAGE JAVA NOT DETERMINISTIC AS 'java.lang.Math:abs';
CREATE FUNCTION p (n INTEGER) RETURNS INTEGER LANGUAGE PYTHON AS 'operator:neg';

SELECT STREAM n, v FROM s JOIN t ON f(s.n) = t.k;
SELECT STREAM n, v FROM s LEFT JOIN t ON f(s.n) = t.k AND f(t.k) > 1;
SELECT STREAM n, v FROM t JOIN s ON f(s.n) = f(t.k) AND f(s.n + t.k) > 3;
SELECT STREAM n FROM s WHERE f(n) NOT IN (SELECT k FROM t);
SELECT STREAM s.n, r.n AS m FROM s JOIN r OVER (RANGE INTERVAL '1' HOUR PRECEDING) AS r ON f(s.n) = r.n;
SELECT STREAM s.n, r.n AS m FROM s JOIN r OVER (RANGE INTERVAL '1' HOUR PRECEDING) AS r ON p(s.n) = r.n AND p(s.n) < 2;
INSERT INTO r VALUES (TIMESTAMP '2024-05-01 09:59:00', 1), (TIMESTAMP '2024-05-01 09:59:00', 2);
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:00:00', -1), (TIMESTAMP '2024-05-01 10:00:00', 2), (TIMESTAMP '2024-05-01 10:00:00', -3);
--> 1 | -1 | a
--> 1 | 2 | b
--> 1 | 2 | c
--> 2 | -1 |
--> 2 | 2 | b
--> 2 | 2 | c
--> 2 | -3 |
--> 3 | 2 | b
--> 3 | 2 | c
--> 4 | -3
INSERT INTO r VALUES (TIMESTAMP '2024-05-01 10:01:00', 9);
--> 5 | -1 | 1
--> 5 | 2 | 2
--> 6 | -1 | 1

-- Rows without a match are in the result as well.
SELECT STREAM n, v FROM s LEFT JOIN t ON f(s.n + t.k) > 3;
--! 38:32 RT0900 not supported yet: a function that is not deterministic in the condition of this join (make it a column of an input; what compares both inputs can be a condition of an inner join)
SELECT t.v FROM t LEFT JOIN t AS u ON f(t.k + u.k) > 3;
--! 40:24 RT0900 not supported yet: a function that is not deterministic in the condition of this join (make it a column of an input; what compares both inputs can be a condition of an inner join)
-- No process of Python is asked for each pair of rows.
SELECT STREAM s.n FROM s JOIN r OVER (RANGE INTERVAL '1' HOUR PRECEDING) AS r ON s.n = r.n AND p(s.n + r.n) < 2;
--! 43:26 RT0900 not supported yet: a function in Python in the condition of a join of streams (make its value a column of an input; what compares both inputs of an inner join can be in WHERE of a query around it)
