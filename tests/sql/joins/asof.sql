-- ASOF JOIN: each left row with the right row of its key that is nearest in time, on the side that the comparison names.
-- date 2024-05-01
CREATE STREAM trades (id INTEGER, symbol VARCHAR(8)) OPTIONS (history 'all');
CREATE TABLE prices (symbol VARCHAR(8), quoted TIMESTAMP(3), price INTEGER);
INSERT INTO prices VALUES
  ('A', TIMESTAMP '2024-05-01 09:00:00', 10),
  ('B', TIMESTAMP '2024-05-01 09:30:00', 77),
  ('A', TIMESTAMP '2024-05-01 10:00:00', 11),
  ('A', TIMESTAMP '2024-05-01 10:10:00', 12),
  ('A', NULL, 99),
  (NULL, TIMESTAMP '2024-05-01 10:00:00', 98);

SELECT STREAM t.rowtime, t.id, p.price FROM trades AS t ASOF JOIN prices AS p MATCH_CONDITION t.rowtime >= p.quoted ON t.symbol = p.symbol;
SELECT STREAM t.rowtime, t.id, p.price FROM trades AS t LEFT ASOF JOIN prices AS p MATCH_CONDITION t.rowtime > p.quoted ON t.symbol = p.symbol;
SELECT STREAM t.id, p.price, p.quoted FROM trades AS t LEFT ASOF JOIN prices AS p MATCH_CONDITION t.rowtime <= p.quoted ON t.symbol = p.symbol;
SELECT STREAM t.id, p.price FROM trades AS t LEFT ASOF JOIN prices AS p MATCH_CONDITION p.quoted > t.rowtime ON t.symbol = p.symbol;
INSERT INTO trades VALUES
  (TIMESTAMP '2024-05-01 08:59:00', 1, 'A'),
  (TIMESTAMP '2024-05-01 09:59:59', 2, 'A'),
  (TIMESTAMP '2024-05-01 10:00:00', 3, 'A'),
  (TIMESTAMP '2024-05-01 10:00:00', 4, 'B'),
  (TIMESTAMP '2024-05-01 10:00:00', 5, NULL),
  (TIMESTAMP '2024-05-01 11:00:00', 6, 'A');
--> 1 | 09:59:59 | 2 | 10
--> 1 | 10:00:00 | 3 | 11
--> 1 | 10:00:00 | 4 | 77
--> 1 | 11:00:00 | 6 | 12
--> 2 | 08:59:00 | 1 |
--> 2 | 09:59:59 | 2 | 10
--> 2 | 10:00:00 | 3 | 10
--> 2 | 10:00:00 | 4 | 77
--> 2 | 10:00:00 | 5 |
--> 2 | 11:00:00 | 6 | 12
--> 3 | 1 | 10 | 09:00:00
--> 3 | 2 | 11 | 10:00:00
--> 3 | 3 | 11 | 10:00:00
--> 3 | 4 |  |
--> 3 | 5 |  |
--> 3 | 6 |  |
--> 4 | 1 | 10
--> 4 | 2 | 11
--> 4 | 3 | 12
--> 4 | 4 |
--> 4 | 5 |
--> 4 | 6 |
SELECT t.id, p.price FROM trades AS t LEFT ASOF JOIN prices AS p MATCH_CONDITION t.rowtime >= p.quoted ON t.symbol = p.symbol ORDER BY t.id;
--> 5 | 1 |
--> 5 | 2 | 10
--> 5 | 3 | 11
--> 5 | 4 | 77
--> 5 | 5 |
--> 5 | 6 | 12
