-- What is derived twice from one stream, and joined, fits together after every step.
-- date 2015-02-15
-- steps matter
-- restart between any two lines in the long form
-- unordered 1 2 3 4

CREATE STREAM transactions (rowtime TIMESTAMP NOT NULL, source VARCHAR(5), target VARCHAR(5), amount INTEGER);

-- 1: the balances; 2: their total, which is always 0, so it never changes
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT COALESCE(c.account, d.account) AS account, COALESCE(c.amount, 0) - COALESCE(d.amount, 0) AS balance
  FROM (SELECT target AS account, SUM(amount) AS amount FROM transactions GROUP BY target) AS c
  FULL JOIN (SELECT source AS account, SUM(amount) AS amount FROM transactions GROUP BY source) AS d ON c.account = d.account));
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT SUM(COALESCE(c.amount, 0) - COALESCE(d.amount, 0)) AS total
  FROM (SELECT target AS account, SUM(amount) AS amount FROM transactions GROUP BY target) AS c
  FULL JOIN (SELECT source AS account, SUM(amount) AS amount FROM transactions GROUP BY source) AS d ON c.account = d.account));

CREATE STREAM person (rowtime TIMESTAMP NOT NULL, id INTEGER, name VARCHAR(10));
CREATE STREAM auction (rowtime TIMESTAMP NOT NULL, id INTEGER, seller INTEGER, category VARCHAR(10), expires TIMESTAMP);
CREATE STREAM bid (rowtime TIMESTAMP NOT NULL, auction INTEGER, price INTEGER);

-- 3: who sells what
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT p.name, a.id FROM auction AS a JOIN person AS p ON a.seller = p.id WHERE a.category = 'books'));
-- 4: the average of the highest bids of each auction, of those that arrived in its time
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT q.category, AVG(q.final) AS average
  FROM (SELECT MAX(b.price) AS final, a.category FROM auction AS a JOIN bid AS b ON a.id = b.auction
        WHERE b.rowtime BETWEEN a.rowtime AND a.expires GROUP BY a.id, a.category) AS q
  GROUP BY q.category));

-- Step 1
INSERT INTO transactions VALUES (TIMESTAMP '2015-02-15 10:00:00', 'a', 'b', 10);
--> 1 | 0 | 0 | a | -10
--> 1 | 0 | 0 | b | 10
--> 2 | 0 | 0 | 0
-- Step 2
INSERT INTO transactions VALUES (TIMESTAMP '2015-02-15 10:01:00', 'b', 'c', 4);
--> 1 | 0 | 3 | b | 10
--> 1 | 0 | 0 | b | 6
--> 1 | 0 | 0 | c | 4
!restart
-- Step 3
INSERT INTO transactions VALUES (TIMESTAMP '2015-02-15 10:02:00', 'c', 'a', 4), (TIMESTAMP '2015-02-15 10:02:00', 'a', 'b', 1);
--> 1 | 0 | 3 | c | 4
--> 1 | 0 | 0 | c | 0
--> 1 | 0 | 3 | a | -10
--> 1 | 0 | 0 | a | -7
--> 1 | 0 | 3 | b | 6
--> 1 | 0 | 0 | b | 7
-- Step 4
INSERT INTO transactions VALUES (TIMESTAMP '2015-02-15 10:03:00', 'a', 'a', 5);
-- Step 5
INSERT INTO auction VALUES (TIMESTAMP '2015-02-15 10:00:00', 1, 7, 'books', TIMESTAMP '2015-02-15 10:10:00'),
  (TIMESTAMP '2015-02-15 10:00:00', 2, 7, 'books', TIMESTAMP '2015-02-15 10:05:00');
-- Step 6
INSERT INTO bid VALUES (TIMESTAMP '2015-02-15 10:01:00', 1, 100), (TIMESTAMP '2015-02-15 10:06:00', 2, 500);
--> 4 | 0 | 0 | books | 100.000000
-- Step 7
INSERT INTO person VALUES (TIMESTAMP '2015-02-15 10:01:00', 7, 'Ann');
--> 3 | 0 | 0 | Ann | 1
--> 3 | 0 | 0 | Ann | 2
-- Step 8
INSERT INTO bid VALUES (TIMESTAMP '2015-02-15 10:06:00', 1, 90);
-- Step 9
INSERT INTO auction VALUES (TIMESTAMP '2015-02-15 10:06:00', 3, 8, 'books', TIMESTAMP '2015-02-15 10:20:00');
-- Step 10
INSERT INTO bid VALUES (TIMESTAMP '2015-02-15 10:07:00', 3, 300);
--> 4 | 0 | 1 | books | 100.000000
--> 4 | 0 | 2 | books | 200.000000
