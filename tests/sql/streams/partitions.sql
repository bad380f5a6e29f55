-- Into how many partitions the state of a query is split does not show in its rows.
-- date 2024-05-01
-- unordered 1
-- unordered 2
CREATE STREAM s (k VARCHAR(1), n INTEGER);
CREATE STREAM c (k VARCHAR(1), n BIGINT);
SELECT STREAM /*+ PARTITIONS(1) */ rowtime, k, COUNT(*) OVER (PARTITION BY k ORDER BY rowtime RANGE INTERVAL '1' HOUR PRECEDING) AS c
FROM s;
SELECT STREAM /*+ FROM_EARLIEST, PARTITIONS(5) */ FLOOR(rowtime TO HOUR) AS rowtime, k, COUNT(DISTINCT n) AS c
FROM s GROUP BY FLOOR(rowtime TO HOUR), k;
CREATE PUMP p STARTED OPTIONS (partitions '3') AS
  INSERT INTO c SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, k, SUM(n) AS n FROM s GROUP BY FLOOR(rowtime TO HOUR), k;
SELECT STREAM * FROM c WHERE k = 'a';

INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:10:00', 'a', 1), (TIMESTAMP '2024-05-01 10:20:00', 'b', 1),
  (TIMESTAMP '2024-05-01 10:30:00', 'a', 1);
--> 1 | 10:10:00 | a | 1
--> 1 | 10:20:00 | b | 1
--> 1 | 10:30:00 | a | 2
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:50:00', 'a', 2), (TIMESTAMP '2024-05-01 11:00:00', 'b', 3);
--> 1 | 10:50:00 | a | 3
--> 1 | 11:00:00 | b | 2
--> 2 | 10:00:00 | a | 2
--> 2 | 10:00:00 | b | 1
--> 3 | 10:00:00 | a | 4
