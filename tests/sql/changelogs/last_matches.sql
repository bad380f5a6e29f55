-- Joins of whole streams whose condition says when a row has had its last match: it is kept no longer, and its results stay.
-- date 2015-02-15
-- steps matter
-- restart between any two lines in the long form
-- unordered 1 2 3 4 5 6 7

CREATE STREAM auction (rowtime TIMESTAMP NOT NULL, id INTEGER, expires TIMESTAMP);
CREATE STREAM bid (rowtime TIMESTAMP NOT NULL, auction INTEGER, price INTEGER);
CREATE VIEW late AS SELECT STREAM * FROM bid;
LATENESS late.rowtime INTERVAL '10' MINUTE;

SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT a.id, b.price FROM auction AS a JOIN bid AS b
  ON a.id = b.auction AND b.rowtime BETWEEN a.rowtime AND a.expires));
-- 2, 3: rows without a match; 4: of one input only
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT a.id, b.price FROM auction AS a LEFT JOIN bid AS b
  ON a.id = b.auction AND b.rowtime BETWEEN a.rowtime AND a.expires));
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT a.id, b.price FROM auction AS a FULL JOIN bid AS b
  ON a.id = b.auction AND b.rowtime BETWEEN a.rowtime AND a.expires));
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT id FROM auction AS a WHERE NOT EXISTS (SELECT 1 FROM bid AS b
  WHERE a.id = b.auction AND b.rowtime >= a.rowtime AND b.rowtime <= a.expires)));
-- 5: only bids end; 6: a group above; 7: bids that may be late
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT a.id, b.price FROM auction AS a LEFT JOIN bid AS b
  ON a.id = b.auction AND a.rowtime <= b.rowtime));
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT a.id, MAX(b.price) AS most FROM auction AS a JOIN bid AS b
  ON a.id = b.auction AND b.rowtime BETWEEN a.rowtime AND a.expires GROUP BY a.id));
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT a.id, b.price FROM auction AS a JOIN late AS b
  ON a.id = b.auction AND a.expires >= b.rowtime AND b.rowtime >= a.rowtime));

-- An auction without an end has no bids.
INSERT INTO auction VALUES (TIMESTAMP '2015-02-15 10:00:00', 1, TIMESTAMP '2015-02-15 10:30:00'),
  (TIMESTAMP '2015-02-15 10:00:00', 2, TIMESTAMP '2015-02-15 10:05:00'), (TIMESTAMP '2015-02-15 10:00:00', 3, NULL);
--> 2 | 0 | 0 | 1 |
--> 2 | 0 | 0 | 2 |
--> 2 | 0 | 0 | 3 |
--> 3 | 0 | 0 | 1 |
--> 3 | 0 | 0 | 2 |
--> 3 | 0 | 0 | 3 |
--> 4 | 0 | 0 | 1
--> 4 | 0 | 0 | 2
--> 4 | 0 | 0 | 3
--> 5 | 0 | 0 | 1 |
--> 5 | 0 | 0 | 2 |
--> 5 | 0 | 0 | 3 |
-- A bid whose auction has not arrived waits for it.
INSERT INTO bid VALUES (TIMESTAMP '2015-02-15 10:03:00', 2, 20), (TIMESTAMP '2015-02-15 10:04:00', 1, 10),
  (TIMESTAMP '2015-02-15 10:04:00', 4, 40);
--> 1 | 0 | 0 | 1 | 10
--> 1 | 0 | 0 | 2 | 20
--> 2 | 0 | 0 | 1 | 10
--> 2 | 0 | 0 | 2 | 20
--> 2 | 0 | 3 | 1 |
--> 2 | 0 | 3 | 2 |
--> 3 | 0 | 0 |   | 40
--> 3 | 0 | 0 | 1 | 10
--> 3 | 0 | 0 | 2 | 20
--> 3 | 0 | 3 | 1 |
--> 3 | 0 | 3 | 2 |
--> 4 | 0 | 3 | 1
--> 4 | 0 | 3 | 2
--> 5 | 0 | 0 | 1 | 10
--> 5 | 0 | 0 | 2 | 20
--> 5 | 0 | 3 | 1 |
--> 5 | 0 | 3 | 2 |
--> 6 | 0 | 0 | 1 | 10
--> 6 | 0 | 0 | 2 | 20
--> 7 | 0 | 0 | 1 | 10
--> 7 | 0 | 0 | 2 | 20
-- A bid at the end of an auction is the last one.
INSERT INTO bid VALUES (TIMESTAMP '2015-02-15 10:05:00', 2, 21), (TIMESTAMP '2015-02-15 10:06:00', 2, 22),
  (TIMESTAMP '2015-02-15 10:30:00', 1, 11), (TIMESTAMP '2015-02-15 10:31:00', 1, 12);
