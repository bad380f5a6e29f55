-- Seed 000, the pick-ups as five steps: the third row is late, but by less than an hour; the fifth is too late.
-- steps matter
-- restart between any two lines
-- date 2020-01-01
CREATE TABLE order_pickup (
   "when" TIMESTAMP NOT NULL LATENESS INTERVAL '1:00' HOURS TO MINUTES,
   location VARCHAR
);
SELECT STREAM * FROM order_pickup;

INSERT INTO order_pickup VALUES('2020-01-01 00:00:00', 'home');
--> 1 | 00:00:00 | home
INSERT INTO order_pickup VALUES('2020-01-01 01:00:00', 'office');
--> 1 | 01:00:00 | office
INSERT INTO order_pickup VALUES('2020-01-01 00:10:00', 'shop');
--> 1 | 00:10:00 | shop
INSERT INTO order_pickup VALUES('2020-01-01 02:00:00', 'home');
--> 1 | 02:00:00 | home
INSERT INTO order_pickup VALUES('2020-01-01 00:20:00', 'friend');
--> rejected ORDER_PICKUP late | 00:20:00 | friend

-- Exactly an hour behind is not too late.
INSERT INTO order_pickup VALUES('2020-01-01 01:00:00', 'park');
--> 1 | 01:00:00 | park

SELECT COUNT(*) AS c FROM order_pickup;
--> 2 | 5
