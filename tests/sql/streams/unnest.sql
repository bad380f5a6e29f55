-- UNNEST over a stream: each row by itself, and its ROWTIME moves on as before. By hand.
-- date 2024-05-01

CREATE STREAM carts (shop INTEGER, items VARCHAR(10) ARRAY) OPTIONS (history 'all');
SELECT STREAM rowtime, shop, item FROM carts CROSS JOIN UNNEST(items) AS x (item);
SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, item, COUNT(*) AS c, COUNT(DISTINCT shop) AS shops
FROM carts CROSS JOIN UNNEST(carts.items) AS x (item)
GROUP BY FLOOR(rowtime TO HOUR), item;
SELECT STREAM c.rowtime, c.shop, x.item, x.n FROM carts AS c LEFT JOIN UNNEST(c.items) WITH ORDINALITY AS x (item, n) ON TRUE
WHERE c.shop < 3;

INSERT INTO carts VALUES (TIMESTAMP '2024-05-01 10:05:00', 1, ARRAY['tea', 'milk']);
--> 1 | 10:05:00 | 1 | tea
--> 1 | 10:05:00 | 1 | milk
--> 3 | 10:05:00 | 1 | tea | 1
--> 3 | 10:05:00 | 1 | milk | 2
INSERT INTO carts VALUES (TIMESTAMP '2024-05-01 10:30:00', 2, NULL);
--> 3 | 10:30:00 | 2 | |
INSERT INTO carts VALUES (TIMESTAMP '2024-05-01 10:40:00', 3, ARRAY['tea']);
--> 1 | 10:40:00 | 3 | tea
INSERT INTO carts VALUES (TIMESTAMP '2024-05-01 11:00:00', 4, ARRAY['cup', 'cup']);
--> 1 | 11:00:00 | 4 | cup
--> 1 | 11:00:00 | 4 | cup
--> 2 | 10:00:00 | milk | 1 | 1
--> 2 | 10:00:00 | tea | 2 | 2
-- unordered 2
SELECT item, COUNT(*) AS c FROM carts, UNNEST(items) AS x (item) GROUP BY item ORDER BY item;
--> 4 | cup | 2
--> 4 | milk | 1
--> 4 | tea | 2
