-- A group waits until its closing key is complete. Its other keys, here the hour, may have passed by then: a GROUP BY of
-- them waits as well. The two windows of the row of 11:40 are complete at 12:00 and 12:30.
-- date 2024-05-01
CREATE STREAM s (n INTEGER);
CREATE VIEW hours AS SELECT STREAM rowtime, window_start AS h, n FROM TUMBLE(s, DESCRIPTOR(rowtime), INTERVAL '1' HOUR);
CREATE VIEW windows AS SELECT STREAM HOP_START(rowtime, INTERVAL '30' MINUTE, INTERVAL '1' HOUR) AS rowtime, h, COUNT(DISTINCT n) AS c
FROM hours GROUP BY HOP(rowtime, INTERVAL '30' MINUTE, INTERVAL '1' HOUR), h;
SELECT STREAM h AS rowtime, COUNT(*) AS windows, SUM(c) AS c FROM windows GROUP BY h;
INSERT INTO s (rowtime, n) VALUES (TIMESTAMP '2024-05-01 11:40:00', 1);
!bound s '2024-05-01 12:10:00'
INSERT INTO s (rowtime, n) VALUES (TIMESTAMP '2024-05-01 12:10:00', 2);
!bound s '2024-05-01 12:40:00'
--> 1 | 11:00:00 | 2 | 2
!bound s '2024-05-01 14:00:00'
--> 1 | 12:00:00 | 2 | 2
