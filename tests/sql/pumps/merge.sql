-- date 2024-05-01
CREATE STREAM arrivals (id INTEGER, units INTEGER, note VARCHAR(10));
CREATE TABLE stock (id INTEGER PRIMARY KEY, units INTEGER NOT NULL, changes INTEGER);
INSERT INTO stock VALUES (1, 10, 0), (2, 5, 0);
CREATE PUMP p STARTED AS MERGE INTO stock AS t USING (SELECT STREAM * FROM arrivals) AS s ON t.id = s.id
  WHEN MATCHED AND t.units + s.units < 0 THEN DELETE
  WHEN MATCHED AND s.note = 'set' THEN UPDATE SET units = s.units, changes = t.changes + 1
  WHEN MATCHED THEN UPDATE SET units = t.units + s.units, changes = t.changes + 1
  WHEN NOT MATCHED AND s.units > 0 THEN INSERT (id, units, changes) VALUES (s.id, s.units, 0);

-- One row with a key after another, each sees what the one before has done: 4 comes, goes and comes again.
INSERT INTO arrivals VALUES (TIMESTAMP '2024-05-01 10:00:00', 1, 5, NULL), (TIMESTAMP '2024-05-01 10:01:00', 1, 7, 'set'), (TIMESTAMP '2024-05-01 10:02:00', 1, 1, NULL), (TIMESTAMP '2024-05-01 10:03:00', 3, -1, NULL),
  (TIMESTAMP '2024-05-01 10:04:00', 4, 2, NULL), (TIMESTAMP '2024-05-01 10:05:00', 4, -3, NULL), (TIMESTAMP '2024-05-01 10:06:00', 4, 9, NULL), (TIMESTAMP '2024-05-01 10:07:00', 2, -6, NULL);
-- A NULL matches nothing, and no clause is for it.
INSERT INTO arrivals VALUES (TIMESTAMP '2024-05-01 10:08:00', NULL, -1, NULL), (TIMESTAMP '2024-05-01 10:09:00', 5, 1, NULL), (TIMESTAMP '2024-05-01 10:10:00', 5, 1, NULL);

SELECT * FROM stock ORDER BY id;
--> 1 | 1 | 8 | 3
--> 1 | 4 | 9 | 0
--> 1 | 5 | 2 | 1

-- The name of a stream or of a view stands for all its rows.
CREATE STREAM closed (id INTEGER, below INTEGER);
CREATE PUMP d STARTED AS DELETE FROM stock AS t USING closed AS s WHERE t.id = s.id AND t.units < s.below;
CREATE STREAM renamed (id INTEGER, units INTEGER);
CREATE VIEW halves AS SELECT STREAM id, units / 2 AS units FROM renamed;
CREATE PUMP u STARTED AS UPDATE stock AS t SET units = s.units * 2 FROM halves AS s WHERE s.id = t.id;
INSERT INTO closed VALUES (TIMESTAMP '2024-05-01 10:00:00', 1, 8), (TIMESTAMP '2024-05-01 10:01:00', 4, 10), (TIMESTAMP '2024-05-01 10:02:00', 7, 10);
INSERT INTO renamed VALUES (TIMESTAMP '2024-05-01 10:00:00', 5, 50), (TIMESTAMP '2024-05-01 10:01:00', 4, 40);

SELECT * FROM stock ORDER BY id;
--> 2 | 1 | 8 | 3
--> 2 | 5 | 50 | 1
