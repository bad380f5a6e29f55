-- Seed 003, the trains of rows: a bound that comes after its train supersedes the train's own, a train that is split ends with
-- the bound of what follows, and WHERE takes away rows but never a bound. Projections that shift rowtime shift bounds.
-- date 2006-10-10
CREATE STREAM Orders (ticker VARCHAR(10));
SELECT STREAM * FROM Orders WHERE ticker = 'ORCL';
SELECT STREAM rowtime + INTERVAL '1' HOUR AS rowtime, ticker FROM Orders WHERE ticker <> 'MSFT';
SELECT STREAM rowtime + 100 AS rowtime FROM Orders WHERE ticker = 'SAP';
SELECT STREAM FLOOR(rowtime TO MINUTE) AS rowtime, COUNT(*) AS c FROM (
  SELECT STREAM rowtime - INTERVAL '10' MINUTE AS rowtime FROM Orders WHERE ticker = 'ORCL'
) GROUP BY FLOOR(rowtime TO MINUTE);

INSERT INTO Orders VALUES (TIMESTAMP '2006-10-10 10:00:00', 'ORCL');
--> 1 | 10:00:00 | ORCL
--> 2 | 11:00:00 | ORCL
--> bound 1 10:00:00
--> bound 2 11:00:00
--> bound 3 10:00:00.100
-- What it counts is gone, but not what it says of the time.
INSERT INTO Orders VALUES (TIMESTAMP '2006-10-10 10:01:00', 'MSFT');
--> 4 | 09:50:00 | 1
--> bound 1 10:01:00
--> bound 2 11:01:00
--> bound 3 10:01:00.100
--> bound 4 09:51:00
INSERT INTO Orders VALUES (TIMESTAMP '2006-10-10 10:02:00', 'IBM');
--> 2 | 11:02:00 | IBM
!bound Orders '2006-10-10 10:05:00'
--> bound Orders 10:05:00
--> bound 1 10:05:00
--> bound 2 11:05:00
--> bound 3 10:05:00.100
--> bound 4 09:55:00
