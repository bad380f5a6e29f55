-- LIKE, ILIKE and SIMILAR TO below and above other operators, and LISTAGG of groups without values, which is NULL: as
-- streams, and as relations.
-- date 2015-02-15
CREATE STREAM s (k INTEGER, t VARCHAR) OPTIONS (history 'all');
CREATE TABLE u (p VARCHAR);
CREATE VIEW lists AS
  SELECT FLOOR(rowtime TO HOUR) AS rowtime, k, COUNT(*) AS c, LISTAGG(t, '+') WITHIN GROUP (ORDER BY t) AS l,
    LISTAGG(t, '+') WITHIN GROUP (ORDER BY t) FILTER (WHERE t ILIKE 'AP%') AS f
  FROM s GROUP BY FLOOR(rowtime TO HOUR), k;
CREATE VIEW few AS
  SELECT FLOOR(rowtime TO HOUR) AS rowtime, k, COUNT(*) AS c FROM s WHERE t LIKE 'a%' OR t IS NULL
  GROUP BY FLOOR(rowtime TO HOUR), k HAVING LISTAGG(t, ',') FILTER (WHERE t LIKE '%!_%' ESCAPE '!') IS NULL;
CREATE VIEW similars AS
  SELECT rowtime, t, COUNT(*) OVER (PARTITION BY t SIMILAR TO '(a|A)%' ORDER BY rowtime RANGE INTERVAL '1' HOUR PRECEDING) AS c
  FROM s;
INSERT INTO u VALUES ('a%'), ('%na%'), (NULL);
INSERT INTO s (rowtime, k, t) VALUES
  (TIMESTAMP '2015-02-15 10:01:00', 1, 'apple'), (TIMESTAMP '2015-02-15 10:02:00', 1, 'APRICOT'),
  (TIMESTAMP '2015-02-15 10:03:00', 2, NULL), (TIMESTAMP '2015-02-15 10:04:00', 2, 'banana_x');
INSERT INTO s (rowtime, k, t) VALUES (TIMESTAMP '2015-02-15 10:20:00', 1, 'a%b'), (TIMESTAMP '2015-02-15 11:05:00', 2, 'avocado');
!bound s '2015-02-15 13:00:00'

-- unordered 1
SELECT STREAM /*+ FROM_EARLIEST */ rowtime, k, c, l, f FROM lists;
--> 1 | 10:00:00 | 1 | 3 | APRICOT+a%b+apple | APRICOT+apple
--> 1 | 10:00:00 | 2 | 2 | banana_x | 
--> 1 | 11:00:00 | 2 | 1 | avocado | 
SELECT rowtime, k, c, l, f FROM lists ORDER BY rowtime, k;
--> 2 | 10:00:00 | 1 | 3 | APRICOT+a%b+apple | APRICOT+apple
--> 2 | 10:00:00 | 2 | 2 | banana_x | 
--> 2 | 11:00:00 | 2 | 1 | avocado | 

-- unordered 3
SELECT STREAM /*+ FROM_EARLIEST */ rowtime, k, l FROM lists WHERE f IS NULL AND l NOT LIKE '%z%';
--> 3 | 10:00:00 | 2 | banana_x
--> 3 | 11:00:00 | 2 | avocado
SELECT rowtime, k, l FROM lists WHERE f IS NULL AND l NOT LIKE '%z%' ORDER BY rowtime, k;
--> 4 | 10:00:00 | 2 | banana_x
--> 4 | 11:00:00 | 2 | avocado

-- unordered 5
SELECT STREAM /*+ FROM_EARLIEST */ rowtime, k, c FROM few;
--> 5 | 10:00:00 | 1 | 2
--> 5 | 10:00:00 | 2 | 1
--> 5 | 11:00:00 | 2 | 1
SELECT rowtime, k, c FROM few ORDER BY rowtime, k;
--> 6 | 10:00:00 | 1 | 2
--> 6 | 10:00:00 | 2 | 1
--> 6 | 11:00:00 | 2 | 1

-- unordered 7
SELECT STREAM /*+ FROM_EARLIEST */ rowtime, t, c FROM similars;
--> 7 | 10:01:00 | apple | 1
--> 7 | 10:02:00 | APRICOT | 2
--> 7 | 10:03:00 |  | 1
--> 7 | 10:04:00 | banana_x | 1
--> 7 | 10:20:00 | a%b | 3
--> 7 | 11:05:00 | avocado | 2
SELECT rowtime, t, c FROM similars ORDER BY rowtime;
--> 8 | 10:01:00 | apple | 1
--> 8 | 10:02:00 | APRICOT | 2
--> 8 | 10:03:00 |  | 1
--> 8 | 10:04:00 | banana_x | 1
--> 8 | 10:20:00 | a%b | 3
--> 8 | 11:05:00 | avocado | 2

-- unordered 9
SELECT STREAM /*+ FROM_EARLIEST */ s.rowtime, s.t, u.p FROM s JOIN u ON s.t LIKE u.p;
--> 9 | 10:01:00 | apple | a%
--> 9 | 10:04:00 | banana_x | %na%
--> 9 | 10:20:00 | a%b | a%
--> 9 | 11:05:00 | avocado | a%
SELECT s.rowtime, s.t, u.p FROM s JOIN u ON s.t LIKE u.p ORDER BY s.rowtime;
--> 10 | 10:01:00 | apple | a%
--> 10 | 10:04:00 | banana_x | %na%
--> 10 | 10:20:00 | a%b | a%
--> 10 | 11:05:00 | avocado | a%

-- unordered 11
SELECT STREAM /*+ FROM_EARLIEST */ rowtime, t ILIKE 'A%' AS a, c FROM similars WHERE t SIMILAR TO '%(o|x)%'
UNION ALL SELECT STREAM rowtime, t NOT LIKE 'b%' AS a, -1 AS c FROM s WHERE t LIKE '_anana%' OR t LIKE 'a!%_' ESCAPE '!';
--> 11 | 10:04:00 | FALSE | 1
--> 11 | 10:04:00 | FALSE | -1
--> 11 | 10:20:00 | TRUE | -1
--> 11 | 11:05:00 | TRUE | 2
-- unordered 12
SELECT rowtime, t ILIKE 'A%' AS a, c FROM similars WHERE t SIMILAR TO '%(o|x)%'
UNION ALL SELECT rowtime, t NOT LIKE 'b%' AS a, -1 AS c FROM s WHERE t LIKE '_anana%' OR t LIKE 'a!%_' ESCAPE '!' ORDER BY rowtime;
--> 12 | 10:04:00 | FALSE | 1
--> 12 | 10:04:00 | FALSE | -1
--> 12 | 10:20:00 | TRUE | -1
--> 12 | 11:05:00 | TRUE | 2
