-- TIME within arrays, maps and rows of stored tables and streams.
CREATE TABLE shifts (id INTEGER, begins TIME ARRAY, r ROW(first_at TIME, n INTEGER), by_name MAP<VARCHAR(10), TIME>);
INSERT INTO shifts VALUES
  (1, ARRAY[TIME '06:00:00', TIME '22:30:15'], ROW(TIME '06:00:00', 2), MAP['early', TIME '06:00:00']),
  (2, NULL, NULL, NULL);
INSERT INTO shifts SELECT id + 10, begins, r, by_name FROM shifts;

SELECT s.id, HOUR(s.begins[1]) AS b, MINUTE(s.begins[2]) AS c, HOUR(s.r.first_at) AS f, s.r.n AS n, HOUR(s.by_name['early']) AS e
FROM shifts AS s ORDER BY s.id;
--> 1 | 1 | 6 | 30 | 6 | 2 | 6
--> 1 | 2 | | | | |
--> 1 | 11 | 6 | 30 | 6 | 2 | 6
--> 1 | 12 | | | | |

SELECT SECOND(MAX(s.begins[2])) AS m FROM shifts AS s WHERE s.begins[1] = TIME '06:00:00' AND s.by_name['early'] < TIME '07:00:00';
--> 2 | 15

CREATE TABLE latest AS SELECT ARRAY[MAX(s.begins[2])] AS begins FROM shifts AS s;
SELECT MINUTE(begins[1]) AS b FROM latest;
--> 3 | 30

CREATE STREAM days (begins TIME ARRAY) OPTIONS (history 'all');
CREATE STREAM firsts (begin_at TIME, begins TIME ARRAY) OPTIONS (history 'all');
CREATE PUMP p STARTED AS INSERT INTO firsts SELECT STREAM rowtime, begins[1] AS begin_at, begins FROM days;
INSERT INTO days VALUES (TIMESTAMP '2024-05-01 00:00:00', ARRAY[TIME '07:00:00', TIME '08:45:00']);
SELECT HOUR(begin_at) AS h, begin_at = begins[1] AS same, MINUTE(begins[2]) AS m FROM firsts;
--> 4 | 7 | TRUE | 45
