-- Windows above other operators that keep state: OVER on an OVER that waits, on UNION ALL and on groups; GROUP BY, HOP and
-- SESSION on an OVER and on UNION ALL. ROWTIME stays through all of them.
-- date 2015-02-15
CREATE STREAM A (k INTEGER, v INTEGER) OPTIONS (history 'all');
CREATE STREAM B (k INTEGER, v INTEGER) OPTIONS (history 'all');
CREATE VIEW Ahead AS SELECT rowtime, k, v, SUM(v) OVER (PARTITION BY k RANGE BETWEEN CURRENT ROW AND INTERVAL '1' MINUTE FOLLOWING) AS s
  FROM A;
CREATE VIEW Together AS SELECT rowtime, k, v FROM A UNION ALL SELECT rowtime, k, v FROM B;
SELECT STREAM rowtime, k, s, SUM(s) OVER (RANGE INTERVAL '1' HOUR PRECEDING) AS total FROM Ahead;
SELECT STREAM rowtime, k, SUM(v) OVER (PARTITION BY k RANGE INTERVAL '1' HOUR PRECEDING) AS s FROM Together;
SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, MAX(s) AS m FROM Ahead GROUP BY FLOOR(rowtime TO HOUR);
SELECT STREAM HOP_END(rowtime, INTERVAL '30' MINUTE, INTERVAL '1' HOUR) AS rowtime, SUM(s) AS s
FROM Ahead GROUP BY HOP(rowtime, INTERVAL '30' MINUTE, INTERVAL '1' HOUR);
SELECT STREAM SESSION_END(rowtime, INTERVAL '5' MINUTE) AS rowtime, COUNT(*) AS c FROM Together
GROUP BY SESSION(rowtime, INTERVAL '5' MINUTE);

INSERT INTO A VALUES (TIMESTAMP '2015-02-15 10:00:00', 1, 1), (TIMESTAMP '2015-02-15 10:00:30', 2, 2),
  (TIMESTAMP '2015-02-15 10:01:00', 1, 4);
-- What A says comes out of the union when B has reached it.
INSERT INTO B VALUES (TIMESTAMP '2015-02-15 10:00:45', 1, 8);
--> 2 | 10:00:00 | 1 | 1
--> 2 | 10:00:30 | 2 | 2
--> 2 | 10:00:45 | 1 | 9
!bound A '2015-02-15 10:40:00'
--> 1 | 10:00:00 | 1 | 5 | 5
--> 1 | 10:00:30 | 2 | 2 | 7
--> 1 | 10:01:00 | 1 | 4 | 11
--> 4 | 10:30:00 | 11
!bound B '2015-02-15 10:10:00'
--> 2 | 10:01:00 | 1 | 13
--> 5 | 10:06:00 | 4
!bound A '2015-02-15 12:00:00'
--> 3 | 10:00:00 | 5
--> 4 | 11:00:00 | 11
