-- A partition is complete before its last rows leave, in order of minutes from half to half: their numbers go on.
-- date 2024-05-01
CREATE STREAM s (n INTEGER);
SELECT STREAM rowtime, n, ROW_NUMBER() OVER (PARTITION BY FLOOR(rowtime TO MINUTE) ORDER BY FLOOR(rowtime + INTERVAL '30' SECOND TO MINUTE), n) AS nr FROM s;
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:40:10', 1), (TIMESTAMP '2024-05-01 10:40:40', 2);
--> 1 | 10:40:10 | 1 | 1
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:41:10', 3);
!bound s '2024-05-01 10:41:20'
!bound s '2024-05-01 10:45:00'
--> 1 | 10:40:40 | 2 | 2
--> 1 | 10:41:10 | 3 | 1
