-- Top-N and best of a window, in all forms in which they are written: a row comes out when its window is over, if it is among the
-- first. NULLs come first where an order falls.
-- date 2024-05-01
CREATE STREAM BIDS (auction INTEGER, price INTEGER);
SELECT STREAM rowtime, auction, price FROM BIDS
QUALIFY ROW_NUMBER() OVER (PARTITION BY FLOOR(rowtime TO MINUTE) ORDER BY price DESC) <= 2;
SELECT STREAM rowtime, auction, price, r FROM (
  SELECT STREAM rowtime, auction, price,
    RANK() OVER (PARTITION BY FLOOR(rowtime TO MINUTE), auction ORDER BY price DESC NULLS LAST) AS r FROM BIDS)
WHERE r BETWEEN 1 AND 2;
SELECT STREAM rowtime, auction, price FROM BIDS
WHERE price = MAX(price) OVER (PARTITION BY FLOOR(rowtime TO MINUTE) ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING);
SELECT STREAM rowtime, auction, price, d, r, n FROM (
  SELECT STREAM rowtime, auction, price, ROW_NUMBER() OVER w AS n, RANK() OVER w AS r, DENSE_RANK() OVER w AS d FROM BIDS
  WINDOW w AS (PARTITION BY FLOOR(rowtime TO MINUTE) ORDER BY price))
WHERE 3 > d AND auction < 3;
SELECT STREAM rowtime, auction, price FROM BIDS
QUALIFY MIN(price) OVER (PARTITION BY FLOOR(rowtime TO MINUTE), auction RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) = price;
SELECT STREAM rowtime, auction, price FROM BIDS
QUALIFY ROW_NUMBER() OVER (PARTITION BY FLOOR(rowtime TO MINUTE) ORDER BY auction DESC, price) = 1;
SELECT STREAM rowtime, auction, price FROM BIDS
QUALIFY RANK() OVER (PARTITION BY FLOOR(rowtime TO MINUTE) ORDER BY price DESC) < 1;

INSERT INTO BIDS VALUES (TIMESTAMP '2024-05-01 10:00:00', 1, 50);
INSERT INTO BIDS VALUES (TIMESTAMP '2024-05-01 10:00:10', 2, 70), (TIMESTAMP '2024-05-01 10:00:20', 1, 70);
INSERT INTO BIDS VALUES (TIMESTAMP '2024-05-01 10:00:30', 1, NULL), (TIMESTAMP '2024-05-01 10:00:40', 2, 60),
  (TIMESTAMP '2024-05-01 10:00:40', 2, 60);
-- A row of the next minute ends the window.
INSERT INTO BIDS VALUES (TIMESTAMP '2024-05-01 10:01:00', 3, 50), (TIMESTAMP '2024-05-01 10:01:00', 3, 50);
--> 1 | 10:00:10 | 2 | 70
--> 1 | 10:00:30 | 1 |
--> 2 | 10:00:00 | 1 | 50 | 2
--> 2 | 10:00:10 | 2 | 70 | 1
--> 2 | 10:00:20 | 1 | 70 | 1
--> 2 | 10:00:40 | 2 | 60 | 2
--> 2 | 10:00:40 | 2 | 60 | 2
--> 3 | 10:00:10 | 2 | 70
--> 3 | 10:00:20 | 1 | 70
--> 4 | 10:00:00 | 1 | 50 | 1 | 1 | 1
--> 4 | 10:00:40 | 2 | 60 | 2 | 2 | 2
--> 4 | 10:00:40 | 2 | 60 | 2 | 2 | 3
--> 5 | 10:00:00 | 1 | 50
--> 5 | 10:00:40 | 2 | 60
--> 5 | 10:00:40 | 2 | 60
--> 6 | 10:00:40 | 2 | 60
INSERT INTO BIDS VALUES (TIMESTAMP '2024-05-01 10:01:30', 2, 50), (TIMESTAMP '2024-05-01 10:01:31', 1, 40);
!bound BIDS '2024-05-01 10:02:00'
--> 1 | 10:01:00 | 3 | 50
--> 1 | 10:01:00 | 3 | 50
--> 2 | 10:01:00 | 3 | 50 | 1
--> 2 | 10:01:00 | 3 | 50 | 1
--> 2 | 10:01:30 | 2 | 50 | 1
--> 2 | 10:01:31 | 1 | 40 | 1
--> 3 | 10:01:00 | 3 | 50
--> 3 | 10:01:00 | 3 | 50
--> 3 | 10:01:30 | 2 | 50
--> 4 | 10:01:30 | 2 | 50 | 2 | 2 | 4
--> 4 | 10:01:31 | 1 | 40 | 1 | 1 | 1
--> 5 | 10:01:00 | 3 | 50
--> 5 | 10:01:00 | 3 | 50
--> 5 | 10:01:30 | 2 | 50
--> 5 | 10:01:31 | 1 | 40
--> 6 | 10:01:00 | 3 | 50
