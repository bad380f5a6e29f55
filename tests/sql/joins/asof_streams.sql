-- ASOF JOIN of two streams: each row with the latest row of its keys before it.
-- date 2024-05-01
CREATE STREAM trades (id INTEGER, symbol VARCHAR(8)) OPTIONS (history 'all');
CREATE STREAM quotes (symbol VARCHAR(8), price INTEGER) OPTIONS (history 'all');
SELECT STREAM t.rowtime, t.id, q.price FROM trades AS t ASOF JOIN quotes AS q MATCH_CONDITION t.rowtime >= q.rowtime ON t.symbol = q.symbol;
SELECT STREAM rowtime, t.id, q.price FROM trades AS t LEFT ASOF JOIN quotes AS q MATCH_CONDITION t.rowtime > q.rowtime ON t.symbol = q.symbol;
-- At least a minute old, and written the other way round.
SELECT STREAM t.rowtime, t.id, q.price FROM trades AS t
LEFT ASOF JOIN (SELECT STREAM rowtime + INTERVAL '1' MINUTE AS rowtime, symbol, price FROM quotes) AS q MATCH_CONDITION q.rowtime <= t.rowtime ON q.symbol = t.symbol;
INSERT INTO quotes VALUES (TIMESTAMP '2024-05-01 10:00:00', 'A', 10), (TIMESTAMP '2024-05-01 10:00:00', 'B', 20), (TIMESTAMP '2024-05-01 10:00:00', NULL, 0);
INSERT INTO trades VALUES (TIMESTAMP '2024-05-01 09:59:00', 1, 'A'), (TIMESTAMP '2024-05-01 10:00:00', 2, 'A'), (TIMESTAMP '2024-05-01 10:00:30', 3, 'B'), (TIMESTAMP '2024-05-01 10:00:30', 4, NULL);
--> 2 | 09:59:00 | 1 |
--> 2 | 10:00:00 | 2 |
--> 3 | 09:59:00 | 1 |
--> 3 | 10:00:00 | 2 |
--> 3 | 10:00:30 | 3 |
--> 3 | 10:00:30 | 4 |
INSERT INTO quotes VALUES (TIMESTAMP '2024-05-01 10:00:30', 'B', 21);
--> 1 | 10:00:00 | 2 | 10
--> 2 | 10:00:30 | 3 | 20
--> 2 | 10:00:30 | 4 |
!restart
INSERT INTO trades VALUES (TIMESTAMP '2024-05-01 10:01:00', 5, 'B'), (TIMESTAMP '2024-05-01 10:01:10', 6, 'C');
--> 3 | 10:01:00 | 5 | 20
--> 3 | 10:01:10 | 6 |
!bound quotes '2024-05-01 10:05:00'
--> 1 | 10:00:30 | 3 | 21
--> 1 | 10:01:00 | 5 | 21
--> 2 | 10:01:00 | 5 | 21
--> 2 | 10:01:10 | 6 |
SELECT t.id, q.price FROM trades AS t ASOF JOIN quotes AS q MATCH_CONDITION t.rowtime >= q.rowtime ON t.symbol = q.symbol ORDER BY t.id;
--> 4 | 2 | 10
--> 4 | 3 | 21
--> 4 | 5 | 21
