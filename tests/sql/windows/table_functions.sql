-- TUMBLE, HOP and SESSION as table functions, which add window_start and window_end to the rows.
-- date 2015-02-15
-- unordered 4
CREATE STREAM Orders (productId INTEGER, units INTEGER) OPTIONS (history 'all');
SELECT STREAM window_end AS rowtime, SUM(units) AS units
FROM TABLE(TUMBLE(TABLE Orders, DESCRIPTOR(rowtime), INTERVAL '15' MINUTE)) GROUP BY window_start, window_end;
SELECT STREAM window_end AS rowtime, window_start, COUNT(*) AS c
FROM TABLE(HOP(TABLE Orders, DESCRIPTOR(rowtime), INTERVAL '1' HOUR, INTERVAL '7007' SECOND(4), INTERVAL '193' SECOND(3)))
GROUP BY window_start, window_end;
SELECT STREAM window_end AS rowtime, window_start, productId, SUM(units) AS units
FROM TABLE(SESSION(TABLE Orders, DESCRIPTOR(rowtime), DESCRIPTOR(productId), INTERVAL '10' MINUTE)) AS s
GROUP BY s.window_start, window_end, productId HAVING SUM(units) > 1;
SELECT STREAM rowtime, window_end FROM TABLE(HOP(TABLE Orders, DESCRIPTOR(rowtime), INTERVAL '30' MINUTE, INTERVAL '1' HOUR));
SELECT STREAM window_end AS rowtime, COUNT(*) AS c
FROM TABLE(SESSION((SELECT * FROM Orders WHERE units < 9), DESCRIPTOR(rowtime), INTERVAL '10' MINUTE)) GROUP BY window_start, window_end;

INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 10:00:00', 10, 1), (TIMESTAMP '2015-02-15 10:10:00', 10, 2);
--> 4 | 10:00:00 | 10:30:00
--> 4 | 10:00:00 | 11:00:00
--> 4 | 10:10:00 | 10:30:00
--> 4 | 10:10:00 | 11:00:00
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 10:20:01', 20, 9);
--> 1 | 10:15:00 | 3
--> 3 | 10:20:00 | 10:00:00 | 10 | 3
--> 4 | 10:20:01 | 10:30:00
--> 4 | 10:20:01 | 11:00:00
--> 5 | 10:20:00 | 2
-- The windows of 7,007 seconds begin at 3:13 past each hour, and end at the top of another.
!bound Orders '2015-02-15 12:00:00'
--> 1 | 10:30:00 | 9
--> 2 | 11:00:00 | 09:03:13 | 3
--> 2 | 12:00:00 | 10:03:13 | 2
--> 3 | 10:30:01 | 10:20:01 | 20 | 9
