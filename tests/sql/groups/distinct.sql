-- DISTINCT, medians and percentiles by groups: what they need of the rows is in state, and comes back after a restart.
-- date 2015-02-15
CREATE STREAM Visits (visitor VARCHAR(10), page INTEGER, amount DECIMAL(6, 2), quick BOOLEAN, seen DATE) OPTIONS (history 'all');
CREATE VIEW Hours AS
SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, COUNT(*) AS c, COUNT(DISTINCT visitor) AS visitors, COUNT(DISTINCT page) AS pages,
  SUM(DISTINCT page) AS s, AVG(DISTINCT amount) AS a, SUM(amount) AS total, MEDIAN(page) AS m,
  COUNT(DISTINCT visitor) FILTER (WHERE quick) AS quick, MIN(DISTINCT seen) AS seen, COUNT(DISTINCT quick) AS kinds
FROM Visits GROUP BY FLOOR(rowtime TO HOUR);
SELECT STREAM * FROM Hours;
SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, visitor, COUNT(DISTINCT page) AS pages, GROUPING(visitor) AS g FROM Visits
GROUP BY FLOOR(rowtime TO HOUR), ROLLUP (visitor) HAVING GROUPING(visitor) = 1;
-- Above another aggregation.
SELECT STREAM FLOOR(rowtime TO DAY) AS rowtime, COUNT(DISTINCT visitors) AS different, SUM(c) AS c FROM Hours GROUP BY FLOOR(rowtime TO DAY);

INSERT INTO Visits VALUES (TIMESTAMP '2015-02-15 10:00:00', 'ann', 1, 10, TRUE, DATE '2015-02-15'), (TIMESTAMP '2015-02-15 10:05:00', 'ann', 1, 10.00, FALSE, NULL);
INSERT INTO Visits VALUES (TIMESTAMP '2015-02-15 10:10:00', 'bob', 2, NULL, NULL, DATE '2015-02-14'), (TIMESTAMP '2015-02-15 10:20:00', NULL, NULL, 20, TRUE, NULL);
!restart
INSERT INTO Visits VALUES (TIMESTAMP '2015-02-15 10:30:00', 'ann', 2, 20, FALSE, DATE '2015-02-16'), (TIMESTAMP '2015-02-15 10:40:00', 'bob', 7, 10, TRUE, NULL);
-- Pages 1, 1, 2, 2, 7: three of them, 10 in all, 2 in the middle. Amounts 10 and 20, and 70 in all.
INSERT INTO Visits VALUES (TIMESTAMP '2015-02-15 11:10:00', NULL, NULL, NULL, NULL, NULL);
--> 1 | 10:00:00 | 6 | 2 | 3 | 10 | 15.000000 | 70.00 | 2.0 | 2 | 2015-02-14 | 2
--> 2 | 10:00:00 |  | 3 | 1
!bound Visits '2015-02-15 12:00:00'
--> 1 | 11:00:00 | 1 | 0 | 0 |  |  |  |  | 0 |  | 0
--> 2 | 11:00:00 |  | 0 | 1
INSERT INTO Visits VALUES (TIMESTAMP '2015-02-15 12:10:00', 'ann', 1, 1, TRUE, NULL);
!restart
!bound Visits '2015-02-16 00:00:00'
--> 1 | 12:00:00 | 1 | 1 | 1 | 1 | 1.000000 | 1.00 | 1.0 | 1 |  | 1
--> 2 | 12:00:00 |  | 1 | 1
--> 3 | 00:00:00 | 3 | 8
SELECT * FROM Hours ORDER BY rowtime;
--> 4 | 10:00:00 | 6 | 2 | 3 | 10 | 15.000000 | 70.00 | 2.0 | 2 | 2015-02-14 | 2
--> 4 | 11:00:00 | 1 | 0 | 0 |  |  |  |  | 0 |  | 0
--> 4 | 12:00:00 | 1 | 1 | 1 | 1 | 1.000000 | 1.00 | 1.0 | 1 |  | 1
