-- OVER above results that change, and by an order that is not that of arrival, as changelogs.
-- date 2024-05-01
-- steps matter
-- unordered 1 2 3 4

CREATE STREAM auction (rowtime TIMESTAMP NOT NULL, id INTEGER, seller VARCHAR(10));
CREATE STREAM bid (rowtime TIMESTAMP NOT NULL, auction INTEGER, price INTEGER);

-- 1: the average price of the best bids of a seller's last two auctions; a better bid changes that of the next auction too
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((
  SELECT seller, id, AVG(price) OVER (PARTITION BY seller ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS a FROM (
    SELECT A.seller, A.id, B.price, ROW_NUMBER() OVER (PARTITION BY A.id ORDER BY B.price DESC) AS n
    FROM auction A JOIN bid B ON A.id = B.auction) WHERE n <= 1));
-- 2: over rows that are only added, by a value; equal rows count
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT price, SUM(price) OVER (ORDER BY price ROWS UNBOUNDED PRECEDING) AS s FROM bid));
-- 3: over groups; a rank that stays is no change
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((
  SELECT auction, c, RANK() OVER (ORDER BY c DESC) AS r FROM (SELECT auction, COUNT(*) AS c FROM bid GROUP BY auction)));
-- 4: below a GROUP BY, with the row before and the one after
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((
  SELECT COUNT(*) AS n, SUM(price - l) AS rises, MAX(d) AS d FROM (
    SELECT price, LAG(price) OVER (PARTITION BY auction ORDER BY price) AS l, LEAD(price) OVER (PARTITION BY auction ORDER BY price) AS d FROM bid)));

-- Step 1
INSERT INTO auction VALUES (TIMESTAMP '2024-05-01 10:00:00', 1, 'ann'), (TIMESTAMP '2024-05-01 10:00:00', 2, 'ann');
INSERT INTO bid VALUES (TIMESTAMP '2024-05-01 10:00:00', 1, 10), (TIMESTAMP '2024-05-01 10:00:00', 2, 30);
--> 1 | 0 | 0 | ann | 1 | 10.000000
--> 1 | 0 | 0 | ann | 2 | 20.000000
--> 2 | 0 | 0 | 10 | 10
--> 2 | 0 | 0 | 30 | 40
--> 3 | 0 | 0 | 1 | 1 | 1
--> 3 | 0 | 0 | 2 | 1 | 1
--> 4 | 0 | 0 | 2 |  |
!restart
-- Step 2
INSERT INTO bid VALUES (TIMESTAMP '2024-05-01 10:01:00', 1, 20), (TIMESTAMP '2024-05-01 10:01:00', 1, 20);
--> 1 | 0 | 1 | ann | 1 | 10.000000
--> 1 | 0 | 2 | ann | 1 | 20.000000
--> 1 | 0 | 1 | ann | 2 | 20.000000
--> 1 | 0 | 2 | ann | 2 | 25.000000
--> 2 | 0 | 3 | 30 | 40
--> 2 | 0 | 0 | 20 | 30
--> 2 | 0 | 0 | 20 | 50
--> 2 | 0 | 0 | 30 | 80
--> 3 | 0 | 1 | 1 | 1 | 1
--> 3 | 0 | 2 | 1 | 3 | 1
--> 3 | 0 | 1 | 2 | 1 | 1
--> 3 | 0 | 2 | 2 | 1 | 2
--> 4 | 0 | 1 | 2 |  |
--> 4 | 0 | 2 | 4 | 10 | 20
