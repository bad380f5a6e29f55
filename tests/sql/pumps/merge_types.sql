-- Values that are stored in another form than they are computed in, and times as text.
CREATE STREAM visits (place VARCHAR(4), opens TIME, price DECIMAL(6, 2));
CREATE TABLE places (place VARCHAR(4) PRIMARY KEY, opens TIME, seen VARCHAR(30), total DECIMAL(8, 2));
CREATE PUMP p STARTED AS MERGE INTO places AS t USING (SELECT STREAM * FROM visits) AS s ON t.place = s.place
  WHEN MATCHED AND s.opens < t.opens THEN UPDATE SET opens = s.opens, total = t.total + s.price
  WHEN MATCHED AND s.opens IS NULL THEN DELETE
  WHEN MATCHED THEN UPDATE SET opens = COALESCE(t.opens, s.opens), seen = CAST(s.rowtime AS VARCHAR(30))
  WHEN NOT MATCHED THEN INSERT VALUES (s.place, s.opens, CAST(s.rowtime AS VARCHAR(30)), s.price);
INSERT INTO visits VALUES (TIMESTAMP '2024-05-01 10:00:00', 'A', TIME '09:00:00', 1.25), (TIMESTAMP '2024-05-01 10:01:00', 'A', TIME '08:30:00', 2.50),
  (TIMESTAMP '2024-05-01 10:02:00', 'B', NULL, NULL), (TIMESTAMP '2024-05-01 10:03:00', 'B', TIME '07:00:00', 3.00);
INSERT INTO visits VALUES (TIMESTAMP '2024-05-01 10:04:00', 'C', TIME '12:00:00', 0.10), (TIMESTAMP '2024-05-01 10:05:00', 'A', TIME '10:00:00', 9.00), (TIMESTAMP '2024-05-01 10:06:00', 'C', NULL, NULL);
SELECT place, 'at ' || CAST(opens AS VARCHAR(8)) AS opens, seen, total FROM places ORDER BY place;
--> 1 | A | at 08:30:00 | 2024-05-01 10:05:00.000 | 3.75
--> 1 | B | at 07:00:00 | 2024-05-01 10:03:00.000 |
