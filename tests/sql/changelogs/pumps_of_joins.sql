-- Tables that have joins of whole streams, their first rows, and set operations. After each step, a table is the query
-- over all rows so far.
-- date 2024-01-01
-- steps matter

CREATE STREAM person (rowtime TIMESTAMP NOT NULL, id BIGINT, name VARCHAR(10));
CREATE STREAM auction (rowtime TIMESTAMP NOT NULL, id BIGINT, seller BIGINT, category INTEGER);
CREATE STREAM bid (rowtime TIMESTAMP NOT NULL, auction BIGINT, bidder BIGINT, price BIGINT);

-- The best bid of each auction that is there.
CREATE TABLE best (auction BIGINT, price BIGINT, bidder BIGINT, PRIMARY KEY (auction));
CREATE PUMP p1 STARTED AS INSERT INTO best SELECT STREAM auction, price, bidder FROM (
  SELECT A.id AS auction, B.price, B.bidder, ROW_NUMBER() OVER (PARTITION BY A.id ORDER BY B.price DESC) AS n
  FROM auction A JOIN bid B ON A.id = B.auction) AS r WHERE n = 1;
CREATE TABLE totals (category INTEGER, total BIGINT, PRIMARY KEY (category));
CREATE PUMP p2 STARTED AS INSERT INTO totals
  SELECT STREAM A.category, SUM(B.price) FROM auction A JOIN bid B ON A.id = B.auction GROUP BY A.category;
-- Who sells nothing: rows are deleted.
CREATE TABLE idle (id BIGINT, PRIMARY KEY (id));
CREATE PUMP p3 STARTED AS INSERT INTO idle SELECT STREAM id FROM person EXCEPT SELECT STREAM seller FROM auction;
-- A row without a match is replaced by the one with it.
CREATE TABLE sellers (id BIGINT, auctions BIGINT, name VARCHAR(10), PRIMARY KEY (id));
CREATE PUMP p4 STARTED AS INSERT INTO sellers SELECT STREAM P.id, A.n, P.name
  FROM (SELECT id, MAX(name) AS name FROM person GROUP BY id) AS P
  LEFT JOIN (SELECT seller, COUNT(*) AS n FROM auction GROUP BY seller) AS A ON P.id = A.seller;
-- The newest bid of each bidder.
CREATE TABLE newest (bidder BIGINT, price BIGINT, PRIMARY KEY (bidder));
CREATE PUMP p5 STARTED AS INSERT INTO newest SELECT STREAM bidder, price FROM (
  SELECT bidder, price, ROW_NUMBER() OVER (PARTITION BY bidder ORDER BY rowtime DESC) AS n FROM bid) AS r WHERE n = 1;

INSERT INTO person VALUES (TIMESTAMP '2024-01-01 10:00:00', 1, 'ann'), (TIMESTAMP '2024-01-01 10:00:00', 2, 'bob');
INSERT INTO auction VALUES (TIMESTAMP '2024-01-01 10:00:00', 10, 1, 5);
INSERT INTO bid VALUES (TIMESTAMP '2024-01-01 10:00:00', 10, 7, 100);
SELECT * FROM best;
--> 1 | 10 | 100 | 7
SELECT * FROM totals;
--> 2 | 5 | 100
SELECT * FROM idle;
--> 3 | 2
SELECT * FROM sellers ORDER BY id;
--> 4 | 1 | 1 | ann
--> 4 | 2 |  | bob
SELECT * FROM newest;
--> 5 | 7 | 100

-- A bid for an auction that is not there; a better one; and one that is not.
INSERT INTO bid VALUES (TIMESTAMP '2024-01-01 10:01:00', 10, 8, 90), (TIMESTAMP '2024-01-01 10:01:01', 10, 9, 120),
  (TIMESTAMP '2024-01-01 10:01:02', 11, 7, 50);
INSERT INTO auction VALUES (TIMESTAMP '2024-01-01 10:01:00', 12, 2, 6);
SELECT * FROM best;
--> 6 | 10 | 120 | 9
SELECT * FROM totals;
--> 7 | 5 | 310
SELECT * FROM idle;
SELECT * FROM sellers ORDER BY id;
--> 9 | 1 | 1 | ann
--> 9 | 2 | 1 | bob
SELECT * FROM newest ORDER BY bidder;
--> 10 | 7 | 50
--> 10 | 8 | 90
--> 10 | 9 | 120

!restart
-- The auction comes after its bid.
INSERT INTO auction VALUES (TIMESTAMP '2024-01-01 10:02:00', 11, 2, 5);
INSERT INTO bid VALUES (TIMESTAMP '2024-01-01 10:02:00', 12, 8, 60);
INSERT INTO person VALUES (TIMESTAMP '2024-01-01 10:02:00', 3, 'eve');
SELECT * FROM best ORDER BY auction;
--> 11 | 10 | 120 | 9
--> 11 | 11 | 50 | 7
--> 11 | 12 | 60 | 8
SELECT * FROM totals ORDER BY category;
--> 12 | 5 | 360
--> 12 | 6 | 60
SELECT * FROM idle;
--> 13 | 3
SELECT * FROM sellers ORDER BY id;
--> 14 | 1 | 1 | ann
--> 14 | 2 | 2 | bob
--> 14 | 3 |  | eve
SELECT * FROM newest ORDER BY bidder;
--> 15 | 7 | 50
--> 15 | 8 | 60
--> 15 | 9 | 120
