-- GROUPING SETS, ROLLUP and CUBE beside a time that moves on; and without one in a relational query, where the set without
-- keys is a group even of no rows.
-- date 2015-02-15
-- unordered 1
-- unordered 2
-- unordered 3
CREATE STREAM Orders (productId INTEGER, name VARCHAR(10), units INTEGER) OPTIONS (history 'all');
SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, productId, name, SUM(units) AS units, GROUPING(name) AS g, GROUPING(productId, name) AS gs
FROM Orders GROUP BY FLOOR(rowtime TO HOUR), ROLLUP (productId, name);
SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, productId, COUNT(DISTINCT name) AS names, GROUP_ID() AS id
FROM Orders GROUP BY GROUPING SETS ((FLOOR(rowtime TO HOUR), productId), (FLOOR(rowtime TO HOUR)), (FLOOR(rowtime TO HOUR)));
-- A key may be an argument as well.
SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, productId, name, SUM(productId) AS s
FROM Orders GROUP BY FLOOR(rowtime TO HOUR), CUBE (productId, name) HAVING GROUPING(productId) = 1;

SELECT productId, COUNT(*) AS c, GROUPING(productId) AS g FROM Orders GROUP BY ROLLUP (productId);
--> 4 |  | 0 | 1

INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 10:00:00', 10, 'a', 1), (TIMESTAMP '2015-02-15 10:10:00', 10, 'b', 2);
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 10:20:00', 20, NULL, 4), (TIMESTAMP '2015-02-15 10:59:59', NULL, 'a', 8);
!bound Orders '2015-02-15 11:00:00'
--> 1 | 10:00:00 | 10 | a | 1 | 0 | 0
--> 1 | 10:00:00 | 10 | b | 2 | 0 | 0
--> 1 | 10:00:00 | 20 |  | 4 | 0 | 0
--> 1 | 10:00:00 |  | a | 8 | 0 | 0
--> 1 | 10:00:00 | 10 |  | 3 | 1 | 1
--> 1 | 10:00:00 | 20 |  | 4 | 1 | 1
--> 1 | 10:00:00 |  |  | 8 | 1 | 1
--> 1 | 10:00:00 |  |  | 15 | 1 | 3
--> 2 | 10:00:00 | 10 | 2 | 0
--> 2 | 10:00:00 | 20 | 0 | 0
--> 2 | 10:00:00 |  | 1 | 0
--> 2 | 10:00:00 |  | 2 | 0
--> 2 | 10:00:00 |  | 2 | 1
--> 3 | 10:00:00 |  | a | 10
--> 3 | 10:00:00 |  | b | 10
--> 3 | 10:00:00 |  |  | 20
--> 3 | 10:00:00 |  |  | 40
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 11:30:00', 30, 'c', 16);
!bound Orders '2015-02-15 12:00:00'
--> 1 | 11:00:00 | 30 | c | 16 | 0 | 0
--> 1 | 11:00:00 | 30 |  | 16 | 1 | 1
--> 1 | 11:00:00 |  |  | 16 | 1 | 3
--> 2 | 11:00:00 | 30 | 1 | 0
--> 2 | 11:00:00 |  | 1 | 0
--> 2 | 11:00:00 |  | 1 | 1
--> 3 | 11:00:00 |  | c | 30
--> 3 | 11:00:00 |  |  | 30

SELECT productId, SUM(units) AS units, GROUPING(productId) AS g FROM Orders GROUP BY ROLLUP (productId) ORDER BY g, productId;
--> 5 | 10 | 3 | 0
--> 5 | 20 | 4 | 0
--> 5 | 30 | 16 | 0
--> 5 |  | 8 | 0
--> 5 |  | 31 | 1

-- Without the time there would be a group that is never complete.
SELECT STREAM FLOOR(rowtime TO HOUR) AS h, COUNT(*) AS c FROM Orders GROUP BY ROLLUP (FLOOR(rowtime TO HOUR));
--! 58:70 RT0201 Streaming aggregation requires at least one monotonic expression in every grouping set