--> 1 | 0 | 0 | 1 | 11
--> 1 | 0 | 0 | 2 | 21
--> 2 | 0 | 0 | 1 | 11
--> 2 | 0 | 0 | 2 | 21
--> 3 | 0 | 0 |   | 12
--> 3 | 0 | 0 |   | 22
--> 3 | 0 | 0 | 1 | 11
--> 3 | 0 | 0 | 2 | 21
--> 5 | 0 | 0 | 1 | 11
--> 5 | 0 | 0 | 1 | 12
--> 5 | 0 | 0 | 2 | 21
--> 5 | 0 | 0 | 2 | 22
--> 6 | 0 | 1 | 1 | 10
--> 6 | 0 | 2 | 1 | 11
--> 6 | 0 | 1 | 2 | 20
--> 6 | 0 | 2 | 2 | 21
--> 7 | 0 | 0 | 1 | 11
--> 7 | 0 | 0 | 2 | 21
INSERT INTO auction VALUES (TIMESTAMP '2015-02-15 10:04:00', 4, TIMESTAMP '2015-02-15 10:50:00'),
  (TIMESTAMP '2015-02-15 10:20:00', 5, TIMESTAMP '2015-02-15 10:50:00'), (TIMESTAMP '2015-02-15 10:40:00', 1, TIMESTAMP '2015-02-15 11:00:00');
--> 1 | 0 | 0 | 4 | 40
--> 2 | 0 | 0 | 1 |
--> 2 | 0 | 0 | 4 | 40
--> 2 | 0 | 0 | 5 |
--> 3 | 0 | 0 | 1 |
--> 3 | 0 | 0 | 4 | 40
--> 3 | 0 | 0 | 5 |
--> 3 | 0 | 3 |   | 40
--> 4 | 0 | 0 | 1
--> 4 | 0 | 0 | 5
--> 5 | 0 | 0 | 1 |
--> 5 | 0 | 0 | 4 | 40
--> 5 | 0 | 0 | 5 |
--> 6 | 0 | 0 | 4 | 40
--> 7 | 0 | 0 | 4 | 40
INSERT INTO bid VALUES (TIMESTAMP '2015-02-15 10:45:00', 5, 50), (TIMESTAMP '2015-02-15 10:50:00', 1, 13), (TIMESTAMP '2015-02-15 10:50:00', 4, 41);
--> 1 | 0 | 0 | 1 | 13
--> 1 | 0 | 0 | 4 | 41
--> 1 | 0 | 0 | 5 | 50
--> 2 | 0 | 0 | 1 | 13
--> 2 | 0 | 0 | 4 | 41
--> 2 | 0 | 0 | 5 | 50
--> 2 | 0 | 3 | 1 |
--> 2 | 0 | 3 | 5 |
--> 3 | 0 | 0 | 1 | 13
--> 3 | 0 | 0 | 4 | 41
--> 3 | 0 | 0 | 5 | 50
--> 3 | 0 | 3 | 1 |
--> 3 | 0 | 3 | 5 |
--> 4 | 0 | 3 | 1
--> 4 | 0 | 3 | 5
--> 5 | 0 | 0 | 1 | 13
--> 5 | 0 | 0 | 1 | 13
--> 5 | 0 | 0 | 4 | 41
--> 5 | 0 | 0 | 5 | 50
--> 5 | 0 | 3 | 1 |
--> 5 | 0 | 3 | 5 |
--> 6 | 0 | 0 | 5 | 50
--> 6 | 0 | 1 | 1 | 11
--> 6 | 0 | 2 | 1 | 13
--> 6 | 0 | 1 | 4 | 40
--> 6 | 0 | 2 | 4 | 41
--> 7 | 0 | 0 | 1 | 13
--> 7 | 0 | 0 | 4 | 41
--> 7 | 0 | 0 | 5 | 50
