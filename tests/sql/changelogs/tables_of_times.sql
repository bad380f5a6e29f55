-- unordered 1
-- unordered 2
-- steps matter
-- Values that are stored in another form than that of their type, in the changes of tables.
CREATE TABLE shifts (id INTEGER PRIMARY KEY, opens TIME, breaks TIME ARRAY, place ROW(room INTEGER, shuts TIME));
CREATE TABLE lengths AS SELECT id, (TIMESTAMP '2024-05-02 12:00:00' - TIMESTAMP '2024-05-01 10:00:00') HOUR AS lasts,
  INTERVAL '1-2' YEAR TO MONTH AS again FROM (VALUES (1)) AS v (id);
CREATE MATERIALIZED VIEW copies AS SELECT id, opens, breaks, place FROM shifts;
CREATE MATERIALIZED VIEW firsts AS SELECT CARDINALITY(breaks) AS breaks, MIN(opens) AS opens, COUNT(*) AS shifts
  FROM shifts GROUP BY CARDINALITY(breaks);
CREATE MATERIALIZED VIEW by_time AS SELECT opens, COUNT(*) AS n FROM copies GROUP BY opens;
SELECT STREAM 'p', op, payload.* FROM TO_CHANGELOG((SELECT id, 'at ' || CAST(opens AS VARCHAR(8)) AS opens, 'at ' || CAST(breaks[1] AS VARCHAR(8)) AS break,
  'at ' || CAST(shifts.place.shuts AS VARCHAR(8)) AS shuts FROM shifts));
SELECT STREAM 'p', op, payload.* FROM TO_CHANGELOG((SELECT id, lasts > INTERVAL '25' HOUR AS long, again FROM lengths));
--> 2 | p | 0 | 1 | TRUE | P1Y2M
INSERT INTO shifts VALUES
  (1, TIME '10:00:00', ARRAY[TIME '12:00:00', TIME '13:30:00'], ROW(1, TIME '18:30:00')),
  (2, TIME '07:15:30', ARRAY[TIME '12:15:00', TIME '13:30:00'], NULL), (3, NULL, NULL, NULL);
--> 1 | p | 0 | 1 | at 10:00:00 | at 12:00:00 | at 18:30:00
--> 1 | p | 0 | 2 | at 07:15:30 | at 12:15:00 |
--> 1 | p | 0 | 3 |  |  |
SELECT id, 'at ' || CAST(opens AS VARCHAR(8)), breaks, place FROM copies WHERE id < 3 ORDER BY id;
--> 3 | 1 | at 10:00:00 | ["12:00:00","13:30:00"] | {"ROOM":1,"SHUTS":"18:30:00"}
--> 3 | 2 | at 07:15:30 | ["12:15:00","13:30:00"] |
SELECT breaks, 'at ' || CAST(opens AS VARCHAR(8)), shifts FROM firsts ORDER BY breaks;
--> 4 | 2 | at 07:15:30 | 2
--> 4 |  |  | 1
SELECT 'at ' || CAST(opens AS VARCHAR(8)), n FROM by_time WHERE opens > TIME '08:00:00';
--> 5 | at 10:00:00 | 1

UPDATE shifts SET opens = TIME '10:00:00' WHERE id = 2;
--> 1 | p | 1 | 2 | at 07:15:30 | at 12:15:00 |
--> 1 | p | 2 | 2 | at 10:00:00 | at 12:15:00 |
UPDATE lengths SET lasts = lasts - INTERVAL '3' HOUR;
--> 2 | p | 0 | 1 | FALSE | P1Y2M
--> 2 | p | 3 | 1 | TRUE | P1Y2M
SELECT breaks, 'at ' || CAST(opens AS VARCHAR(8)), shifts FROM firsts ORDER BY breaks;
--> 6 | 2 | at 10:00:00 | 2
--> 6 | | | 1
SELECT 'at ' || CAST(opens AS VARCHAR(8)), n FROM by_time WHERE opens IS NOT NULL;
--> 7 | at 10:00:00 | 2
