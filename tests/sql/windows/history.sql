-- The same windows over what is there: peers come in the order of their arrival, and CURRENT ROW ends with those before it.
-- date 2015-02-15
CREATE STREAM S (v INTEGER) OPTIONS (history 'all');
INSERT INTO S VALUES (TIMESTAMP '2015-02-15 10:00:00', 1);
INSERT INTO S VALUES (TIMESTAMP '2015-02-15 10:00:00', 2), (TIMESTAMP '2015-02-15 10:00:00', 4);
INSERT INTO S VALUES (TIMESTAMP '2015-02-15 10:00:10', 8);

SELECT v, SUM(v) OVER (RANGE INTERVAL '10' SECOND PRECEDING) AS early,
  SUM(v) OVER (RANGE BETWEEN INTERVAL '10' SECOND PRECEDING AND INTERVAL '0' SECOND PRECEDING) AS peers,
  SUM(v) OVER (PARTITION BY FLOOR(rowtime TO HOUR)) AS since,
  SUM(v) OVER (RANGE BETWEEN CURRENT ROW AND INTERVAL '9' SECOND FOLLOWING) AS ahead,
  LAG(v) OVER (ORDER BY rowtime) AS before, RANK() OVER (ORDER BY rowtime) AS r, ROW_NUMBER() OVER (ORDER BY rowtime) AS n
FROM S;
--> 1 | 1 | 1 | 7 | 1 | 7 |  | 1 | 1
--> 1 | 2 | 3 | 7 | 3 | 7 | 1 | 1 | 2
--> 1 | 4 | 7 | 7 | 7 | 7 | 2 | 1 | 3
--> 1 | 8 | 15 | 15 | 15 | 8 | 4 | 4 | 4
