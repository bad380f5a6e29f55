-- Seed 002, pumps: stopped at first; START begins with what arrives from then on. PAUSE keeps the pump's place in its source
-- and its attachment to the target, which waits for it; STOP keeps the place only, so that what it brings later may be late.
-- steps matter
-- restart between any two lines
-- date 2006-09-11
CREATE STREAM a (v VARCHAR(10));
CREATE STREAM b (v VARCHAR(10));
SELECT STREAM * FROM b;
CREATE PUMP p AS INSERT INTO b SELECT STREAM * FROM a;

INSERT INTO a VALUES (TIMESTAMP '2006-09-11 10:00:00', 'unseen');
ALTER PUMP p START;
INSERT INTO a VALUES (TIMESTAMP '2006-09-11 10:01:00', 'first');
--> 1 | 10:01:00 | first
--> bound b 10:01:00

ALTER PUMP p PAUSE;
INSERT INTO a VALUES (TIMESTAMP '2006-09-11 10:02:00', 'paused');
-- The pump is attached, and may have an earlier row, as indeed it has.
INSERT INTO b VALUES (TIMESTAMP '2006-09-11 10:03:00', 'direct');
--> bound b 10:01:00
ALTER PUMP p RESUME;
--> 1 | 10:02:00 | paused
--> bound b 10:02:00
!bound a '2006-09-11 10:05:00'
--> 1 | 10:03:00 | direct
--> bound b 10:05:00

ALTER PUMP p STOP;
INSERT INTO a VALUES (TIMESTAMP '2006-09-11 10:06:00', 'stopped'), (TIMESTAMP '2006-09-11 10:20:00', 'later');
-- Nobody waits for a pump that is stopped.
INSERT INTO b VALUES (TIMESTAMP '2006-09-11 10:10:00', 'direct');
--> 1 | 10:10:00 | direct
ALTER PUMP p START;
--> 1 | 10:20:00 | later
--> rejected B late pump P | 10:06:00 | stopped
--> bound b 10:20:00
DROP PUMP p;
INSERT INTO a VALUES (TIMESTAMP '2006-09-11 10:30:00', 'unpumped');
INSERT INTO b VALUES (TIMESTAMP '2006-09-11 10:25:00', 'direct');
--> 1 | 10:25:00 | direct
