-- Seed 003, "Grouping by hours" revisited: the bound of 5:00 brings the counts of 4:00 at once, and the same ones. To FLOOR a
-- strict bound says nothing more; the bound of 9:00 next day has the same effect as one after another.
-- date 2006-09-11
-- unordered 1
CREATE STREAM events (color VARCHAR(10));
SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, color, COUNT(*) AS c FROM events GROUP BY FLOOR(rowtime TO HOUR), color;

INSERT INTO events VALUES
  (TIMESTAMP '2006-09-11 03:01:00', 'blue'),
  (TIMESTAMP '2006-09-11 03:15:00', 'red'),
  (TIMESTAMP '2006-09-11 04:00:00', 'red');
--> 1 | 03:00:00 | blue | 1
--> 1 | 03:00:00 | red | 1
INSERT INTO events VALUES
  (TIMESTAMP '2006-09-11 04:06:00', 'blue'),
  (TIMESTAMP '2006-09-11 04:45:00', 'blue');
!bound events '2006-09-11 05:00:00'
--> 1 | 04:00:00 | blue | 2
--> 1 | 04:00:00 | red | 1
--> bound 1 05:00:00
INSERT INTO events VALUES (TIMESTAMP '2006-09-11 06:15:00', 'red');
!bound events '2006-09-12 09:00:00'
--> 1 | 06:00:00 | red | 1
--> bound events 2006-09-12 09:00:00
--> bound 1 2006-09-12 09:00:00
