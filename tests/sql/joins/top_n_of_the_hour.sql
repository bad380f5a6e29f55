-- A row of a Top-N of an hour comes when the hour is complete. EXISTS asks for it from all rows of the hour: those before
-- it and those after it.
-- date 2024-05-01
CREATE STREAM s (k INTEGER) OPTIONS (history 'all');
SELECT STREAM r.rowtime, r.k FROM s AS r WHERE EXISTS (SELECT 1 FROM (SELECT STREAM rowtime, k FROM s
QUALIFY ROW_NUMBER() OVER (PARTITION BY FLOOR(rowtime TO HOUR) ORDER BY k DESC) = 1) AS best
WHERE FLOOR(r.rowtime TO HOUR) = FLOOR(best.rowtime TO HOUR) AND best.k > 2);
-- unordered 1
INSERT INTO s (rowtime, k) VALUES (TIMESTAMP '2024-05-01 10:10:00', 1), (TIMESTAMP '2024-05-01 10:20:00', 3),
(TIMESTAMP '2024-05-01 10:30:00', 2), (TIMESTAMP '2024-05-01 11:10:00', 2);
!bound s '2024-05-01 13:00:00'
--> 1 | 10:10:00 | 1
--> 1 | 10:20:00 | 3
--> 1 | 10:30:00 | 2
SELECT r.rowtime, r.k FROM s AS r WHERE EXISTS (SELECT 1 FROM (SELECT rowtime, k FROM s
QUALIFY ROW_NUMBER() OVER (PARTITION BY FLOOR(rowtime TO HOUR) ORDER BY k DESC) = 1) AS best
WHERE FLOOR(r.rowtime TO HOUR) = FLOOR(best.rowtime TO HOUR) AND best.k > 2) ORDER BY r.rowtime;
--> 2 | 10:10:00 | 1
--> 2 | 10:20:00 | 3
--> 2 | 10:30:00 | 2
