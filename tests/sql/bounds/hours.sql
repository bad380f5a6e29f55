-- Seed 003, "Grouping by hours", without a bound: the counts of 4:00 come with the row of 6:15, an hour and a quarter late.
-- date 2006-09-11
-- unordered 1
CREATE STREAM events (color VARCHAR(10));
SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, color, COUNT(*) AS c FROM events GROUP BY FLOOR(rowtime TO HOUR), color;

INSERT INTO events VALUES (TIMESTAMP '2006-09-11 03:01:00', 'blue');
INSERT INTO events VALUES (TIMESTAMP '2006-09-11 03:15:00', 'red');
INSERT INTO events VALUES (TIMESTAMP '2006-09-11 04:00:00', 'red');
--> 1 | 03:00:00 | blue | 1
--> 1 | 03:00:00 | red | 1
--> bound 1 04:00:00
INSERT INTO events VALUES (TIMESTAMP '2006-09-11 04:06:00', 'blue');
INSERT INTO events VALUES (TIMESTAMP '2006-09-11 04:45:00', 'blue');
--> bound 1 04:00:00
INSERT INTO events VALUES (TIMESTAMP '2006-09-11 06:15:00', 'red');
--> 1 | 04:00:00 | blue | 2
--> 1 | 04:00:00 | red | 1
--> bound events 06:15:00
--> bound 1 06:00:00
