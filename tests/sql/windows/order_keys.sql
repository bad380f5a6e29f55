-- Windows that are ordered by a number that only grows, or by a function of ROWTIME: RANGE is a distance of its values.
-- date 2015-02-15
CREATE STREAM S (n BIGINT NOT NULL MONOTONIC, v INTEGER) OPTIONS (history 'all');
SELECT STREAM rowtime, n,
  SUM(v) OVER (ORDER BY n RANGE 10 PRECEDING) AS near,
  SUM(v) OVER (ORDER BY n RANGE BETWEEN 20 PRECEDING AND 5 PRECEDING) AS behind,
  RANK() OVER (ORDER BY n) AS r
FROM S;
SELECT STREAM rowtime, v,
  COUNT(*) OVER (ORDER BY FLOOR(rowtime TO MINUTE) RANGE BETWEEN INTERVAL '1' MINUTE PRECEDING AND INTERVAL '0' MINUTE PRECEDING) AS c
FROM S;
SELECT STREAM rowtime, v, SUM(v) OVER (PARTITION BY FLOOR(rowtime TO HOUR) ORDER BY v RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS alike
FROM S;

INSERT INTO S VALUES (TIMESTAMP '2015-02-15 10:00:00', 100, 1);
--> 1 | 10:00:00 | 100 | 1 |  | 1
INSERT INTO S VALUES (TIMESTAMP '2015-02-15 10:00:30', 105, 2);
--> 1 | 10:00:30 | 105 | 3 | 1 | 2
INSERT INTO S VALUES (TIMESTAMP '2015-02-15 10:00:30', 105, 4);
--> 1 | 10:00:30 | 105 | 7 | 1 | 2
-- 100 is eleven away; the first minute is complete, and has three rows.
INSERT INTO S VALUES (TIMESTAMP '2015-02-15 10:01:10', 111, 8);
--> 1 | 10:01:10 | 111 | 14 | 7 | 4
--> 2 | 10:00:00 | 1 | 3
--> 2 | 10:00:30 | 2 | 3
--> 2 | 10:00:30 | 4 | 3
INSERT INTO S VALUES (TIMESTAMP '2015-02-15 10:03:00', 122, 2);
--> 1 | 10:03:00 | 122 | 2 | 14 | 5
--> 2 | 10:01:10 | 8 | 4
!bound S '2015-02-15 11:00:00'
--> 2 | 10:03:00 | 2 | 1
--> 3 | 10:00:00 | 1 | 5
--> 3 | 10:00:30 | 2 | 5
--> 3 | 10:00:30 | 4 | 4
--> 3 | 10:01:10 | 8 | 8
--> 3 | 10:03:00 | 2 | 5

SELECT n, SUM(v) OVER (ORDER BY n RANGE 10 PRECEDING) AS near FROM S WHERE n < 110;
--> 4 | 100 | 1
--> 4 | 105 | 3
--> 4 | 105 | 7
