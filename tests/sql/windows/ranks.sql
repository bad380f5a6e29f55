-- Functions of a row's place: LAG and LEAD, ROW_NUMBER and ranks as rows arrive, and NTILE, which comes out when its hour is over.
-- date 2015-02-15
CREATE STREAM S (k INTEGER, v INTEGER);
SELECT STREAM rowtime, k, v, LAG(v) OVER (PARTITION BY k) AS prev1, LAG(v, 2, -1) OVER (PARTITION BY k) AS prev2,
  ROW_NUMBER() OVER (PARTITION BY k) AS n, LAG(v, 0) IGNORE NULLS OVER (PARTITION BY k) AS itself FROM S;
SELECT STREAM rowtime, k, v, LEAD(v) OVER (PARTITION BY k, FLOOR(rowtime TO HOUR)) AS next1 FROM S;
SELECT STREAM rowtime, v, NTILE(2) OVER (PARTITION BY FLOOR(rowtime TO HOUR) ORDER BY v) AS half,
  RANK() OVER (PARTITION BY FLOOR(rowtime TO HOUR) ORDER BY v) AS r FROM S;

INSERT INTO S VALUES (TIMESTAMP '2015-02-15 10:00:00', 1, 7);
--> 1 | 10:00:00 | 1 | 7 |  | -1 | 1 | 7
INSERT INTO S VALUES (TIMESTAMP '2015-02-15 10:10:00', 2, 3);
--> 1 | 10:10:00 | 2 | 3 |  | -1 | 1 | 3
INSERT INTO S VALUES (TIMESTAMP '2015-02-15 10:20:00', 1, 3);
--> 1 | 10:20:00 | 1 | 3 | 7 | -1 | 2 | 3
--> 2 | 10:00:00 | 1 | 7 | 3
INSERT INTO S VALUES (TIMESTAMP '2015-02-15 11:00:00', 1, 9);
--> 1 | 11:00:00 | 1 | 9 | 3 | 7 | 3 | 9
--> 2 | 10:10:00 | 2 | 3 |
--> 2 | 10:20:00 | 1 | 3 |
--> 3 | 10:00:00 | 7 | 2 | 3
--> 3 | 10:10:00 | 3 | 1 | 1
--> 3 | 10:20:00 | 3 | 1 | 1
!bound S '2015-02-15 12:00:00'
--> 2 | 11:00:00 | 1 | 9 |
--> 3 | 11:00:00 | 9 | 1 | 1
INSERT INTO S VALUES (TIMESTAMP '2015-02-15 12:30:00', 3, NULL);
--> 1 | 12:30:00 | 3 |  |  | -1 | 1 |
