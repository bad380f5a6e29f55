-- What a query announces when its rows wait for their peers by another time than ROWTIME: a shift of it, CEIL, and dates. No bound
-- comes before its rows, so a pump loses none.
-- the same rows without bounds
-- date 2024-05-01
CREATE STREAM s (v INTEGER);
CREATE STREAM shifted (v INTEGER, c BIGINT) OPTIONS (history 'all');
CREATE PUMP p1 STARTED AS INSERT INTO shifted SELECT STREAM rowtime, v,
  COUNT(*) OVER (ORDER BY rowtime + INTERVAL '5' HOUR RANGE BETWEEN CURRENT ROW AND INTERVAL '10' MINUTE FOLLOWING) AS c FROM s;
CREATE STREAM ceiled (v INTEGER, c BIGINT) OPTIONS (history 'all');
CREATE PUMP p2 STARTED AS INSERT INTO ceiled SELECT STREAM rowtime, v,
  COUNT(*) OVER (ORDER BY CEIL(rowtime TO HOUR) RANGE BETWEEN CURRENT ROW AND INTERVAL '0' SECOND FOLLOWING) AS c FROM s;
CREATE STREAM days (d DATE, c BIGINT) OPTIONS (history 'all');
CREATE PUMP p3 STARTED AS INSERT INTO days (rowtime, d, c) SELECT STREAM CAST(d AS TIMESTAMP(3)) AS rowtime, d, c FROM (
  SELECT STREAM CAST(rowtime AS DATE) + INTERVAL '1' HOUR AS d, COUNT(*) AS c FROM s GROUP BY CAST(rowtime AS DATE) + INTERVAL '1' HOUR);
CREATE STREAM sorted (v INTEGER) OPTIONS (history 'all');
CREATE PUMP p4 STARTED AS INSERT INTO sorted SELECT STREAM rowtime, v FROM s
  ORDER BY FLOOR(CEIL(rowtime TO HOUR) - INTERVAL '6' HOUR TO DAY);

INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:05:00', 1);
--> bound shifted none
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:15:00', 2);
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:40:00', 3);
--> bound ceiled none
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 11:00:00', 4);
!bound s '2024-05-01 11:00:00'
--> bound shifted 10:50:00
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 11:00:00.001', 5);
--> bound ceiled 11:00:00
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 23:30:00', 6);
!bound s '2024-05-01 23:45:00'
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 23:50:00', 7);
INSERT INTO s VALUES (TIMESTAMP '2024-05-02 00:10:00', 8);
INSERT INTO s VALUES (TIMESTAMP '2024-05-02 05:30:00', 9);
INSERT INTO s VALUES (TIMESTAMP '2024-05-02 06:30:00', 10);
-- The key of 05:30 is 2 May, as is that of 06:30, and it waits for the end of that.
--> bound sorted 2024-05-02 05:00:00.001
!bound s '2024-05-03 12:00:00'
SELECT rowtime, v, c FROM shifted ORDER BY rowtime;
--> 1 | 10:05:00 | 1 | 2
--> 1 | 10:15:00 | 2 | 1
--> 1 | 10:40:00 | 3 | 1
--> 1 | 11:00:00 | 4 | 2
--> 1 | 11:00:00.001 | 5 | 1
--> 1 | 23:30:00 | 6 | 1
--> 1 | 23:50:00 | 7 | 1
--> 1 | 2024-05-02 00:10:00 | 8 | 1
--> 1 | 2024-05-02 05:30:00 | 9 | 1
--> 1 | 2024-05-02 06:30:00 | 10 | 1
SELECT rowtime, v, c FROM ceiled ORDER BY rowtime;
--> 2 | 10:05:00 | 1 | 4
--> 2 | 10:15:00 | 2 | 4
--> 2 | 10:40:00 | 3 | 4
--> 2 | 11:00:00 | 4 | 4
--> 2 | 11:00:00.001 | 5 | 1
--> 2 | 23:30:00 | 6 | 2
--> 2 | 23:50:00 | 7 | 2
--> 2 | 2024-05-02 00:10:00 | 8 | 1
--> 2 | 2024-05-02 05:30:00 | 9 | 1
--> 2 | 2024-05-02 06:30:00 | 10 | 1
SELECT d, c FROM days ORDER BY d;
--> 3 | 2024-05-01 | 7
--> 3 | 2024-05-02 | 3
SELECT rowtime, v FROM sorted;
--> 4 | 10:05:00 | 1
--> 4 | 10:15:00 | 2
--> 4 | 10:40:00 | 3
--> 4 | 11:00:00 | 4
--> 4 | 11:00:00.001 | 5
--> 4 | 23:30:00 | 6
--> 4 | 23:50:00 | 7
--> 4 | 2024-05-02 00:10:00 | 8
--> 4 | 2024-05-02 05:30:00 | 9
--> 4 | 2024-05-02 06:30:00 | 10
