-- A LATENESS column is a clock: a group is complete, and given out, when no row of it can be admitted any more.
-- steps matter
-- date 2020-01-01
CREATE TABLE order_pickup (
   "when" TIMESTAMP(3) NOT NULL LATENESS INTERVAL '1:00' HOURS TO MINUTES,
   location VARCHAR
);
SELECT STREAM FLOOR("when" TO HOUR) AS h, COUNT(*) AS c FROM order_pickup GROUP BY FLOOR("when" TO HOUR);

INSERT INTO order_pickup VALUES('2020-01-01 00:00:00', 'home');
INSERT INTO order_pickup VALUES('2020-01-01 01:00:00', 'office');
INSERT INTO order_pickup VALUES('2020-01-01 00:10:00', 'shop');
INSERT INTO order_pickup VALUES('2020-01-01 02:00:00', 'home');
--> 1 | 00:00:00 | 2
INSERT INTO order_pickup VALUES('2020-01-01 00:20:00', 'friend');
--> rejected ORDER_PICKUP late | 00:20:00 | friend
INSERT INTO order_pickup VALUES('2020-01-01 01:00:00', 'park');
INSERT INTO order_pickup VALUES('2020-01-01 02:59:59.999', 'home');
INSERT INTO order_pickup VALUES('2020-01-01 03:00:00', 'home');
--> 1 | 01:00:00 | 2
