-- A stream that keeps two hours: whether a relational query has what it needs is found out when it runs. In the seed's
-- words, "at run time, check that there is sufficient history to run the query".
-- date 2015-02-15
CREATE STREAM Orders (orderId INTEGER) OPTIONS (history '2 HOURS');
INSERT INTO Orders (rowtime, orderId) VALUES
  (TIMESTAMP '2015-02-15 08:30:00', 1),
  (TIMESTAMP '2015-02-15 10:00:00', 2);

-- All that ever came is still there: from 8:00 on.
SELECT * FROM Orders;
--> 1 | 08:30:00 | 1
--> 1 | 10:00:00 | 2

INSERT INTO Orders (rowtime, orderId) VALUES (TIMESTAMP '2015-02-15 11:30:00', 3);

SELECT orderId FROM Orders WHERE rowtime >= TIMESTAMP '2015-02-15 09:30:00';
--> 2 | 2
--> 2 | 3

SELECT FLOOR(rowtime TO HOUR) AS h, COUNT(*) AS c FROM Orders
WHERE rowtime + INTERVAL '30' MINUTE >= TIMESTAMP '2015-02-15 10:30:00'
GROUP BY FLOOR(rowtime TO HOUR) ORDER BY h;
--> 3 | 10:00:00 | 1
--> 3 | 11:00:00 | 1

SELECT * FROM Orders;
--! 26:1 RT0520 The query needs all rows of stream 'ORDERS', and its history ('2 HOURS') begins at 2015-02-15 09:30:00.000

SELECT orderId FROM Orders WHERE rowtime > TIMESTAMP '2015-02-15 09:29:59.999';
--! 29:1 RT0520 The query needs the rows from 2015-02-15 09:29:59.999 on of stream 'ORDERS', and its history ('2 HOURS') begins at 2015-02-15 09:30:00.000

-- However the length is written.
CREATE STREAM Ticks (n INTEGER) OPTIONS (history '90MINUTES');
CREATE STREAM Tocks (n INTEGER) OPTIONS (history '500 MILLISECONDS');
INSERT INTO Ticks VALUES (TIMESTAMP '2015-02-15 10:00:00', 1), (TIMESTAMP '2015-02-15 12:00:00', 2);
INSERT INTO Tocks VALUES (TIMESTAMP '2015-02-15 10:00:00', 1), (TIMESTAMP '2015-02-15 12:00:00', 2);

SELECT n FROM Ticks WHERE rowtime >= TIMESTAMP '2015-02-15 10:30:00';
--> 4 | 2

SELECT n FROM Tocks;
--! 41:1 RT0520 The query needs all rows of stream 'TOCKS', and its history ('500 MILLISECONDS') begins at 2015-02-15 11:59:59.500
