-- Windows over the groups of the same query. Without ORDER BY they are ordered by what is selected as ROWTIME.
-- date 2015-02-15
-- unordered 1
-- unordered 2
CREATE STREAM Orders (productId INTEGER, units INTEGER) OPTIONS (history 'all');
SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, productId, SUM(units) AS units,
  SUM(SUM(units)) OVER (PARTITION BY productId RANGE INTERVAL '2' HOUR PRECEDING) AS three
FROM Orders GROUP BY FLOOR(rowtime TO HOUR), productId;
-- The product of each hour that was ordered most.
SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, productId, SUM(units) AS units
FROM Orders GROUP BY FLOOR(rowtime TO HOUR), productId
QUALIFY ROW_NUMBER() OVER (PARTITION BY FLOOR(rowtime TO HOUR) ORDER BY SUM(units) DESC) = 1;

INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 09:05:00', 10, 1), (TIMESTAMP '2015-02-15 09:10:00', 20, 7),
  (TIMESTAMP '2015-02-15 09:50:00', 10, 3);
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 11:10:00', 10, 5), (TIMESTAMP '2015-02-15 11:20:00', 20, 4);
--> 1 | 09:00:00 | 10 | 4 | 4
--> 1 | 09:00:00 | 20 | 7 | 7
--> 2 | 09:00:00 | 20 | 7
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 12:30:00', 20, 2);
--> 1 | 11:00:00 | 10 | 5 | 9
--> 1 | 11:00:00 | 20 | 4 | 11
--> 2 | 11:00:00 | 10 | 5
-- Nine o'clock is more than two hours before twelve.
!bound Orders '2015-02-15 13:00:00'
--> 1 | 12:00:00 | 20 | 2 | 6
--> 2 | 12:00:00 | 20 | 2
