-- Dates before 1970, and before the Gregorian calendar, which counts for them as well: 1969-12-31 was a Wednesday,
-- 1582-10-15 a Friday, and the days before it have their weekdays in order.
CREATE STREAM s (d DATE, t TIMESTAMP) OPTIONS (history 'all');
CREATE TABLE u (x INTEGER);
INSERT INTO u VALUES (1);

SELECT STREAM d, DAYNAME(d) AS a, MONTHNAME(d) AS b, DAYNAME(t) AS e, MONTHNAME(t) AS f FROM s;
-- a call of constants only, in a stream
SELECT STREAM d, SPLIT_PART('a,b', ',', 2) AS p, LEVENSHTEIN('kitten', 'sitting') AS l, DAYNAME(DATE '1969-12-31') AS n FROM s;

INSERT INTO s (rowtime, d, t) VALUES
  (TIMESTAMP '1969-12-30 00:00:00', DATE '1969-12-31', TIMESTAMP '1969-12-31 10:00:00'),
  (TIMESTAMP '1969-12-30 00:00:00', DATE '1969-11-30', TIMESTAMP '1969-11-30 00:00:00'),
  (TIMESTAMP '1969-12-30 00:00:00', DATE '1582-10-14', TIMESTAMP '1582-10-14 23:59:59.999'),
  (TIMESTAMP '1969-12-30 00:00:00', DATE '1970-01-01', TIMESTAMP '1969-12-31 23:59:59.999');
--> 1 | 1969-12-31 | Wed | Dec | Wed | Dec
--> 1 | 1969-11-30 | Sun | Nov | Sun | Nov
--> 1 | 1582-10-14 | Thu | Oct | Thu | Oct
--> 1 | 1970-01-01 | Thu | Jan | Wed | Dec
--> 2 | 1969-12-31 | b | 3 | Wed
--> 2 | 1969-11-30 | b | 3 | Wed
--> 2 | 1582-10-14 | b | 3 | Wed
--> 2 | 1970-01-01 | b | 3 | Wed

SELECT DAYNAME(t) AS a, MONTHNAME(t) AS b FROM s WHERE d < DATE '1582-10-15';
--> 3 | Thu | Oct
SELECT DATE '1582-10-10' AS a, TIMESTAMP '1582-10-05 01:02:03.004' AS b, (DATE '1582-10-15' - DATE '1582-10-04') DAY AS c,
  DATE '1582-10-04' + INTERVAL '1' DAY AS d, DATE '0004-02-29' AS e FROM u;
--> 4 | 1582-10-10 | 1582-10-05 01:02:03.004 | P11D | 1582-10-05 | 0004-02-29
SELECT DATE '1500-02-29' FROM u;
--! 30:8 RT0110 Illegal DATE literal '1500-02-29': there is no such day in the Gregorian calendar
SELECT TIMESTAMP '1500-02-29 10:00:00' FROM u;
--! 32:8 RT0110 Illegal TIMESTAMP literal '1500-02-29 10:00:00': there is no such day in the Gregorian calendar
-- Weeks fit an INTEGER where their seconds do not.
SELECT TIMESTAMPDIFF(WEEK, d, DATE '2999-01-03') AS w, TIMESTAMPDIFF(WEEK, TIMESTAMP '1582-10-14 00:00:00', TIMESTAMP '2999-01-03 00:00:00') AS v
FROM s WHERE d < DATE '1582-10-15';
--> 5 | 73895 | 73895
