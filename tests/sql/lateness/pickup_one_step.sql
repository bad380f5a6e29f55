-- Seed 000, the pick-ups as one step: the clock, by which a row is judged, moves only after the step, so all five rows stay.
-- steps matter
-- date 2020-01-01
CREATE TABLE order_pickup (
   "when" TIMESTAMP NOT NULL LATENESS INTERVAL '1:00' HOURS TO MINUTES,
   location VARCHAR
);
SELECT STREAM * FROM order_pickup;

INSERT INTO order_pickup VALUES
  ('2020-01-01 00:00:00', 'home'),
  ('2020-01-01 01:00:00', 'office'),
  ('2020-01-01 00:10:00', 'shop'),
  ('2020-01-01 02:00:00', 'home'),
  ('2020-01-01 00:20:00', 'friend');
--> 1 | 00:00:00 | home
--> 1 | 01:00:00 | office
--> 1 | 00:10:00 | shop
--> 1 | 02:00:00 | home
--> 1 | 00:20:00 | friend

-- After the step the clock is 2:00, and what is before 1:00 is too late.
INSERT INTO order_pickup VALUES ('2020-01-01 00:20:00', 'friend');
--> rejected ORDER_PICKUP late | 00:20:00 | friend

SELECT location, COUNT(*) AS c FROM order_pickup GROUP BY location ORDER BY location;
--> 2 | friend | 1
--> 2 | home | 2
--> 2 | office | 1
--> 2 | shop | 1
