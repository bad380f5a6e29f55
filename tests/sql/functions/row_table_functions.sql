-- Table functions that give rows for the values of one row, in Java and in Python: LATERAL f(…), LATERAL TABLE(f(…)), LEFT JOIN
-- LATERAL, a default, a function of constants alone, in streams and relations. ROWTIME passes through.
-- date 2015-02-15
-- unordered 1 2 3 4 5
CREATE STREAM said (who VARCHAR, line VARCHAR, n INTEGER) OPTIONS (history 'all');
CREATE FUNCTION words (line VARCHAR) RETURNS TABLE (word VARCHAR, len INTEGER) LANGUAGE JAVA AS 'examples.Words:split';
CREATE FUNCTION up_to (n INTEGER) RETURNS TABLE (i BIGINT) LANGUAGE JAVA AS 'examples.Words:upTo';
CREATE FUNCTION days_from (start_time TIMESTAMP(3), how_many INTEGER DEFAULT 2)
  RETURNS TABLE (at_day TIMESTAMP(3), nth INTEGER) LANGUAGE PYTHON AS 'row_functions:days';
CREATE FUNCTION halves (n INTEGER) RETURNS TABLE (half INTEGER) LANGUAGE PYTHON AS 'row_functions:halves';
CREATE FUNCTION wrong (n INTEGER DEFAULT 1, m INTEGER) RETURNS TABLE (half INTEGER) LANGUAGE PYTHON AS 'a:b';
--! 11:45 RT0328 Parameter 'M' without a DEFAULT follows one that has a DEFAULT

SELECT STREAM s.rowtime, who, w.word, w.len FROM said AS s, LATERAL words(s.line) AS w;
SELECT STREAM s.rowtime, who, t.i FROM said AS s LEFT JOIN LATERAL up_to(s.n) AS t ON TRUE;
SELECT STREAM s.rowtime, d, k FROM said AS s, LATERAL TABLE(days_from(s.rowtime)) AS t (d, k) WHERE s.n > 0;
SELECT STREAM s.rowtime, half FROM said AS s CROSS JOIN LATERAL halves(n => s.n);

INSERT INTO said (rowtime, who, line, n) VALUES (TIMESTAMP '2015-02-15 10:00:00', 'a', 'to be or', 2),
  (TIMESTAMP '2015-02-15 10:01:00', 'b', NULL, 0), (TIMESTAMP '2015-02-15 10:02:00', 'c', '', 5);
--> 1 | 10:00:00 | a | to | 2
--> 1 | 10:00:00 | a | be | 2
--> 1 | 10:00:00 | a | or | 2
--> 2 | 10:00:00 | a | 1
--> 2 | 10:00:00 | a | 2
--> 2 | 10:01:00 | b |
--> 2 | 10:02:00 | c | 1
--> 2 | 10:02:00 | c | 2
--> 2 | 10:02:00 | c | 3
--> 2 | 10:02:00 | c | 4
--> 2 | 10:02:00 | c | 5
--> 3 | 10:00:00 | 2015-02-15 10:00:00 | 1
--> 3 | 10:00:00 | 2015-02-16 10:00:00 | 2
--> 3 | 10:02:00 | 2015-02-15 10:02:00 | 1
--> 3 | 10:02:00 | 2015-02-16 10:02:00 | 2
--> 4 | 10:00:00 | 2
--> 4 | 10:00:00 | 1
--> 4 | 10:02:00 | 5
--> 4 | 10:02:00 | 2
--> 4 | 10:02:00 | 1

SELECT who, word FROM said, LATERAL words(line) AS w WHERE len = 2;
--> 5 | a | to
--> 5 | a | be
--> 5 | a | or
SELECT * FROM up_to(2) AS t ORDER BY i DESC;
--> 6 | 2
--> 6 | 1
SELECT nth FROM said, LATERAL days_from(said.rowtime, 1, 2) AS d;
--! 49:58 RT0120 DAYS_FROM takes at most 2 arguments
SELECT half FROM LATERAL halves(-1) AS h;
--! 51:1 RT0530 The query failed: Function 'HALVES' failed: ValueError: -1 is negative
