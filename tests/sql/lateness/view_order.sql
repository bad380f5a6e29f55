-- The LATENESS of a view makes another column the clock, by which rows come in another order than by ROWTIME.
-- steps matter
-- date 2024-05-01
CREATE STREAM s (due TIMESTAMP(3) NOT NULL, x INTEGER);
CREATE VIEW v AS SELECT due, x FROM s;
LATENESS v.due INTERVAL '10' MINUTE;
SELECT STREAM window_end, x, window_start FROM SESSION(TABLE v, DESCRIPTOR(due), INTERVAL '5' MINUTE);

INSERT INTO s (due, x) VALUES (TIMESTAMP '2024-05-01 10:09:00', 1);
INSERT INTO s (due, x) VALUES (TIMESTAMP '2024-05-01 10:01:00', 2);
INSERT INTO s (due, x) VALUES (TIMESTAMP '2024-05-01 10:05:00', 3);
INSERT INTO s (due, x) VALUES (TIMESTAMP '2024-05-01 10:40:00', 4);
--> 1 | 10:14:00 | 2 | 10:01:00
--> 1 | 10:14:00 | 3 | 10:01:00
--> 1 | 10:14:00 | 1 | 10:01:00
