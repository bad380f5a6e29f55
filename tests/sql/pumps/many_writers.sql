-- Seed 002: multiple writers can insert into a stream, and multiple readers can select from it. Two pumps and a producer feed
-- steps matter
-- one stream, merged by rowtime: it runs at the speed of the slowest.
-- date 2006-09-11
CREATE STREAM x (v VARCHAR(10));
CREATE STREAM y (v VARCHAR(10));
CREATE STREAM z (v VARCHAR(10));
CREATE PUMP px STARTED AS INSERT INTO z SELECT STREAM * FROM x;
CREATE PUMP py STARTED AS INSERT INTO z SELECT STREAM * FROM y;
SELECT STREAM * FROM z;

-- PY is attached since it was started, and may have an earlier row.
INSERT INTO x VALUES (TIMESTAMP '2006-09-11 10:00:00', 'x1');
--> bound z none
INSERT INTO y VALUES (TIMESTAMP '2006-09-11 10:05:00', 'y1');
--> 1 | 10:00:00 | x1
--> bound z 10:00:00
INSERT INTO x VALUES (TIMESTAMP '2006-09-11 10:06:00', 'x2');
--> 1 | 10:05:00 | y1
--> bound z 10:05:00
SELECT STREAM v FROM z WHERE v <> 'x2';
!producer P
INSERT INTO z VALUES (TIMESTAMP '2006-09-11 10:05:30', 'p1');
!bound y '2006-09-11 10:07:00'
--> 1 | 10:05:30 | p1
--> 2 | p1
--> bound z 10:05:30
INSERT INTO x VALUES (TIMESTAMP '2006-09-11 10:08:00', 'x3');
!detach P
--> 1 | 10:06:00 | x2
--> bound z 10:07:00
DROP PUMP py;
--> 1 | 10:08:00 | x3
--> 2 | x3
--> bound z 10:08:00
