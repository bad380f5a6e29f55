-- TIME within arrays, maps and rows of stored tables and streams.
CREATE TABLE shifts (id INTEGER, begins TIME ARRAY, r ROW(first_at TIME, n INTEGER), by_name MAP<VARCHAR(10), TIME>);
INSERT INTO shifts VALUES
  (1, ARRAY[TIME '06:00:00', TIME '22:30:15'], ROW(TIME '06:00:00', 2), MAP['early', TIME '06:00:00']),
  (2, NULL, NULL, NULL);
INSERT INTO shifts SELECT id + 10, begins, r, by_name FROM shifts;

SELECT s.id, s.begins[1] AS b, s.begins[2] AS c, s.r.first_at AS f, s.r.n AS n, s.by_name['early'] AS e FROM shifts AS s ORDER BY s.id;
--> 1 | 1 | 06:00:00 | 22:30:15 | 06:00:00 | 2 | 06:00:00
--> 1 | 2 | | | | |
--> 1 | 11 | 06:00:00 | 22:30:15 | 06:00:00 | 2 | 06:00:00
--> 1 | 12 | | | | |

SELECT MAX(s.begins[2]) AS m FROM shifts AS s WHERE s.begins[1] = TIME '06:00:00' AND s.by_name['early'] < TIME '07:00:00';
--> 2 | 22:30:15

CREATE TABLE latest AS SELECT ARRAY[MAX(s.begins[2])] AS begins FROM shifts AS s;
SELECT begins[1] AS b FROM latest;
--> 3 | 22:30:15
