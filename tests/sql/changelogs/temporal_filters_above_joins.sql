-- A condition on the current time above a join with a relation, or with versions of a table: what a row was joined with when it
-- came in is what is retracted when it leaves, whatever the relation has by then.
-- date 2015-02-15
-- steps matter
-- unordered 1 2 3 4

CREATE STREAM orders (rowtime TIMESTAMP NOT NULL, k VARCHAR(2), n INTEGER);
CREATE STREAM prices (rowtime TIMESTAMP NOT NULL, k VARCHAR(2) PRIMARY KEY, p INTEGER);
CREATE TABLE names (k VARCHAR(2), name VARCHAR(5));
INSERT INTO names VALUES ('a', 'ax');

SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT o.n, p.p FROM orders AS o JOIN prices FOR SYSTEM_TIME AS OF o.rowtime AS p ON o.k = p.k
  WHERE o.rowtime > NOW() - INTERVAL '1' HOUR AND o.n > 0));
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT o.n, t.name FROM orders AS o LEFT JOIN names AS t ON o.k = t.k
  WHERE o.rowtime > NOW() - INTERVAL '1' HOUR));
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT t.name, COUNT(*) AS c, SUM(o.n) AS s FROM orders AS o JOIN names AS t ON o.k = t.k
  WHERE o.rowtime > NOW() - INTERVAL '1' HOUR GROUP BY t.name));
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT o.n, p.p FROM orders AS o ASOF JOIN prices AS p MATCH_CONDITION p.rowtime <= o.rowtime ON o.k = p.k
  WHERE NOW() < o.rowtime + INTERVAL '1' HOUR));

INSERT INTO prices VALUES (TIMESTAMP '2015-02-15 09:00:00', 'a', 10);
INSERT INTO orders VALUES (TIMESTAMP '2015-02-15 10:00:00', 'a', 1), (TIMESTAMP '2015-02-15 10:00:00', 'b', 2);
--> 2 | 0 | 0 | 1 | ax
--> 2 | 0 | 0 | 2 |
--> 3 | 0 | 0 | ax | 1 | 1
!bound prices '2015-02-15 10:10:00'
--> 1 | 0 | 0 | 1 | 10
--> 4 | 0 | 0 | 1 | 10
UPDATE names SET name = 'ay' WHERE k = 'a';
INSERT INTO names VALUES ('b', 'bx');
!restart
INSERT INTO prices VALUES (TIMESTAMP '2015-02-15 10:30:00', 'a', 20);
INSERT INTO orders VALUES (TIMESTAMP '2015-02-15 10:40:00', 'a', 3);
--> 2 | 0 | 0 | 3 | ay
--> 3 | 0 | 0 | ay | 1 | 3
!bound prices '2015-02-15 10:50:00'
--> 1 | 0 | 0 | 3 | 20
--> 4 | 0 | 0 | 3 | 20
-- At 11:00 the orders of 10:00 leave; where prices are read, time is 10:50 until their bound moves on.
INSERT INTO orders VALUES (TIMESTAMP '2015-02-15 11:00:00', 'b', 4);
--> 2 | 0 | 0 | 4 | bx
--> 2 | 0 | 3 | 1 | ax
--> 2 | 0 | 3 | 2 |
--> 3 | 0 | 0 | bx | 1 | 4
--> 3 | 0 | 3 | ax | 1 | 1
!restart
!bound prices '2015-02-15 11:00:00'
--> 1 | 0 | 3 | 1 | 10
--> 4 | 0 | 3 | 1 | 10
