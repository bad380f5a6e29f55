-- The ways to write a window: named, refined with the name within the parentheses or before them, its clauses in any order,
-- and analytic calls in WHERE and in QUALIFY, which may stand on either side of WINDOW.
-- date 2015-02-15
CREATE STREAM S (k INTEGER, v INTEGER) OPTIONS (history 'all');
SELECT STREAM rowtime, v,
  SUM(v) OVER w AS named,
  SUM(v) OVER (p RANGE INTERVAL '1' HOUR PRECEDING) AS inside,
  SUM(v) OVER p (RANGE INTERVAL '1' HOUR PRECEDING) AS outside,
  SUM(v) OVER (ORDER BY rowtime RANGE INTERVAL '1' HOUR PRECEDING PARTITION BY k) AS backwards,
  v * 100 / SUM(v) OVER w + COUNT(*) OVER (ROWS 1 PRECEDING) AS expression
FROM S
WINDOW p AS (PARTITION BY k), w AS (p ORDER BY rowtime RANGE INTERVAL '1' HOUR PRECEDING);
SELECT STREAM rowtime, v FROM S WHERE v > AVG(v) OVER (PARTITION BY k RANGE INTERVAL '1' HOUR PRECEDING) AND k = 1;
SELECT STREAM rowtime, v FROM S QUALIFY v > AVG(v) OVER w WINDOW w AS (RANGE INTERVAL '1' HOUR PRECEDING);
SELECT STREAM rowtime, v, COUNT(*) OVER w AS c FROM S WINDOW w AS (PARTITION BY k, FLOOR(rowtime TO HOUR)) QUALIFY c = 1;

INSERT INTO S VALUES (TIMESTAMP '2015-02-15 10:00:00', 1, 2);
--> 1 | 10:00:00 | 2 | 2 | 2 | 2 | 2 | 101
--> 4 | 10:00:00 | 2 | 1
INSERT INTO S VALUES (TIMESTAMP '2015-02-15 10:30:00', 2, 5);
--> 1 | 10:30:00 | 5 | 5 | 5 | 5 | 5 | 102
--> 3 | 10:30:00 | 5
--> 4 | 10:30:00 | 5 | 1
INSERT INTO S VALUES (TIMESTAMP '2015-02-15 11:00:00', 1, 6);
--> 1 | 11:00:00 | 6 | 8 | 8 | 8 | 8 | 77
--> 2 | 11:00:00 | 6
--> 3 | 11:00:00 | 6
--> 4 | 11:00:00 | 6 | 1
INSERT INTO S VALUES (TIMESTAMP '2015-02-15 11:30:00', 1, 4);
--> 1 | 11:30:00 | 4 | 10 | 10 | 10 | 10 | 42
