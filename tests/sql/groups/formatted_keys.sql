-- GROUP BY a time as text: a group is complete when the day, or the hour, that the text stands for is over.
-- date 2015-02-15
-- unordered 1 2

CREATE STREAM bids (rowtime TIMESTAMP NOT NULL, channel VARCHAR(10), price INTEGER);

SELECT STREAM DATE_FORMAT(rowtime, 'yyyy-MM-dd') AS d, COUNT(*) AS c, COUNT(DISTINCT channel) AS channels, SUM(price) FILTER (WHERE price > 1) AS s
FROM bids GROUP BY DATE_FORMAT(rowtime, 'yyyy-MM-dd');
-- Text in the pattern, and fields in any order
SELECT STREAM DATE_FORMAT(rowtime, 'HH''h'' dd.MM.yyyy') AS h, channel, MAX(DATE_FORMAT(rowtime, 'HH:mm')) AS latest
FROM bids GROUP BY channel, DATE_FORMAT(rowtime, 'HH''h'' dd.MM.yyyy') HAVING COUNT(*) > 0;

INSERT INTO bids VALUES (TIMESTAMP '2015-02-15 10:00:00', 'web', 1), (TIMESTAMP '2015-02-15 10:30:00', 'app', 2), (TIMESTAMP '2015-02-15 10:40:00', 'web', 5);
INSERT INTO bids VALUES (TIMESTAMP '2015-02-15 11:15:00', 'web', 3);
--> 2 | 10h 15.02.2015 | web | 10:40
--> 2 | 10h 15.02.2015 | app | 10:30
INSERT INTO bids VALUES (TIMESTAMP '2015-02-16 00:00:00.001', 'web', 4);
--> 1 | 2015-02-15 | 4 | 2 | 10
--> 2 | 11h 15.02.2015 | web | 11:15
