-- Functions of the user's own, in Python and in Java: in a view, in WHERE, as a GROUP BY key, in a pump, in a relational
-- query; a restart finds them again. The values are the greatest common divisor and the number of bits that are set.
-- date 2015-02-15
-- unordered 2
CREATE FUNCTION common (a INTEGER, b INTEGER) RETURNS INTEGER LANGUAGE PYTHON AS 'math:gcd';
CREATE FUNCTION IF NOT EXISTS common (a VARCHAR) RETURNS VARCHAR LANGUAGE PYTHON AS 'math:nothing';
CREATE FUNCTION bits (n INTEGER) RETURNS INTEGER LANGUAGE JAVA AS 'java.lang.Integer:bitCount';
CREATE FUNCTION reverse (s VARCHAR) RETURNS VARCHAR LANGUAGE PYTHON AS 'a:b';
--! 8:17 RT0317 'REVERSE' is a built-in function
CREATE FUNCTION odd (n INTEGER) RETURNS INTEGER LANGUAGE COBOL AS 'odd';
--! 10:58 RT0318 Functions cannot be written in COBOL
CREATE FUNCTION odd (n INTEGER) RETURNS INTEGER LANGUAGE PYTHON AS 'odd';
--! 12:68 RT0318 'odd' does not name a function

SHOW FUNCTIONS LIKE 'b%';
--> shown BITS | FUNCTION | CREATE FUNCTION BITS (N INTEGER) RETURNS INTEGER LANGUAGE JAVA AS 'java.lang.Integer:bitCount'
DESCRIBE common;
--> shown A | INTEGER | YES |
--> shown B | INTEGER | YES |

CREATE STREAM pairs (a INTEGER, b INTEGER);
CREATE STREAM small (divisor INTEGER);
CREATE VIEW divided AS SELECT STREAM rowtime, common(a, b) AS divisor, bits(a) AS ones FROM pairs WHERE bits(a) > 1;
CREATE PUMP divisors STARTED AS INSERT INTO small (rowtime, divisor) SELECT STREAM rowtime, common(a, 10) FROM pairs;
DROP FUNCTION bits;
--! 25:15 RT0314 'BITS' is used by VIEW 'DIVIDED'

SELECT STREAM * FROM divided;
SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, common(a, 4) AS d, COUNT(*) AS c
FROM pairs GROUP BY FLOOR(rowtime TO HOUR), common(a, 4);
SELECT STREAM * FROM small;

INSERT INTO pairs (rowtime, a, b) VALUES
  (TIMESTAMP '2015-02-15 10:00:00', 12, 18), (TIMESTAMP '2015-02-15 10:10:00', 8, 6), (TIMESTAMP '2015-02-15 10:20:00', 7, 21);
--> 1 | 10:00:00 | 6 | 2
--> 1 | 10:20:00 | 7 | 3
--> 3 | 10:00:00 | 2
--> 3 | 10:10:00 | 2
--> 3 | 10:20:00 | 1
INSERT INTO pairs (rowtime, a, b) VALUES (TIMESTAMP '2015-02-15 11:00:00', 20, 15);
--> 1 | 11:00:00 | 5 | 2
--> 3 | 11:00:00 | 10
--> 2 | 10:00:00 | 4 | 2
--> 2 | 10:00:00 | 1 | 1
