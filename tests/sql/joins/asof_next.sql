-- ASOF JOIN of two streams with a window: each row with the next row of its keys, or with the latest one, if it is near enough. By hand.
-- date 2024-05-01
CREATE STREAM trades (id INTEGER, symbol VARCHAR(8)) OPTIONS (history 'all');
CREATE STREAM quotes (symbol VARCHAR(8), price INTEGER) OPTIONS (history 'all');
SELECT STREAM /*+ PARTITIONS(1) */ t.rowtime, t.id, q.price FROM trades AS t
LEFT ASOF JOIN quotes OVER (RANGE INTERVAL '10' SECOND FOLLOWING) AS q MATCH_CONDITION t.rowtime <= q.rowtime ON t.symbol = q.symbol;
SELECT STREAM /*+ PARTITIONS(1) */ t.rowtime, t.id, q.price FROM trades AS t
ASOF JOIN quotes OVER (RANGE BETWEEN CURRENT ROW AND INTERVAL '10' SECOND FOLLOWING) AS q MATCH_CONDITION q.rowtime > t.rowtime ON t.symbol = q.symbol;
SELECT STREAM /*+ PARTITIONS(1) */ t.rowtime, t.id, q.price FROM trades AS t
LEFT ASOF JOIN quotes OVER (RANGE INTERVAL '10' SECOND PRECEDING) AS q MATCH_CONDITION t.rowtime >= q.rowtime ON t.symbol = q.symbol;
SELECT STREAM FLOOR(t.rowtime TO MINUTE) AS rowtime, COUNT(*) AS trades, COUNT(q.price) AS priced FROM trades AS t
LEFT ASOF JOIN quotes OVER (RANGE INTERVAL '10' SECOND FOLLOWING) AS q MATCH_CONDITION t.rowtime <= q.rowtime ON t.symbol = q.symbol
GROUP BY FLOOR(t.rowtime TO MINUTE);
INSERT INTO trades VALUES (TIMESTAMP '2024-05-01 10:00:00', 1, 'A'), (TIMESTAMP '2024-05-01 10:00:02', 2, 'B'),
  (TIMESTAMP '2024-05-01 10:00:05', 3, 'A'), (TIMESTAMP '2024-05-01 10:00:06', 4, NULL);
-- Another quote of 10:00:00 may come.
INSERT INTO quotes VALUES (TIMESTAMP '2024-05-01 10:00:00', 'A', 10);
INSERT INTO quotes VALUES (TIMESTAMP '2024-05-01 10:00:00', 'A', 11), (TIMESTAMP '2024-05-01 10:00:05', 'A', 12), (TIMESTAMP '2024-05-01 10:00:05', 'A', 13);
--> 1 | 10:00:00 | 1 | 11
--> 3 | 10:00:00 | 1 | 11
--> 3 | 10:00:02 | 2 |
!bound quotes '2024-05-01 10:00:05.001'
--> 2 | 10:00:00 | 1 | 13
--> 3 | 10:00:05 | 3 | 13
--> 3 | 10:00:06 | 4 |
!restart
-- A quote of B may come until 10:00:12.
!bound quotes '2024-05-01 10:00:12'
!bound quotes '2024-05-01 10:00:12.001'
--> 1 | 10:00:02 | 2 |
--> 1 | 10:00:05 | 3 | 13
--> 1 | 10:00:06 | 4 |
INSERT INTO quotes VALUES (TIMESTAMP '2024-05-01 10:00:15', 'A', 14);
INSERT INTO trades VALUES (TIMESTAMP '2024-05-01 10:00:30', 5, 'A'), (TIMESTAMP '2024-05-01 10:00:31', 6, 'A');
!restart
!bound quotes '2024-05-01 10:01:10'
--> 1 | 10:00:30 | 5 |
--> 1 | 10:00:31 | 6 |
--> 2 | 10:00:05 | 3 | 14
--> 3 | 10:00:30 | 5 |
--> 3 | 10:00:31 | 6 |
!bound trades '2024-05-01 10:01:00'
--> 4 | 10:00:00 | 6 | 2
SELECT t.id, q.price FROM trades AS t
LEFT ASOF JOIN quotes OVER (RANGE INTERVAL '10' SECOND FOLLOWING) AS q MATCH_CONDITION t.rowtime < q.rowtime ON t.symbol = q.symbol
WHERE t.id > 2 ORDER BY t.id;
--> 5 | 3 | 14
--> 5 | 4 |
--> 5 | 5 |
--> 5 | 6 |
SELECT t.id, q.price FROM trades AS t
ASOF JOIN quotes OVER (RANGE INTERVAL '15' SECOND PRECEDING) AS q MATCH_CONDITION t.rowtime > q.rowtime ON t.symbol = q.symbol
WHERE t.id > 3 ORDER BY t.id;
--> 6 | 5 | 14
